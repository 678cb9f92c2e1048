// JSON files that a flag names, and what a scope file says. Each problem is one line with its place.
import { isTimeZone } from "../../base/clock-face.ts"
import { type ErrorCode, IncipitError } from "../../base/error.ts"
import { isDeeperThan, MAX_JSON_DEPTH } from "../../base/json-depth.ts"
import { unreadable } from "../../base/system-error.ts"
import { type BoundedOptions, MAX_DATA_BYTES, readBounded } from "../../files/read-bounded.ts"
import { TURN_INPUTS } from "../../profiles/inputs.ts"
import type { Place } from "../../sources/context/environment.ts"

export interface ScopeInputs {
  readonly session: Readonly<Record<string, unknown>>
  readonly turn: Readonly<Record<string, unknown>>
  /** Where the user is, as a browser would report it. */
  readonly place: Place
}

const PLACE = ["timezone", "accept_language", "location"] as const

/**
 * Values for sections that a running agent would feed; each goes to the pace at which it changes. A custom profile may
 * read any other name as an input of either pace, so both get it.
 */
export function readScope(path: string): ScopeInputs {
  const value = readJson(path, "bad-scope-file")
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new IncipitError("bad-scope-file", `${path}: the file is not a JSON object`)
  }
  const entries = Object.entries(value)
  const isTurn = ([name]: [string, unknown]) => TURN_INPUTS.has(name)
  const isPlace = ([name]: [string, unknown]) => PLACE.some((key) => key === name)
  return {
    place: placeIn(Object.fromEntries(entries.filter(isPlace)), path),
    session: Object.fromEntries(entries.filter((entry) => !isTurn(entry) && !isPlace(entry))),
    turn: Object.fromEntries(entries.filter((entry) => !isPlace(entry))),
  }
}

function placeIn(given: Readonly<Record<string, unknown>>, path: string): Place {
  const texts = Object.entries(given).map(([key, value]) => {
    if (typeof value !== "string")
      throw new IncipitError("bad-scope-file", `${path}: "${key}" must be a string`)
    return [key, value] as const
  })
  const place: Place = Object.fromEntries(texts)
  if (place.timezone !== undefined && !isTimeZone(place.timezone))
    throw new IncipitError(
      "bad-scope-file",
      `${path}: "${place.timezone}" isn't a time zone; use a name such as Europe/Oslo`,
    )
  return place
}

/** Larger files are not read as JSON. */
export const MOST_JSON_BYTES = MAX_DATA_BYTES

export function readJson(path: string, code: ErrorCode, options: BoundedOptions = {}): unknown {
  let text: string
  try {
    text = readBounded(path, MOST_JSON_BYTES, options)
  } catch (error) {
    throw unreadable(path, error)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new IncipitError(code, `${path}: not valid JSON: ${error.message}`, { cause: error })
  }
  if (isDeeperThan(value, MAX_JSON_DEPTH))
    throw new IncipitError(code, `${path}: nested more than ${MAX_JSON_DEPTH} levels deep`)
  return value
}
