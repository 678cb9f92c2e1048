// The cost of a call by its parts: they always make the total, and the first tokens of the prefix were read.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { report } from "../../../src/core/read/report.ts"
import { attribute, type InputPart, inputParts } from "../../../src/record/ask/attribute.ts"
import { saveUsage } from "../../../src/record/ask/section-costs.ts"
import { saveReceipt } from "../../../src/record/write/receipts.ts"
import { costOf, inputOf, type Price, type Usage } from "../../../src/render/cache/price.ts"
import { samplePrompt } from "../../render/sample.ts"
import { inFile } from "../in-file.ts"
import { apiCall, FACTS, openTemporary, PRICE } from "../receipt-folder.ts"

const part = (id: string, tokens: number, kind: InputPart["kind"] = "section"): InputPart => ({
  kind,
  id,
  tokens,
})
const round = (dollars: number) => Number(dollars.toPrecision(12))
const rows = (parts: readonly InputPart[], usage: Usage, price: Price | null = PRICE) =>
  attribute(parts, { usage, price, costUsd: costOf(usage, price) }).map(
    ({ id, usage: { read, write, uncached, output }, costUsd }) => [
      id,
      read,
      write,
      uncached,
      output,
      costUsd && round(costUsd),
    ],
  )

describe("one call", () => {
  test("what was read comes first, then what was written, longest first, then the rest", () => {
    const usage = { read: 150, write: { "5m": 30, "1h": 70 }, uncached: 50, output: 9 }
    expect(rows([part("a", 100), part("b", 100), part("c", 100)], usage)).toEqual([
      ["a", 100, {}, 0, 0, 0.00002],
      ["b", 50, { "1h": 50 }, 0, 0, 0.00021],
      ["c", 0, { "1h": 20, "5m": 30 }, 50, 0, 0.000255],
      ["answer", 0, {}, 0, 9, 9e-5],
    ])
  })

  test("parts are scaled to what the model counted, and remainders go to the largest", () => {
    const usage = { read: 0, write: {}, uncached: 10, output: 0 }
    expect(rows([part("a", 1), part("b", 1), part("c", 1)], usage, null)).toEqual([
      ["a", 0, {}, 4, 0, null],
      ["b", 0, {}, 3, 0, null],
      ["c", 0, {}, 3, 0, null],
      ["answer", 0, {}, 0, 0, null],
    ])
  })

  test("where the call cost something else than the price says, the parts make that", () => {
    const usage = { read: 0, write: {}, uncached: 100, output: 20 }
    const shares = attribute([part("a", 1), part("b", 3)], { usage, price: PRICE, costUsd: 1 })
    expect(shares.map(({ costUsd }) => costUsd && round(costUsd))).toEqual([0.125, 0.375, 0.5])
    const bare = attribute([part("a", 1), part("b", 3)], { usage, price: null, costUsd: 1.2 })
    expect(bare.map(({ costUsd }) => costUsd?.toFixed(4))).toEqual(["0.2500", "0.7500", "0.2000"])
  })

  test("without parts all is conversation", () => {
    expect(rows([], { read: 1, write: {}, uncached: 2, output: 0 }, null)).toEqual([
      ["conversation", 1, {}, 2, 0, null],
      ["answer", 0, {}, 0, 0, null],
    ])
  })
})

test("parts make the total: tokens exactly, dollars within 1e-12", () => {
  const tokens = fc.integer({ min: 0, max: 300_000 })
  const usage = fc.record({
    uncached: tokens,
    read: tokens,
    write: fc.dictionary(fc.constantFrom("5m", "1h"), tokens),
    output: tokens,
  })
  const parts = fc.array(
    fc.record({
      kind: fc.constantFrom("tool" as const, "section" as const, "conversation" as const),
      id: fc.constantFrom("a", "b"),
      tokens: fc.oneof(tokens, fc.double({ min: 0, max: 1e6, noNaN: true })),
    }),
    { maxLength: 60 },
  )
  const longer: Price = { ...PRICE, longer: [{ ...PRICE, above: 200_000, input: 4, read: 0.4 }] }
  fc.assert(
    fc.property(parts, usage, fc.constantFrom(PRICE, longer), (made, total, price) => {
      const costUsd = costOf(total, price)
      const shares = attribute(made, { usage: total, price, costUsd })
      const sum = (pick: (usage: Usage) => number) =>
        shares.reduce((all, share) => all + pick(share.usage), 0)
      expect(sum(({ uncached }) => uncached)).toBe(total.uncached)
      expect(sum(({ read }) => read)).toBe(total.read)
      for (const [ttl, written] of Object.entries(total.write))
        expect(sum(({ write }) => write[ttl] ?? 0)).toBe(written)
      expect(sum(({ output }) => output)).toBe(total.output)
      for (const share of shares) expect(inputOf(share.usage)).toBeGreaterThanOrEqual(0)
      const dollars = shares.reduce((all, share) => all + (share.costUsd ?? Number.NaN), 0)
      expect(Math.abs(dollars - (costUsd ?? Number.NaN))).toBeLessThan(1e-12)
    }),
    { numRuns: 2_000, seed: 3 },
  )
})

