// Text that anyone may have written must not stop the program. Sizes are such that work which grows with the square
// of the text would run into the limit of the test runner; nothing here measures time.
import { expect, test } from "vitest"
import { type TextPart, textOf } from "../../src/core/content.ts"
import { cutParts } from "../../src/core/cut.ts"
import { guard, headings, neutralise, tags } from "../../src/core/markup.ts"
import { expandTemplate } from "../../src/core/template.ts"
import { createWriter } from "../../src/core/written.ts"
import { o200k } from "../../src/tokens/o200k.ts"

test("a tag that never comes after its bracket", () => {
  const text = `<${" ".repeat(900_000)}x`
  expect(guard(text)).toBe(text)
})

test("brackets without end", () => {
  const text = "<".repeat(900_000)
  expect(neutralise(tags, text, { id: "soul" })).toBe(text)
})

test("fences that are never closed", () => {
  const text = "```x\n".repeat(100_000)
  expect(neutralise(headings(2), text, { id: "soul" })).toBe("\\```x\n".repeat(100_000))
})

test("lines that grow when they are made harmless, in a text that is cut", () => {
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
