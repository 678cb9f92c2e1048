// The tokens of parts: they add up whatever the provider says, and end where its cache does.
import fc from "fast-check"
import { expect, test } from "vitest"
import type { Usage } from "../../../src/render/cache/price.ts"
import { type CountedOptions, partTokens } from "../../../src/serve/page/agent/part-tokens.ts"

const part = fc.record({ tokens: fc.nat(2_000), breakpoint: fc.constantFrom(undefined, "5m") })
const usage = fc.record({
  uncached: fc.nat(3_000),
  read: fc.nat(9_000),
  write: fc.constantFrom({}, { "5m": 500 }, { "1h": 9, "5m": 1_200 }),
  output: fc.nat(10),
})
const lookup = fc.constantFrom("breakpoint" as const, "prefix" as const, "none" as const)
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

test("whole numbers that add up to the input, for any request and any usage", () => {
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 12 }),
      usage,
      lookup,
      fc.option(fc.nat(12), { nil: undefined }),
      (parts, used, how, sentBefore) => {
        const counts = partTokens(parts, { usage: used, rule: { lookup: how }, sentBefore })
        expect(counts).toHaveLength(parts.length)
        expect(counts.every((count) => Number.isInteger(count) && count >= 0)).toBe(true)
        expect(sum(counts)).toBe(used.uncached + used.read + sum(Object.values(used.write)))
      },
    ),
  )
})

const marked = (tokens: number) => ({ tokens, breakpoint: "5m" })
const plain = (tokens: number) => ({ tokens, breakpoint: undefined })
const wrote = (read: number, written: number, uncached: number): Usage => ({
  ...{ read, uncached, write: { "5m": written }, output: 1 },
})

test.each<[string, Parameters<typeof partTokens>[0], Omit<CountedOptions, "rule">, readonly number[]]>([
  [
    "all that the call before had sent was read, although the counts are off",
    [marked(1_000), plain(10), plain(20), plain(10), marked(60)],
    { usage: wrote(1_240, 100, 0), sentBefore: 3 },
    [1_204, 12, 24, 14, 86],
  ],
  [
    "only the head was read",
    [marked(1_000), plain(500), plain(500), marked(60)],
    { usage: wrote(1_010, 990, 0), sentBefore: 3 },
    [1_010, 467, 467, 56],
  ],
  [
    "what comes after the last mark was not cached",
    [marked(1_000), plain(500)],
    { usage: wrote(0, 900, 600), sentBefore: undefined },
    [900, 600],
  ],
  [
    "nothing was read or written",
    [plain(30), plain(10)],
    { usage: { uncached: 80, read: 0, write: {}, output: 1 }, sentBefore: 1 },
    [60, 20],
  ],
])("%s", (_what, parts, options, counts) => {
  expect(partTokens(parts, { ...options, rule: { lookup: "breakpoint" } })).toEqual(counts)
})
