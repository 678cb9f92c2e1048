// Budgets: defaults, the three limits, and invalid values.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { IncipitError } from "../../../src/base/error.ts"
import {
  type Budget,
  fullBudget,
  type GivenBudget,
  inCountedTokens,
  inModelTokens,
  limitsOf,
  reportBudget,
  tailLimit,
} from "../../../src/core/fit/budget.ts"

const budget = { window: 1_000, reserve: 100 }

describe("limits", () => {
  test("the head gets a quarter of what window, reserve and tools leave", () => {
    expect(limitsOf(budget, 101)).toEqual({
      window: 1_000,
      reserve: 100,
      tools: 101,
      head: 199,
      isHeadSet: false,
      tail: 4_000,
      late: 199,
      shares: { high: 0.4, medium: 0.3 },
      ratio: { factor: 1, exact: true },
    })
  })

  test("explicit values are kept", () => {
    const set = {
      ...budget,
      head: 7,
      tail: 0,
      shares: { high: 1, medium: 0 },
      ratio: { factor: 1.5, exact: false },
    }
    expect(limitsOf(set, 3)).toEqual({ ...set, isHeadSet: true, tools: 5, late: 0 })
  })

  test("head text told in the tail may use the head's leftover room, unless the tail's limit is set", () => {
    const wide = { window: 100_000, reserve: 0 }
    const limits = limitsOf(wide, 0)
    expect(tailLimit(limits, { headTokens: 5_000, conversationTokens: 0, lateTokens: 9_000 })).toBe(13_000)
    expect(tailLimit(limits, { headTokens: 5_000, conversationTokens: 0, lateTokens: 90_000 })).toBe(
      4_000 + 20_000,
    )
    expect(tailLimit(limits, { headTokens: 30_000, conversationTokens: 0, lateTokens: 9_000 })).toBe(4_000)
    expect(tailLimit(limits, { headTokens: 5_000, conversationTokens: 90_000, lateTokens: 9_000 })).toBe(
      5_000,
    )
    expect(
      tailLimit(limitsOf({ ...wide, tail: 4_000 }, 0), {
        headTokens: 5_000,
        conversationTokens: 0,
        lateTokens: 9_000,
      }),
    ).toBe(4_000)
  })

  test("tools that fill the window leave no room for the head, without an error", () => {
    expect(limitsOf(budget, 5_000).head).toBe(0)
  })

  test("the tail gets the smaller of its own limit and what is left of the window", () => {
    const limits = limitsOf({ ...budget, tail: 300 }, 100)
    expect([
      tailLimit(limits, { headTokens: 200, conversationTokens: 0 }),
      tailLimit(limits, { headTokens: 200, conversationTokens: 400 }),
      tailLimit(limits, { headTokens: 200, conversationTokens: 900 }),
    ]).toEqual([300, 200, 0])
  })

  test("a factor is applied to totals, once", () => {
    const limits = limitsOf({ ...budget, ratio: { factor: 1.25, exact: false } }, 10)
    expect(tailLimit(limits, { headTokens: 601, conversationTokens: 0 })).toBe(1_000 - 100 - 13 - 752)
    const usage = { headTokens: 601, tailTokens: 9, tailLimit: 135, conversationTokens: 4, counter: "chars" }
    expect(reportBudget(limits, usage)).toEqual({
      window: 1_000,
      reserve: 100,
      tools: 13,
      head: { limit: 221, used: 752 },
      tail: { limit: 135, used: 12 },
      conversation: 4,
      counter: "chars",
      factor: 1.25,
      exact: false,
    })
  })

  test("the counted limit never exceeds the limit in the model's tokens", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 300_000 }),
        fc.integer({ min: 50, max: 300 }),
        (limit, percent) => {
          const ratio = { factor: percent / 100, exact: false }
          expect(inModelTokens(inCountedTokens(limit, ratio), ratio)).toBeLessThanOrEqual(limit)
        },
      ),
      { seed: 7, numRuns: 10_000 },
    )
  })
})

