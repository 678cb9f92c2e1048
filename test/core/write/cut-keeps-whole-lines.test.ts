// Cuts to lines and to both ends: whole lines, never inside a fence or a tag, with a correct marker that is counted.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { TextPart } from "../../../src/core/model/content.ts"
import type { Cut } from "../../../src/core/model/section.ts"
import { cutParts } from "../../../src/core/write/cut.ts"
import { tags } from "../../../src/core/write/markup.ts"
import { createWriter, writtenText } from "../../../src/core/write/write.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { chars, makePart } from "../make.ts"

interface Case {
  readonly parts: readonly TextPart[]
  readonly how: Cut
  readonly limit: number
  readonly reader?: string
}

function cut({ parts, how, limit, reader }: Case): string | undefined {
  const write = createWriter(tags, chars)
  const options = {
    limit,
    counter: chars,
    reader: reader === undefined ? undefined : { tool: reader, folders: [] },
    write: (kept: readonly TextPart[]) => write({ id: "s" }, kept),
  }
  const written = cutParts(parts, how, options)
  return written && writtenText(written)
}

/** The text of a cut section `<s>` with this body. */
const inside = (body: string) => `<s>\n${body}\n</s>\n\n`
const marker = (out: number, all: number) => `[${out} of ${all} lines were left out here to fit the budget.]`

describe("lines", () => {
  const parts = [makePart("one\ntwo\nthree\nfour")]

  test("keeps as many whole lines from the start as fit with the marker", () => {
    const expected = inside(`one\ntwo\n${marker(2, 4)}`)
    expect(cut({ parts, how: "lines", limit: expected.length })).toBe(expected)
    expect(cut({ parts, how: "lines", limit: expected.length + 5 })).toBe(expected)
    expect(cut({ parts, how: "lines", limit: expected.length - 1 })).toBe(inside(`one\n${marker(3, 4)}`))
  })

  test("leaves nothing rather than only a marker", () => {
    expect(cut({ parts, how: "lines", limit: inside(marker(4, 4)).length + 3 })).toBeUndefined()
  })

  test("doesn't count blank lines at the start as useful", () => {
    const blank = [makePart(`\n\n${"long ".repeat(40)}\nend`)]
    expect(cut({ parts: blank, how: "lines", limit: 100 })).toBeUndefined()
  })

  test("doesn't count an extra line after the final newline", () => {
    const file = [makePart("one\ntwo\nthree\nfour\n")]
    const expected = inside(`one\ntwo\n${marker(2, 4)}`)
    expect(cut({ parts: file, how: "lines", limit: expected.length })).toBe(expected)
  })

  test("names the line of the file to continue from, if there is a reading tool", () => {
    const file = [makePart("one\ntwo\nthree\nfour", 7)]
    const place = " To see them: read, NOTES.md from line 9."
    const expected = inside(`one\ntwo\n[2 of 4 lines were left out here to fit the budget.${place}]`)
    expect(cut({ parts: file, how: "lines", limit: expected.length, reader: "read" })).toBe(expected)
  })

  test("names no tool for text without a file", () => {
    const expected = inside(`one\n${marker(1, 2)}`)
    const bundled = [{ text: `one\n${"x".repeat(80)}`, from: { kind: "bundled", name: "base" } as const }]
    expect(cut({ parts: bundled, how: "lines", limit: 80, reader: "read" })).toBe(expected)
  })

  test("does not cut inside a fence", () => {
    const fenced = [makePart("one\n```\ncode\n```\nlast")]
    const whole = inside(`one\n\`\`\`\ncode\n\`\`\`\n${marker(1, 5)}`)
    expect(cut({ parts: fenced, how: "lines", limit: whole.length })).toBe(whole)
    expect(cut({ parts: fenced, how: "lines", limit: whole.length - 1 })).toBe(inside(`one\n${marker(4, 5)}`))
  })

  test("does not cut inside a fence that is never closed", () => {
    const text = `one\n~~~\n${"code\n".repeat(30)}`
    expect(cut({ parts: [makePart(text)], how: "lines", limit: 120 })).toBe(inside(`one\n${marker(31, 32)}`))
  })

  test("does not cut inside a tag that spans several lines", () => {
    const text = 'one\n<img\n  src="a"\n  alt="b">\nlast\nmore'
    const whole = inside(`one\n<img\n  src="a"\n  alt="b">\n${marker(2, 6)}`)
    expect(cut({ parts: [makePart(text)], how: "lines", limit: whole.length })).toBe(whole)
    expect(cut({ parts: [makePart(text)], how: "lines", limit: whole.length - 1 })).toBe(
      inside(`one\n${marker(5, 6)}`),
    )
  })
})

