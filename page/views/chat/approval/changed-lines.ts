// Two versions of a file as one list of lines: removed, added, and a few unchanged ones around them.
import { diffLines } from "../../../../src/base/text/line-diff.ts"

export interface ChangedLine {
  readonly sign: "+" | "−" | " " | "…"
  readonly text: string
  /** In the version that has it: the new one if both do. */
  readonly line: number | undefined
}

const AROUND = 3

export function changedLines(before: string, after: string): readonly ChangedLine[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  const lines: ChangedLine[] = []
  let to = 0
  for (const hunk of diffLines(old, now)) {
    lines.push(...unchanged(now, to, hunk.to))
    lines.push(...old.slice(hunk.at, hunk.at + hunk.removed).map(lineAt("−", hunk.at)))
    lines.push(...now.slice(hunk.to, hunk.to + hunk.added).map(lineAt("+", hunk.to)))
    to = hunk.to + hunk.added
  }
  return [...lines, ...unchanged(now, to, now.length)]
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n")
}

function lineAt(sign: ChangedLine["sign"], from: number): (text: string, at: number) => ChangedLine {
  return (text, at) => ({ sign, text, line: from + at + 1 })
}

/** The lines between two changes; of many, those next to the changes. */
function unchanged(lines: readonly string[], from: number, to: number): readonly ChangedLine[] {
  const head = from === 0 ? 0 : AROUND
  const tail = to === lines.length ? 0 : AROUND
  const left = to - from - head - tail
  if (left <= 1) return lines.slice(from, to).map(lineAt(" ", from))
  return [
    ...lines.slice(from, from + head).map(lineAt(" ", from)),
    { sign: "…", text: `${left} unchanged lines`, line: undefined },
    ...lines.slice(to - tail, to).map(lineAt(" ", to - tail)),
  ]
}
