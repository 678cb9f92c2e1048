import fc from "fast-check"
import { expect, test } from "vitest"
import { filledPrompt } from "../../../src/core/write/prompt-arguments.ts"

test.each([
  ["Review $1.", " tides.ts", "Review tides.ts."],
  ["$2 after $1", 'one "two words"', "two words after one"],
  ["All: $@.", " a  b 'c d' ", "All: a b c d."],
  ["All: $ARGUMENTS.", "a b", "All: a b."],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the program fills it in.
  ["${@:2} and ${@:2:1} and ${@:0:1}", "a b c", "b c and b and a"],
  ["$1$3", "a b", "a"],
  ["$1 and $2", "$2 $1", "$2 and $1"],
  ["Costs $5 and $ARGUMENTSX", "a b c d e", "Costs e and $ARGUMENTSX"],
  ["Look.", "", "Look."],
  ["Look.\n", "at this\nand that", "Look.\n\nat this\nand that"],
  ["[$1]", 'pre"fix and"post', "[prefix andpost]"],
  ["[$1]", '"never closed', "[never closed]"],
  ["[$1][$2]", "'' x", "[][x]"],
])("%j with %j is %j", (text, given, expected) => {
  expect(filledPrompt(text, given)).toBe(expected)
})

test("keeps all words without quotation marks, in order and unchanged", () => {
  const word = fc.string({ minLength: 1 }).filter((text) => !/[\s"']/.test(text))
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(filledPrompt("<$@>", words.join(" "))).toBe(`<${words.join(" ")}>`)
      expect(filledPrompt("$1", words.join("\n"))).toBe(words[0] ?? "")
    }),
  )
})
