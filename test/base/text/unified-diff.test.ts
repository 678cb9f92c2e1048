// A difference as git reads it: real `git apply`, on texts of all shapes.
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { unifiedHunks } from "../../../src/base/text/unified-diff.ts"

const LINES = Array.from({ length: 40 }, (_, at) => `line ${at}\n`)

test("a hunk has the changed lines with three on each side, and names a missing line end", () => {
  const before = LINES.join("")
  const after = before.replace("line 20\n", "twenty\nand a half\n").replace("line 25\n", "").slice(0, -1)
  expect(unifiedHunks(before, after)).toBe(
    [
      "@@ -18,12 +18,12 @@",
      ...[" line 17", " line 18", " line 19", "-line 20", "+twenty", "+and a half"],
      ...[" line 21", " line 22", " line 23", " line 24", "-line 25", " line 26", " line 27", " line 28"],
      "@@ -37,4 +37,4 @@",
      ...[" line 36", " line 37", " line 38", "-line 39", "+line 39", "\\ No newline at end of file", ""],
    ].join("\n"),
  )
  expect(unifiedHunks("", "a\n")).toBe("@@ -0,0 +1,1 @@\n+a\n")
  expect(unifiedHunks("a\n", "")).toBe("@@ -1,1 +0,0 @@\n-a\n")
  expect(unifiedHunks(before, before)).toBe("")
})

test("git applies it, whatever the texts are", () => {
  const folder = mkdtempSync(join(tmpdir(), "incipit-diff-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, "a.md")
  // The same steps each time.
  let seed = 7
  const below = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * most)
  }
  const ends = ["\n", "\r\n", ""]
  const textOf = () => {
    const lines = Array.from({ length: below(30) }, () => `${below(6)}${below(3) === 0 ? "\r" : ""}`)
    return lines.length === 0 ? "" : `${lines.join("\n")}${ends[below(3)]}`
  }
  for (let round = 0; round < 60; round += 1) {
    const [before, after] = [textOf(), textOf()]
    if (before === after || before === "" || after === "") continue
    writeFileSync(file, before)
    const input = `--- a/a.md\n+++ b/a.md\n${unifiedHunks(before, after)}`
    execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: folder, input, stdio: "pipe" })
    expect(readFileSync(file, "utf8"), JSON.stringify([before, after])).toBe(after)
  }
})

test("two large texts without a line in common take as long as any", () => {
  const before = Array.from({ length: 60_000 }, (_, at) => `old ${at}\n`).join("")
  const after = Array.from({ length: 60_000 }, (_, at) => `new ${at}\n`).join("")
  const patch = unifiedHunks(before, after)
  expect(patch.split("\n")).toHaveLength(120_002)
  expect(patch.startsWith("@@ -1,60000 +1,60000 @@\n-old 0\n")).toBe(true)
})
