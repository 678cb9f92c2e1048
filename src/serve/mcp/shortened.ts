// Data with its longest texts cut, for an answer that would not fit otherwise. Each cut says how much is missing.

/** `most` characters in a text, and a twentieth of that many texts in a list. */
export function shortened(data: unknown, most: number): unknown {
  if (typeof data === "string") return shortText(data, most)
  if (typeof data !== "object" || data === null) return data
  if (Array.isArray(data)) return shortList(data, most)
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, shortened(value, most)]))
}

function shortText(text: string, most: number): string {
  if (text.length <= most) return text
  // Not in the middle of a character.
  const kept = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")
  return `${kept}... (${text.length - kept.length} more characters)`
}

/** Items with fields are left to whoever knows which of them matter. */
function shortList(list: readonly unknown[], most: number): readonly unknown[] {
  const kept = list.map((item) => shortened(item, most))
  const room = Math.floor(most / 20)
  if (list.length <= room || !list.every((item) => typeof item === "string")) return kept
  return [...kept.slice(0, room), `... (${list.length - room} more)`]
}
