// Entries of memory that somebody else wrote. Sizes are such that work which grows with the square of the text would run
// into the limit of the test runner; nothing here measures time.
import { expect, test } from "vitest"
import { endsWithQuestion, unitsOf } from "../../src/memory/shelf/units.ts"
import { memoryFolder } from "./folder.ts"

test("a hundred kilobytes of question marks and brackets are indexed at once", async () => {
  const folder = memoryFolder({
    "private/a.md": "? [".repeat(300_000),
    "private/b.md": "- The lamp is on.\n",
  })
  try {
    await folder.memory.refresh()
    expect(folder.memory.search("lamp", { trust: "full" }).hits.map(({ path }) => path)).toContain(
      "private/b.md",
    )
  } finally {
    await folder.remove()
  }
})

test("a heading, a bullet and a row of spaces", () => {
  const blank = " ".repeat(300_000)
  const text = [`# a${blank}b`, `${blank}x`, `| a${blank}`, `${blank}| y`, `-${blank}z`].join("\n")
  expect(unitsOf(text, "a.md").flatMap(({ units }) => units).length).toBe(4)
})

test.each([
  ["Is it on?", true],
  ["Is it on？  ", true],
  ["Is it on? [asked by Carol]", true],
  ["Is it on? [a [b]\n", true],
  ["Is it on? [a] [b]", false],
  ["Is it on? [a", false],
  ["Is it on? a]", false],
  ["It is on.", false],
  ["? [", false],
  ["?[]", true],
])("whether %j ends with a question: %j", (text, isOne) => {
  expect(endsWithQuestion(text)).toBe(isOne)
  expect(/[?？]\s*(?:\[[^\]]*\]\s*)?$/.test(text)).toBe(isOne)
})
