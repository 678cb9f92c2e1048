// The difference between two texts as rows to show: changed lines with a few lines around them.
import { diffLines } from "../../../src/base/text/line-diff.ts"

export interface DiffRow {
  readonly kind: "same" | "added" | "removed" | "gap"
  readonly text: string
  /** Line numbers in the old and the new text; for a gap, how many lines are left out. */
  readonly was: number | undefined
  readonly is: number | undefined
}

const AROUND = 3

export function lineRows(before: string, after: string): readonly DiffRow[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  const rows: DiffRow[] = []
  let [at, to] = [0, 0]
  for (const hunk of diffLines(old, now)) {
    rows.push(...unchanged(old, { at, to, end: hunk.at, isFirst: at === 0, isLast: false }))
    for (let line = hunk.at; line < hunk.at + hunk.removed; line += 1)
      rows.push({ kind: "removed", text: old[line] ?? "", was: line + 1, is: undefined })
    for (let line = hunk.to; line < hunk.to + hunk.added; line += 1)
      rows.push({ kind: "added", text: now[line] ?? "", was: undefined, is: line + 1 })
    ;[at, to] = [hunk.at + hunk.removed, hunk.to + hunk.added]
  }
  if (rows.length === 0) return []
  return [...rows, ...unchanged(old, { at, to, end: old.length, isFirst: false, isLast: true })]
}

/** No text is no line. */
function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n")
}

interface Stretch {
  readonly at: number
  readonly to: number
  readonly end: number
  readonly isFirst: boolean
  readonly isLast: boolean
}

function unchanged(old: readonly string[], { at, to, end, isFirst, isLast }: Stretch): readonly DiffRow[] {
  const rows = old
    .slice(at, end)
    .map((text, line): DiffRow => ({ kind: "same", text, was: at + line + 1, is: to + line + 1 }))
  const before = isFirst ? 0 : AROUND
  const after = isLast ? 0 : AROUND
  const left = rows.length - before - after
  if (left <= 1) return rows
  return [
    ...rows.slice(0, before),
    { kind: "gap", text: "", was: left, is: undefined },
    ...rows.slice(rows.length - after),
  ]
}
