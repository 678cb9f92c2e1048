// The menu of memory in slices: the same as in one go, whatever happens to the files, and others work meanwhile.
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import fc from "fast-check"
import { afterEach, beforeEach, expect, test } from "vitest"
import { gatherMemory, gatherMemoryInSlices } from "../../src/sources/memory-files.ts"
import { openWorkspace, reload } from "../../src/sources/workspace.ts"

let root: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "incipit-menu-")))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}

const NAMES = ["MEMORY.md", "memory/private/a.md", "memory/private/x/b.md", "memory/social/c.md", "SOUL.md"]
const FOLDERS = ["memory", "memory/private", "memory/private/x", "memory/social", "memory/private/y.md"]
const name = fc.constantFrom(...NAMES)
const place = fc.constantFrom(...NAMES, ...FOLDERS, "memory/private/new.md", "memory/SKILL.md", "away")
const text = fc.constantFrom(
  ...["one\n", "two\n", "---\ntrust: full\n---\nthree\n", "---\ntrust: inner\n---\nfour\n"],
  ...["---\ntrust: public\n---\nfive\n", "---\ntrust: [\n---\nsix\n", "---\ndescription: seven\n---\n"],
)
const config = fc.constantFrom("{}\n", "prompt: { files: [{ path: memory/private/a.md, trust: full }] }\n")
const change = fc.oneof(
  fc.tuple(fc.constantFrom("write", "in-place"), fc.oneof(name, place), text),
  fc.tuple(fc.constantFrom("rename", "link", "symlink"), place, place),
  fc.tuple(fc.constantFrom("remove", "close", "open"), place, fc.constant("")),
  fc.tuple(fc.constant("configure"), fc.constant(""), config),
)

function make([kind, path, to]: readonly [string, string, string]): void {
  const full = join(root, path)
  try {
    if (kind === "write") put(path, to)
    if (kind === "in-place") {
      const { atime, mtime } = statSync(full)
      writeFileSync(full, to)
      utimesSync(full, atime, mtime)
    }
    if (kind === "rename") renameSync(full, join(root, to))
    if (kind === "link") linkSync(full, join(root, to))
    if (kind === "symlink") symlinkSync(full, join(root, to))
    if (kind === "remove") rmSync(full, { recursive: true, force: true })
    if (kind === "close" || kind === "open") chmodSync(full, kind === "close" ? 0o500 : 0o700)
    if (kind === "configure") writeFileSync(join(root, "incipit.yaml"), to)
  } catch (error) {
    // Nothing to rename, a folder where a file should go: then nothing changes.
    if (!(error instanceof Error && "code" in error)) throw error
  }
}

test("after any changes, the menu is the one of somebody who looks for the first time", async () => {
  const changes = fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(changes, async (rounds) => {
      rmSync(root, { recursive: true, force: true })
      mkdirSync(root)
      for (const [at, one] of NAMES.entries()) put(one, `Number ${at}.\n`)
      let workspace = openWorkspace(root)
      await gatherMemoryInSlices(workspace)
      for (const round of rounds) {
        for (const one of round) make(one)
        workspace = reload(workspace)
        expect(await gatherMemoryInSlices(workspace)).toEqual(gatherMemory(openWorkspace(root)))
      }
    }),
    { numRuns: 40 },
  )
})

test("an unchanged file is not read again, and others work while thousands are listed", async () => {
  for (let at = 0; at < 800; at += 1) put(`memory/private/${at % 30}/${at}.md`, `Boat ${at}.\n`)
  const workspace = openWorkspace(root)
  let [isOver, turns] = [false, 0]
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  count()
  const first = await gatherMemoryInSlices(workspace)
  isOver = true
  expect([first.value.length, turns > 1]).toEqual([800, true])
  put("memory/private/3/3.md", "A ship.\n")
  const again = await gatherMemoryInSlices(workspace)
  const changed = again.value.filter((file, at) => file !== first.value[at])
  expect(changed.map(({ description }) => description)).toEqual(["A ship."])
})

test("what closes a folder while its files are listed counts for those that come after", async () => {
  for (let at = 0; at < 800; at += 1) put(`memory/social/${at}.md`, `Boat ${at}.\n`)
  const listed = gatherMemoryInSlices(openWorkspace(root))
  // Its first slice is over, in which all of this was open.
  put("memory/SKILL.md", "---\nname: x\ndescription: x\ntrust: full\n---\n")
  expect((await listed).value.at(-1)?.trust).toBe("full")
})
