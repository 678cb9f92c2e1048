import { expect, test } from "vitest"
import { inModelTokens } from "../../../src/core/fit/budget.ts"

test("a total is rounded up once, and never because of a floating-point error", () => {
  const by = (factor: number) => ({ factor, exact: false })
  expect([
    inModelTokens(0, by(1.53)),
    inModelTokens(1, by(1.18)),
    inModelTokens(100, by(1.18)),
    inModelTokens(101, by(1.18)),
    inModelTokens(225, by(1.08)),
    inModelTokens(12_345, by(1)),
  ]).toEqual([0, 2, 118, 120, 243, 12_345])
})
