// What the clock on a wall shows, by the platform's tables of time zones. In numbers: what a locale would write changes
// with its data.
import { IncipitError } from "./error.ts"

export interface ClockFace {
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

/** Throws for what is no time zone. */
export function clockFace(at: number, timeZone: string): ClockFace {
  const parts = new Map(
    formatFor(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const [year, month, day] = [part("year"), part("month"), part("day")]
  return { year, month, day, hour: part("hour"), minute: part("minute"), second: part("second") }
}

/** Whether the platform knows a zone by this name; names come from files. */
export function isTimeZone(name: unknown): name is string {
  if (typeof name !== "string" || name === "") return false
  try {
    formatFor(name)
    return true
  } catch (error) {
    if (error instanceof IncipitError) return false
    throw error
  }
}

/** The moment at which a clock in UTC shows the same, in milliseconds. */
export function shownAt(at: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = clockFace(at, timeZone)
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1000) + 1000) % 1000)
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
  const date = { year: "numeric", month: "numeric", day: "numeric" } as const
  const time = { hour: "numeric", minute: "numeric", second: "numeric", hourCycle: "h23" } as const
  try {
    return new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", { timeZone, ...date, ...time })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new IncipitError("bad-argument", `"${timeZone}" is no time zone`, { cause: error })
  }
}
