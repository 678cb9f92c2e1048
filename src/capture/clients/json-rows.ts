// The rows of a JSON Lines file that a client wrote and may still be writing. Lines that are no JSON objects are
// counted and left out; `Skipped` says so once for each reason.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { isDeeperThan, MAX_JSON_DEPTH } from "../../base/json-depth.ts"
import { errorCode, systemReason } from "../../base/system-error.ts"
import { type LinesOptions, linesOf } from "../../files/lines-of.ts"
import { readRegular } from "../../files/read-regular.ts"
import type { JsonObject } from "../../record/write/request-marks.ts"
import { jsonObject } from "../json-object.ts"
import type { CaptureFile, Place } from "./reader.ts"

export interface JsonRow {
  readonly row: JsonObject
  /** Byte offsets: of the line, and after it. */
  readonly start: Place
  readonly end: Place
}

/** What was left out of one file, for one reader. */
export interface Skipped {
  /** Completes the sentence "2 lines were skipped: …". */
  add(why: string): void
  /** The file ended the reading. */
  fail(why: string): void
  /** The same for what the file system throws. Anything else is thrown again. */
  stop(error: unknown): void
  /** What to say at the end: one diagnostic for each reason. */
  notes(): readonly { readonly kind: "note"; readonly diagnostic: Diagnostic }[]
}

export function createSkipped({ path }: Pick<CaptureFile, "path">): Skipped {
  const counts = new Map<string, number>()
  const failures: string[] = []
  return {
    add: (why) => counts.set(why, (counts.get(why) ?? 0) + 1),
    fail: (why) => failures.push(why),
    stop: (error) => {
      if (errorCode(error) === undefined) throw error
      failures.push(systemReason(error))
    },
    notes: () => [
      ...failures.map((why) => noteOf({ code: "capture-unreadable", path, why })),
      ...[...counts].map(([why, count]) => noteOf({ code: "capture-lines-skipped", path, count, why })),
    ],
  }
}

function noteOf(diagnostic: Diagnostic): { readonly kind: "note"; readonly diagnostic: Diagnostic } {
  return { kind: "note", diagnostic }
}

/** Whole lines only: a half one at the end is read when it is whole. */
export async function* jsonRows(
  { path }: Pick<CaptureFile, "path">,
  options: LinesOptions,
  skipped: Skipped,
): AsyncGenerator<JsonRow> {
  try {
    for await (const { text, start, end } of linesOf(path, options)) {
      const row = text === undefined ? undefined : jsonObject(text)
      if (row !== undefined && !isDeeperThan(row, MAX_JSON_DEPTH)) yield { row, start, end }
      else if (text?.trim() !== "") skipped.add(reasonFor(text, row))
    }
  } catch (error) {
    skipped.stop(error)
  }
}

/** A row of a database that is a JSON object. */
export function parsedRow(text: string, skipped: Skipped): JsonObject | undefined {
  const row = jsonObject(text)
  if (row !== undefined && !isDeeperThan(row, MAX_JSON_DEPTH)) return row
  skipped.add(reasonFor(text, row))
  return undefined
}

/** A whole file that is one JSON object. Undefined if it is not. */
export function jsonDocument({ path }: Pick<CaptureFile, "path">, skipped: Skipped): JsonObject | undefined {
  const file = readRegular(path, MOST_DOCUMENT_BYTES)
  if (file.kind === "refused") {
    skipped.fail(`it is ${file.why}`)
    return undefined
  }
  const value = jsonObject(file.bytes.toString("utf8"))
  if (value !== undefined && !isDeeperThan(value, MAX_JSON_DEPTH)) return value
  skipped.fail("it is not a whole JSON object")
  return undefined
}

const MOST_DOCUMENT_BYTES = 256 * 1024 ** 2

function reasonFor(text: string | undefined, row: JsonObject | undefined): string {
  if (text === undefined) return "too long"
  return row === undefined ? "not a JSON object" : "nested too deeply"
}
