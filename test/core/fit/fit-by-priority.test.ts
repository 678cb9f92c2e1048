// How a budget is divided: required text whole, then shares by need, then the leftover room.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { DEFAULT_SHARES, fit } from "../../../src/core/fit/fit.ts"
import type { Fittable } from "../../../src/core/fit/fittable.ts"
import { PRIORITIES, type Priority } from "../../../src/core/model/priority.ts"

interface Form {
  readonly tokens: number
}

/** A text of this many tokens, which can be shortened to `least` but no further. */
function item(priority: Priority, tokens: number, least = tokens): Fittable<Form> {
  const shorten = (limit: number) => (limit >= least ? { tokens: Math.min(limit, tokens) } : undefined)
  return { priority, whole: { tokens }, shorten }
}

/** The tokens of each text, or "-" for a dropped one. */
function kept(
  items: readonly Fittable<Form>[],
  budget: number,
  shares = DEFAULT_SHARES,
): readonly (number | "-")[] {
  return fit(items, { budget, shares }).fits.map(({ form }) => form?.tokens ?? "-")
}

describe("required", () => {
  test("is whole, whatever the budget, and reports if it alone exceeds it", () => {
    const items = [item("required", 80), item("high", 1, 1), item("required", 40)]
    expect(fit(items, { budget: 100, shares: DEFAULT_SHARES })).toEqual({
      fits: [
        { form: { tokens: 80 }, overBy: 0 },
        { form: undefined, overBy: 1 },
        { form: { tokens: 40 }, overBy: 0 },
      ],
      used: 120,
      requiredTokens: 120,
    })
  })

  test("that just fits is not reported", () => {
    expect(
      fit([item("required", 100)], { budget: 100, shares: DEFAULT_SHARES }).requiredTokens,
    ).toBeUndefined()
  })
})

describe("shares", () => {
  test("high gets 40 % and medium 30 % of the budget first, low what they leave", () => {
    const items = [item("low", 100, 1), item("medium", 100, 1), item("high", 100, 1)]
    expect(kept(items, 100)).toEqual([30, 30, 40])
  })

  test("are parts of the whole budget, but never more than is left", () => {
    expect(kept([item("required", 80), item("high", 50, 1), item("low", 5, 1)], 100)).toEqual([80, 20, "-"])
  })

  test("can be set", () => {
    const items = [item("high", 100, 1), item("medium", 100, 1), item("low", 100, 1)]
    expect(kept(items, 100, { high: 0.5, medium: 0.5 })).toEqual([50, 50, "-"])
  })

  test("go to the first in order if there isn't room for all", () => {
    expect(kept([item("high", 30), item("high", 30), item("high", 10)], 40)).toEqual([30, "-", 10])
  })
})

describe("texts of one need", () => {
  test("share by size: short ones stay whole, long ones are cut to the same length", () => {
    expect(
      kept([item("high", 900, 1), item("high", 20), item("high", 300, 1), item("high", 10)], 230),
    ).toEqual([100, 20, 100, 10])
  })

  test("the indivisible remainder goes to the first in order", () => {
    expect(kept([item("high", 90, 1), item("high", 90, 1), item("high", 90, 1)], 100)).toEqual([34, 33, 33])
  })

  test("one that cannot be cut that short is kept, and the others are cut further", () => {
    expect(kept([item("high", 900, 1), item("high", 300), item("high", 250)], 800)).toEqual([250, 300, 250])
  })

  test("each gets its shortest form before another gets longer", () => {
    expect(kept([item("high", 900, 1), item("high", 500, 60), item("high", 500, 20)], 90)).toEqual([
      10, 60, 20,
    ])
  })
})

test("for a layout of another system, texts of one priority are served in order", () => {
  const items = [item("high", 60, 1), item("high", 60, 1), item("high", 60, 10)]
  const { fits } = fit(items, { budget: 100, shares: DEFAULT_SHARES, by: "order" })
  expect(fits.map(({ form }) => form?.tokens)).toEqual([60, 30, 10])
})

describe("less needed text", () => {
  test("makes room for a text that would be dropped, the least needed first", () => {
    const items = [item("low", 300, 10), item("medium", 300, 10), item("high", 750)]
    expect(kept(items, 1_000)).toEqual(["-", 250, 750])
  })

  test("keeps its share while more needed text is only cut", () => {
    expect(kept([item("low", 300, 10), item("high", 900, 10)], 1_000)).toEqual([300, 700])
  })
})

describe("leftover room", () => {
  test("is offered again from high to low", () => {
    const items = [item("low", 10), item("medium", 50, 1), item("high", 60, 1)]
    expect(kept(items, 100)).toEqual([10, 30, 60])
  })

  test("makes a cut text longer, or whole", () => {
    expect(kept([item("high", 90, 1)], 100)).toEqual([90])
    expect(kept([item("high", 190, 1)], 100)).toEqual([100])
  })

  test("keeps a text that was too long for its share", () => {
    expect(kept([item("high", 50), item("medium", 40)], 100)).toEqual([50, 40])
  })

  test("too small for a text drops it and reports by how much", () => {
    expect(fit([item("high", 50), item("medium", 60)], { budget: 100, shares: DEFAULT_SHARES }).fits).toEqual(
      [
        { form: { tokens: 50 }, overBy: 0 },
        { form: undefined, overBy: 10 },
      ],
    )
  })
})

