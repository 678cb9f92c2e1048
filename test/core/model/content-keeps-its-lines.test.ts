// Slices of parts know exactly which lines of the file they cover, however often they are sliced.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  slicePart,
  sliceParts,
  type TextPart,
  textContent,
  textOf,
  trimParts,
} from "../../../src/core/model/content.ts"
import { bodyOf, fromFields } from "../../../src/core/model/source.ts"
import { makeFile, makePart } from "../make.ts"

const linesOf = ({ from }: TextPart) => (from?.kind === "file" ? from.lines : undefined)

const body = fc
  .array(fc.constantFrom("", "a", "bb", " c ", "\t"), { minLength: 1, maxLength: 8 })
  .map((lines) => lines.join("\n"))
  .filter((text) => text !== "")

/** The lines that the units from start to end are on; a newline belongs to the line it ends. */
function covered(text: string, firstLine: number, start: number, end: number): readonly [number, number] {
  const lineOf = (offset: number) => firstLine + text.slice(0, offset).split("\n").length - 1
  return [lineOf(start), lineOf(end - 1)]
}

const ends = (text: string, a: number, b: number) => {
  const [x, y] = [a % (text.length + 1), b % (text.length + 1)]
  return [Math.min(x, y), Math.max(x, y)] as const
}

describe("a part", () => {
  test("of a whole body covers its lines, with or without a final newline", () => {
    expect(linesOf(makePart("a\nb", 4))).toEqual([4, 5])
    expect(linesOf(makePart("a\nb\n", 4))).toEqual([4, 5])
  })

  test("covers the lines of its text in any slice of any body", () => {
    fc.assert(
      fc.property(body, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 9 }), (text, a, b, firstLine) => {
        const [start, end] = ends(text, a, b)
        if (start === end) return
        const slice = slicePart(makePart(text, firstLine), start, end)
        expect([slice.text, linesOf(slice)]).toEqual([
          text.slice(start, end),
          covered(text, firstLine, start, end),
        ])
      }),
      { seed: 7, numRuns: 3_000 },
    )
  })

  test("a slice of a slice is as exact as a slice", () => {
    expect(linesOf(slicePart(slicePart(makePart("a\nb\nc"), 0, 4), 2, 4))).toEqual([2, 2])
    fc.assert(
      fc.property(body, fc.nat(), fc.nat(), fc.nat(), fc.nat(), (text, a, b, c, d) => {
        const [start, end] = ends(text, a, b)
        const [from, to] = ends(text.slice(start, end), c, d)
        if (from === to) return
        const slice = slicePart(slicePart(makePart(text), start, end), from, to)
        expect(linesOf(slice)).toEqual(covered(text, 1, start + from, start + to))
      }),
      { seed: 7, numRuns: 3_000 },
    )
  })

  test("stays the same part if it isn't sliced", () => {
    const part = makePart("a\nb")
    expect(slicePart(part, 0, 3)).toBe(part)
    expect(slicePart(part, -1, 9)).toBe(part)
  })

  test("derived from a range keeps the whole range", () => {
    const file = makeFile({ role: "identity", text: "Body.", firstLine: 6 })
    const part = fromFields(file, "Your name is Ada.")
    expect(linesOf(slicePart(part, 5, 9))).toEqual([1, 5])
  })

  test("keeps its trust, its condition and a provenance without lines", () => {
    const from = { kind: "bundled", name: "base" } as const
    expect(slicePart({ text: "abc", from, trust: "inner", when: ["x"] }, 1, 2)).toEqual({
      text: "b",
      from,
      trust: "inner",
      when: ["x"],
    })
  })
})

describe("parts", () => {
  const parts = [makePart("a\nb", 1), { text: "--" }, makePart("c\nd", 9)]

  test("are sliced by the offsets of their joined text", () => {
    expect(sliceParts(parts, 2, 6)).toEqual([
      slicePart(makePart("a\nb", 1), 2, 3),
      { text: "--" },
      slicePart(makePart("c\nd", 9), 0, 1),
    ])
    expect(sliceParts(parts, 2, 6).map(linesOf)).toEqual([[2, 2], undefined, [9, 9]])
  })

  test("give the same text sliced as their joined text", () => {
    fc.assert(
      fc.property(fc.array(body, { maxLength: 4 }), fc.nat(), fc.nat(), (texts, a, b) => {
        const made = texts.map((text) => makePart(text))
        const [start, end] = ends(texts.join(""), a, b)
        expect(textOf(sliceParts(made, start, end))).toBe(texts.join("").slice(start, end))
      }),
      { seed: 7, numRuns: 1_000 },
    )
  })

  test("lose the white space at both ends, and its lines", () => {
    const trimmed = trimParts([makePart("\n\n"), makePart("\n a\n\n", 3), makePart("b \n\n", 8)])
    expect(trimmed.map((part) => [part.text, linesOf(part)])).toEqual([
      ["a\n\n", [4, 5]],
      ["b", [8, 8]],
    ])
    expect(trimParts([makePart(" \n"), makePart("\n")])).toEqual([])
  })
})

test("a blank body gives no content", () => {
  expect(textContent(" \n\t")).toBeUndefined()
  expect(textContent("a")).toEqual({ parts: [{ text: "a" }] })
  expect(bodyOf(makeFile({ role: "soul", text: "x", trust: "inner", firstLine: 3 }))).toMatchObject({
    text: "x",
    trust: "inner",
    from: { lines: [3, 3] },
  })
})
