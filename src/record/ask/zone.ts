// Local days and times in a time zone, as people write them. The day of an instant is what a wall clock shows,
// including on days that are longer, shorter or skipped.
import { clockFace } from "../../base/clock-face.ts"

/** `2026-11-15`. */
export function localDay(at: number, timeZone: string): string {
  return localTime(at, timeZone).slice(0, 10)
}

/** `2026-11-15 02:47:03`. */
export function localTime(at: number, timeZone: string): string {
  const { year, month, day, hour, minute, second } = clockFace(at, timeZone)
  const date = [String(year).padStart(4, "0"), ...[month, day].map(twoDigits)].join("-")
  return `${date} ${[hour, minute, second].map(twoDigits).join(":")}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0")
}
