// Advice: each figure is what the simulator says about the same calls, none is more than was paid, and there is always
// something that is not worth it.
import fc from "fast-check"
import { expect, test } from "vitest"
import { billOf } from "./bill-of.ts"
import { callsOf, type Draft, drafts, FIRST, inputUsd, lines, MINUTE, simulated } from "./conversation.ts"

const dollars = (sent: readonly Draft[]) => simulated(sent).reduce((sum, usage) => sum + inputUsd(usage), 0)

test("another lifetime saves or costs what the simulator says, with text and without", async () => {
  const pauses = fc.array(fc.constantFrom(0, 1, 3, 7, 20, 58, 70, 200), { minLength: 3, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(pauses, fc.constantFrom("5m", "1h"), async (minutes, ttl) => {
      const at = (number: number) =>
        minutes.slice(0, number).reduce<number>((sum, one) => sum + one * MINUTE, 0)
      const made = (lifetime: string) =>
        drafts(minutes.length, (draft, number) => ({ ...draft, at: draft.at + at(number) }), {
          ...FIRST,
          ttl: lifetime,
        })
      const other = ttl === "5m" ? "1h" : "5m"
      const saved = dollars(made(ttl)) - dollars(made(other))
      for (const coverage of ["exact", "none"] as const) {
        const bill = await billOf(callsOf(made(ttl), { coverage }))
        const advice = bill.advice.find(({ kind }) => kind === "ttl")
        if (advice !== undefined) expect(advice.savesUsd).toBeCloseTo(saved, 12)
        else expect(saved).toBeLessThan((bill.costUsd ?? 0) * 0.005)
        expect(bill.advice.filter(({ savesUsd }) => savesUsd > 0).length).toBeLessThanOrEqual(5)
        expect(bill.advice.some(({ savesUsd }) => savesUsd <= 0)).toBe(true)
        for (const { savesUsd } of bill.advice) expect(savesUsd).toBeLessThanOrEqual(bill.costUsd ?? 0)
      }
    }),
    { numRuns: 40, seed: 2 },
  )
})

test("a command whose long output rides along is named, with what to type", async () => {
  const sent = drafts(9, (draft) => ({
    ...draft,
    steps: draft.steps.map((one, at) => ({
      ...one,
      command: at % 2 === 0 ? "npm test" : one.command,
      result: at % 2 === 0 ? lines(`Test run ${at}`, 200) : one.result,
    })),
  }))
  const bill = await billOf(callsOf(sent))
  expect(bill.advice[0]).toMatchObject({
    kind: "trim-results",
    text: "Trim the output of `npm test`: it ran 4 times, and each 2,800-token log was sent again about 4 times.",
    command: "npm test 2>&1 | tail -40",
  })
})

test("without a price there is no advice, since it would have no figure", async () => {
  const bill = await billOf(callsOf(drafts(5)), { priceOf: () => null })
  expect(bill).toMatchObject({ costUsd: null, unpriced: 5, advice: [], missedUsd: 0 })
  expect(bill.prices).toEqual([{ model: FIRST.model, calls: 5, kind: "unknown" }])
})
