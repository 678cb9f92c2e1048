// The difference between two texts in the form that `git apply` and `patch` read. As `diffLines`, its cost grows with the
// sum of the two lengths: a text of which nothing is left takes no longer than another.
import { diffLines, type Hunk } from "./line-diff.ts"

/** A stretch of changed lines and the lines around them. */
export interface DiffHunk {
  /** Where it begins in each text, from 1; of no lines, the line before them. */
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  /** Each after " ", "-" or "+"; after "\\" stands that the line before it has no end. */
  readonly lines: readonly string[]
}

/** Empty if the texts are the same. `around`: how many unchanged lines are shown next to a changed one. */
export function diffHunks(before: string, after: string, around: number): readonly DiffHunk[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  return grouped(diffLines(old, now), around).map((group) => hunkOf(group, { old, now, around }))
}

const AROUND = 3

/** The hunks as text, without the names of the files. */
export function unifiedHunks(before: string, after: string): string {
  return diffHunks(before, after, AROUND)
    .flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...lines,
    ])
    .map((line) => `${line}\n`)
    .join("")
}

/** Each with its end, so that a missing last one is a difference. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** Hunks whose surroundings touch are written as one. */
function grouped(hunks: readonly Hunk[], around: number): readonly (readonly Hunk[])[] {
  const groups: Hunk[][] = []
  for (const hunk of hunks) {
    const last = groups.at(-1)?.at(-1)
    if (last !== undefined && hunk.at - (last.at + last.removed) <= 2 * around) groups.at(-1)?.push(hunk)
    else groups.push([hunk])
  }
  return groups
}

interface Texts {
  readonly old: readonly string[]
  readonly now: readonly string[]
  readonly around: number
}

function hunkOf(group: readonly Hunk[], { old, now, around }: Texts): DiffHunk {
  const [{ at: firstAt, to: firstTo } = NOWHERE, last = NOWHERE] = [group[0], group.at(-1)]
  const start = Math.max(0, firstAt - around)
  const end = Math.min(old.length, last.at + last.removed + around)
  const more = group.reduce((sum, { added, removed }) => sum + added - removed, 0)
  const begin = firstTo - (firstAt - start)
  const lines: string[] = []
  let at = start
  for (const { at: from, removed, to, added } of group) {
    push(lines, " ", old.slice(at, from))
    push(lines, "-", old.slice(from, from + removed))
    push(lines, "+", now.slice(to, to + added))
    at = from + removed
  }
  push(lines, " ", old.slice(at, end))
  const [oldLines, newLines] = [end - start, end - start + more]
  return {
    ...{ oldStart: oldLines === 0 ? start : start + 1, oldLines },
    ...{ newStart: newLines === 0 ? begin : begin + 1, newLines },
    lines,
  }
}

/** A group has at least one. */
const NOWHERE: Hunk = { at: 0, removed: 0, to: 0, added: 0 }

function push(lines: string[], sign: " " | "-" | "+", some: readonly string[]): void {
  for (const line of some) {
    if (line.endsWith("\n")) lines.push(`${sign}${line.slice(0, -1)}`)
    else lines.push(`${sign}${line}`, "\\ No newline at end of file")
  }
}
