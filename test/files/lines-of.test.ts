import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { zstdCompressSync } from "node:zlib"
import fc from "fast-check"
import { expect, test } from "vitest"
import { type FileLine, linesOf } from "../../src/files/lines-of.ts"

const folder = mkdtempSync(join(tmpdir(), "lines-of-"))
const path = join(folder, "log.jsonl")

test("whole lines come out as they were written, from any line on", async () => {
  const line = fc
    .string({ unit: "binary", maxLength: 40 })
    .map((text) => text.replaceAll("\n", " ").toWellFormed())
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 20 }), fc.nat(20), line, async (lines, skipped, half) => {
      writeFileSync(path, `${lines.map((text) => `${text}\n`).join("")}${half}`)
      const from = Buffer.byteLength(
        lines
          .slice(0, skipped)
          .map((text) => `${text}\n`)
          .join(""),
      )
      const read = await collect(linesOf(path, { from }))
      expect(read.map(({ text }) => text)).toEqual(lines.slice(skipped))
      expect(read.at(-1)?.end ?? from).toBe(Buffer.byteLength(lines.map((text) => `${text}\n`).join("")))
    }),
  )
})

test("a line over many chunks is read, one over the limit is only counted", async () => {
  const long = "x".repeat(3_000_000)
  writeFileSync(path, `a\n${long}\nb\n`)
  expect((await collect(linesOf(path))).map(({ text }) => text)).toEqual(["a", long, "b"])
  const limited = await collect(linesOf(path, { mostBytes: 1_000 }))
  expect(limited).toEqual([
    { text: "a", start: 0, end: 2 },
    { text: undefined, start: 2, end: 3_000_003 },
    { text: "b", start: 3_000_003, end: 3_000_005 },
  ])
})

test("lines without the words that are looked for are passed over", async () => {
  writeFileSync(path, 'one\n{"usage":1}\ntwo usage\n')
  const read = await collect(linesOf(path, { containing: ['"usage"'] }))
  expect(read).toEqual([{ text: '{"usage":1}', start: 4, end: 16 }])
})

test("compressed lines are read like plain ones, from any line on", async () => {
  const lines = Array.from({ length: 5_000 }, (_, at) => `line ${at} ${"x".repeat(at % 700)}\n`)
  const packed = join(folder, "log.jsonl.zst")
  writeFileSync(path, lines.join(""))
  writeFileSync(packed, zstdCompressSync(lines.join("")))
  const plain = await collect(linesOf(path))
  expect(await collect(linesOf(packed))).toEqual(plain)
  const from = plain[3_000]?.start ?? 0
  expect(await collect(linesOf(packed, { from }))).toEqual(plain.slice(3_000))
  for await (const line of linesOf(packed)) {
    expect(line).toEqual(plain[0])
    break
  }
  writeFileSync(packed, zstdCompressSync(lines.join("")).subarray(0, 900))
  await expect(collect(linesOf(packed))).rejects.toThrow()
})

async function collect(lines: AsyncIterable<FileLine>): Promise<readonly FileLine[]> {
  const found: FileLine[] = []
  for await (const line of lines) found.push(line)
  return found
}
