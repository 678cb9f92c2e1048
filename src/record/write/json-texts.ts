// The strings inside a JSON text, including keys, so that each is checked in its decoded form: in JSON, a line break is
// two characters, and the surroundings of a word differ.

export interface JsonTexts {
  readonly texts: readonly string[]
  /** The JSON with replaced strings, in the same order. */
  fill(texts: readonly string[]): string
}

export function jsonTexts(json: string): JsonTexts {
  const value: unknown = JSON.parse(json)
  const texts: string[] = []
  mapStrings(value, (text) => {
    texts.push(text)
    return text
  })
  return {
    texts,
    fill(changed) {
      if (texts.every((text, at) => text === changed[at])) return json
      let next = 0
      return JSON.stringify(mapStrings(value, () => changed[next++] ?? ""))
    },
  }
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)] as const),
  )
}