const items = fc.array(
  fc
    .record({
      priority: fc.constantFrom(...PRIORITIES),
      tokens: fc.integer({ min: 1, max: 60 }),
      least: fc.integer({ min: 1, max: 60 }),
    })
    .map(({ priority, tokens, least }) => item(priority, tokens, Math.min(tokens, least))),
  { maxLength: 12 },
)
const budgets = fc.integer({ min: 0, max: 200 })

describe("for any texts and any budget", () => {
  const check = (predicate: (made: readonly Fittable<Form>[], budget: number) => void) =>
    fc.assert(fc.property(items, budgets, predicate), { seed: 7, numRuns: 2_000 })

  test("`used` is the sum of what is kept, within the budget unless required text alone exceeds it", () => {
    check((made, budget) => {
      const { fits, used, requiredTokens } = fit(made, { budget, shares: DEFAULT_SHARES })
      const required = made
        .filter(({ priority }) => priority === "required")
        .reduce((sum, { whole }) => sum + whole.tokens, 0)
      expect(used).toBe(fits.reduce((sum, { form }) => sum + (form?.tokens ?? 0), 0))
      expect(requiredTokens).toBe(required > budget ? required : undefined)
      expect(used).toBeLessThanOrEqual(Math.max(budget, required))
    })
  })

  test("required text is whole, and no form is longer than the whole text", () => {
    check((made, budget) => {
      for (const [at, { form }] of fit(made, { budget, shares: DEFAULT_SHARES }).fits.entries()) {
        if (made[at]?.priority === "required") expect(form).toBe(made[at]?.whole)
        expect(form?.tokens ?? 0).toBeLessThanOrEqual(made[at]?.whole.tokens ?? 0)
      }
    })
  })

  test("no text is dropped or shorter than the leftover room would allow", () => {
    check((made, budget) => {
      const { fits, used } = fit(made, { budget, shares: DEFAULT_SHARES })
      const left = Math.max(0, budget - used)
      for (const [at, { form }] of fits.entries()) {
        const best = made[at]?.shorten(left + (form?.tokens ?? 0))
        if (left > 0) expect(form?.tokens ?? 0).toBeGreaterThanOrEqual(best?.tokens ?? 0)
      }
    })
  })

  test("nothing is dropped while less needed text could make room", () => {
    expect(kept([item("low", 908), item("high", 608)], 1_000)).toEqual(["-", 608])
    check((made, budget) => {
      const { fits } = fit(made, { budget, shares: DEFAULT_SHARES })
      for (const [at, one] of made.entries()) {
        if (fits[at]?.form !== undefined) continue
        const others = made.reduce((sum, other, place) => {
          const isLess = PRIORITIES.indexOf(other.priority) > PRIORITIES.indexOf(one.priority)
          return sum + (isLess ? 0 : (fits[place]?.form?.tokens ?? 0))
        }, 0)
        expect(one.shorten(Math.max(0, budget - others))).toBeUndefined()
      }
    })
  })

  test("nothing is cut while less needed text has more than its share", () => {
    check((made, budget) => {
      const { fits } = fit(made, { budget, shares: DEFAULT_SHARES })
      for (const [at, one] of made.entries()) {
        const form = fits[at]?.form
        if (form === undefined || form === one.whole) continue
        for (const priority of PRIORITIES.slice(PRIORITIES.indexOf(one.priority) + 1)) {
          const used = made.reduce(
            (sum, other, place) => sum + (other.priority === priority ? (fits[place]?.form?.tokens ?? 0) : 0),
            0,
          )
          const least = made.filter(
            (other, place) => other.priority === priority && fits[place]?.form !== undefined,
          )
          const share = Math.floor(budget * { required: 1, high: 0.4, medium: 0.3, low: 0.3 }[priority])
          // A text without a shorter form takes room that more needed text could not use.
          if (least.every(({ shorten }) => shorten(1) !== undefined)) expect(used).toBeLessThanOrEqual(share)
        }
      }
    })
  })

  test("no text is cut shorter than a longer one of the same priority", () => {
    const lines = fc.array(
      fc.integer({ min: 1, max: 60 }).map((tokens) => item("high", tokens, 1)),
      { minLength: 1, maxLength: 8 },
    )
    fc.assert(
      fc.property(lines, budgets, (made, budget) => {
        const sizes = fit(made, { budget, shares: DEFAULT_SHARES }).fits.map(({ form }) => form?.tokens ?? 0)
        for (const [at, one] of made.entries())
          if ((sizes[at] ?? 0) < one.whole.tokens)
            expect(sizes[at]).toBeGreaterThanOrEqual(Math.max(...sizes) - 1)
      }),
      { seed: 7, numRuns: 2_000 },
    )
  })
})
