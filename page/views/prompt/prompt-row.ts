// A row of the list beside the text: a section, a tool, a file, a part of the conversation. What is in the prompt has
// stretches of its text; what is not has a reason.
import type { Pace } from "../../../src/base/pace.ts"
import type { ReportSection } from "../../../src/core/read/report.ts"
import type { CallDetail, ShownPart, ShownSpan } from "../../../src/serve/page/shown.ts"
import { type BlockCache, summed } from "../../parts/blocks.ts"
import type { ShownOutcome } from "../../parts/outcome.ts"
import { visibleName } from "../../parts/visible-text.ts"

/** A piece of a part's text, in UTF-16 offsets. */
export interface Stretch {
  /** Index of the part. */
  readonly part: number
  readonly start: number
  readonly end: number
}

/** A stretch with its share of the part. */
export interface Weighed extends Stretch {
  readonly span: ShownSpan
  readonly tokens: number
  readonly costUsd: number | null
  readonly cache: BlockCache | null
  /** Tokens of the request before it. */
  readonly before: number
}

export interface PromptRow {
  /** The value of `section` in the address. */
  readonly key: string
  readonly title: string
  /** Where its text comes from, such as "SOUL.md:1-9". */
  readonly source: string
  readonly pace: Pace | null
  readonly tokens: number
  readonly costUsd: number | null
  readonly cache: BlockCache | null
  readonly outcome: ShownOutcome
  readonly stretches: readonly Stretch[]
  /** Tokens of the request before its first stretch, and up to the end of its last. */
  readonly range: readonly [number, number]
  readonly section: ReportSection | undefined
  readonly children: readonly PromptRow[]
}

/** Something that is not in the prompt. */
export interface MissingRow {
  readonly key: string
  readonly title: string
  readonly outcome: ShownOutcome
}

export interface PromptList {
  readonly groups: readonly { readonly title: string; readonly rows: readonly PromptRow[] }[]
  readonly missing: readonly MissingRow[]
}

export const INCLUDED: ShownOutcome = { sign: "included", word: "included", reason: undefined }

/** Every stretch of the request, in order, each with its share of its part's tokens and money. */
export function weighed({ parts, report }: Pick<CallDetail, "parts" | "report">): readonly Weighed[] {
  const density = densityOf(report?.sections ?? [])
  let before = 0
  return parts.flatMap((part, at) => {
    const spans = covering(part)
    const weights = spans.map((span) => (span.end - span.start) * (density.get(span.section ?? "") ?? USUAL))
    const whole = weights.reduce((sum, weight) => sum + weight, 0)
    let inPart = 0
    const found = spans.map((span, index): Weighed => {
      const share = whole === 0 ? 1 / spans.length : (weights[index] ?? 0) / whole
      const tokens = part.tokens * share
      const costUsd = part.costUsd === null ? null : part.costUsd * share
      const cache = part.cache && within(part.cache, inPart, inPart + tokens)
      const own = { part: at, start: span.start, end: span.end, span }
      const weighedSpan = { ...own, tokens, costUsd, cache, before: before + inPart }
      inPart += tokens
      return weighedSpan
    })
    before += part.tokens
    return found
  })
}

/** Tokens of a character, where nothing is known. */
const USUAL = 0.25

/** The compiler has counted the tokens of each section, so dense text gets more of its part than plain text. */
function densityOf(sections: readonly ReportSection[]): ReadonlyMap<string, number> {
  return new Map(
    sections.flatMap(({ id, tokens, spans }) => {
      const length = spans.reduce((sum, { start, end }) => sum + end - start, 0)
      return length === 0 || tokens === 0 ? [] : [[id, tokens / length] as const]
    }),
  )
}

/** The spans of a part with what lies between them, so that nothing is left out. */
function covering({ text, spans }: ShownPart): readonly ShownSpan[] {
  const all: ShownSpan[] = []
  let at = 0
  const gap = (end: number) => end > at && all.push({ start: at, end, section: null, owner: null })
  for (const span of spans) {
    // A span may say more than the text has.
    const [start, end] = [Math.min(span.start, text.length), Math.min(span.end, text.length)]
    gap(start)
    if (end > at) all.push({ ...span, start: Math.max(start, at), end })
    at = Math.max(at, end)
  }
  gap(text.length)
  return all.length > 0 ? all : [{ start: 0, end: text.length, section: null, owner: null }]
}

/** What the cache did with a range of a part: it is read from the front. */
function within({ read, written, uncached }: BlockCache, from: number, to: number): BlockCache {
  const overlap = (start: number, size: number) =>
    Math.max(0, Math.min(to, start + size) - Math.max(from, start))
  return {
    read: overlap(0, read),
    written: overlap(read, written),
    uncached: overlap(read + written, uncached),
  }
}

export interface RowFacts extends Pick<PromptRow, "key" | "title"> {
  readonly pace?: Pace | null
  readonly source?: string
  readonly outcome?: ShownOutcome
  readonly section?: ReportSection | undefined
  readonly children?: readonly PromptRow[]
}

/** A row of all of these stretches. */
export function rowOf(facts: RowFacts, all: readonly Weighed[]): PromptRow {
  const last = all.at(-1)
  return {
    ...facts,
    title: visibleName(facts.title),
    source: visibleName(facts.source ?? sourceOf(all)),
    pace: facts.pace ?? null,
    ...summed(all),
    outcome: facts.outcome ?? INCLUDED,
    stretches: merged(all),
    range: [all[0]?.before ?? 0, last === undefined ? 0 : last.before + last.tokens],
    section: facts.section,
    children: facts.children ?? [],
  }
}

/** Stretches that touch are one. */
export function merged(all: readonly Stretch[]): readonly Stretch[] {
  const found: Stretch[] = []
  for (const { part, start, end } of all) {
    const last = found.at(-1)
    if (last?.part === part && last.end === start) found[found.length - 1] = { part, start: last.start, end }
    else found.push({ part, start, end })
  }
  return found
}

/** The files of these stretches, each with its lines. */
function sourceOf(all: readonly Pick<Weighed, "span">[]): string {
  const ranges = new Map<string, readonly [number, number] | undefined>()
  for (const { span } of all) {
    const { path, lines } = span.owner ?? {}
    if (path === undefined) continue
    const known = ranges.get(path) ?? lines
    ranges.set(path, known && lines ? [Math.min(known[0], lines[0]), Math.max(known[1], lines[1])] : known)
  }
  return [...ranges]
    .map(([path, lines]) =>
      lines === undefined ? path : `${path}:${lines[0]}${lines[0] === lines[1] ? "" : `-${lines[1]}`}`,
    )
    .join(", ")
}
