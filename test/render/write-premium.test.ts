// When calls cost more with a cache than without one, and how that is explained.
import { expect, test } from "vitest"
import { ruleFor } from "../../src/render/cache/cache-rules.ts"
import type { Usage } from "../../src/render/cache/price.ts"
import { writePremium } from "../../src/render/cache/write-premium.ts"

const CLAUDE = ruleFor("anthropic/claude-opus-4-5")
const usage = (given: Partial<Usage>): Usage => ({ uncached: 0, read: 0, write: {}, output: 0, ...given })

test("a first call writes everything, which costs more than uncached input", () => {
  expect(writePremium(usage({ write: { "5m": 10_000 } }), CLAUDE)).toBe(
    "This is more than without a cache: what is written to it costs 1.25 times as much as uncached input, and 0.1 times when later calls read it.",
  )
  expect(writePremium(usage({ write: { "1h": 10_000 } }), CLAUDE)).toContain("costs 2 times as much")
})

test("with a second call that reads it, there is nothing to explain", () => {
  expect(writePremium(usage({ read: 10_000, write: { "5m": 10_000 } }), CLAUDE)).toBeUndefined()
})

test("what is not written needs no explanation, nor does a cache that writes at the usual price", () => {
  expect(writePremium(usage({ uncached: 10_000 }), CLAUDE)).toBeUndefined()
  expect(writePremium(usage({}), CLAUDE)).toBeUndefined()
  const deepseek = ruleFor("deepseek/deepseek-chat")
  expect(writePremium(usage({ write: { disk: 10_000 } }), deepseek)).toBeUndefined()
})
