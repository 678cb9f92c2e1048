// The counts of rendered sections add up exactly to the count of the whole prompt: no pre-token spans two sections if
// each starts with a tag and owns its last newline. Nothing is counted twice.
import fc from "fast-check"
import { expect, test } from "vitest"
import { o200k } from "../../src/tokens/o200k.ts"
import { markdownText, mixedText } from "./texts.ts"

const sources = [markdownText(), mixedText(100_000)]

const slice = fc
  .tuple(fc.constantFrom(...sources), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(600))
  .map(([source, place, length]) => source.slice(Math.floor(place * source.length)).slice(0, length))
const hostile = fc.array(
  fc.constantFrom("/", "\n", " ", "'s", "\t", "\u00a0", "...", "</", "1", "word", "\u0301", "- "),
)
const body = fc.oneof(
  slice,
  hostile.map((parts) => parts.join("")),
  fc.string({ unit: "binary" }),
)
const section = fc.tuple(fc.constantFrom("rules", "memory", "tools"), body).map(renderSection)

function renderSection([tag, text]: readonly [string, string]): string {
  return `<${tag}>\n${text.trim()}\n</${tag}>\n`
}

function sumOfCounts(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + o200k.count(text), 0)
}

test("the counts of tagged sections add up to the count of their concatenation", () => {
  fc.assert(
    fc.property(fc.array(section, { minLength: 1, maxLength: 15 }), (sections) => {
      expect(sumOfCounts(sections)).toBe(o200k.count(sections.join("")))
    }),
    { seed: 34, numRuns: 1_000 },
  )
})

test("the counts don't add up if a section starts with a slash, which is why the tag is there", () => {
  const bare = ["Done!\n", "/home/me\n"]
  expect([sumOfCounts(bare), o200k.count(bare.join(""))]).toEqual([5, 6])
})