describe("ends", () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${String(at + 1).padStart(2, "0")}`)

  test("gives the beginning two thirds of the room and the end the rest", () => {
    const kept = [...lines.slice(0, 6), marker(21, 30), ...lines.slice(-3)]
    expect(cut({ parts: [makePart(lines.join("\n"))], how: "ends", limit: 140 })).toBe(
      inside(kept.join("\n")),
    )
  })

  test("names the line where the gap begins", () => {
    const place = " To see them: read, NOTES.md from line 17."
    const gap = `[21 of 30 lines were left out here to fit the budget.${place}]`
    const kept = [...lines.slice(0, 6), gap, ...lines.slice(-3)]
    const parts = [makePart(lines.join("\n"), 11)]
    expect(cut({ parts, how: "ends", limit: 182, reader: "read" })).toBe(inside(kept.join("\n")))
  })

  test("keeps only the first line if nothing more fits", () => {
    const parts = [makePart(`${"a".repeat(50)}\n${"b".repeat(90)}\n${"c".repeat(90)}`)]
    const expected = inside(`${"a".repeat(50)}\n${marker(2, 3)}`)
    expect(cut({ parts, how: "ends", limit: expected.length })).toBe(expected)
  })
})

test("whole is never cut", () => {
  expect(cut({ parts: [makePart("one\ntwo")], how: "whole", limit: 1_000 })).toBeUndefined()
})

const line = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 30 }).map((text) => text.replaceAll(/[\n`~<>]/g, "x")) },
  fc.constantFrom("```", "~~~", "````", "# A", "## B", "### C", "", "<a", 'href="x">', "`inline`"),
)
const markdown = fc.array(line, { minLength: 1, maxLength: 40 }).map((lines) => lines.join("\n"))
const how = fc.constantFrom<Cut>("lines", "ends", "headings", "menu")

describe("for any Markdown and any limit", () => {
  test("the result is within the limit, as the tokenizer counts it", () => {
    fc.assert(
      fc.property(markdown, how, fc.integer({ min: 0, max: 200 }), (text, cutHow, limit) => {
        const writer = createWriter(tags, o200k)
        const write = (kept: readonly TextPart[]) => writer({ id: "s" }, kept)
        const written = cutParts([makePart(text)], cutHow, {
          limit,
          counter: o200k,
          reader: { tool: "read", folders: [] },
          write,
        })
        if (written === undefined) return
        expect(written.tokens).toBe(o200k.count(writtenText(written)))
        expect(written.tokens).toBeLessThanOrEqual(limit)
      }),
      { seed: 7, numRuns: 2_000 },
    )
  })

  test("the result is lines of the text in order, and one marker", () => {
    fc.assert(
      fc.property(
        markdown,
        fc.constantFrom("lines", "ends"),
        fc.integer({ min: 0, max: 400 }),
        (text, cutHow, limit) => {
          const result = cut({ parts: [makePart(text)], how: cutHow, limit })
          if (result === undefined) return
          const kept = result.slice("<s>\n".length, -"\n</s>\n\n".length).split("\n")
          const at = kept.findIndex((candidate) => /^\[\d+ of \d+ lines were left out/.test(candidate))
          const [head, tail] = [kept.slice(0, at), kept.slice(at + 1)]
          const original = text.trimStart().split("\n")
          const ending = text.trimEnd().split("\n")
          expect(head.join("\n").trim()).not.toBe("")
          expect(original.slice(0, head.length)).toEqual(head)
          expect(ending.slice(ending.length - tail.length)).toEqual(tail)
          expect(openFences(head)).toBe(false)
          if (tail.length > 0) expect(openFences(ending.slice(0, -tail.length))).toBe(false)
        },
      ),
      { seed: 7, numRuns: 2_000 },
    )
  })

  test("the marker's two numbers agree with what is kept", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 20 }), {
          minLength: 2,
          maxLength: 40,
        }),
        fc.boolean(),
        fc.constantFrom("lines", "ends"),
        (words, ends, cutHow) => {
          const lines = words.map((word) => `.${word.replaceAll(/[`~<>\n]/g, "x")}.`)
          const text = lines.join("\n") + (ends ? "\n" : "")
          const result = cut({ parts: [makePart(text)], how: cutHow, limit: 160 })
          if (result === undefined) return
          const kept = result.slice("<s>\n".length, -"\n</s>\n\n".length).split("\n")
          const found = kept.map((one) => /^\[(\d+) of (\d+) lines/.exec(one)).find((match) => match !== null)
          expect([Number(found?.[1]), Number(found?.[2])]).toEqual([
            lines.length - (kept.length - 1),
            lines.length,
          ])
        },
      ),
      { seed: 7, numRuns: 1_000 },
    )
  })
})

/** Whether a fence is still open after these lines by CommonMark's rules; an independent implementation. */
function openFences(lines: readonly string[]): boolean {
  let open: string | undefined
  for (const one of lines) {
    const run = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(one)?.[1]
    if (run === undefined) continue
    if (open === undefined) open = run
    else if (run.startsWith(open) && one.trim() === run) open = undefined
  }
  return open !== undefined
}
