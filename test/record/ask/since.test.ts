// Moments as people write them, in their own zone, also on days on which the clocks change.
import fc from "fast-check"
import { expect, test } from "vitest"
import { parseSince } from "../../../src/record/ask/since.ts"

const iso = (text: string, now: string, zone: string) => {
  const at = parseSince(text, Date.parse(now), zone)
  return at === undefined ? undefined : new Date(at).toISOString()
}

test.each([
  // [said, now, zone, expected]
  ["1h", "2026-11-15T12:00:00Z", "UTC", "2026-11-15T11:00:00.000Z"],
  ["90 m", "2026-11-15T12:00:00Z", "UTC", "2026-11-15T10:30:00.000Z"],
  ["now", "2026-11-15T12:00:00Z", "Asia/Kolkata", "2026-11-15T12:00:00.000Z"],
  ["today", "2026-11-15T12:00:00Z", "UTC", "2026-11-15T00:00:00.000Z"],
  ["today", "2026-11-15T20:00:00Z", "Asia/Kolkata", "2026-11-15T18:30:00.000Z"],
  ["today", "2026-11-15T03:00:00Z", "America/New_York", "2026-11-14T05:00:00.000Z"],
  ["yesterday", "2026-11-15T12:00:00Z", "Europe/Vienna", "2026-11-13T23:00:00.000Z"],
  // The day on which clocks go forward has 23 hours, the one on which they go back 25.
  ["today", "2026-03-29T12:00:00Z", "Europe/Vienna", "2026-03-28T23:00:00.000Z"],
  ["yesterday", "2026-03-30T12:00:00Z", "Europe/Vienna", "2026-03-28T23:00:00.000Z"],
  ["today", "2026-03-30T12:00:00Z", "Europe/Vienna", "2026-03-29T22:00:00.000Z"],
  ["today", "2026-10-25T22:30:00Z", "Europe/Vienna", "2026-10-24T22:00:00.000Z"],
  ["yesterday", "2026-10-26T12:00:00Z", "Europe/Vienna", "2026-10-24T22:00:00.000Z"],
  // Midnight is skipped, or comes twice.
  ["2018-11-04", "2018-11-05T12:00:00Z", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z"],
  ["2025-11-02", "2025-11-03T12:00:00Z", "America/Havana", "2025-11-02T04:00:00.000Z"],
  ["2026-11-01", "2026-11-15T12:00:00Z", "America/Los_Angeles", "2026-11-01T07:00:00.000Z"],
  // An hour that comes twice is the first, one that is skipped the one after.
  ["2026-10-25T02:30", "2026-11-15T12:00:00Z", "Europe/Vienna", "2026-10-25T00:30:00.000Z"],
  ["2026-03-29 02:30", "2026-11-15T12:00:00Z", "Europe/Vienna", "2026-03-29T01:30:00.000Z"],
  ["2026-11-01T08:15:30.25", "2026-11-15T12:00:00Z", "Asia/Kathmandu", "2026-11-01T02:30:30.250Z"],
  ["2026-11-01T08:00:00Z", "2026-11-15T12:00:00Z", "Asia/Tokyo", "2026-11-01T08:00:00.000Z"],
  ["2026-11-01T08:00:00+02:00", "2026-11-15T12:00:00Z", "Asia/Tokyo", "2026-11-01T06:00:00.000Z"],
])("%s at %s in %s is %s", (said, now, zone, expected) => {
  expect(iso(said, now, zone)).toBe(expected)
})

test.each([
  "",
  "soon",
  "2026-02-31",
  "2026-13-01",
  "2026-11-01T25:00",
  "1 fortnight",
  "11/01/2026",
  "2026-11-01T08:00+99",
  "999999999d",
])("%o says no moment", (said) => {
  expect(iso(said, "2026-11-15T12:00:00Z", "UTC")).toBeUndefined()
})

test("a zone that there is not is refused", () => {
  expect(() => parseSince("today", 0, "Mars/Olympus")).toThrow(
    expect.objectContaining({ code: "bad-argument" }),
  )
})

test("today began at a time that shows the same date, and a moment before it was another", () => {
  const zones = [
    "UTC",
    "Europe/Vienna",
    "America/New_York",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "Pacific/Chatham",
  ]
  const dayOf = (at: number, timeZone: string) =>
    new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(at)
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) }),
      fc.constantFrom(...zones),
      (now, zone) => {
        const start = parseSince("today", now, zone) ?? Number.NaN
        expect(start).toBeLessThanOrEqual(now)
        expect(dayOf(start, zone)).toBe(dayOf(now, zone))
        expect(dayOf(start - 1, zone)).not.toBe(dayOf(now, zone))
        expect(parseSince(dayOf(now, zone), now, zone)).toBe(start)
        const before = parseSince("yesterday", now, zone) ?? Number.NaN
        expect(dayOf(before, zone)).toBe(dayOf(start - 1, zone))
        expect(dayOf(before - 1, zone)).not.toBe(dayOf(before, zone))
      },
    ),
    { numRuns: 100 },
  )
})
