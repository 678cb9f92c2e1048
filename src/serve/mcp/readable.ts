// Data as lines for a model: fewer tokens than JSON, and nothing left out. Text of others stays behind a mark at the left
// margin, so that it cannot imitate a line of the answer itself.
import { isRecord } from "../../base/is-record.ts"
import { escapeHidden } from "../../record/ask/log.ts"

/** A text up to this length stays on the line of its key. */
const SHORT = 160

/** `key: value` lines; a list has one line per item, with longer texts below it. */
export function readable(data: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(data).flatMap(([key, value]) => fieldLines(key, value))
}

function fieldLines(key: string, value: unknown): readonly string[] {
  if (value === undefined) return []
  if (isList(value)) {
    if (value.length === 0) return [`${key}: none`]
    return [`${key}:`, ...value.flatMap(itemLines)]
  }
  if (isRecord(value)) return [`${key}:`, ...itemLines(value)]
  return isLong(value) ? [`${key}:`, ...marked(String(value), "  ")] : [`${key}: ${scalar(value)}`]
}

function itemLines(item: unknown): readonly string[] {
  if (!isRecord(item)) return [`| ${escapeHidden(String(item))}`]
  const pairs = flat(item)
  const short = pairs.filter(([, value]) => !isLong(value)).map(([key, value]) => `${key}=${scalar(value)}`)
  const long = pairs.filter(([, value]) => isLong(value))
  return [
    `- ${short.join(" ")}`.trimEnd(),
    ...long.flatMap(([key, value]) => [`  ${key}:`, ...marked(String(value), "    ")]),
  ]
}

/** Nested values under joined keys, such as `usage.read`. */
function flat(item: Readonly<Record<string, unknown>>, prefix = ""): readonly (readonly [string, unknown])[] {
  return Object.entries(item).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    const name = `${prefix}${key}`
    if (value === undefined) return []
    if (isRange(value)) return [[name, value.join("-")]]
    if (isList(value))
      return [[name, value.map((one) => (isRecord(one) ? JSON.stringify(one) : String(one))).join(", ")]]
    return isRecord(value) ? flat(value, `${name}.`) : [[name, value]]
  })
}

/** Of lines: first and last. */
function isRange(value: unknown): value is readonly number[] {
  return isList(value) && value.length === 2 && value.every((one) => typeof one === "number")
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

function isLong(value: unknown): boolean {
  return typeof value === "string" && (value.length > SHORT || value.includes("\n"))
}

/** Quoted if it has spaces, so that a text cannot look like a further field. */
function scalar(value: unknown): string {
  if (typeof value === "number") return String(Number.isInteger(value) ? value : Number(value.toPrecision(6)))
  if (typeof value !== "string") return value === null ? "unknown" : String(value)
  return /^[^\s"=]+$/u.test(value) ? escapeHidden(value) : escapeHidden(JSON.stringify(value))
}

function marked(text: string, indent: string): readonly string[] {
  return text.split("\n").map((line) => `${indent}| ${escapeHidden(line)}`)
}
