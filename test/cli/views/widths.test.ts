// How wide text is in a terminal: real cases of every kind, and sums that hold for any text.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { cells, fitCell, graphemes, wrap } from "../../../src/cli/views/widths.ts"

describe("cells", () => {
  test.each([
    ["Latin", "née Ångström…", 13],
    ["boxes", "├── █▌", 6],
    ["Chinese", "灯台", 4],
    ["Japanese with half-width kana", "トウダイﾄｳ", 10],
    ["a decomposed kana", "か\u3099", 2],
    ["Korean", "등대", 4],
    ["a decomposed Korean syllable", "\u1103\u1173\u11bc", 2],
    ["full-width letters", "Ａｂ", 4],
    ["Tangut", "\u{17000}\u{17001}", 4],
    ["kana of the supplement", "\u{1b000}\u{1b151}", 4],
    ["a hexagram", "䷀", 2],
    ["an enclosed ideograph", "\u{1f210}", 2],
    ["wide angle brackets", "\u2329\u232a", 4],
    ["a combining mark", "e\u0301", 1],
    ["many combining marks", `e${"\u0301".repeat(20)}`, 1],
    ["Hebrew with points", "שָׁלוֹם", 4],
    ["an emoji", "🗼", 2],
    ["an emoji with a skin tone", "👍🏽", 2],
    ["an emoji of several, joined", "👩‍👩‍👧‍👦", 2],
    ["a flag", "🇳🇴", 2],
    ["two flags", "🇳🇴🇫🇮", 4],
    ["a flag made of tags", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", 2],
    ["a key cap", "1️⃣", 2],
    ["a heart as text", "❤", 1],
    ["a heart as a picture", "❤️", 2],
    ["an emoji as text", "⌚\ufe0e", 1],
    ["control characters", "\u0000\u001b\u007f", 0],
    ["a line end", "\r\n", 0],
    ["a soft hyphen and a zero-width space", "a\u00ad\u200bb", 2],
    ["half of a surrogate pair", "\ud83d", 1],
    ["nothing", "", 0],
  ])("%s", (_name, text, width) => {
    expect(cells(text)).toBe(width)
  })

  const anyText = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc
      .array(fc.constantFrom("a", "灯", "\u0301", "\u200d", "\ufe0f", "🇳", "👩", "🏽", "\r", "\n"))
      .map((all) => all.join("")),
  )

  test("are the sum over the graphemes, each of two at most", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const widths = [...graphemes(text)].map(cells)
        expect(widths.every((width) => width >= 0 && width <= 2)).toBe(true)
        expect(cells(text)).toBe(widths.reduce((sum, width) => sum + width, 0))
        expect([...graphemes(text)].join("")).toBe(text)
      }),
    )
  })

  test("are exactly as many as asked for after fitting, and no line is wider after wrapping", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 30 }), (text, width) => {
        expect(cells(fitCell(text, width))).toBe(width)
        // Only a word that is longer than a line is wider.
        const tooWide = wrap(text, width).filter((line) => cells(line) > width)
        expect(tooWide.filter((line) => line.trim().includes(" "))).toEqual([])
      }),
    )
  })
})
