// Moments as people write them: `1h` ago, `today`, `yesterday`, a day, or a date with a time. Days are those of the
// user's own time zone, and begin when its clocks say so.
import { parseDuration } from "../core/duration.ts"
import { IncipitError } from "../core/error.ts"

const DAY_MS = 86_400_000
const WALL = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?)?$/
const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/

/** No date is further from 1970. */
const FURTHEST_MS = 8.64e15

/** Milliseconds since 1970, or nothing if the text says no moment, or one that no date can name. */
export function parseSince(text: string, now: number, timeZone: string): number | undefined {
  const moment = momentSaid(text.trim(), now, zoneOf(timeZone))
  return moment === undefined || Math.abs(moment) > FURTHEST_MS ? undefined : moment
}

function momentSaid(said: string, now: number, zone: Zone): number | undefined {
  const word = said.toLowerCase()
  if (word === "now") return now
  if (word === "today") return startOfDay(zone.wallAt(now), zone)
  if (word === "yesterday") return startOfDay(zone.wallAt(now) - DAY_MS, zone)
  const ago = parseDuration(said)
  if (ago !== undefined) return now - ago
  const wall = parseWall(said)
  if (wall !== undefined) return momentOf(wall, zone)
  const exact = WITH_OFFSET.test(said) ? Date.parse(said) : Number.NaN
  return Number.isNaN(exact) ? undefined : exact
}

interface Zone {
  /** What the clocks show at that moment, as the milliseconds at which UTC shows the same. */
  wallAt(moment: number): number
}

function zoneOf(timeZone: string): Zone {
  const format = formatOf(timeZone)
  return {
    wallAt(moment) {
      const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
      const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
      const ms = ((moment % 1000) + 1000) % 1000
      return (
        Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second")) +
        ms
      )
    },
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const number = "numeric"
  const parts = {
    year: number,
    month: number,
    day: number,
    hour: number,
    minute: number,
    second: number,
  } as const
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone, calendar: "gregory", hourCycle: "h23", ...parts })
  } catch (error) {
    throw new IncipitError("bad-argument", `${timeZone} is no time zone`, { cause: error })
  }
}

function startOfDay(wall: number, zone: Zone): number {
  return momentOf(Math.floor(wall / DAY_MS) * DAY_MS, zone)
}

/** The first moment at which the clocks show it. Where they skip it, the moment at which they would have. */
function momentOf(wall: number, zone: Zone): number {
  const offsets = [wall - DAY_MS, wall + DAY_MS].map((moment) => zone.wallAt(moment) - moment)
  const moments = offsets.map((offset) => wall - offset)
  const shown = moments.filter((moment) => zone.wallAt(moment) === wall)
  return shown.length > 0 ? Math.min(...shown) : (moments[0] ?? wall)
}

function parseWall(text: string): number | undefined {
  const [match, ...digits] = WALL.exec(text) ?? []
  if (match === undefined) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = digits.map((part) =>
    Number(part ?? 0),
  )
  const ms = Number((digits[6] ?? "0").padEnd(3, "0"))
  const wall = Date.UTC(year, month - 1, day, hour, minute, second, ms)
  // `2026-02-31` would be taken for a day in March.
  const isReal =
    new Date(wall).toISOString().startsWith(text.slice(0, 10)) && hour < 24 && minute < 60 && second < 60
  return isReal ? wall : undefined
}
