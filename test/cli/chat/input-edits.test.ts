// The text that is written: editing by characters, words and lines, pastes, and the way through the history.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { edited, lineBroken } from "../../../src/cli/chat/screen/edit.ts"
import { EMPTY, type Input, inputText, layOut, shownAs } from "../../../src/cli/chat/screen/input.ts"
import { type Key, NO_KEYS, readKeys } from "../../../src/cli/chat/screen/keys.ts"
import { cells } from "../../../src/cli/views/widths.ts"

const HISTORY = ["first", "second\nwith lines"]

function typed(text: string, { width = 40, start = EMPTY }: { width?: number; start?: Input } = {}): Input {
  const { keys } = readKeys(NO_KEYS, Buffer.from(text))
  return keys.reduce((input, key) => after(input, key, width), start)
}

function after(input: Input, key: Key, width: number): Input {
  const broken = key.kind === "key" ? lineBroken(input, key) : undefined
  return broken ?? edited(input, key, { history: HISTORY, width }) ?? input
}

/** The text with a bar where the cursor is. */
function shown({ units, at }: Input): string {
  return `${units.slice(0, at).map(shownAs).join("")}|${units.slice(at).map(shownAs).join("")}`.replaceAll(
    "\\n",
    "/",
  )
}

const LEFT = "\u001b[D"
const UP = "\u001b[A"
const DOWN = "\u001b[B"

describe("what keys do", () => {
  test.each([
    ["insert in the middle", `ac${LEFT}b`, "ab|c"],
    ["delete what people see as one", "a👨‍👩‍👧e\u0301\u007f\u007f", "a|"],
    ["a mark joins what it was typed after", "e\u0301\u007f", "|"],
    ["words", "one two three\u001bb\u001bb", "one |two three"],
    ["kill a word and put it back twice", "one two\u0017\u0019\u0019", "one twotwo|"],
    ["kill to the start and to the end", "one two\u001bb\u000b\u0015", "|"],
    ["kill to the end takes the line end, too", `a\nb${UP}\u000b`, "a|b"],
    ["home and end of a line", "ab\ncd\u0001x\u0005y", "ab/xcdy|"],
    ["new lines of three kinds", "a\u001b\rb\nc\\\rd", "a/b/c/d|"],
    ["delete before the cursor", "abc\u0001\u0004\u001b[3~", "|c"],
    ["up and down keep the column", `abcd\nx\nefgh${UP}${UP}`, "abcd|/x/efgh"],
    ["up within wrapped rows", `aaaa bbbb cccc${UP}`, "aaaa| bbbb cccc", 10],
    ["up from the first row is the history", `draft${UP}`, "second/with lines|"],
    ["and down comes back to the draft", `draft${UP}${UP}${UP}${DOWN}${DOWN}`, "draft|"],
    ["a short paste is text", "\u001b[200~a\r\nb\u001b[201~!", "a/b!|"],
    [
      "a long paste is one thing",
      `x\u001b[200~${"line\r".repeat(9_999)}end\u001b[201~${LEFT}y`,
      "xy|[10,000 lines pasted]",
    ],
    ["that goes as one", `\u001b[200~${"l\n".repeat(50)}\u001b[201~\u007f`, "|"],
  ])("%s", (_name, keys, expected, width = 40) => {
    expect(shown(typed(keys, { width }))).toBe(expected)
  })

  test("a long paste is sent whole, with line ends of one kind", () => {
    const input = typed(`see:\u001b[200~${"line\r\n".repeat(9_999)}end\u001b[201~`)
    expect(inputText(input)).toBe(`see:${"line\n".repeat(9_999)}end`)
  })

  test("what cannot be seen is shown escaped, and sent as it is", () => {
    const input = typed("\u001b[200~a\u202eb\u001b[201~")
    expect({ shown: shown(input), text: inputText(input) }).toEqual({ shown: "a\\u202eb|", text: "a\u202eb" })
  })
})

const keyText = fc.constantFrom(
  "a",
  "b ",
  "é",
  "漢",
  "👩‍🚀",
  "\n",
  LEFT,
  "\u001b[C",
  UP,
  DOWN,
  "\u007f",
  "\u001b[3~",
  "\u0001",
  "\u0005",
  "\u0017",
  "\u000b",
  "\u0015",
  "\u0019",
  "\u001bb",
  "\u001bf",
  "\u001bd",
)

test("the cursor is always in the text, and every row fits", () => {
  fc.assert(
    fc.property(fc.array(keyText, { maxLength: 40 }), fc.integer({ min: 8, max: 60 }), (keys, width) => {
      const input = typed(keys.join(""), { width })
      const { rows, row, column } = layOut(input, width)
      const sizes = rows.map(({ start, end }) => cells(input.units.slice(start, end).map(shownAs).join("")))
      expect(input.at).toBeGreaterThanOrEqual(0)
      expect(input.at).toBeLessThanOrEqual(input.units.length)
      expect(sizes.every((size) => size <= width)).toBe(true)
      expect(row).toBeLessThan(rows.length)
      expect(column).toBeLessThanOrEqual(width)
      expect(
        rows
          .flatMap(({ start, end }) => input.units.slice(start, end))
          .map(({ text }) => text)
          .join(""),
      ).toBe(inputText(input).replaceAll("\n", ""))
    }),
  )
})