test("the parts of a prompt are in the order of the prefix", () => {
  const parts = inputParts(report(samplePrompt()), { input: 1_000, after: 0.25 })
  const names = parts.map(({ kind, id }) => (kind === "section" ? id : `${kind}:${id}`))
  expect([...new Set(names)]).toEqual([
    "tool:ask",
    "tool:zap",
    "soul",
    "rules",
    "place",
    "conversation:conversation",
    "turn-context",
    "clock",
  ])
  expect(names.at(-1)).toBe("conversation:conversation")
  expect(Math.round(parts.reduce((sum, { tokens }) => sum + tokens, 0))).toBe(1_000)
})

describe("the sums in the file", () => {
  const usage = { read: 700, write: { "5m": 250 }, uncached: 50, output: 30 }

  test("of a step with a receipt make the cost of the call, section by section", async () => {
    const recorder = openTemporary()
    saveReceipt(recorder, { ...FACTS, prompt: samplePrompt(), request: { messages: [] } })
    saveUsage(recorder, apiCall({ usage }))
    saveUsage(recorder, apiCall({ usage }))
    await recorder.flush()
    expect(recorder.health().lastError).toBeUndefined()
    const sums = inFile(recorder, (database) =>
      database.get(
        `SELECT sum(fresh) AS fresh, sum(cache_read) AS read, sum(cache_write) AS write, sum(output) AS output,
          sum(cost_usd) AS cost, sum(unpriced) AS unpriced FROM section_costs`,
      ),
    )
    expect(sums).toMatchObject({ fresh: 100, read: 1400, write: 500, output: 60, unpriced: 0 })
    expect(Number(sums?.cost)).toBeCloseTo(2 * (costOf(usage, PRICE) ?? 0), 12)
    const names = inFile(recorder, (database) => database.all("SELECT section, quarter FROM section_costs"))
    expect(names.map(({ section }) => section)).toEqual(
      expect.arrayContaining(["tool:ask", "soul", "clock", "(conversation)", "(answer)"]),
    )
    expect(names[0]).toMatchObject({ quarter: Math.floor(FACTS.at / 900_000) })
  })

  test("are the same by a receipt that many others came after", async () => {
    const sums = async (later: readonly number[]) => {
      const recorder = openTemporary()
      for (const step of [1, ...later])
        saveReceipt(recorder, { ...FACTS, step, prompt: samplePrompt(), request: { messages: [] } })
      saveUsage(recorder, apiCall({ usage, step: 1 }))
      await recorder.flush()
      return inFile(recorder, (database) =>
        database.all("SELECT * FROM section_costs ORDER BY section, path"),
      )
    }
    const newest = await sums([])
    expect(newest.length).toBeGreaterThan(3)
    expect(await sums(Array.from({ length: 70 }, (_step, at) => at + 2))).toEqual(newest)
  })

  test("without a receipt, and without a price, say so", async () => {
    const recorder = openTemporary()
    saveUsage(recorder, apiCall({ usage, price: null, turn: "unknown" }))
    saveUsage(recorder, { ...FACTS })
    await recorder.flush()
    expect(
      inFile(recorder, (database) =>
        database.all("SELECT section, fresh, unpriced, cost_usd FROM section_costs"),
      ),
    ).toEqual([
      { section: "(answer)", fresh: 0, unpriced: 1, cost_usd: 0 },
      { section: "(conversation)", fresh: 50, unpriced: 1, cost_usd: 0 },
    ])
  })
})
