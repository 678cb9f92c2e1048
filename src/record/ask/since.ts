// Parses moments as people write them: `1h` ago, `today`, `yesterday`, a day, or a date with a time. Days are those of
// the user's time zone, and begin when its clocks say so.
import { shownAt } from "../../base/clock-face.ts"
import { parseDuration } from "../../base/duration.ts"

const DAY_MS = 86_400_000
const WALL = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?)?$/
const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/

/** No date is further from 1970. */
const FURTHEST_MS = 8.64e15

/** Milliseconds since 1970. Returns undefined if the text is not a moment, or is outside the range of dates. */
export function parseSince(text: string, now: number, timeZone: string): number | undefined {
  const moment = momentSaid(text.trim(), now, timeZone)
  return moment === undefined || Math.abs(moment) > FURTHEST_MS ? undefined : moment
}

function momentSaid(said: string, now: number, timeZone: string): number | undefined {
  const word = said.toLowerCase()
  if (word === "now") return now
  if (word === "today") return startOfDay(shownAt(now, timeZone), timeZone)
  if (word === "yesterday") return startOfDay(shownAt(now, timeZone) - DAY_MS, timeZone)
  const ago = parseDuration(said)
  if (ago !== undefined) return now - ago
  const wall = parseWall(said)
  if (wall !== undefined) return momentOf(wall, timeZone)
  const exact = WITH_OFFSET.test(said) ? Date.parse(said) : Number.NaN
  return Number.isNaN(exact) ? undefined : exact
}

function startOfDay(wall: number, timeZone: string): number {
  return momentOf(Math.floor(wall / DAY_MS) * DAY_MS, timeZone)
}

/** The first moment at which the clocks show it. If they skip it, the moment at which they would have shown it. */
function momentOf(wall: number, timeZone: string): number {
  const offsets = [wall - DAY_MS, wall + DAY_MS].map((moment) => shownAt(moment, timeZone) - moment)
  const moments = offsets.map((offset) => wall - offset)
  const shown = moments.filter((moment) => shownAt(moment, timeZone) === wall)
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
  // `2026-02-31` would be read as a day in March.
  const isReal =
    new Date(wall).toISOString().startsWith(text.slice(0, 10)) && hour < 24 && minute < 60 && second < 60
  return isReal ? wall : undefined
}
