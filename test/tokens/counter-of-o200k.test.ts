// The contract of a counter, checked for the o200k counter on arbitrary strings: the count is the number of ids, a
// prefix ends where its tokens end, and nothing throws.
import fc from "fast-check"
import { get_encoding } from "tiktoken"
import { expect, test } from "vitest"
import { o200k } from "../../src/tokens/o200k.ts"
import { generate, markdownText, mixedText } from "./texts.ts"

const tiktoken = get_encoding("o200k_base")
const SEED = { seed: 7, numRuns: 3_000 }

const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))
const mixed = mixedText(60_000)
const slices = fc
  .tuple(fc.nat(mixed.length), fc.nat(300))
  .map(([start, length]) => mixed.slice(start, start + length))
const text = fc.oneof(slices, anyUnits, fc.string({ unit: "grapheme" }))

test("counts as many tokens as it encodes, for short and long texts, the first time and again", () => {
  fc.assert(
    fc.property(text, (sample) => {
      expect(o200k.count(sample)).toBe(o200k.encode(sample).length)
      expect(o200k.count(sample)).toBe(o200k.encode(sample).length)
    }),
    SEED,
  )
  const long = markdownText()
  expect(o200k.count(long)).toBe(o200k.encode(long).length)
})

test("counts pieces that differ only in trailing NUL bytes separately", () => {
  const texts = ["a\0", "a", "a\0\0", "\0", "\0\0", "a\0\0\0\0\0", ""]
  expect(texts.map((sample) => o200k.count(sample))).toEqual(
    texts.map((sample) => o200k.encode(sample).length),
  )
})

test("counts words that differ only in their last letters separately, even if one evicts the other", () => {
  const words = generate(
    1_000_000,
    (random) =>
      `internationa${random(36 ** 4)
        .toString(36)
        .padStart(4, "z")}\n`,
  )
  expect(o200k.count(words)).toBe(o200k.encode(words).length)
})

test("ends a prefix after the last whole character of the first tokens", () => {
  fc.assert(
    fc.property(text, fc.nat(120), (sample, limit) => {
      expect(o200k.prefix(sample, limit)).toBe(expectedPrefix(sample, limit))
    }),
    SEED,
  )
})

test("returns the whole text if it fits, and nothing for a limit of zero or less", () => {
  const sample = "Sections are counted, then cut. 👩‍👩‍👧‍👦"
  const tokens = o200k.count(sample)
  const limits = [tokens, tokens + 1, Number.POSITIVE_INFINITY, 0, -1, Number.NEGATIVE_INFINITY, 0.5, 1.5]
  const ends = [sample.length, sample.length, sample.length, 0, 0, 0, 0, "Sections".length]
  expect(limits.map((limit) => o200k.prefix(sample, limit))).toEqual(ends)
  expect(o200k.prefix("", 5)).toBe(0)
})

test("ends prefixes inside a piece of ten thousand bytes, and never inside a surrogate pair", () => {
  const sample = "😀".repeat(2_500)
  for (const limit of [1, 2, 3, 50, 1_001])
    expect(o200k.prefix(sample, limit)).toBe(expectedPrefix(sample, limit))
})

/** An independent implementation: spells the ids with tiktoken, and walks the characters while they are covered. */
function expectedPrefix(sample: string, limit: number): number {
  const ids = Array.from(tiktoken.encode_ordinary(sample))
  if (ids.length <= limit) return sample.length
  let bytes = ids.slice(0, limit).reduce((sum, id) => sum + tiktoken.decode_single_token_bytes(id).length, 0)
  let units = 0
  for (const character of sample) {
    bytes -= Buffer.byteLength(character)
    if (bytes < 0) return units
    units += character.length
  }
  return units
}
