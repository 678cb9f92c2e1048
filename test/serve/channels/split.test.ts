import fc from "fast-check"
import { expect, test } from "vitest"
import { split } from "../../../src/serve/channels/telegram/split.ts"
import { styledText } from "../../../src/serve/channels/telegram/styled-text.ts"

const plain = (text: string, longest: number) =>
  split({ text, entities: [] }, longest).map((part) => part.text)

test("a long answer is split between paragraphs, then lines, then words, then anywhere", () => {
  expect(plain("One two.\n\nThree four.\n\nFive.", 22)).toEqual(["One two.\n\nThree four.", "Five."])
  expect(plain("one two\nthree four\nfive", 12)).toEqual(["one two", "three four", "five"])
  expect(plain("one two three", 8)).toEqual(["one two", "three"])
  expect(plain("abcdefgh", 3)).toEqual(["abc", "def", "gh"])
})

test("parts are short enough, are not blank, cut no character, and lose only white space", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b ", "\n", "\n\n", "🛟", "é", " "), maxLength: 300 })
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 40 }), (given, longest) => {
      const parts = plain(given, longest)
      expect(parts.every((part) => part.length <= longest && part.trim() !== "")).toBe(true)
      expect(parts.every((part) => part.isWellFormed())).toBe(true)
      expect(parts.join("").replaceAll(/\s/g, "")).toBe(given.replaceAll(/\s/g, ""))
    }),
  )
})

test("styles keep their words when an answer is split", () => {
  const parts = split(styledText("Boat at **nine fifteen**, then\n\n`tide.txt`"), 14)
  const styled = parts.map(({ text, entities }) =>
    entities.map(({ type, offset, length }) => [type, text.slice(offset, offset + length)]),
  )
  expect(parts.map(({ text }) => text)).toEqual(["Boat at nine", "fifteen, then", "tide.txt"])
  expect(styled).toEqual([[["bold", "nine"]], [["bold", "fifteen"]], [["code", "tide.txt"]]])
})

test.each([
  ["**Tuesday** 9:15", "Tuesday 9:15", [{ type: "bold", offset: 0, length: 7 }]],
  ["2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name", []],
  ["an *odd* word", "an odd word", [{ type: "italic", offset: 3, length: 3 }]],
  ["`**x**`", "**x**", [{ type: "code", offset: 0, length: 5 }]],
  ["```sh\nls **\n```", "ls **", [{ type: "pre", offset: 0, length: 5 }]],
  ["[a](https://b.c)", "a", [{ type: "text_link", offset: 0, length: 1, url: "https://b.c" }]],
  ["[a](javascript:b)", "[a](javascript:b)", []],
  ["[a [b](https://c.d)", "[a b", [{ type: "text_link", offset: 3, length: 1, url: "https://c.d" }]],
  ["# Tides", "Tides", [{ type: "bold", offset: 0, length: 5 }]],
  ["🛟 **b** <b>&", "🛟 b <b>&", [{ type: "bold", offset: 3, length: 1 }]],
])("%s is shown as %s", (markdown, text, entities) => {
  expect(styledText(markdown)).toEqual({ text, entities })
})

test.each(["[", "[a](https://b"])("an answer of nothing but %s is shown as it is, and soon", (opening) => {
  // Takes minutes if the time grows with the square of the length.
  const text = opening.repeat(300_000 / opening.length)
  expect(styledText(text)).toEqual({ text, entities: [] })
  expect(styledText(`[a](https://${"b".repeat(3_000)})`).entities).toEqual([])
})
