import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { afterEach, expect, test } from "vitest"
import { type MemoryFolder, memoryFolder } from "./folder.ts"

let folder: MemoryFolder
afterEach(() => folder.remove())

const run = promisify(execFile)
const worker = async (role: string, rounds: number): Promise<Readonly<Record<string, number>>> => {
  const { stdout } = await run(process.execPath, ["test/memory/worker.ts", folder.path, role, String(rounds)])
  return JSON.parse(stdout) as Readonly<Record<string, number>>
}

test("several processes open an empty index at once, and all find what is there", async () => {
  folder = memoryFolder({ "social/a.md": "- the lighthouse lantern\n" })
  const seen = await Promise.all(Array.from({ length: 4 }, () => worker("search", 5)))
  expect(seen).toEqual(Array(4).fill({ found: 5 }))
})

test("search, write and rebuild at once: nothing is lost and no answer is empty", async () => {
  folder = memoryFolder(
    Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`social/${at}.md`, `- the lighthouse lantern ${at}\n`]),
    ),
  )
  folder.memory.search("lantern", { trust: "familiar" })
  const [one, two, a, b] = await Promise.all([
    worker("search", 40),
    worker("search", 40),
    worker("write", 15),
    worker("write", 15),
    worker("rebuild", 5),
  ])
  expect([one, two, a, b]).toEqual([{ found: 40 }, { found: 40 }, { written: 15 }, { written: 15 }])
  expect(folder.memory.search("round", { trust: "familiar", limit: 100, budget: 9_999 }).hits).toHaveLength(
    30,
  )
})

test("a link that is swapped in while files are read never shows what it leads to", async () => {
  folder = memoryFolder({ "social/way/a.md": "- open to all\n", "private/a.md": "- TOP SECRET\n" })
  const [, first, second] = await Promise.all([
    worker("swap", 1_500),
    worker("get", 1_500),
    worker("search", 60),
  ])
  expect(JSON.stringify([first, second])).not.toContain("SECRET")
  expect(folder.memory.search("secret", { trust: "familiar" }).hits).toEqual([])
})
