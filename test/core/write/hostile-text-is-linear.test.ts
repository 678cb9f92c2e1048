// Hostile text must not stop the program. The sizes are such that quadratic work would run into the test runner's
// timeout; the tests themselves measure no time.
import { expect, test } from "vitest"
import { digest } from "../../../src/base/digest.ts"
import { lineCount, type TextPart, textOf } from "../../../src/core/model/content.ts"
import { cutParts } from "../../../src/core/write/cut.ts"
import { guard, headings, neutralise, tags } from "../../../src/core/write/markup.ts"
import { expandTemplate } from "../../../src/core/write/template.ts"
import { createWriter } from "../../../src/core/write/write.ts"
import { o200k } from "../../../src/tokens/o200k.ts"

test("a bracket whose tag never comes", () => {
  const text = `<${" ".repeat(900_000)}x`
  expect(guard(text)).toBe(text)
})

test("endless brackets", () => {
  const text = "<".repeat(900_000)
  expect(neutralise(tags, text, { id: "soul" })).toBe(text)
})

test("fences that are never closed", () => {
  const text = "```x\n".repeat(100_000)
  expect(neutralise(headings(2), text, { id: "soul" })).toBe("\\```x\n".repeat(100_000))
})

test("a cut text with lines that grow when they are escaped", () => {
  const parts: readonly TextPart[] = [{ text: "</soul>\n".repeat(20_000) }]
  const writer = createWriter(tags, o200k)
  const write = (kept: readonly TextPart[]) => writer({ id: "soul" }, kept)
  const limit = Math.floor(o200k.count(textOf(parts)) * 0.8)
  const written = cutParts(parts, "lines", { limit, counter: o200k, reader: undefined, write })
  expect([written !== undefined, (written?.tokens ?? 0) <= limit]).toEqual([true, true])
})

test("template brackets with anything between them", () => {
  const names = { sections: new Map(), turn: new Set<string>(), lists: new Map() }
  const hostile = ["{{", "{%", "{{ {", "{{ }", "{% %"].map((open) => (open + " ".repeat(2_000)).repeat(50))
  expect(hostile.map((text) => expandTemplate({ text }, names).parts.length)).toEqual([1, 1, 1, 1, 1])
})

const NAMES = {
  sections: new Map([["SOUL", "soul"]]),
  turn: new Set<string>(),
  lists: new Map([
    ["SKILLS", Array.from({ length: 10 }, (_, at) => new Map([["name", { text: `s${at}` }]]))],
  ]),
}

/** A part with its lines, as made from a file. */
function filePart(text: string): TextPart {
  const lines: [number, number] = [1, lineCount(text)]
  return { text, from: { kind: "file", path: "a.md", identity: "1:1", lines, digest: digest("a") } }
}

test("a megabyte of unclosed template brackets", () => {
  const hostile = ["{{", "{%", "{{ ", "{{ {", "{% if SOUL"].map((open) =>
    open.repeat(1_000_000 / open.length),
  )
  expect(hostile.map((text) => expandTemplate({ text }, NAMES).parts)).toEqual(
    hostile.map((text) => [{ text }]),
  )
})

test("a megabyte of unknown placeholders, one per line", () => {
  const text = "{{ x }}\n".repeat(125_000)
  const { parts, diagnostics = [] } = expandTemplate(filePart(text), NAMES)
  expect([textOf(parts) === text, diagnostics.length]).toEqual([true, 101])
  expect(diagnostics.at(-1)).toEqual({
    code: "template-syntax",
    path: "a.md",
    line: 101,
    problem: "has more than 100 problems, and the next one is here; fix those first",
  })
})

test("a megabyte of placed sections, one per line", () => {
  const { parts } = expandTemplate(filePart("{{ SOUL }}\n".repeat(40_000)), NAMES)
  expect([parts.length, (parts.at(-1) as TextPart).from]).toMatchObject([80_000, { lines: [40_000, 40_000] }])
})

test("branches nested far deeper than the stack", () => {
  const text = `${"{% if SOUL %}".repeat(50_000)}x${"{% endif %}".repeat(50_000)}`
  const { parts, diagnostics } = expandTemplate(filePart(text), NAMES)
  const inner = text.slice("{% if SOUL %}".length * 16, -"{% endif %}".length * 16)
  expect([parts.length, textOf(parts) === inner]).toEqual([1, true])
  expect(diagnostics).toEqual([
    {
      code: "template-syntax",
      path: "a.md",
      line: 1,
      problem:
        '"{% if %}" is nested more than 16 levels deep; it is sent as written, with everything inside it',
    },
  ])
})

test("nested loops that would multiply endlessly", () => {
  const text = `${"{% for s in SKILLS %}".repeat(16)}{{ s.name }}${"{% endfor %}".repeat(16)}`
  const { parts, diagnostics } = expandTemplate(filePart(text), NAMES)
  expect(parts.length).toBeLessThanOrEqual(100_001)
  expect(diagnostics).toMatchObject([{ problem: expect.stringContaining("the rest was left out") }])
})

test("a cut outline of twenty thousand headings", () => {
  const parts = [filePart(Array.from({ length: 20_000 }, (_, at) => `# h ${at}\ntext`).join("\n"))]
  const writer = createWriter(tags, o200k)
  const write = (kept: readonly TextPart[]) => writer({ id: "soul" }, kept)
  const limit = Math.floor(o200k.count(textOf(parts)) / 2)
  const written = cutParts(parts, "headings", { limit, counter: o200k, reader: undefined, write })
  expect((written?.tokens ?? limit + 1) <= limit).toBe(true)
})

test("a cut heading of spaces, and a cut text that begins with blank lines", () => {
  const write = (kept: readonly TextPart[]) => createWriter(tags, o200k)({ id: "soul" }, kept)
  for (const text of [`# a${" ".repeat(200_000)}b\nc`, `${" \n".repeat(100_000)}a\nb\n`]) {
    const limit = Math.floor(o200k.count(text) / 2)
    for (const how of ["headings", "lines", "ends"] as const)
      cutParts([filePart(text)], how, { limit, counter: o200k, reader: undefined, write })
  }
})
