import { Readable } from "node:stream"
import { finished } from "node:stream/promises"
import fc from "fast-check"
import { expect, test } from "vitest"
import { readLines, wholeLines } from "../../../src/agent/mcp/lines.ts"
import { createSecrets } from "../../../src/record/redact/secrets.ts"

/** The bytes of a text in pieces of these lengths, over and over. */
function pieces(text: string, lengths: readonly number[]): readonly Buffer[] {
  const found: Buffer[] = []
  const bytes = Buffer.from(text)
  for (let [from, at] = [0, 0]; from < bytes.length; at += 1) {
    const length = lengths[at % lengths.length] ?? 1
    found.push(bytes.subarray(from, from + length))
    from += length
  }
  return found
}

test("however its bytes come, a text has the same lines", () => {
  const text = fc.array(fc.constantFrom("a", "\n", "\r", "é", "🌊", "{}", "\r\n")).map((all) => all.join(""))
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (whole, lengths) => {
      const take = wholeLines(1_000)
      const found = pieces(whole, lengths).flatMap((chunk) => take(chunk))
      const expected = whole.split("\n").slice(0, -1)
      expect(found).toEqual(expected.map((line) => line.replace(/\r$/, "")))
    }),
  )
})

test("only a line that has not ended can be too long, and what came before it counts no more", () => {
  const take = wholeLines(10)
  expect(take(Buffer.from("0123456789\n0123456789\n01234"))).toEqual(["0123456789", "0123456789"])
  expect(take(Buffer.from("56789"))).toEqual([])
  expect(take(Buffer.from("\n01234567"))).toEqual(["0123456789"])
  expect(() => take(Buffer.from("890"))).toThrow(new RangeError("more than 10 bytes without a line break"))
})

test("lines of a stream are reported, long ones in pieces or cut, the last one without an end too", async () => {
  const told: string[] = []
  const stream = Readable.from([Buffer.from("one\ntw"), Buffer.from("o\nabcdefgh"), Buffer.from("ij\nlast")])
  readLines(stream, { mostLine: 4, tell: (line) => told.push(line), secrets: createSecrets().stream() })
  await finished(stream)
  expect(told).toEqual(["one", "two", "abcd", "efgh", "last"])
})
