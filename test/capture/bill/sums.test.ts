// What a bill counts: each call once wherever it was found, by local day, in the period and the session that were asked
// for; what the client says only where no price is known.
import fc from "fast-check"
import { expect, test } from "vitest"
import type { BillProgress } from "../../../src/capture/bill/question.ts"
import { createIdTable } from "../../../src/capture/bill/usage/id-table.ts"
import type { CapturedCall } from "../../../src/capture/call.ts"
import type { CaptureReader } from "../../../src/capture/clients/reader.ts"
import { billOf } from "./bill-of.ts"
import { callsOf, drafts, FIRST, MINUTE, priceOf, readerOf, START } from "./conversation.ts"

test("a call that is in two files, or was read by two readers, counts once", async () => {
  const calls = callsOf(drafts(6))
  const alone = await billOf(calls)
  const continued = {
    "/a.jsonl": calls.slice(0, 4),
    "/b.jsonl": calls.map((call) => ({ ...call, session: "s2" })),
  }
  const bill = await billOf(continued)
  expect(bill).toMatchObject({ calls: 6, tokens: alone.tokens, costUsd: alone.costUsd })
  expect(bill.reading.duplicates).toBe(4)
  expect(bill.misses).toEqual([])
  expect(bill.bySession.map(({ key, calls: count }) => [key, count])).toEqual([
    ["s1", 4],
    ["s2", 2],
  ])
  const readers = [readerOf({ "/a.jsonl": calls }), readerOf({ "/a.jsonl": calls, "/c.jsonl": calls })]
  const twice = await billOf(calls, { readers })
  expect(twice).toMatchObject({ calls: 6, costUsd: alone.costUsd })
  expect(twice.reading).toMatchObject({ files: 2, duplicates: 6 })
})

test("days are those of the time zone", async () => {
  const late = { ...FIRST, at: Date.UTC(2026, 10, 9, 23, 58) }
  const calls = callsOf(drafts(4, (draft) => draft, late))
  const days = async (timeZone: string) =>
    (await billOf(calls, { timeZone })).byDay.map(({ key, calls: count }) => [key, count])
  expect(await days("UTC")).toEqual([
    ["2026-11-09", 2],
    ["2026-11-10", 2],
  ])
  expect(await days("Asia/Kathmandu")).toEqual([["2026-11-10", 4]])
})

test("only the period counts, but its first call is compared with the one before it", async () => {
  const sent = drafts(6, (draft, at) => (at >= 3 ? { ...draft, tools: draft.tools.slice(1) } : draft))
  const bill = await billOf(callsOf(sent), { since: START + 3 * MINUTE, until: START + 5 * MINUTE })
  expect(bill).toMatchObject({ calls: 2, from: START + 3 * MINUTE, to: START + 4 * MINUTE })
  expect(bill.misses).toMatchObject([
    { cause: "tools-changed", how: "went", owner: { kind: "tool", name: "Bash" } },
  ])
  const sum = bill.owners.reduce((all, { carriedUsd }) => all + (carriedUsd ?? 0), 0)
  expect(sum).toBeCloseTo(bill.costUsd ?? 0, 12)
  const old = await billOf({ "/old.jsonl": callsOf(sent) }, { since: START + 60 * MINUTE })
  expect(old.reading).toMatchObject({ files: 0, skippedFiles: 1 })
})

test("a session is asked for by its name or the beginning of it", async () => {
  const both = [...callsOf(drafts(3)), ...callsOf(drafts(2), { session: "other" })]
  expect(await billOf(both, { session: "oth" })).toMatchObject({ calls: 2, sessions: 1 })
})

test("what the client says counts only where no price is known", async () => {
  const calls = callsOf(drafts(3)).map(
    (call, at): CapturedCall => ({
      ...call,
      model: at === 0 ? "priced" : "own",
      reportedUsd: at === 2 ? undefined : 7,
    }),
  )
  const bill = await billOf(calls, { priceOf: (model) => (model === "priced" ? priceOf() : null) })
  expect(bill).toMatchObject({ reported: 1, unpriced: 1 })
  expect(bill.costUsd).toBeCloseTo(7 + (bill.byModel.find(({ key }) => key === "priced")?.costUsd ?? 0), 12)
  expect(bill.prices.map(({ model, kind }) => [model, kind])).toEqual([
    ["own", "client"],
    ["priced", "list"],
  ])
})

test("impossible times and counts are left out", async () => {
  const [call] = callsOf(drafts(1)) as [CapturedCall]
  const wrong = [
    { ...call, id: "a", at: Number.NaN },
    { ...call, id: "b", at: 1e300 },
    { ...call, id: "c", usage: { ...call.usage, read: -1 } },
    { ...call, id: "d", usage: { ...call.usage, output: Number.NaN } },
  ]
  expect(await billOf([call, ...wrong])).toMatchObject({ calls: 1 })
})

test("progress ends with all files and bytes, and sums alone need one pass", async () => {
  const told: BillProgress[] = []
  const files = { "/a.jsonl": callsOf(drafts(2)), "/b.jsonl": callsOf(drafts(2), { session: "t" }) }
  const bill = await billOf(files, { details: false, onProgress: (progress) => told.push(progress) })
  expect(told).toEqual([
    { phase: "usage", files: 2, doneFiles: 1, bytes: 3000, doneBytes: 1000 },
    { phase: "usage", files: 2, doneFiles: 2, bytes: 3000, doneBytes: 3000 },
  ])
  expect(bill).toMatchObject({ calls: 4, owners: [], misses: [], advice: [] })
})

test("a table of ids is a map of their marks", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.constantFrom(1, 2, 4)), { maxLength: 3_000 }),
      (steps) => {
        const table = createIdTable()
        const expected = new Map<string, number>()
        for (const [id, bit] of steps) {
          expect(table.mark(id, bit)).toBe(expected.get(id) ?? 0)
          expected.set(id, (expected.get(id) ?? 0) | bit)
        }
        expect(table.size).toBe(expected.size)
        for (const [id, marks] of expected) expect(table.marksOf(id)).toBe(marks)
      },
    ),
    { numRuns: 30, seed: 1 },
  )
})

test("a call of the wire and the same call in the client's own file, which names it differently, count once", async () => {
  const calls = callsOf(drafts(4)).map((call): CapturedCall => ({ ...call, client: "opencode" }))
  const alone = await billOf(calls)
  const wire = calls.map(
    (call, at): CapturedCall => ({ ...call, id: `wire-${at}`, session: "w", via: "wire" }),
  )
  const own = calls.map((call): CapturedCall => ({ ...call, at: call.at + 800, coverage: "none" }))
  const record: CaptureReader = { ...readerOf({ "/record.db": wire }), client: "incipit" }
  const bill = await billOf(calls, { readers: [readerOf({ "/own.jsonl": own }), record] })
  expect(bill).toMatchObject({ calls: 4, tokens: alone.tokens, costUsd: alone.costUsd, exact: true })
  expect(bill.reading.duplicates).toBe(4)
  // As many tokens at another time, or once more, is another call.
  const later = own.map(
    (call): CapturedCall => ({ ...call, id: `${call.id}-later`, at: call.at + 10 * MINUTE }),
  )
  const both = await billOf(calls, { readers: [readerOf({ "/own.jsonl": [...own, ...later] }), record] })
  expect(both.calls).toBe(8)
})
