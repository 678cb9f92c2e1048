// Turns any return value of a tool into text for the model. Programs need not be type-checked, and a result that is not
// text would break its session: in memory, in the store and in every later request.

export interface ResultText {
  readonly text: string
  readonly isError: boolean
  /** What was returned instead of text, in words. */
  readonly instead?: string
}

const NOTHING_RETURNED = "The tool returned nothing."

/** `tool`: its name, for the message when the value has no text form. */
export function resultText(tool: string, value: unknown): ResultText {
  if (typeof value === "string") return { text: value, isError: false }
  if (value instanceof Error)
    return { text: `${tool} failed: ${value.message}`, isError: true, instead: "an error" }
  const instead = kindOf(value)
  const text = valueText(value)
  return text === undefined
    ? { text: `${tool} returned ${instead}, which cannot be read as text.`, isError: true, instead }
    : { text, isError: false, instead }
}

/** A result as it was stored. Earlier versions stored any return value. */
export function storedText(value: unknown): string {
  if (typeof value === "string") return value
  return valueText(bytesIn(value) ?? value) ?? NOTHING_RETURNED
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return "nothing"
  if (Array.isArray(value)) return "an array"
  if (bytesOf(value) !== undefined) return "bytes"
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}

/** Undefined if it has no text form. */
function valueText(value: unknown): string | undefined {
  if (value === undefined || value === null) return NOTHING_RETURNED
  if (typeof value === "function" || typeof value === "symbol") return undefined
  if (typeof value !== "object") return String(value)
  const bytes = bytesOf(value)
  if (bytes !== undefined) return decoded(bytes)
  try {
    const json = plainJson(value, 2)
    // A date, for example, is written as a string.
    const whole: unknown = json?.startsWith('"') ? JSON.parse(json) : undefined
    return typeof whole === "string" ? whole : json
  } catch {
    // Getters and `toJSON` are the program's code and may throw anything; deep values overflow the stack.
    return undefined
  }
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined
}

function decoded(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
  const isText = !text.includes("\uFFFD") && !text.includes("\0")
  return isText ? text : `(${bytes.length} bytes that are not text)`
}

/** As JSON, with maps, sets, errors and circles as the nearest that JSON can express. Throws what the value throws. */
export function plainJson(value: unknown, space?: number): string | undefined {
  return JSON.stringify(value, plainly(), space)
}

/** Replaces values that JSON cannot express with the nearest it can. */
function plainly(): (this: unknown, key: string, value: unknown) => unknown {
  const above: unknown[] = []
  return function replace(_key, value) {
    if (typeof value === "bigint") return String(value)
    if (typeof value !== "object" || value === null) return value
    // `this` holds the value: everything entered after it has been left.
    while (above.length > 0 && above.at(-1) !== this) above.pop()
    if (above.includes(value)) return "[circular]"
    const plain = plainOf(value)
    above.push(plain)
    return plain
  }
}

function plainOf(value: object): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, one]) => [String(key), one]))
  if (value instanceof Set) return [...value]
  if (value instanceof Error) return value.message
  const bytes = bytesOf(value)
  return bytes === undefined ? value : decoded(bytes)
}

/** In the form that `JSON.stringify` writes a Buffer. */
function bytesIn(value: unknown): Uint8Array | undefined {
  const isBuffer = typeof value === "object" && value !== null && "type" in value && value.type === "Buffer"
  return isBuffer && "data" in value && Array.isArray(value.data) ? Uint8Array.from(value.data) : undefined
}
