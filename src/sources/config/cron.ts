// Cron lines: whether one is valid, and when it is due in a time zone. The only file that uses croner, which decides at
// clock changes by whether minutes or hours are lists: "0 1,2 * * *" loses a run in spring and gets two in autumn. So
// croner parses the line and walks the calendar without a zone, and these rules apply:
// - a time that the clock skips is due right after the gap, and several skipped times are one run;
// - a time that occurs twice is due the first time;
// - an hourly line is due whenever the clock shows its minute: by elapsed time, through both changes.
import { Cron, CronPattern } from "croner"
import { type WallClock, wallClock } from "../read/wall-clock.ts"

const WORDS = ["@hourly", "@daily", "@midnight", "@weekly", "@monthly", "@yearly", "@annually"]

const FIELDS: readonly { readonly name: string; readonly takes: string }[] = [
  { name: "minute", takes: "0 to 59" },
  { name: "hour", takes: "0 to 23" },
  { name: "day of the month", takes: "1 to 31 or L" },
  { name: "month", takes: "1 to 12 or JAN to DEC" },
  { name: "day of the week", takes: "0 to 7 or SUN to SAT" },
]

/** Why a line is not a schedule, as a sentence. Returns undefined if it is one. */
export function cronProblem(line: string): string | undefined {
  const text = line.trim()
  if (text.startsWith("@"))
    return WORDS.includes(text.toLowerCase()) ? undefined : `"${text}" is not one of ${WORDS.join(", ")}`
  const fields = text.split(/\s+/)
  if (fields.length === 6) return `"${text}" has six fields; use five, without seconds`
  if (fields.length !== 5)
    return `"${text}" is neither five fields (${FIELDS.map(({ name }) => name).join(", ")}) nor a word such as @daily`
  for (const [at, { name, takes }] of FIELDS.entries()) {
    const alone = FIELDS.map((_field, index) => (index === at ? fields[at] : "*")).join(" ")
    if (!isRead(alone))
      return `"${fields[at]}" is not a valid ${name}: use ${takes}, *, lists, ranges from low to high, and steps such as */2`
  }
  if (!isRead(text)) return `the fields of "${text}" contradict each other`
  return calendarOf(text).next(0) === undefined ? `"${text}" names a date that never occurs` : undefined
}

/** Returns undefined if the line is never due. The line must be a valid schedule. */
export function nextAfter(line: string, timeZone: string, after: number): number | undefined {
  return dueBetween(line, timeZone, { after })[0]
}

export interface DueOptions {
  readonly after: number
  /** The last moment to include; no end if absent. */
  readonly until?: number
  /** Default: 1. */
  readonly most?: number
}

/** The moments at which a line is due, oldest first. */
export function dueBetween(
  line: string,
  timeZone: string,
  { after, until = Number.POSITIVE_INFINITY, most = 1 }: DueOptions,
): readonly number[] {
  const calendar = calendarOf(line)
  const clock = wallClock(timeZone)
  const next = calendar.isEveryHour ? nextShown : nextFirstShown
  const due: number[] = []
  for (let at = next(calendar, clock, after); at !== undefined && at <= until; ) {
    due.push(at)
    if (due.length >= most) break
    at = next(calendar, clock, at)
  }
  return due
}

/** The line without a zone: its times as a clock shows them. */
interface Calendar {
  readonly isEveryHour: boolean
  next(shown: number): number | undefined
}

const SECOND_MS = 1000
const MINUTE_MS = 60_000

function calendarOf(line: string): Calendar {
  const cron = new Cron(line.trim(), { mode: "5-part", utcOffset: 0, paused: true })
  const after = (shown: number) => cron.nextRun(new Date(shown))?.getTime()
  return {
    isEveryHour: new CronPattern(line.trim()).hour.every((hour) => hour === 1),
    next(shown) {
      const found = after(Math.floor(shown / MINUTE_MS) * MINUTE_MS)
      const month = nextMonth(shown)
      return found === undefined || found < month ? found : after(month - SECOND_MS)
    },
  }
}

/**
 * Each query starts at the first of a month: croner runs every month to a 31st, and from "30 February" it skips 1
 * March.
 */
function nextMonth(shown: number): number {
  const day = new Date(shown)
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1)
}

function isRead(line: string): boolean {
  try {
    calendarOf(line)
    return true
  } catch (error) {
    // Only croner's parser runs here, and it throws several kinds of errors.
    if (error instanceof Error) return false
    throw error
  }
}

/** For a line with fixed hours: each of its times once, whatever the clock does. */
function nextFirstShown(calendar: Calendar, clock: WallClock, after: number): number | undefined {
  let shown = calendar.next(clock.shown(after))
  while (shown !== undefined) {
    const at = clock.momentOf(shown)
    if (at > after) return at
    shown = calendar.next(shown)
  }
  return undefined
}

/** For an hourly line: whenever the clock shows one of its times. */
function nextShown(calendar: Calendar, clock: WallClock, after: number): number | undefined {
  let [from, before] = [after, clock.shown(after)]
  for (;;) {
    const shown = calendar.next(before)
    if (shown === undefined) return undefined
    const at = shown - (clock.shown(from) - from)
    const change = clock.firstChange(from, at)
    if (change === undefined)
      return at
      // Continue at the clock change; the time shown at that moment may itself be due.
    ;[from, before] = [change, clock.shown(change) - 1]
  }
}
