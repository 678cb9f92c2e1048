// A factor learned from billed requests: which are accepted, when the factor is used, and what it never replaces.
import fc from "fast-check"
import { expect, test } from "vitest"
import {
  type Calibration,
  calibrate,
  calibratedFactor,
  type Observation,
} from "../../src/tokens/calibrate.ts"
import { factorFor } from "../../src/tokens/factor.ts"

function learn(observations: readonly Observation[]): Calibration | undefined {
  return observations.reduce<Calibration | undefined>(calibrate, undefined)
}

const CLAUDE = factorFor("claude-opus-5")

test("weighs requests by their tokens, and reports their number and spread", () => {
  const learned = learn([
    { counted: 1_000, actual: 1_000 },
    { counted: 3_000, actual: 6_000 },
  ])
  expect(learned).toEqual({
    observations: 2,
    counted: 4_000,
    actual: 7_000,
    squares: 13_000,
    factor: 1.75,
    spread: Math.sqrt(13_000 / 4_000 - 1.75 ** 2),
  })
})

test("ignores implausible requests", () => {
  const believed = learn([{ counted: 1_000, actual: 1_300 }])
  const absurd = [
    { counted: 0, actual: 100 },
    { counted: 100, actual: 0 },
    { counted: -100, actual: -120 },
    { counted: 100, actual: 49 },
    { counted: 100, actual: 401 },
    { counted: Number.NaN, actual: 100 },
    { counted: 100, actual: Number.POSITIVE_INFINITY },
  ]
  expect(absurd.map((observation) => calibrate(believed, observation))).toEqual(absurd.map(() => believed))
  expect(calibrate(undefined, { counted: 0, actual: 0 }).observations).toBe(0)
})

test("uses the learned factor after five requests and 10,000 tokens that agree", () => {
  const requests = (times: number, counted: number, ratios: readonly number[]) =>
    learn(
      Array.from({ length: times }, (_, i) => ({
        counted,
        actual: counted * (ratios[i % ratios.length] ?? 1),
      })),
    )
  const used = {
    none: calibratedFactor(CLAUDE, undefined),
    four: calibratedFactor(CLAUDE, requests(4, 5_000, [1.25])),
    small: calibratedFactor(CLAUDE, requests(5, 1_999, [1.25])),
    wide: calibratedFactor(CLAUDE, requests(6, 5_000, [1, 2])),
    enough: calibratedFactor(CLAUDE, requests(5, 2_000, [1.25])),
  }
  expect(used).toEqual({
    none: CLAUDE,
    four: CLAUDE,
    small: CLAUDE,
    wide: CLAUDE,
    enough: { factor: 1.25, exact: false, source: "calibrated on 5 requests, spread 0.000" },
  })
})

test("leaves an exact factor exact", () => {
  const exact = factorFor("gpt-5")
  const learned = learn(Array.from({ length: 50 }, () => ({ counted: 5_000, actual: 6_000 })))
  expect(calibratedFactor(exact, learned)).toBe(exact)
})

test("stays within the range of the accepted ratios", () => {
  const observation = fc.record({
    counted: fc.integer({ min: -10, max: 1e6 }),
    actual: fc.integer({ min: -10, max: 4e6 }),
  })
  fc.assert(
    fc.property(fc.array(observation, { minLength: 1 }), (observations) => {
      const {
        observations: seen,
        factor,
        spread,
      } = learn(observations) ?? { observations: 0, factor: 1, spread: 0 }
      expect(seen).toBeLessThanOrEqual(observations.length)
      expect(factor >= 0.5 && factor <= 4 && spread >= 0 && spread <= 3.5).toBe(true)
    }),
    { seed: 5, numRuns: 1_000 },
  )
})
