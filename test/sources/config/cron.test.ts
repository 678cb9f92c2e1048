// Lines of cron: what is refused, and when they are due, against a reckoning minute by minute.
import fc from "fast-check"
import { expect, test } from "vitest"
import { cronProblem, dueBetween, nextAfter } from "../../../src/sources/config/cron.ts"
import { changesOf, reckon } from "../reckoning.ts"
import { cronLine } from "./cron-line.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ZONES = [
  "Europe/Stockholm",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kolkata",
  "UTC",
  "America/Sao_Paulo",
]

function due(line: string, zone: string, { from, to }: { from: number; to: number }): readonly number[] {
  return dueBetween(line, zone, { after: from, until: to, most: Number.POSITIVE_INFINITY })
}

/** As the clock of UTC shows them. */
function times(line: string, zone: string, after: string, most: number): readonly string[] {
  return dueBetween(line, zone, { after: Date.parse(after), most }).map((at) =>
    new Date(at).toISOString().slice(0, 16),
  )
}

test.each([
  ["* * * * * *", '"* * * * * *" has six fields; use five, without seconds'],
  [
    "0 8 * *",
    '"0 8 * *" is neither five fields (minute, hour, day of the month, month, day of the week) nor a word such as @daily',
  ],
  [
    "2030-01-01T00:00:00",
    '"2030-01-01T00:00:00" is neither five fields (minute, hour, day of the month, month, day of the week) nor a word such as @daily',
  ],
  ["@reboot", '"@reboot" is not one of @hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually'],
  [
    "60 8 * * *",
    '"60" is not a valid minute: use 0 to 59, *, lists, ranges from low to high, and steps such as */2',
  ],
  [
    "0 22-2 * * *",
    '"22-2" is not a valid hour: use 0 to 23, *, lists, ranges from low to high, and steps such as */2',
  ],
  [
    "0 8 32 * *",
    '"32" is not a valid day of the month: use 1 to 31 or L, *, lists, ranges from low to high, and steps such as */2',
  ],
  [
    "0 8 * 13 *",
    '"13" is not a valid month: use 1 to 12 or JAN to DEC, *, lists, ranges from low to high, and steps such as */2',
  ],
  [
    "0 8 * * 8",
    '"8" is not a valid day of the week: use 0 to 7 or SUN to SAT, *, lists, ranges from low to high, and steps such as */2',
  ],
  ["0 8 30 2 *", '"0 8 30 2 *" names a date that never occurs'],
  ["0 8 * * MON-FRI", undefined],
  [" @Daily ", undefined],
  ["0 8 29 2 *", undefined],
])("%s", (line, problem) => {
  expect(cronProblem(line)).toBe(problem)
})

test("text with colons and hyphens, which croner takes for a date, is no schedule", () => {
  expect(cronProblem("name: a\n---\ndescription: b\n")).toBeTypeOf("string")
})

test("any text is a schedule or has a problem", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom(..."0159*,-/ @LW#?+") })),
      (line) => {
        const problem = cronProblem(line)
        if (problem === undefined) expect(nextAfter(line, "UTC", 0)).toBeGreaterThan(0)
        else expect(problem).toBeTypeOf("string")
      },
    ),
    { numRuns: 2_000 },
  )
})

test("in spring a time that is skipped is due after the gap, and several are one run", () => {
  const spring = (line: string) => times(line, "Europe/Stockholm", "2026-03-28T22:00Z", 3)
  expect(spring("30 2 * * *")).toEqual(["2026-03-29T01:00", "2026-03-30T00:30", "2026-03-31T00:30"])
  expect(spring("*/20 2 * * *")).toEqual(["2026-03-29T01:00", "2026-03-30T00:00", "2026-03-30T00:20"])
  expect(spring("0 2,3 * * *")).toEqual(["2026-03-29T01:00", "2026-03-30T00:00", "2026-03-30T01:00"])
  expect(times("0 0 * * *", "America/Sao_Paulo", "2018-11-03T04:00Z", 2)).toEqual([
    "2018-11-04T03:00",
    "2018-11-05T02:00",
  ])
})

