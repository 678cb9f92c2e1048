// Sections as blocks of text, with the spans that each of them owns. A placed section goes where the base asks for it,
// and the text after it counts as equally fast. How runs are grouped into blocks is up to the layout.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { fasterOf, isFaster, type Pace } from "../../base/pace.ts"
import type { Fitted } from "../fit/fit-sections.ts"
import type { TextPart } from "../model/content.ts"
import type { Block, Span } from "../model/plan.ts"
import { isRun, type Run, type Written } from "../write/write.ts"

/** Text of one section that stays together. */
export interface OwnedRun {
  readonly id: string
  readonly pace: Pace
  readonly run: Run
}

export interface BlockOptions {
  /** Divides all runs, in reading order, into blocks. */
  readonly group: (runs: readonly OwnedRun[]) => readonly (readonly OwnedRun[])[]
  readonly ttl: string
  /** Counts a whole block, for markup in which the counts of sections don't add up. */
  readonly recount?: (text: string) => number
}

export interface HeadBlocks {
  readonly blocks: readonly Block[]
  /** By section id. */
  readonly spans: ReadonlyMap<string, readonly Span[]>
  readonly diagnostics: readonly Diagnostic[]
}

export function headBlocks(sections: readonly Fitted[], options: BlockOptions): HeadBlocks {
  const { runs, diagnostics } = inReadingOrder(sections.filter(({ written }) => written !== undefined))
  const groups = options.group(runs)
  const spans = new Map<string, Span[]>()
  for (const [at, group] of groups.entries()) addBlockSpans(spans, group, at)
  const blocks = groups.map((group) => makeBlock(group, options))
  return { blocks, spans, diagnostics: [...diagnostics, ...movingText(groups, blocks)] }
}

interface LaidParts {
  readonly id: string
  readonly parts: readonly TextPart[]
  readonly block: number
  /** Where the first part starts in the block. */
  readonly offset: number
}

/** Adds the spans of consecutive parts of one section in a block. */
export function addSpans(spans: Map<string, Span[]>, { id, parts, block, offset }: LaidParts): void {
  const list = spans.get(id) ?? []
  if (list.length === 0) spans.set(id, list)
  let start = offset
  for (const part of parts) {
    const end = start + part.text.length
    if (end > start)
      list.push(part.from === undefined ? { block, start, end } : { block, start, end, from: part.from })
    start = end
  }
}

/** All runs, with placed sections inside the section that places them. */
function inReadingOrder(sections: readonly Fitted[]): {
  runs: readonly OwnedRun[]
  diagnostics: readonly Diagnostic[]
} {
  const byId = new Map(sections.map((fitted) => [idOf(fitted), fitted]))
  const slotted = new Set(
    sections.flatMap((fitted) => itemsOf(fitted).flatMap((item) => ("slot" in item ? [item.slot] : []))),
  )
  const runs: OwnedRun[] = []
  const diagnostics: Diagnostic[] = []
  const done = new Set<string>()
  const emit = (fitted: Fitted): Pace => {
    const { id } = fitted.measured.section
    done.add(id)
    let { pace } = fitted.measured.section
    let raisedBy: string | undefined
    let tokens = 0
    for (const item of itemsOf(fitted)) {
      if (isRun(item)) {
        runs.push({ id, pace, run: item })
        if (raisedBy !== undefined) tokens += item.tokens
        continue
      }
      const next = "raise" in item ? { pace: item.raise, name: item.name } : placed(item.slot)
      if (next === undefined) continue
      if (raisedBy === undefined && isFaster(next.pace, pace)) raisedBy = next.name
      pace = fasterOf(pace, next.pace)
    }
    if (raisedBy !== undefined && tokens > 0)
      diagnostics.push({ code: "faster-placeholder", path: pathOf(fitted), name: raisedBy, pace, tokens })
    return pace
  }
  const placed = (id: string) => {
    const fitted = byId.get(id)
    return fitted === undefined || done.has(id) ? undefined : { pace: emit(fitted), name: id }
  }
  for (const fitted of sections) if (!slotted.has(idOf(fitted))) emit(fitted)
  // Sections that place each other are never reached above, so they go at the end.
  for (const fitted of sections) if (!done.has(idOf(fitted))) emit(fitted)
  return { runs, diagnostics }
}

function idOf({ measured }: Fitted): string {
  return measured.section.id
}

function itemsOf({ written }: Fitted): Written["items"] {
  return written?.items ?? []
}

function pathOf(fitted: Fitted): string {
  for (const item of itemsOf(fitted)) {
    if (!isRun(item)) continue
    for (const { from } of item.parts) if (from?.kind === "file") return from.path
  }
  return "SYSTEM.md"
}

/** The diagnostic about the first text that changes with the turn, with the tokens from there on. */
function movingText(
  groups: readonly (readonly OwnedRun[])[],
  blocks: readonly Block[],
): readonly Diagnostic[] {
  const block = blocks.findIndex(({ pace }) => pace === "turn")
  const first = groups[block]?.[0]
  if (first === undefined) return []
  const tokens = blocks.slice(block).reduce((sum, { tokens }) => sum + tokens, 0)
  return [{ code: "moving-text", id: first.id, block, offset: 0, tokens }]
}

function makeBlock(group: readonly OwnedRun[], { ttl, recount }: BlockOptions): Block {
  let text = ""
  let tokens = 0
  for (const { run } of group) {
    text += run.text
    tokens += run.tokens
  }
  const pace = group.reduce<Pace>((fastest, run) => fasterOf(fastest, run.pace), "stable")
  const breakpoint = pace === "turn" ? undefined : { ttl }
  return { placement: "head", pace, text, tokens: recount?.(text) ?? tokens, breakpoint }
}

function addBlockSpans(spans: Map<string, Span[]>, group: readonly OwnedRun[], block: number): void {
  let offset = 0
  for (const { id, run } of group) {
    addSpans(spans, { id, parts: run.parts, block, offset })
    offset += run.text.length
  }
}
