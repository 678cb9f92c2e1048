// Small builders for the schemas of answers: what a program can rely on. Fields may be added; none is taken away.

type Fields = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export const TEXT = { type: "string" } as const
export const NUMBER = { type: "number" } as const
/** Null if it is not known. */
export const USD = { type: ["number", "null"] } as const
export const RANGE = { type: "array", items: { type: "integer" } } as const

/** `optional`: the keys that may be missing. */
export function fields(properties: Fields, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((key) => !optional.includes(key))
  return { type: "object", properties, required }
}

export function listOf(items: Readonly<Record<string, unknown>>) {
  return { type: "array", items }
}

/** What every answer has: its own size, and what is not in it. */
export const ABOUT_ANSWER: Fields = {
  tokens: { ...NUMBER, description: "Of the text of this answer." },
  left: fields({ count: NUMBER, how: TEXT }, ["how"]),
}
