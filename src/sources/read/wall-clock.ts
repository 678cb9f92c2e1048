// The wall clock of a time zone: what it shows at a moment, and which moment a shown time is. Shown times are
// milliseconds since 1970 as if the zone were UTC; moments are real milliseconds since 1970.
import { MOST_ZONES, shownAt } from "../../base/clock-face.ts"
import { oncePerText } from "../../base/memo/once.ts"

export interface WallClock {
  /** The time that the clock shows. */
  shown(at: number): number
  /**
   * The first moment at which the clock shows this time or a later one: a single moment even if the time is skipped or
   * shown twice.
   */
  momentOf(shown: number): number
  /** The first moment after `from`, up to `to`, at which the clock changes. */
  firstChange(from: number, to: number): number | undefined
}

const HOUR_MS = 3_600_000
/** More than any zone's offset from UTC plus a whole day, which a zone once skipped. */
const FAR_MS = 40 * HOUR_MS
/** No zone changes its clock twice in this time. */
const WEEK_MS = 168 * HOUR_MS

/** Each clock keeps what it learned about its zone. */
export const wallClock = oncePerText(MOST_ZONES, clockOf)

function clockOf(timeZone: string): WallClock {
  const asked = (at: number) => shownAt(at, timeZone) - at
  let calm = { from: 0, to: -1, offset: 0 }

  /** Asking the platform is slow, and most queries are about one season. */
  function offset(at: number): number {
    if (calm.from <= at && at <= calm.to) return calm.offset
    const found = asked(at)
    if (asked(at + WEEK_MS) === found) calm = { from: at, to: at + WEEK_MS, offset: found }
    return found
  }

  function firstChange(from: number, to: number): number | undefined {
    const before = offset(from)
    for (let low = from; low < to; low += WEEK_MS) {
      const high = Math.min(low + WEEK_MS, to)
      if (offset(high) !== before) return changeWithin(low, high)
    }
    return undefined
  }

  function changeWithin(low: number, high: number): number {
    const before = offset(low)
    let [early, late] = [low, high]
    while (late - early > 1) {
      const middle = Math.floor((early + late) / 2)
      if (offset(middle) === before) early = middle
      else late = middle
    }
    return late
  }

  function momentOf(time: number): number {
    const early = time - FAR_MS
    const moment = time - offset(early)
    const change = firstChange(early, moment)
    return change === undefined ? moment : Math.max(change, time - offset(change))
  }

  return { shown: (at) => at + offset(at), momentOf, firstChange }
}
