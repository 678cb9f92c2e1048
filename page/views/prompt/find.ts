// Finds words in the text of a prompt, in the order of the request.
import type { ShownPart } from "../../../src/serve/page/shown.ts"
import type { Stretch } from "./prompt-row.ts"

/** More are counted, but nobody goes through them. */
export const MOST_FOUND = 5_000

/** Regardless of case. */
export function findIn(parts: readonly ShownPart[], words: string): readonly Stretch[] {
  if (words === "") return []
  const found: Stretch[] = []
  const needle = words.toLowerCase()
  for (const [part, { text }] of parts.entries()) {
    const lower = text.toLowerCase()
    // Some letters become longer in lower case, and offsets would be off: then the case must agree.
    const [hay, sought] = lower.length === text.length ? [lower, needle] : [text, words]
    for (let at = hay.indexOf(sought); at !== -1; at = hay.indexOf(sought, at + sought.length)) {
      if (found.length === MOST_FOUND) return found
      found.push({ part, start: at, end: at + sought.length })
    }
  }
  return found
}

/** Whether a stretch is within one of the others. */
export function isWithin({ part, start, end }: Stretch, others: readonly Stretch[]): boolean {
  return others.some((other) => other.part === part && other.start <= start && end <= other.end)
}
