// The difference between two texts in the form that `git apply` and `patch` read. As `diffLines`, its cost grows with the
// sum of the two lengths: a text of which nothing is left takes no longer than another.
import { diffLines, type Hunk } from "./line-diff.ts"

const AROUND = 3

/** The hunks, without the names of the files. Empty if the texts are the same. */
export function unifiedHunks(before: string, after: string): string {
  const [old, now] = [linesOf(before), linesOf(after)]
  return grouped(diffLines(old, now))
    .map((group) => written(group, old, now))
    .join("")
}

/** Each with its end, so that a missing last one is a difference. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** Hunks whose surroundings touch are written as one. */
function grouped(hunks: readonly Hunk[]): readonly (readonly Hunk[])[] {
  const groups: Hunk[][] = []
  for (const hunk of hunks) {
    const last = groups.at(-1)?.at(-1)
    if (last !== undefined && hunk.at - (last.at + last.removed) <= 2 * AROUND) groups.at(-1)?.push(hunk)
    else groups.push([hunk])
  }
  return groups
}

function written(group: readonly Hunk[], old: readonly string[], now: readonly string[]): string {
  const [first, last] = [group[0], group.at(-1)]
  if (first === undefined || last === undefined) return ""
  const start = Math.max(0, first.at - AROUND)
  const end = Math.min(old.length, last.at + last.removed + AROUND)
  const added = group.reduce((sum, one) => sum + one.added - one.removed, 0)
  const begin = first.to - (first.at - start)
  const lines: string[] = [`@@ -${range(start, end - start)} +${range(begin, end - start + added)} @@\n`]
  let at = start
  for (const { at: from, removed, to, added: count } of group) {
    push(lines, " ", old.slice(at, from))
    push(lines, "-", old.slice(from, from + removed))
    push(lines, "+", now.slice(to, to + count))
    at = from + removed
  }
  push(lines, " ", old.slice(at, end))
  return lines.join("")
}

/** Of no lines, the line before them. */
function range(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`
}

function push(lines: string[], sign: " " | "-" | "+", some: readonly string[]): void {
  for (const line of some)
    lines.push(line.endsWith("\n") ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`)
}
