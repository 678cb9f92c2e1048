// Lays sections out in blocks and records which entry owns which span of them. Slow text comes first. A placed section
// goes where the base asks for it, and the text after it counts as equally fast.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { fasterOf, isFaster, PACES, type Pace } from "../../base/pace.ts"
import type { TextPart } from "../model/content.ts"
import type { Block, Span } from "../model/plan.ts"
import { isRun, type Run, type Written } from "../write/write.ts"

/** A section that is in the prompt, at its place. */
export interface Placed {
  readonly id: string
  readonly pace: Pace
  readonly written: Written
}

export interface LayoutOptions {
  readonly order: "paced" | "declared"
  readonly ttl: string
  /** Counts a whole block, for markup in which the counts of sections don't add up. */
  readonly recount?: (text: string) => number
}

export interface LaidOut {
  readonly blocks: readonly Block[]
  readonly spans: ReadonlyMap<string, readonly Span[]>
  readonly diagnostics: readonly Diagnostic[]
}

/** Text of one section that stays together. */
interface Item {
  readonly id: string
  readonly pace: Pace
  readonly run: Run
}

export function layOutHead(sections: readonly Placed[], options: LayoutOptions): LaidOut {
  const { items, diagnostics } = sequence(sections)
  const groups = options.order === "paced" ? byPace(items) : atFirstMove(withoutFirstLead(items))
  const spans = new Map<string, Span[]>()
  const blocks = groups.map((group, block) => makeBlock(group, block, spans, options))
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

/** All runs in reading order, with placed sections inside the section that places them. */
function sequence(sections: readonly Placed[]): {
  items: readonly Item[]
  diagnostics: readonly Diagnostic[]
} {
  const byId = new Map(sections.map((section) => [section.id, section]))
  const slotted = new Set(
    sections.flatMap(({ written }) => written.items.flatMap((item) => ("slot" in item ? [item.slot] : []))),
  )
  const items: Item[] = []
  const diagnostics: Diagnostic[] = []
  const done = new Set<string>()
  const emit = (section: Placed): Pace => {
    done.add(section.id)
    let pace = section.pace
    let raisedBy: string | undefined
    let tokens = 0
    for (const item of section.written.items) {
      if (isRun(item)) {
        items.push({ id: section.id, pace, run: item })
        if (raisedBy !== undefined) tokens += item.tokens
        continue
      }
      const next = "raise" in item ? { pace: item.raise, name: item.name } : placed(item.slot)
      if (next === undefined) continue
      if (raisedBy === undefined && isFaster(next.pace, pace)) raisedBy = next.name
      pace = fasterOf(pace, next.pace)
    }
    const path = pathOf(section.written)
    if (raisedBy !== undefined && tokens > 0)
      diagnostics.push({ code: "faster-placeholder", path, name: raisedBy, pace, tokens })
    return pace
  }
  const placed = (id: string) => {
    const section = byId.get(id)
    if (section === undefined || done.has(id)) return undefined
    return { pace: emit(section), name: id }
  }
  for (const section of sections) if (!slotted.has(section.id)) emit(section)
  // Sections that place each other are never reached above, so they go at the end.
  for (const section of sections) if (!done.has(section.id)) emit(section)
  return { items, diagnostics }
}

/** The first section needs no separator before it. */
function withoutFirstLead(items: readonly Item[]): readonly Item[] {
  const [first, ...rest] = items
  if (first?.run.lead === undefined) return items
  const { lead, text, parts, tokens } = first.run
  return [{ ...first, run: { text: text.slice(lead), parts: parts.slice(1), tokens } }, ...rest]
}

function pathOf(written: Written): string {
  for (const item of written.items) {
    if (!isRun(item)) continue
    for (const { from } of item.parts) if (from?.kind === "file") return from.path
  }
  return "SYSTEM.md"
}

function byPace(items: readonly Item[]): readonly (readonly Item[])[] {
  return PACES.map((pace) => items.filter((item) => item.pace === pace)).filter((group) => group.length > 0)
}

/** In a declared order the head is cacheable only up to the first text that changes with the turn. */
function atFirstMove(items: readonly Item[]): readonly (readonly Item[])[] {
  const first = items.findIndex(({ pace }) => pace === "turn")
  const groups = first === -1 ? [items] : [items.slice(0, first), items.slice(first)]
  return groups.filter((group) => group.length > 0)
}

/** The diagnostic about the first text that changes with the turn, with the tokens from there on. */
function movingText(groups: readonly (readonly Item[])[], blocks: readonly Block[]): readonly Diagnostic[] {
  const block = blocks.findIndex(({ pace }) => pace === "turn")
  const first = groups[block]?.[0]
  if (first === undefined) return []
  const tokens = blocks.slice(block).reduce((sum, { tokens }) => sum + tokens, 0)
  return [{ code: "moving-text", id: first.id, block, offset: 0, tokens }]
}

function makeBlock(
  group: readonly Item[],
  block: number,
  spans: Map<string, Span[]>,
  { ttl, recount }: LayoutOptions,
): Block {
  let text = ""
  let tokens = 0
  for (const { id, run } of group) {
    addSpans(spans, { id, parts: run.parts, block, offset: text.length })
    text += run.text
    tokens += run.tokens
  }
  const pace = group.reduce<Pace>((fastest, item) => fasterOf(fastest, item.pace), "stable")
  const breakpoint = pace === "turn" ? undefined : { ttl }
  return { placement: "head", pace, text, tokens: recount?.(text) ?? tokens, breakpoint }
}
