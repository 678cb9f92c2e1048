// A change of a settings file as a diff for a person: nothing in it is hidden, secrets of other servers are not shown, and
// a long line is shown around the place that changes.
import { unifiedHunks } from "../../../../base/text/unified-diff.ts"
import { createRedactor } from "../../../../record/redact/redactor.ts"
import { exact } from "../../../chat/screen/visible.ts"
import type { Terminal } from "../../../terminal.ts"
import { painter } from "../../../views/colour.ts"
import type { SettingsFile } from "./settings-file.ts"

/** Files that programs write may be one line. */
const LONG = 300
const AROUND = 60

export async function shownChange(
  { path, bytes, text }: SettingsFile,
  after: string,
  terminal: Terminal,
): Promise<readonly string[]> {
  const paint = painter(terminal)
  const lines = unifiedHunks(text, after)
    .split("\n")
    .slice(0, -1)
    .map((line) => line.replace(/\r$/, ""))
  const shown = await createRedactor()(withoutLongLines(lines))
  return [
    paint("bold", `--- ${bytes === undefined ? "/dev/null" : exact(path)}`),
    paint("bold", `+++ ${exact(path)}`),
    ...shown.map((line) => {
      const style = STYLES[line[0] ?? ""]
      return style === undefined ? exact(line) : paint(style, exact(line))
    }),
  ]
}

const STYLES: Readonly<Record<string, "red" | "green" | "cyan">> = { "-": "red", "+": "green", "@": "cyan" }

function withoutLongLines(lines: readonly string[]): readonly string[] {
  const counterparts = counterpartsOf(lines)
  return lines.map((line, at) => (line.length <= LONG ? line : cut(line, counterparts.get(at))))
}

/** For each line of a change the one whose place it took, or that took its place. */
function counterpartsOf(lines: readonly string[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  let removed: number[] = []
  let added = 0
  for (const [at, line] of lines.entries()) {
    if (line.startsWith("-")) {
      if (added > 0) removed = []
      added = 0
      removed.push(at)
    } else if (line.startsWith("+")) {
      const other = removed[added]
      added += 1
      if (other === undefined) continue
      found.set(at, lines[other] ?? "").set(other, line)
    } else if (!line.startsWith("\\")) removed = []
  }
  return found
}

/** The part in which the line differs from its counterpart; without one, its beginning. */
function cut(line: string, other: string | undefined): string {
  if (other === undefined || !/^[-+]/.test(other))
    return `${line.slice(0, LONG)}… (${line.length - LONG} more)`
  let from = 1
  while (from < line.length && line[from] === other[from]) from += 1
  let behind = 0
  while (
    behind < Math.min(line.length, other.length) - from &&
    line.at(-1 - behind) === other.at(-1 - behind)
  )
    behind += 1
  const start = Math.max(1, from - AROUND)
  const end = Math.min(line.length, line.length - behind + AROUND)
  const [before, after] = [start > 1 ? "…" : "", end < line.length ? "…" : ""]
  return `${line[0]}${before}${line.slice(start, end)}${after}`
}
