// The same ids as tiktoken, on real files, on generated text in many scripts and on hostile strings.
import fc from "fast-check"
import { get_encoding } from "tiktoken"
import { expect, test } from "vitest"
import { o200k } from "../../src/tokens/o200k.ts"
import { hostileText } from "./hostile.ts"
import { markdownText, mixedText, sourceText } from "./texts.ts"

const tiktoken = get_encoding("o200k_base")

function encodeByTiktoken(text: string): number[] {
  return Array.from(tiktoken.encode_ordinary(text))
}

test("encodes a megabyte of files and generated text as tiktoken does", () => {
  const texts = [markdownText(), sourceText(), mixedText(300_000)]
  expect(texts.join("").length).toBeGreaterThan(1_500_000)
  for (const text of texts) {
    const [ours, theirs] = [o200k.encode(text), encodeByTiktoken(text)]
    // Compares the first difference only: a diff of half a million ids would be of no use.
    expect(theirs.findIndex((id, index) => ours[index] !== id)).toBe(-1)
    expect(ours.length).toBe(theirs.length)
  }
})

test("encodes the text of special tokens as ordinary text", () => {
  expect(o200k.encode("<|endoftext|> <|endofprompt|>")).toEqual(
    encodeByTiktoken("<|endoftext|> <|endofprompt|>"),
  )
})

test("treats U+FEFF as a symbol and U+0085 as white space", () => {
  const texts = ["\ufeff# Title", "a \ufeff b", "\ufeff\ufeff\n", "a\u0085\u0085b", " \u0085\n x", "!\u0085/"]
  expect(texts.map((text) => o200k.encode(text))).toEqual(texts.map(encodeByTiktoken))
})

test("encodes a lone surrogate as U+FFFD", () => {
  const texts = ["\ud800", "a\udc00b", "\udc00\ud800", "x \ud83d", "\ud83d\ude00\ud83d"]
  expect(texts.map((text) => o200k.encode(text))).toEqual(texts.map(encodeByTiktoken))
  expect(o200k.encode("\ud800")).toEqual(o200k.encode("\ufffd"))
})

test("encodes pieces that need the merge of long pieces", () => {
  const units = ["a", " ", "\n", "=", "ab", "ACGT", "中", "한", "\u0301", "😀", "aB", "中A", "Zé"]
  const texts = units.flatMap((unit) => [120, 128, 129, 140, 700].map((length) => unit.repeat(length)))
  expect(texts.map((text) => o200k.encode(text))).toEqual(texts.map(encodeByTiktoken))
})

const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))
const text = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  fc.string({ unit: "binary" }),
  fc.string(),
  anyUnits,
)

test("encodes hostile strings as tiktoken does", () => {
  fc.assert(
    fc.property(text, (sample) => {
      expect(o200k.encode(sample)).toEqual(encodeByTiktoken(sample))
    }),
    { seed: 20261115, numRuns: 20_000 },
  )
})
