// Turns recurring times in words into a cron line: "every weekday at 8:30 check the lamp". Does not handle single
// dates.

export interface Scheduled {
  readonly cron: string
  readonly run: string
}

const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

const WHEN = String.raw`every (?<unit>day|morning|noon|evening|night|weekday|week|hour|minute|(?<count>\d{1,2}) (?<many>minutes|hours)|${DAYS.join("|")})(?: at (?<hour>\d{1,2})(?:[:.](?<minute>\d{2}))? ?(?<half>am|pm)?(?: o'clock)?)?`
const FIRST = new RegExp(`^${WHEN},?(?: to| please)? (?<run>.+)$`, "is")
const LAST = new RegExp(`^(?:remind me to |schedule )?(?<run>.+?),? ${WHEN}[.]?$`, "is")

const HOURS: Readonly<Partial<Record<string, number>>> = { morning: 8, noon: 12, evening: 18, night: 22 }

export function scheduledIn(request: string): Scheduled | undefined {
  const groups = (FIRST.exec(request) ?? LAST.exec(request))?.groups
  if (groups === undefined) return undefined
  const cron = cronOf(groups)
  const run = groups.run?.trim() ?? ""
  return cron === undefined || run === "" ? undefined : { cron, run }
}

function cronOf(groups: Readonly<Partial<Record<string, string>>>): string | undefined {
  const unit = groups.unit?.toLowerCase() ?? ""
  const step = Number(groups.count ?? 1)
  const many = groups.many?.toLowerCase() ?? `${unit}s`
  if (many === "minutes") return step > 0 && step < 60 ? `*/${step} * * * *` : undefined
  if (many === "hours") return step > 0 && step < 24 ? `0 */${step} * * *` : undefined
  const hour = hourOf(groups, HOURS[unit] ?? 8)
  const minute = Number(groups.minute ?? 0)
  if (hour === undefined || minute > 59) return undefined
  return `${minute} ${hour} * * ${daysOf(unit)}`
}

function hourOf(
  { hour, half }: Readonly<Partial<Record<string, string>>>,
  usual: number,
): number | undefined {
  if (hour === undefined) return usual
  const given = Number(hour)
  if (half === undefined) return given < 24 ? given : undefined
  if (given < 1 || given > 12) return undefined
  return (given % 12) + (half.toLowerCase() === "pm" ? 12 : 0)
}

function daysOf(unit: string): string {
  if (unit === "weekday") return "1-5"
  if (unit === "week") return "1"
  const day = DAYS.indexOf(unit)
  return day === -1 ? "*" : `${day}`
}
