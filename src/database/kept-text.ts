// How much of a long result is kept, for every driver.

/** Per result; the rest is lost. */
const MOST_CHARACTERS = 1_000_000
/** Per conversation. */
export const MOST_IN_SESSION = 8_000_000
/** Tools read by lines, so longer lines are broken. */
const LONGEST_LINE = 2_000

export function isKeptWhole(text: string): boolean {
  return text.length <= MOST_CHARACTERS
}

export function keptText(text: string): string {
  const kept = text.slice(0, MOST_CHARACTERS).toWellFormed()
  return kept.split("\n").map(inShortLines).join("\n")
}

function inShortLines(line: string): string {
  if (line.length <= LONGEST_LINE) return line
  return (line.match(new RegExp(`.{1,${LONGEST_LINE}}`, "gsu")) ?? []).join("\n")
}