describe("what a caller may pass", () => {
  const paced = { headShare: 0.75 }

  test("nothing: the usual window and reserve, or those of the profile", () => {
    expect(fullBudget({}, paced)).toEqual({ window: 200_000, reserve: 4_096 })
    expect(fullBudget({}, { ...paced, window: 9_000 })).toEqual({ window: 9_000, reserve: 4_096 })
  })

  test("a number is the limit of head and tail together", () => {
    const full = { window: 200_000, reserve: 4_096, total: 3_001 }
    expect(fullBudget(3_001, paced)).toEqual({ ...full, head: 2_250 })
    expect(fullBudget({ total: 3_001 }, paced)).toEqual({ ...full, head: 2_250 })
    expect(fullBudget(3_001, { headShare: 1 })).toEqual({ ...full, head: 3_001 })
  })

  test("a part of a budget: the rest gets its default", () => {
    expect(fullBudget({ head: 7 }, paced)).toEqual({ window: 200_000, reserve: 4_096, head: 7 })
    expect(fullBudget({ total: 100, head: 90, tail: 20 }, paced)).toEqual({
      ...{ window: 200_000, reserve: 4_096 },
      ...{ total: 100, head: 90, tail: 20 },
    })
    // As JavaScript would pass it.
    const unset = { head: undefined, reserve: undefined } as unknown as Partial<Budget>
    expect(fullBudget(unset, paced)).toEqual({ window: 200_000, reserve: 4_096 })
  })

  test("the usual reserve leaves half of a small window", () => {
    expect(fullBudget({ window: 3_001 }, paced)).toEqual({ window: 3_001, reserve: 1_500 })
  })

  test("the tail gets what the head leaves of the total, and late text no more", () => {
    const limits = limitsOf(fullBudget(1_000, paced), 500)
    const left = (headTokens: number, lateTokens = 0) =>
      tailLimit(limits, { headTokens, conversationTokens: 0, lateTokens })
    expect([left(0), left(200), left(750), left(1_200), left(200, 900)]).toEqual([1_000, 800, 250, 0, 800])
    const both = limitsOf(fullBudget({ total: 1_000, tail: 300 }, paced), 0)
    const within = (headTokens: number) => tailLimit(both, { headTokens, conversationTokens: 0 })
    expect([within(0), within(900)]).toEqual([300, 100])
  })

  test.each<[unknown, string]>([
    [2.5, "it is 2.5, but must be a whole number of tokens, 0 or more"],
    [-1, "it is -1, but must be a whole number of tokens, 0 or more"],
    [Number.NaN, "it is NaN, but must be a whole number of tokens, 0 or more"],
    [{ total: -1 }, "total is -1, but must be a whole number of tokens, 0 or more"],
    ["3000", 'it is "3000", but must be a number of tokens or an object'],
    [null, "it is null, but must be a number of tokens or an object"],
    [{ max: 3_000 }, 'it has an unknown key "max"; use window, reserve, total, head, tail, shares, ratio'],
    [{ head: "3000" }, "head is 3000, but must be a whole number of tokens, 0 or more"],
  ])("%j is refused", (given, problem) => {
    // As JavaScript would pass it.
    const made = () => limitsOf(fullBudget(given as GivenBudget, paced), 0)
    expect(made).toThrow(new IncipitError("bad-budget", `bad budget: ${problem}`))
  })
})

describe("refused", () => {
  test.each<[string, Partial<Budget>, string]>([
    [
      "a window of half a token",
      { window: 0.5 },
      "window is 0.5, but must be a whole number of tokens, 0 or more",
    ],
    [
      "a window that is no number",
      { window: Number.NaN },
      "window is NaN, but must be a whole number of tokens, 0 or more",
    ],
    [
      "an endless window",
      { window: Number.POSITIVE_INFINITY },
      "window is Infinity, but must be a whole number of tokens, 0 or more",
    ],
    ["a negative reserve", { reserve: -1 }, "reserve is -1, but must be a whole number of tokens, 0 or more"],
    ["a negative head", { head: -1 }, "head is -1, but must be a whole number of tokens, 0 or more"],
    ["a tail of half a token", { tail: 1.5 }, "tail is 1.5, but must be a whole number of tokens, 0 or more"],
    [
      "a reserve that fills the window",
      { reserve: 1_000 },
      "the reserve of 1000 tokens leaves no room in the window of 1000",
    ],
    [
      "a negative share",
      { shares: { high: -0.1, medium: 0.3 } },
      "the shares high -0.1 and medium 0.3 must be 0 or more and together at most 1",
    ],
    [
      "shares above 1",
      { shares: { high: 0.8, medium: 0.3 } },
      "the shares high 0.8 and medium 0.3 must be 0 or more and together at most 1",
    ],
    [
      "a share that is no number",
      { shares: { high: Number.NaN, medium: 0.3 } },
      "the shares high NaN and medium 0.3 must be 0 or more and together at most 1",
    ],
  ])("%s", (_what, part, problem) => {
    const refused = refusal({ ...budget, ...part })
    expect([refused?.code, refused?.message]).toEqual(["bad-budget", `bad budget: ${problem}`])
  })

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("a factor of %d", (factor) => {
    const refused = refusal({ ...budget, ratio: { factor, exact: false } })
    expect(refused?.code).toBe("bad-budget")
    expect(refused?.message).toContain(`factor is ${factor}`)
  })
})

function refusal(made: Budget): IncipitError | undefined {
  try {
    limitsOf(made, 1)
  } catch (error) {
    if (error instanceof IncipitError) return error
    throw error
  }
  return undefined
}
