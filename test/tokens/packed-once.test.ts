// The rank table is packed when it is missing or stale, and left alone when it is up to date.
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { packRanks } from "../../scripts/pack-ranks.ts"

test("packs a missing or stale table whole and leaves a fresh one alone", async () => {
  const folder = await mkdtemp(join(tmpdir(), "incipit-ranks-"))
  const target = join(folder, "ranks.js")
  await writeFile(target, "// an older stamp\n")
  await packRanks(target)
  const packed = await readFile(target, "utf8")
  const { mtimeMs } = await stat(target)
  await packRanks(target)
  expect(packed).toBe(await readFile("src/tokens/o200k-ranks.js", "utf8"))
  expect((await stat(target)).mtimeMs).toBe(mtimeMs)
  expect(await readdir(folder)).toEqual(["ranks.js"])
  await rm(folder, { recursive: true })
})
