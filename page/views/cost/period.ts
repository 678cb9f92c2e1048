// Which time the costs are of: a period up to now, or one day, both in the address.
import { place } from "../../shell/place.ts"

export const PERIODS = [
  { name: "1d", title: "Last 24 hours", ms: 86_400_000 },
  { name: "7d", title: "Last 7 days", ms: 7 * 86_400_000 },
  { name: "30d", title: "Last 30 days", ms: 30 * 86_400_000 },
  { name: "all", title: "All time", ms: undefined },
] as const

const USUAL = "30d"

export function currentPeriod(): (typeof PERIODS)[number]["name"] {
  return PERIODS.find(({ name }) => name === place.value.since)?.name ?? USUAL
}

export interface Range {
  readonly since: number | undefined
  readonly until: number | undefined
}

/** The day of the address, such as "2026-11-15"; undefined if it names none. */
export function currentDay(): string | undefined {
  const { day } = place.value
  return day !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(startOf(day)) ? day : undefined
}

export function rangeAt(now: number): Range {
  const day = currentDay()
  if (day !== undefined) return { since: startOf(day), until: startOf(daysAfter(day, 1)) }
  const { ms } = PERIODS.find(({ name }) => name === currentPeriod()) ?? PERIODS[2]
  return { since: ms === undefined ? undefined : now - ms, until: undefined }
}

/** In the reader's zone. */
function startOf(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number)
  return new Date(year, month - 1, date).getTime()
}

export function daysAfter(day: string, days: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number)
  return new Date(Date.UTC(year, month - 1, date + days)).toISOString().slice(0, 10)
}

export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC"
}
