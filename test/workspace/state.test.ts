// Where state is kept: by the identity of the folder, in the user's state directory, never in the folder.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { findState, openState, type StateQuestion } from "../../src/workspace/state/state.ts"

let root = ""
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "incipit-state-")))
  mkdirSync(join(root, "ws"))
})
afterEach(() => rmSync(root, { recursive: true }))

/** The clock of the disk has a coarse tick, and a birth in the same one is the same. */
const tick = () => new Promise((done) => setTimeout(done, 20))

interface Opened {
  readonly folder: string
  readonly isNew: boolean
  readonly warnings: readonly string[]
  readonly asked: readonly StateQuestion[]
}

async function open(path: string, answer?: boolean): Promise<Opened> {
  const warnings: string[] = []
  const asked: StateQuestion[] = []
  const opened = await openState({
    ...{ workspace: join(root, path), home: join(root, "home"), env: {}, now: () => 1_000 },
    warn: (text) => warnings.push(text),
    ...(answer !== undefined && {
      ask: async (question: StateQuestion) => {
        asked.push(question)
        return answer
      },
    }),
  })
  return { ...opened, warnings, asked }
}

const find = (path: string) => findState({ workspace: join(root, path), home: join(root, "home"), env: {} })

test("a folder gets a random directory of its own, which only the user may use, and keeps it", async () => {
  const first = await open("ws")
  expect(first).toMatchObject({ isNew: true, warnings: [] })
  expect(first.folder).toMatch(/\/home\/\.local\/state\/incipit\/[0-9a-f]{20}$/)
  expect(await open("ws")).toMatchObject({ folder: first.folder, isNew: false, warnings: [] })
  expect(find("ws")).toBe(first.folder)
  for (const path of [first.folder, dirname(first.folder)]) expect(statSync(path).mode & 0o777).toBe(0o700)
  expect(statSync(join(dirname(first.folder), "folders.db")).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(root, "ws"))).toEqual([])
})

test("a directory that others may read is closed to them", async () => {
  const { folder } = await open("ws")
  for (const path of [folder, dirname(folder)]) chmodSync(path, 0o755)
  await open("ws")
  for (const path of [folder, dirname(folder)]) expect(statSync(path).mode & 0o777).toBe(0o700)
})

test("to look for state makes none", () => {
  expect(find("ws")).toBeUndefined()
  expect(existsSync(join(root, "home"))).toBe(false)
})

test("XDG_STATE_HOME counts if it is absolute, INCIPIT_STATE_DIR names the directory itself, an option before both", async () => {
  const where = async (env: Record<string, string>, state?: string) =>
    (await openState({ workspace: join(root, "ws"), home: join(root, "home"), env, state, now: () => 1 }))
      .folder
  expect(dirname(await where({ XDG_STATE_HOME: join(root, "xdg") }))).toBe(join(root, "xdg", "incipit"))
  expect(dirname(await where({ XDG_STATE_HOME: "xdg" }))).toBe(
    join(root, "home", ".local", "state", "incipit"),
  )
  const named = { INCIPIT_STATE_DIR: join(root, "named") }
  expect(await where(named)).toBe(join(root, "named"))
  expect(statSync(join(root, "named")).mode & 0o777).toBe(0o700)
  expect(await where(named, join(root, "flag"))).toBe(join(root, "flag"))
})

test("a directory that was named and is there keeps the rights that its owner gave it", async () => {
  mkdirSync(join(root, "volume"), { mode: 0o750 })
  chmodSync(join(root, "volume"), 0o750)
  const state = join(root, "volume")
  await openState({ workspace: join(root, "ws"), home: root, env: {}, state, now: () => 1 })
  expect(statSync(state).mode & 0o777).toBe(0o750)
})

test("a link to a folder is that folder", async () => {
  const { folder } = await open("ws")
  symlinkSync(join(root, "ws"), join(root, "link"))
  expect(await open("link")).toMatchObject({ folder, isNew: false, asked: [] })
})

test("a folder that moved keeps its state after a yes, and is asked about once", async () => {
  const { folder } = await open("ws")
  renameSync(join(root, "ws"), join(root, "moved"))
  const moved = await open("moved", true)
  expect(moved).toMatchObject({ folder, isNew: false })
  expect(moved.asked).toMatchObject([
    { kind: "moved", path: join(root, "moved"), before: { path: join(root, "ws") } },
  ])
  expect(await open("moved", true)).toMatchObject({ folder, asked: [] })
})

test("a folder that moved starts again after a no, and is not asked about again", async () => {
  const { folder } = await open("ws")
  renameSync(join(root, "ws"), join(root, "moved"))
  const moved = await open("moved", false)
  expect(moved.isNew).toBe(true)
  expect(moved.folder).not.toBe(folder)
  expect(await open("moved", true)).toMatchObject({ folder: moved.folder, asked: [] })
  // And it may go back.
  renameSync(join(root, "moved"), join(root, "ws"))
  expect(await open("ws", true)).toMatchObject({ folder, asked: [] })
})

test("where nobody can be asked, a folder that moved starts again, with a warning that names the command", async () => {
  const { folder } = await open("ws")
  renameSync(join(root, "ws"), join(root, "moved"))
  const moved = await open("moved")
  expect(moved.isNew).toBe(true)
  expect(moved.warnings).toEqual([
    `${root}/moved may be the folder that was at ${root}/ws. It starts with new, empty state; to use the old state, run: incipit state move ${folder.slice(-20)} ${root}/moved`,
  ])
})

test("a copy gets state of its own without a question", async () => {
  const { folder } = await open("ws")
  await tick()
  cpSync(join(root, "ws"), join(root, "copy"), { recursive: true })
  const copy = await open("copy", true)
  expect(copy).toMatchObject({ isNew: true, asked: [] })
  expect(copy.folder).not.toBe(folder)
  expect((await open("ws", true)).folder).toBe(folder)
})

test("another folder at the same path, also with the same inode, does not get the old one's state unasked", async () => {
  const { folder } = await open("ws")
  rmSync(join(root, "ws"), { recursive: true })
  await tick()
  mkdirSync(join(root, "ws"))
  const unasked = await open("ws")
  expect(unasked.isNew).toBe(true)
  expect(unasked.folder).not.toBe(folder)
  expect(unasked.warnings).toEqual([expect.stringContaining("is not the one that was there before")])
  expect(await open("ws", true)).toMatchObject({ folder: unasked.folder, asked: [] })
})

test("a folder elsewhere that was given the inode of a deleted one is not asked about", async () => {
  await open("ws")
  rmSync(join(root, "ws"), { recursive: true })
  await tick()
  mkdirSync(join(root, "other"))
  expect(await open("other", true)).toMatchObject({ isNew: true, asked: [] })
})

test("several that open a new folder at once share one state", async () => {
  const all = await Promise.all([open("ws"), open("ws"), open("ws")])
  expect(new Set(all.map(({ folder }) => folder)).size).toBe(1)
})

test("a path that is no folder is refused", async () => {
  writeFileSync(join(root, "file"), "")
  await expect(open("file")).rejects.toMatchObject({ code: "unreadable-workspace" })
  await expect(open("nothing")).rejects.toMatchObject({ code: "unreadable-workspace" })
})
