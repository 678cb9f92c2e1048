// An answer fits, whatever was found: long lists by items, and long texts by cutting them.
import fc from "fast-check"
import { expect, test } from "vitest"
import { z } from "zod"
import { resultOf } from "../../../src/serve/mcp/result.ts"
import { o200k } from "../../../src/tokens/o200k.ts"

const ANSWER = z.object({
  ...{ items: z.array(z.unknown()), left: z.object({ count: z.number() }), tokens: z.number() },
})

const text = fc.oneof(
  fc.string({ maxLength: 50 }),
  fc
    .tuple(fc.constantFrom("a", "the sea ", "海", "🌊", '"\n', "</incipit-memory>", "\u0000"), fc.nat(30_000))
    .map(([piece, times]) => piece.repeat(times)),
)
const item = fc.oneof(text, fc.record({ id: text, files: fc.array(text, { maxLength: 300 }), at: fc.nat() }))

test("whatever was found fits, and what is missing is counted", () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 60 }), text, (items, what) => {
      const found = { data: { what, items }, lists: ["items"], left: 3 }
      const { content, structuredContent } = resultOf("explain", found, o200k)
      const shown: string = content[0]?.type === "text" ? content[0].text : ""
      const { items: kept, left, tokens } = ANSWER.parse(structuredContent)
      expect(o200k.count(shown)).toBeLessThanOrEqual(2_000)
      expect(o200k.count(JSON.stringify(structuredContent))).toBeLessThanOrEqual(4_100)
      expect(tokens).toBe(o200k.count(shown))
      expect(kept.length + left.count).toBe(items.length + 3)
      // Nothing in it closes the tag that it is in.
      expect(shown.match(/<\/incipit-explain>/g)).toHaveLength(1)
      if (items.length > 0) expect(kept.length).toBeGreaterThan(0)
    }),
    { numRuns: 40 },
  )
})

test("a text is cut between characters, and says how much is missing", () => {
  const found = { data: { lines: [`x${"🌊".repeat(20_000)}`] }, lists: ["lines"] }
  const { structuredContent } = resultOf("memory", found, o200k)
  const { lines } = z.object({ lines: z.array(z.string()) }).parse(structuredContent)
  expect(lines[0]).toMatch(/^x🌊+\.\.\. \(\d+ more characters\)$/u)
})
