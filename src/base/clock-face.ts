// Wall-clock time in a time zone, from the platform's time zone tables. As numbers, because formatted text would change
// with the platform's locale data.
import { IncipitError } from "./error.ts"
import { oncePerText } from "./memo/once.ts"

export interface ClockFace {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

/** Throws `bad-argument` if `timeZone` isn't a time zone. */
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

/** Whether the platform knows this time zone. Takes `unknown` because names come from files. */
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

/** The time, in milliseconds, at which a UTC clock shows what the clock in `timeZone` shows at `at`. */
export function shownAt(at: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = clockFace(at, timeZone)
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1000) + 1000) % 1000)
}

/** More than there are time zones. */
export const MOST_ZONES = 1_000

/** A `DateTimeFormat` costs far more to make than to use. */
const formatFor = oncePerText(MOST_ZONES, (timeZone): Intl.DateTimeFormat => {
  const date = { year: "numeric", month: "numeric", day: "numeric" } as const
  const time = { hour: "numeric", minute: "numeric", second: "numeric", hourCycle: "h23" } as const
  try {
    return new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", { timeZone, ...date, ...time })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new IncipitError("bad-argument", `"${timeZone}" is not a time zone`, { cause: error })
  }
})
