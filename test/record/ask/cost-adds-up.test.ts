import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { COST_KEYS } from "../../../src/base/cost-keys.ts"
import type { PartCost } from "../../../src/database/contract/record/costs.ts"
import { type CostReport, type CostSums, costs } from "../../../src/record/ask/cost.ts"
import { saveUsage } from "../../../src/record/ask/section-costs.ts"
import { parseSince } from "../../../src/record/ask/since.ts"
import { localDay, localTime } from "../../../src/record/ask/zone.ts"
import type { RecordEvent } from "../../../src/record/write/event.ts"
import type { Recorder } from "../../../src/record/write/record.ts"
import { costOf } from "../../../src/render/cache/price.ts"
import { withRecord, write } from "../open.ts"
import { PRICE } from "../receipt-folder.ts"

const zones = fc.constantFrom(
  "UTC",
  "Europe/Stockholm",
  "America/New_York",
  "America/St_Johns",
  "America/Sao_Paulo",
  "America/Havana",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Asia/Beirut",
  "Africa/Cairo",
  "Australia/Lord_Howe",
  "Australia/Adelaide",
  "Pacific/Chatham",
  "Pacific/Apia",
  "Pacific/Kiritimati",
)

/** Instants near changes of the clock, days that were left out, and any others. */
const instants = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        "2026-03-08T07:00Z",
        "2026-03-29T01:00Z",
        "2026-10-25T01:00Z",
        "2026-11-01T06:00Z",
        "2026-04-05T14:00Z",
        "2018-11-04T03:00Z",
        "2011-12-30T10:00Z",
        "2026-04-24T22:00Z",
      ),
      fc.integer({ min: -30 * 3_600_000, max: 30 * 3_600_000 }),
    )
    .map(([iso, off]) => Date.parse(iso) + off),
  fc.integer({ min: Date.parse("2012-01-01"), max: Date.parse("2031-01-01") }),
)

const tokens = fc.integer({ min: 0, max: 100_000 })
const call = fc
  .record({
    at: instants,
    session: fc.option(fc.constantFrom("one", "two")),
    user: fc.option(fc.constantFrom("alice", "bob")),
    model: fc.constantFrom("claude-opus-5-5", "gpt-6.1-sol"),
    turn: fc.option(fc.constantFrom("t1", "t2", "t3")),
    usage: fc.record({
      uncached: tokens,
      read: tokens,
      write: fc.record({ "5m": tokens, "1h": tokens }, { requiredKeys: [] }),
      output: tokens,
    }),
    costUsd: fc.option(fc.double({ min: 0, max: 5, noNaN: true }), { freq: 3 }),
  })
  .map(
    ({ session, user, turn, ...rest }): RecordEvent => ({
      type: "api_call",
      ...rest,
      ...(session && { session }),
      ...(user && { user }),
      ...(turn && { turn }),
    }),
  )
const calls = fc.array(call, { maxLength: 25 })

const ask = (record: Recorder, options: Parameters<typeof costs>[1]): Promise<CostReport> =>
  record.read((store) => costs(store, options))

function expectSums(parts: readonly CostSums[], total: CostSums) {
  const sum = (pick: (sums: CostSums) => number | null) =>
    parts.reduce((all, part) => all + (pick(part) ?? 0), 0)
  expect({
    calls: sum((part) => part.calls),
    unpriced: sum((part) => part.unpriced),
    uncached: sum((part) => part.uncached),
    read: sum((part) => part.read),
    write: sum((part) => part.write),
    output: sum((part) => part.output),
  }).toEqual({
    calls: total.calls,
    unpriced: total.unpriced,
    uncached: total.uncached,
    read: total.read,
    write: total.write,
    output: total.output,
  })
  expect(sum((part) => part.costUsd)).toBeCloseTo(total.costUsd ?? 0, 9)
}

