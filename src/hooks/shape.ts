// Checks values of any shape. Each function returns the requested value, or throws one line that says what is wrong.

export type Fields = Readonly<Record<string, unknown>>

/** An unknown key is a spelling mistake. */
export function fieldsOf(value: unknown, what: string, known: readonly string[]): Fields {
  const fields = recordOf(value, what)
  const odd = Object.keys(fields).find((key) => !known.includes(key))
  if (odd !== undefined) throw new TypeError(`${what} has an unknown key "${odd}"`)
  return fields
}

export function recordOf(value: unknown, what: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError(`${what} is not an object`)
  // Checked above; only keys whose values are checked again are read.
  return value as Fields
}

export function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`${what} is not a list`)
  return value
}

export function requiredText(value: unknown, what: string): string {
  if (typeof value !== "string") throw new TypeError(`${what} is not a string`)
  return value
}

/** A string that is not blank. */
export function wordOf(value: unknown, what: string): string {
  const text = requiredText(value, what)
  if (text.trim() === "") throw new TypeError(`${what} is blank`)
  return text
}

export function oneOf<T extends string>(known: readonly T[], value: unknown, what: string): T {
  const found = known.find((one) => one === value)
  if (found === undefined) throw new TypeError(`${what} must be one of ${known.join(", ")}`)
  return found
}
