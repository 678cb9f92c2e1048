// The line number of every value in a JSON text, by JSON pointer, and of the first syntax error. It doesn't produce
// values: JSON.parse does that, but doesn't report positions.
import { MAX_JSON_DEPTH } from "../json-depth.ts"

export interface JsonLines {
  /** By pointer, such as "/responsibilities/0/title"; the whole text is "". */
  readonly lines: ReadonlyMap<string, number>
  /** The line on which the text stops being JSON, if it does. */
  readonly fault: number | undefined
  /** The line on which the nesting exceeds the limit for walking a value, if it does. */
  readonly tooDeep: number | undefined
}

/** A list or an object that is still open: its pointer, and the key or index that comes next. */
interface Open {
  readonly pointer: string
  readonly isList: boolean
  key: string
  index: number
}

type Expected = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end" | "nothing"

/** Line numbers below this depth are never needed, and the pointers would take more memory than the text. */
const MAX_DEPTH = 32

/** Has no nested repetition, so an unterminated string fails in one pass. */
const PLAIN = String.raw`[[^"\\\p{Cc}]\u007f-\u009f]*`
const STRING = String.raw`"${PLAIN}(?:\\(?:["\\\/bfnrt]|u[0-9a-fA-F]{4})${PLAIN})*"`
const LITERAL = String.raw`true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+\-]?\d+)?`
const TOKEN = new RegExp(String.raw`[ \t\n\r]*(?:(${STRING})|([\[\]\{\},:])|(${LITERAL})(?![\w.+\-]))`, "vy")

export function jsonLines(text: string): JsonLines {
  const lines = new Map<string, number>()
  const open: Open[] = []
  let expected: Expected = "value"
  let tooDeep: number | undefined
  let line = 1
  let at = 0
  for (;;) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    const [whole = /^[ \t\n\r]*/.exec(text.slice(at))?.[0] ?? "", string, mark, literal] = match ?? []
    line += newlines(whole)
    at += whole.length
    if (match === null) {
      return { lines, fault: at < text.length || expected !== "nothing" ? line : undefined, tooDeep }
    }
    const next = step(expected, { string, mark, literal }, open, (pointer) => lines.set(pointer, line))
    if (next === undefined) return { lines, fault: line, tooDeep }
    if (open.length > MAX_JSON_DEPTH) tooDeep ??= line
    expected = next
  }
}

interface Token {
  readonly string: string | undefined
  readonly mark: string | undefined
  readonly literal: string | undefined
}

/** What may follow the token. Returns undefined if the token isn't allowed here. */
function step(
  expected: Expected,
  { string, mark, literal }: Token,
  open: Open[],
  found: (pointer: string) => void,
): Expected | undefined {
  const inner = open.at(-1)
  if (expected.startsWith("value") && (string ?? literal ?? (mark === "[" || mark === "{"))) {
    const pointer = pointerIn(inner, open.length)
    if (open.length <= MAX_DEPTH) found(pointer)
    if (mark === undefined) return open.length === 0 ? "nothing" : "comma or end"
    open.push({ pointer, isList: mark === "[", key: "", index: 0 })
    return mark === "[" ? "value or end" : "key or end"
  }
  if (inner === undefined) return undefined
  if (expected.endsWith("or end") && mark === (inner.isList ? "]" : "}")) {
    open.pop()
    return open.length === 0 ? "nothing" : "comma or end"
  }
  if (expected === "comma or end" && mark === ",") {
    inner.index += 1
    return inner.isList ? "value" : "key"
  }
  if (expected.startsWith("key") && string !== undefined) {
    inner.key = escapeKey(string)
    return "colon"
  }
  return expected === "colon" && mark === ":" ? "value" : undefined
}

function pointerIn(inner: Open | undefined, depth: number): string {
  return inner === undefined || depth > MAX_DEPTH
    ? ""
    : `${inner.pointer}/${inner.isList ? inner.index : inner.key}`
}

/** A pointer writes `~` as `~0` and `/` as `~1`. */
function escapeKey(string: string): string {
  // The token pattern matched it as a JSON string.
  const key = JSON.parse(string) as string
  return key.replaceAll("~", "~0").replaceAll("/", "~1")
}

function newlines(text: string): number {
  let count = 0
  for (const char of text) if (char === "\n") count += 1
  return count
}
