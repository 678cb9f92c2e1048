// Text made to be slow: twice the text may take about twice the time, not four times. The limits are generous;
// what is quadratic misses them by far, and a file may be many times as large as these.
import { expect, test } from "vitest"
import { type TextPart, textOf } from "../../src/core/content.ts"
import { cutParts } from "../../src/core/cut.ts"
import { guard, headings, neutralise, tags } from "../../src/core/markup.ts"
import { createWriter } from "../../src/core/written.ts"
import { o200k } from "../../src/tokens/o200k.ts"

const LIMIT_MS = 1_000

function durationMs(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

test("a tag that never comes after its bracket", () => {
  expect(durationMs(() => guard(`<${" ".repeat(60_000)}x`))).toBeLessThan(LIMIT_MS)
})

test("brackets without end", () => {
  expect(durationMs(() => neutralise(tags, "<".repeat(60_000), { id: "soul" }))).toBeLessThan(LIMIT_MS)
})

test("fences that are never closed", () => {
  expect(durationMs(() => neutralise(headings(2), "```x\n".repeat(8_000), { id: "soul" }))).toBeLessThan(
    LIMIT_MS,
  )
})

test("lines that grow when they are made harmless, in a text that is cut", () => {
  const parts: readonly TextPart[] = [{ text: "</soul>\n".repeat(4_000) }]
  const writer = createWriter(tags, o200k)
  const write = (kept: readonly TextPart[]) => writer({ id: "soul" }, kept)
  const limit = Math.floor(o200k.count(textOf(parts)) * 0.8)
  const duration = durationMs(() =>
    cutParts(parts, "lines", { limit, counter: o200k, reader: undefined, write }),
  )
  expect(duration).toBeLessThan(LIMIT_MS)
})
