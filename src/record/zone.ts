// Local days and times of a time zone, by the platform's own tables. Days are named `2026-11-15`; the one of an instant
// is what a clock on the wall says, on days that are longer, shorter or left out as well.
import { IncipitError } from "../core/error.ts"

/** `2026-11-15`. */
export function localDay(at: number, timeZone: string): string {
  return localTime(at, timeZone).slice(0, 10)
}

/** `2026-11-15 02:47:03`. */
export function localTime(at: number, timeZone: string): string {
  const parts = new Map(
    formatFor(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const text = (type: Intl.DateTimeFormatPartTypes, width = 2) => (parts.get(type) ?? "").padStart(width, "0")
  return `${text("year", 4)}-${text("month")}-${text("day")} ${text("hour")}:${text("minute")}:${text("second")}`
}

/** Making one costs far more than using it. */
const FORMATS = new Map<string, Intl.DateTimeFormat>()

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(timeZone)
  if (known !== undefined) return known
  const made = makeFormat(timeZone)
  FORMATS.set(timeZone, made)
  return made
}

function makeFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
    })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new IncipitError("bad-argument", `"${timeZone}" is no time zone`, { cause: error })
  }
}
