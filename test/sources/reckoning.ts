// When a line of cron is due, reckoned another way than the code does it: every minute of the time is looked at, with a
// reader of fields of its own, and offsets by the name that the platform gives them.

const MINUTE = 60_000
const QUARTER = 15 * MINUTE
const DAY = 1440 * MINUTE

interface Fields {
  readonly minutes: ReadonlySet<number>
  readonly hours: ReadonlySet<number>
  readonly isDay: (day: Date) => boolean
}

/** Moments after `from`, up to `to`. Knows numbers, lists, ranges and steps. */
export function reckon(line: string, zone: string, { from, to }: { from: number; to: number }): number[] {
  const { minutes, hours, isDay } = fieldsOf(line)
  const days = new Map<number, boolean>()
  const matches = (shown: number) => {
    const minute = shown / MINUTE
    if (!minutes.has(minute % 60) || !hours.has(Math.floor(minute / 60) % 24)) return false
    const day = Math.floor(shown / DAY)
    if (!days.has(day)) days.set(day, isDay(new Date(day * DAY)))
    return days.get(day) === true
  }
  const due: number[] = []
  // From well before, so that what the clock has shown already is known.
  let at = Math.floor(from / QUARTER) * QUARTER - 1.5 * DAY
  let latest = at + offsetOf(zone, at)
  let offset = 0
  for (; at <= to; at += MINUTE) {
    if (at % QUARTER === 0) offset = offsetOf(zone, at)
    const shown = at + offset
    let isDue = hours.size === 24 && matches(shown)
    for (; hours.size < 24 && latest < shown; ) {
      latest += MINUTE
      isDue = matches(latest) || isDue
    }
    if (isDue && at > from) due.push(at)
  }
  return due
}

function fieldsOf(line: string): Fields {
  const [minute = "", hour = "", date = "", month = "", weekday = ""] = line.split(" ")
  const [minutes, hours] = [valuesOf(minute, 0, 59), valuesOf(hour, 0, 23)]
  const [dates, months] = [valuesOf(date, 1, 31), valuesOf(month, 1, 12)]
  const weekdays = new Set([...valuesOf(weekday, 0, 7)].map((day) => day % 7))
  const isDay = (day: Date) => {
    if (!months.has(day.getUTCMonth() + 1)) return false
    const [byDate, byWeekday] = [dates.has(day.getUTCDate()), weekdays.has(day.getUTCDay())]
    return date !== "*" && weekday !== "*" ? byDate || byWeekday : byDate && byWeekday
  }
  return { minutes, hours, isDay }
}

function valuesOf(field: string, low: number, high: number): ReadonlySet<number> {
  const values = field.split(",").flatMap((part) => {
    const [range = "", step = "1"] = part.split("/")
    const [first, last = first] = range === "*" ? [low, high] : range.split("-").map(Number)
    const count = Math.floor((Number(last) - Number(first)) / Number(step)) + 1
    return Array.from({ length: count }, (_value, index) => Number(first) + index * Number(step))
  })
  return new Set(values)
}

const OFFSETS = new Map<string, Map<number, number>>()
const FORMATS = new Map<string, Intl.DateTimeFormat>()

/** Clocks change at quarters of an hour. */
function offsetOf(zone: string, at: number): number {
  const known = OFFSETS.get(zone) ?? new Map<number, number>()
  OFFSETS.set(zone, known)
  const quarter = Math.floor(at / QUARTER)
  const found = known.get(quarter) ?? namedOffset(zone, quarter * QUARTER)
  known.set(quarter, found)
  return found
}

function namedOffset(zone: string, at: number): number {
  const format =
    FORMATS.get(zone) ?? new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" })
  FORMATS.set(zone, format)
  const name = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? ""
  const [, sign = "+", hours = "0", minutes = "0"] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? []
  return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * MINUTE
}

/** The moments of a year at which the clock of a zone is changed. */
export function changesOf(zone: string, year: number): readonly number[] {
  const changes: number[] = []
  for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += QUARTER)
    if (offsetOf(zone, at) !== offsetOf(zone, at - QUARTER)) changes.push(at)
  return changes
}
