// The difference between two prompts: what was added, removed, changed or moved, and the first UTF-16 unit that
// differs, which is where a provider's cache stops helping.
import { countNewlines, lineCount } from "../model/content.ts"
import type { Report, ReportSection, ReportTool } from "./report.ts"

/** What differs between two prompts. */
export interface Difference {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
  /** Sections whose order changed; the smallest set that explains it. */
  readonly moved: readonly string[]
  readonly tools: {
    readonly added: readonly string[]
    readonly removed: readonly string[]
    readonly changed: readonly string[]
  }
  /** The first unit that differs. Undefined if the prompts are the same. */
  readonly first: FirstDifference | undefined
}

/** The first place where two prompts differ. */
export type FirstDifference =
  | { readonly kind: "tool"; readonly name: string }
  | {
      readonly kind: "text"
      /** The owner of the unit on each side. Undefined on a side that ended before it. */
      readonly before: Owner | undefined
      readonly after: Owner | undefined
      /** Tokens of the second prompt after the last block that both share. */
      readonly tokensAfter: number
    }

/** The section, file and line that a place in a prompt belongs to. */
export interface Owner {
  readonly section: string
  readonly block: number
  readonly offset: number
  readonly path?: string
  readonly line?: number
}

/** Compares two reports, and says where the first difference is and how many tokens it takes out of the cache. */
export function diff(before: Report, after: Report): Difference {
  const was = texts(before)
  const is = texts(after)
  const shared = [...was.keys()].filter((id) => is.has(id))
  return {
    added: [...is.keys()].filter((id) => !was.has(id)),
    removed: [...was.keys()].filter((id) => !is.has(id)),
    changed: shared.filter((id) => was.get(id) !== is.get(id)),
    moved: movedOf(
      shared,
      [...is.keys()].filter((id) => was.has(id)),
    ),
    tools: diffTools(before.tools, after.tools),
    first: firstDifference(before, after),
  }
}

/** The text of each section that is in the prompt, in reading order. */
export function texts(report: Report): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { id, start, end, block } of spansInOrder(report)) {
    found.set(id, (found.get(id) ?? "") + (report.blocks[block]?.text.slice(start, end) ?? ""))
  }
  return found
}

function spansInOrder({ sections }: Report) {
  return sections
    .flatMap(({ id, spans }) => spans.map((span) => ({ id, ...span })))
    .sort((a, b) => a.block - b.block || a.start - b.start)
}

/** All sections except the longest run that kept its order. */
function movedOf(before: readonly string[], after: readonly string[]): readonly string[] {
  const place = new Map(after.map((id, at) => [id, at]))
  const places = before.map((id) => place.get(id) ?? 0)
  const best: { readonly length: number; readonly previous: number }[] = []
  for (const [at, own] of places.entries()) {
    let chosen = { length: 1, previous: -1 }
    for (let earlier = 0; earlier < at; earlier += 1) {
      const length = (best[earlier]?.length ?? 0) + 1
      if ((places[earlier] ?? 0) < own && length > chosen.length) chosen = { length, previous: earlier }
    }
    best.push(chosen)
  }
  const stayed = new Set<number>()
  const longest = best.reduce((top, { length }, at) => (length > (best[top]?.length ?? 0) ? at : top), 0)
  for (let at = best.length === 0 ? -1 : longest; at !== -1; at = best[at]?.previous ?? -1) stayed.add(at)
  return before.filter((_id, at) => !stayed.has(at))
}

function diffTools(before: readonly ReportTool[], after: readonly ReportTool[]): Difference["tools"] {
  const sent = (tools: readonly ReportTool[]) =>
    new Map(tools.filter(isSent).map(({ name, digest }) => [name, digest]))
  const was = sent(before)
  const is = sent(after)
  return {
    added: [...is.keys()].filter((name) => !was.has(name)),
    removed: [...was.keys()].filter((name) => !is.has(name)),
    changed: [...is.keys()].filter((name) => was.has(name) && was.get(name) !== is.get(name)),
  }
}

function isSent({ outcome }: ReportTool): boolean {
  return outcome.kind === "included"
}

/** Tools are the first bytes of every request; the blocks follow. */
function firstDifference(before: Report, after: Report): FirstDifference | undefined {
  const tools = [before, after].map((report) => report.tools.filter(isSent))
  const [was = [], is = []] = tools
  const tool = Math.max(was.length, is.length)
  for (let at = 0; at < tool; at += 1) {
    if (was[at]?.name !== is[at]?.name || was[at]?.digest !== is[at]?.digest) {
      return { kind: "tool", name: is[at]?.name ?? was[at]?.name ?? "" }
    }
  }
  const blocks = Math.max(before.blocks.length, after.blocks.length)
  for (let block = 0; block < blocks; block += 1) {
    const a = before.blocks[block]?.text ?? ""
    const b = after.blocks[block]?.text ?? ""
    if (a === b) continue
    const offset = firstUnit(a, b)
    const tokensAfter = after.blocks.slice(block).reduce((sum, { tokens }) => sum + tokens, 0)
    return {
      kind: "text",
      before: ownerAt(before, block, offset),
      after: ownerAt(after, block, offset),
      tokensAfter,
    }
  }
  return undefined
}

function firstUnit(a: string, b: string): number {
  let at = 0
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1
  return at
}

/** Which section owns a unit of the text, and the file and line it comes from. */
export function ownerAt(report: Report, block: number, offset: number): Owner | undefined {
  for (const section of report.sections) {
    const span = section.spans.find(
      (candidate) => candidate.block === block && candidate.start <= offset && offset < candidate.end,
    )
    if (span !== undefined)
      return {
        section: section.id,
        block,
        offset,
        ...lineAt(section, { text: report.blocks[block]?.text ?? "", block, offset }),
      }
  }
  return undefined
}

function lineAt(
  section: ReportSection,
  { text, block, offset }: { readonly text: string; readonly block: number; readonly offset: number },
): { path?: string; line?: number } {
  const span = section.spans.find(
    (candidate) => candidate.block === block && candidate.start <= offset && offset < candidate.end,
  )
  const from = span?.from
  if (span === undefined || from === undefined || !("path" in from)) return {}
  const [first, last] = from.lines
  const before = countNewlines(text, span.start, offset)
  // Within text derived from a range of lines, the exact line is unknown.
  return {
    path: from.path,
    line: lineCount(text.slice(span.start, span.end)) === last - first + 1 ? first + before : first,
  }
}
