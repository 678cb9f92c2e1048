// Reads JSON with line numbers. JSON.parse decides what is JSON. The YAML parser, whose language includes JSON, knows
// where each value is.
import { parseDocument } from "yaml"
import { isDeeperThan, MAX_JSON_DEPTH } from "../../base/json-depth.ts"
import type { ValueLines } from "../../core/model/source.ts"
import { lineCounterOf, valueLines } from "./yaml-lines.ts"
import { tooDeepAt } from "./yaml-text.ts"

export type JsonRead =
  | { readonly kind: "problem"; readonly line: number; readonly problem: string }
  | { readonly kind: "read"; readonly value: unknown; readonly lines: ValueLines }

export function readJson(text: string): JsonRead {
  const parsed = parse(text)
  if (parsed.kind === "error")
    return { kind: "problem", line: faultLine(text), problem: "it is not valid JSON here" }
  if (isDeeperThan(parsed.value, MAX_JSON_DEPTH)) {
    const line = lineCounterOf(text).linePos(tooDeepAt(text, MAX_JSON_DEPTH) ?? 0).line
    return { kind: "problem", line, problem: `it is nested more than ${MAX_JSON_DEPTH} levels deep` }
  }
  return { kind: "read", value: parsed.value, lines: linesOf(text) }
}

function linesOf(text: string): ValueLines {
  const lines = lineCounterOf(text)
  // Of two equal keys the last one counts, as for JSON.parse. The library would compare every pair of keys.
  const document = parseDocument(text, { logLevel: "silent", prettyErrors: false, uniqueKeys: false })
  return valueLines(document, (offset) => lines.linePos(offset).line)
}

/**
 * The line up to which a text can no longer become JSON. JSON.parse names a position only for some errors, so this
 * searches for the first such line.
 */
function faultLine(text: string): number {
  const ends = [...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1), text.length]
  let [first, last] = [0, ends.length - 1]
  while (first < last) {
    const middle = Math.floor((first + last) / 2)
    if (isFaulty(text.slice(0, ends[middle]))) last = middle
    else first = middle + 1
  }
  return first + 1
}

/** Whether it is wrong before its end: whatever follows, it will not be JSON. */
function isFaulty(start: string): boolean {
  const parsed = parse(start)
  if (parsed.kind === "value") return false
  return !/ end of /.test(parsed.message) && !parsed.message.includes(` at position ${start.length}`)
}

type Parsed =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "error"; readonly message: string }

function parse(text: string): Parsed {
  try {
    return { kind: "value", value: JSON.parse(text) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { kind: "error", message: error.message }
  }
}
