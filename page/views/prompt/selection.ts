// What is chosen: a row of the list, a block of the bar, or the whole prompt. It is in the address, and stays chosen from
// call to call.
import type { CallDetail, ShownPart } from "../../../src/serve/page/shown.ts"
import { type BarBlock, blocksOf } from "../../parts/blocks.ts"
import { TALK, talkKind } from "./own-rows.ts"
import type { MissingRow, PromptList, PromptRow } from "./prompt-row.ts"
import type { Piece } from "./text-rows.ts"

export type Selection =
  | { readonly kind: "whole" }
  | { readonly kind: "row"; readonly row: PromptRow }
  | { readonly kind: "block"; readonly block: BarBlock; readonly range: readonly [number, number] }
  | { readonly kind: "missing"; readonly row: MissingRow }
  /** It is in the address, but this call has no such thing. */
  | { readonly kind: "absent"; readonly name: string }

export interface Asked {
  readonly section: string | undefined
  readonly block: string | undefined
}

export function selectionOf(list: PromptList, { parts }: CallDetail, { section, block }: Asked): Selection {
  if (section !== undefined) {
    const row = rowsOf(list).find(({ key }) => key === section)
    if (row !== undefined) return { kind: "row", row }
    const missing = list.missing.find(({ key }) => key === section || key === `missing:${section}`)
    return missing === undefined ? { kind: "absent", name: section } : { kind: "missing", row: missing }
  }
  if (block === undefined) return { kind: "whole" }
  let before = 0
  for (const one of blocksOf(parts)) {
    if (one.key === block) return { kind: "block", block: one, range: [before, before + one.tokens] }
    before += one.tokens
  }
  return { kind: "absent", name: block }
}

/** All rows, those of a group after it. */
export function rowsOf({ groups }: PromptList): readonly PromptRow[] {
  return groups.flatMap(({ rows }) => rows.flatMap((row) => [row, ...row.children]))
}

/** Where a file's text comes first in the row that is chosen. */
export function firstLine(selection: Selection, { parts }: Pick<CallDetail, "parts">) {
  if (selection.kind !== "row") return undefined
  // Both are in order, and there may be thousands of them.
  let [of, at] = [-1, 0]
  for (const { part, start, end } of selection.row.stretches) {
    if (part !== of) [of, at] = [part, 0]
    const spans = parts[part]?.spans ?? []
    for (let span = spans[at]; span !== undefined && span.start < end; span = spans[++at])
      if (span.end > start && span.owner?.path !== undefined)
        return { path: span.owner.path, line: span.owner.lines?.[0] ?? 1 }
  }
  return undefined
}

/** The text to show, in the order of the request. */
export function piecesOf(selection: Selection, { parts }: CallDetail): readonly Piece[] {
  if (selection.kind === "whole") return wholeParts(parts, [...parts.keys()])
  if (selection.kind === "block") return wholeParts(parts, selection.block.parts)
  if (selection.kind !== "row") return []
  const { stretches } = selection.row
  const isOne = new Set(stretches.map(({ part }) => part)).size === 1
  return stretches.map((stretch, at) => {
    const part = parts[stretch.part]
    const isNew = stretches[at - 1]?.part !== stretch.part
    return { ...stretch, title: isOne || !isNew || part === undefined ? undefined : partTitle(part) }
  })
}

function wholeParts(parts: readonly ShownPart[], at: readonly number[]): readonly Piece[] {
  return at.flatMap((index) => {
    const part = parts[index]
    return part === undefined || part.text === ""
      ? []
      : [{ part: index, start: 0, end: part.text.length, title: partTitle(part) }]
  })
}

/** What a part is, for people. */
function partTitle(part: ShownPart): string {
  if (part.kind === "tool") return `Tool ${part.tool ?? ""}`
  if (part.tier === "system") return "System prompt"
  const title = PART_TITLES[talkKind(part, null)] ?? TALK.other?.title ?? ""
  return part.tool === null ? title : `${title}: ${part.tool}`
}

const PART_TITLES: Readonly<Record<string, string>> = {
  user: "User",
  assistant: "Answer",
  system: "System message",
  reasoning: "Reasoning",
  "tool-call": "Tool call",
  "tool-result": "Tool result",
  file: "Attached file",
}