describe("parts add up", () => {
  test("to the total and to the calls that were made, whatever they are added up by", async () => {
    await fc.assert(
      fc.asyncProperty(calls, zones, async (events, timeZone) => {
        await withRecord(async (record) => {
          await write(record, events)
          const all = events.flatMap(({ usage, costUsd }): CostSums[] =>
            usage === undefined
              ? []
              : [
                  {
                    calls: 1,
                    unpriced: costUsd === null ? 1 : 0,
                    uncached: usage.uncached,
                    read: usage.read,
                    write: (usage.write["5m"] ?? 0) + (usage.write["1h"] ?? 0),
                    output: usage.output,
                    costUsd: costUsd ?? null,
                  },
                ],
          )
          for (const by of COST_KEYS.filter((key) => key !== "section" && key !== "file")) {
            const report = await ask(record, { by, timeZone })
            expectSums(report.rows, report.total)
            expectSums(all, report.total)
          }
        })
      }),
      { numRuns: 60 },
    )
  })

  test("days to the range, each within its own day, also when the clock changes", async () => {
    await fc.assert(
      fc.asyncProperty(calls, zones, instants, instants, async (events, timeZone, one, other) => {
        await withRecord(async (record) => {
          await write(record, events)
          const range = await ask(record, {
            by: "model",
            timeZone,
            since: Math.min(one, other),
            until: Math.max(one, other),
          })
          const days = await ask(record, {
            by: "day",
            timeZone,
            since: Math.min(one, other),
            until: Math.max(one, other),
          })
          expectSums(days.rows, range.total)
          expect(days.since! <= Math.min(one, other) && days.until! >= Math.max(one, other)).toBe(true)
          for (const { key, calls } of days.rows) {
            const inDay = events.filter(
              ({ at }) => localDay(at, timeZone) === key && at >= days.since! && at < days.until!,
            )
            expect(calls).toBe(inDay.length)
          }
        })
      }),
      { numRuns: 60 },
    )
  })

  test("two ranges that meet to the range of both", async () => {
    await fc.assert(
      fc.asyncProperty(calls, zones, instants, async (events, timeZone, at) => {
        await withRecord(async (record) => {
          await write(record, events)
          const middle = startOfDay(localDay(at, timeZone), timeZone)!
          const before = await ask(record, { by: "user", timeZone, until: middle })
          const after = await ask(record, { by: "user", timeZone, since: middle })
          expectSums([before.total, after.total], (await ask(record, { by: "user", timeZone })).total)
        })
      }),
      { numRuns: 40 },
    )
  })
})

const priced: RecordEvent = {
  type: "api_call",
  at: Date.parse("2026-11-15T02:00:00Z"),
  turn: "t1",
  session: "one",
  model: "claude-opus-5-5",
  usage: { uncached: 100, read: 900, write: { "5m": 50, "1h": 7 }, output: 20 },
  costUsd: 0.02,
}

test("what nobody knows the price of is counted, and never costs 0", async () => {
  await withRecord(async (record) => {
    await write(record, [priced, { ...priced, model: "mystery", turn: "t2", costUsd: null }])
    await write(record, [{ type: "api_call", at: priced.at, turn: "t3" }])
    const sums = { calls: 1, uncached: 100, read: 900, write: 57, output: 20 }
    expect(await ask(record, { by: "model", timeZone: "UTC" })).toEqual({
      by: "model",
      timeZone: "UTC",
      rows: [
        { key: "mystery", ...sums, unpriced: 1, costUsd: null },
        { key: "claude-opus-5-5", ...sums, unpriced: 0, costUsd: 0.02 },
      ],
      total: { calls: 2, unpriced: 1, uncached: 200, read: 1800, write: 114, output: 40, costUsd: 0.02 },
      turns: { count: 2, averageUsd: 0.01, unpriced: 1 },
      unmeasured: 1,
      offline: 0,
    })
  })
})

test("what costs nothing is sorted by its tokens", async () => {
  await withRecord(async (record) => {
    const free = (model: string, uncached: number): RecordEvent => ({
      ...priced,
      ...{ model, costUsd: 0, usage: { uncached, read: 0, write: {}, output: 1 } },
    })
    await write(record, [free("a", 5), free("b", 50), free("c", 5)])
    expect((await ask(record, { by: "model", timeZone: "UTC" })).rows.map(({ key }) => key)).toEqual([
      "b",
      "a",
      "c",
    ])
  })
})

test("a turn over midnight counts on both days, with what it cost there", async () => {
  await withRecord(async (record) => {
    const midnight = Date.parse("2026-11-16T00:00:00Z")
    await write(record, [
      { ...priced, at: midnight - 60_000 },
      { ...priced, at: midnight + 60_000 },
      { ...priced, at: midnight + 120_000, turn: "t2" },
    ])
    await write(record, [{ ...priced, at: midnight + 180_000, turn: "t2" }])
    await write(record, [{ type: "api_call", at: midnight, usage: priced.usage!, costUsd: 7 }])
    const turns = async (range: object) => (await ask(record, { by: "day", timeZone: "UTC", ...range })).turns
    expect(await turns({ until: midnight })).toEqual({ count: 1, averageUsd: 0.02, unpriced: 0 })
    expect(await turns({ since: midnight })).toEqual({
      count: 2,
      averageUsd: expect.closeTo(0.03, 12),
      unpriced: 0,
    })
    expect(await turns({})).toEqual({ count: 2, averageUsd: expect.closeTo(0.04, 12), unpriced: 0 })
  })
})

test("turns of one quarter of an hour are counted each, once", async () => {
  await withRecord(async (record) => {
    const calls = ["t1", "t2", "t2", "t3"]
    await write(
      record,
      calls.map((turn) => ({ ...priced, turn })),
    )
    const { turns } = await ask(record, { by: "day", timeZone: "UTC" })
    expect(turns).toEqual({ count: 3, averageUsd: expect.closeTo(0.08 / 3, 12), unpriced: 0 })
  })
})