test("in autumn a time that comes twice is due the first time", () => {
  const autumn = (line: string) => times(line, "Europe/Stockholm", "2026-10-24T22:00Z", 3)
  expect(autumn("30 2 * * *")).toEqual(["2026-10-25T00:30", "2026-10-26T01:30", "2026-10-27T01:30"])
  expect(autumn("0 1,2 * * *")).toEqual(["2026-10-24T23:00", "2026-10-25T00:00", "2026-10-26T00:00"])
  expect(autumn("0 2-3 * * *")).toEqual(["2026-10-25T00:00", "2026-10-25T02:00", "2026-10-26T01:00"])
})

test("quarters of every hour continue by elapsed time through both changes", () => {
  for (const zone of ZONES)
    for (const from of [2018, 2026].flatMap((year) => changesOf(zone, year)).map((at) => at - 3 * HOUR)) {
      const quarters = due("*/15 * * * *", zone, { from, to: from + 6 * HOUR })
      expect(quarters).toEqual(Array.from({ length: 24 }, (_run, index) => from + (index + 1) * (HOUR / 4)))
    }
})

test("a day that a zone leaves out is made up for at its end", () => {
  expect(times("0 12 * * *", "Pacific/Apia", "2011-12-29T00:00Z", 3)).toEqual([
    "2011-12-29T22:00",
    "2011-12-30T10:00",
    "2011-12-30T22:00",
  ])
})

test("last days, nearest weekdays, numbered weekdays and words", () => {
  const of = (line: string) => times(line, "UTC", "2026-01-01T00:00Z", 2)
  expect(of("0 8 L * *")).toEqual(["2026-01-31T08:00", "2026-02-28T08:00"])
  expect(of("0 8 15W * *")).toEqual(["2026-01-15T08:00", "2026-02-16T08:00"])
  expect(of("0 8 * * FRI#2")).toEqual(["2026-01-09T08:00", "2026-02-13T08:00"])
  expect(of("@weekly")).toEqual(["2026-01-04T00:00", "2026-01-11T00:00"])
  expect(of("@yearly")).toEqual(["2027-01-01T00:00", "2028-01-01T00:00"])
  expect(of("0 0 29 2 *")).toEqual(["2028-02-29T00:00", "2032-02-29T00:00"])
})

test("the first days of March are not passed over for a February's 30th", () => {
  expect(times("0 8 1 * MON", "UTC", "2026-02-23T12:00Z", 2)).toEqual([
    "2026-03-01T08:00",
    "2026-03-02T08:00",
  ])
  expect(times("0 8 * * SUN#1,MON#5", "UTC", "2026-02-23T12:00Z", 2)).toEqual([
    "2026-03-01T08:00",
    "2026-03-30T08:00",
  ])
})

const HOURS = [
  ...Array.from({ length: 24 }, (_hour, hour) => String(hour)),
  ...["*", "*/2", "*/5", "0-3", "1,2", "2-3", "22-23", "0,2,23"],
]

test.each(ZONES)("every hour agrees with the reckoning around every change of the clock: %s", (zone) => {
  const changes = [2018, 2026].flatMap((year) => changesOf(zone, year))
  const moments = changes.length === 0 ? [Date.UTC(2026, 2, 1)] : changes
  const differs = moments.flatMap((at) =>
    HOURS.flatMap((hour) =>
      ["0", "30", "*/20"].flatMap((minute) => {
        const [line, span] = [`${minute} ${hour} * * *`, { from: at - DAY, to: at + DAY }]
        return same(due(line, zone, span), reckon(line, zone, span)) ? [] : [`${line} at ${at}`]
      }),
    ),
  )
  expect(differs).toEqual([])
})

test.each(ZONES)("any line agrees with the reckoning over years: %s", (zone) => {
  const from = fc.integer({ min: Date.UTC(2016, 0, 1), max: Date.UTC(2026, 0, 1) })
  const most = 800
  fc.assert(
    fc.property(cronLine, from, (line, after) => {
      const found = dueBetween(line, zone, { after, until: after + 400 * DAY, most })
      const to = found.length === most ? (found.at(-1) ?? 0) : after + 400 * DAY
      expect(same(found, reckon(line, zone, { from: after, to }))).toBe(true)
    }),
    { numRuns: 10 },
  )
})

function same(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((at, index) => at === other[index])
}
