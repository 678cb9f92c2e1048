// A counter made from a count function: its prefix is the longest that fits, and never splits a character.
import fc from "fast-check"
import { expect, test } from "vitest"
import { counterFrom } from "../../../src/core/model/counter.ts"

/** One token for every four UTF-16 units, rounded up: more text never has fewer tokens. */
const quarters = counterFrom("quarters", (text) => Math.ceil(text.length / 4))

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("😀", "a", "\ud83d", "\udc00") }),
)

test("has the given name and count function", () => {
  expect([quarters.name, quarters.count(""), quarters.count("abcde")]).toEqual(["quarters", 0, 2])
})

test("ends a prefix at the limit, or one unit earlier if that would split a surrogate pair", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: -3, max: 12 }), (sample, limit) => {
      expect(quarters.prefix(sample, limit)).toBe(expectedPrefix(sample, limit))
    }),
    { seed: 11, numRuns: 3_000 },
  )
})

test("returns the whole text if it fits, and an empty one if nothing does", () => {
  expect([quarters.prefix("abcdefgh", 2), quarters.prefix("abcdefgh", 9), quarters.prefix("", 3)]).toEqual([
    8, 8, 0,
  ])
  expect([quarters.prefix("abc", 0), quarters.prefix("abc", -1)]).toEqual([0, 0])
  expect([quarters.prefix("abc😀def", 1), quarters.prefix("ab😀cdef", 1)]).toEqual([3, 4])
})

function expectedPrefix(sample: string, limit: number): number {
  const end = Math.max(0, Math.min(sample.length, limit * 4))
  const isPair = /[\ud800-\udbff][\udc00-\udfff]/.test(sample.slice(Math.max(0, end - 1), end + 1))
  return isPair && end > 0 ? end - 1 : end
}