test("a call with a price costs the same by day and by section; one without is one call by both", async () => {
  await withRecord(async (record) => {
    const { costUsd: _, ...bare } = priced
    const unknown = { ...bare, turn: "t2", price: null }
    for (const made of [{ ...bare, price: PRICE }, unknown, { ...bare, price: PRICE, costUsd: null }]) {
      record.append(made)
      saveUsage(record, made)
    }
    await record.flush()
    const { total: day } = await ask(record, { by: "day", timeZone: "UTC" })
    const { total: section } = await ask(record, { by: "section", timeZone: "UTC" })
    expect(day).toMatchObject({ calls: 3, unpriced: 2, costUsd: costOf(priced.usage!, PRICE) })
    expect(section).toMatchObject({
      calls: null,
      unpriced: 2,
      costUsd: expect.closeTo(day?.costUsd ?? 0, 12),
    })
    const sight = { session: "one", user: undefined, trust: "full" } as const
    expect((await ask(record, { by: "day", timeZone: "UTC", sight })).total).toEqual(day)
    expect((await ask(record, { by: "section", timeZone: "UTC", sight })).total.unpriced).toBe(0)
  })
})

test("sections and files have no calls of their own, and are the owner's", async () => {
  await withRecord(async (record) => {
    await write(record, [priced])
    const part = { cacheWrite: 0, output: 0, unpriced: 0 } as const
    const soul = { ...part, section: "soul", path: "SOUL.md", cacheRead: 100 }
    const context = { ...part, section: "context", path: "AGENTS.md", cacheRead: 0 }
    const add = (quarter: number, parts: readonly PartCost[]) =>
      record.enqueue({ texts: [], entry: () => ({ kind: "parts", quarter, parts }) })
    add(1_989_000, [{ ...soul, fresh: 10.5, costUsd: 0.001 }])
    add(1_989_001, [
      { ...soul, fresh: 0, costUsd: 0.0005 },
      { ...context, fresh: 5, costUsd: 0.003 },
    ])
    await record.flush()
    const none = { calls: null, unpriced: 0, output: 0, write: 0 }
    const report = await ask(record, { by: "file", timeZone: "UTC" })
    expect(report.rows).toEqual([
      { key: "AGENTS.md", ...none, uncached: 5, read: 0, costUsd: 0.003 },
      { key: "SOUL.md", ...none, uncached: 10.5, read: 200, costUsd: 0.0015 },
    ])
    expect(report.total).toEqual({ ...none, uncached: 15.5, read: 200, costUsd: expect.closeTo(0.0045, 12) })
    const since = 1_989_001 * 900_000
    expect((await ask(record, { by: "section", timeZone: "UTC", since })).rows.map(({ key }) => key)).toEqual(
      ["context", "soul"],
    )
    const sight = { session: "one", user: undefined, trust: "full" } as const
    expect((await ask(record, { by: "section", timeZone: "UTC", sight })).rows).toEqual([])
  })
})

function startOfDay(day: string, timeZone: string): number | undefined {
  return parseSince(day, 0, timeZone)
}

describe("local days", () => {
  test.each([
    ["2026-10-25", "Europe/Stockholm", "2026-10-24T22:00:00.000Z"],
    ["2026-10-26", "Europe/Stockholm", "2026-10-25T23:00:00.000Z"],
    ["2026-11-15", "Asia/Kathmandu", "2026-11-14T18:15:00.000Z"],
    ["2026-11-15", "Pacific/Chatham", "2026-11-14T10:15:00.000Z"],
    // The clock went from 24:00 straight to 1:00.
    ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z"],
    // The island crossed the date line and had no such day.
    ["2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
  ])("%s in %s begins at %s", (day, zone, iso) => {
    expect(new Date(startOfDay(day, zone)!).toISOString()).toBe(iso)
  })

  test("begin at an instant of their own, or of the next, and just before it is another", () => {
    fc.assert(
      fc.property(instants, zones, (at, zone) => {
        const day = localDay(at, zone)
        const start = startOfDay(day, zone)!
        expect(localDay(start, zone)).toBe(day)
        expect(localDay(start - 1, zone) < day).toBe(true)
      }),
    )
  })

  test("are those of a clock on the wall", () => {
    expect(localTime(Date.parse("2026-11-15T01:47:03Z"), "Europe/Stockholm")).toBe("2026-11-15 02:47:03")
    expect(localTime(Date.parse("2026-11-15T00:00:00Z"), "UTC")).toBe("2026-11-15 00:00:00")
  })

  test("are not of a zone that is none, nor of a text that is no day", () => {
    expect(() => localDay(0, "Mars/Olympus")).toThrow('"Mars/Olympus" is not a time zone')
    expect(startOfDay("2026-13-01", "UTC")).toBeUndefined()
  })
})
