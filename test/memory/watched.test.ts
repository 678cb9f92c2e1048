// A watched store answers like one in which every file is looked at, whatever another process does to its files.
import { type ChildProcess, execFileSync, fork } from "node:child_process"
import { once } from "node:events"
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  watch,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setImmediate } from "node:timers/promises"
import fc from "fast-check"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { byCodePoint } from "../../src/base/order.ts"
import type { Trust } from "../../src/base/trust.ts"
import { openGate } from "../../src/files/gate/gate.ts"
import { openFolderWatch } from "../../src/files/watch/folder-watch.ts"
import { type Memory, openMemory } from "../../src/memory/memory.ts"
import { byNeeds, type FilesByNeeds, lookThrough, type Stores } from "../../src/memory/shelf/store.ts"
import { WatchedStore } from "../../src/memory/shelf/watched-store.ts"
import { openWorkspace, reload } from "../../src/sources/workspace.ts"
import { workspaceGate } from "../../src/sources/workspace-gate.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import type { Edit } from "./editor.ts"

let editor: ChildProcess
let path: string
const opened: { close(): Promise<void> }[] = []

beforeAll(() => {
  editor = fork("test/memory/editor.ts")
})
afterAll(() => {
  editor.disconnect()
})
beforeEach(() => {
  path = realpathSync(mkdtempSync(join(tmpdir(), "incipit-store-watch-")))
})
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  rmSync(path, { recursive: true, force: true })
})

async function edit(change: Edit): Promise<void> {
  editor.send(change)
  await once(editor, "message")
}

function put(name: string, text: string): string {
  const full = join(path, name)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, text)
  return full
}

const store = (folder: string) => ({ name: "notes", folder, trust: "familiar" }) as const

/** It gives the same object again only while it is watched. A busy machine may need more than one try. */
async function untilWatched(watched: WatchedStore): Promise<void> {
  for (let last: FilesByNeeds | undefined, now = watched.files(); now !== last; now = watched.files()) {
    last = now
    await watched.started()
  }
}

function listed(files: FilesByNeeds) {
  const all = [...files].flatMap(([needs, some]) => some.map((file) => ({ ...file, needs })))
  return all.toSorted((a, b) => byCodePoint(a.path, b.path))
}

describe.runIf(process.platform === "linux")("on Linux", () => {
  const NAMES = ["a.md", "b.md", "x/a.md", "x/y/a.md", "z/b.md", "x/c.txt", "x/.d.md"]
  const FOLDERS = ["x", "x/y", "z", "new", "new/newer", "x.md"]
  const name = fc.constantFrom(...NAMES)
  const newName = fc.constantFrom("free.md", "z/free.md", "x/free.txt", "x/.free.md", ...NAMES)
  const folder = fc.constantFrom(...FOLDERS)
  const text = fc.constantFrom("- one\n", "- two\n", "---\ntrust: full\n---\n- three\n")
  const edits: fc.Arbitrary<Edit> = fc.oneof(
    fc.record({ kind: fc.constantFrom("write", "replace", "in-place"), path: name, text }),
    fc.record({ kind: fc.constantFrom("remove", "touch"), path: fc.oneof(name, folder) }),
    fc.record({ kind: fc.constant("make-folder"), path: folder }),
    fc.record({ kind: fc.constantFrom("rename", "link", "symlink"), path: name, to: newName }),
    fc.record({ kind: fc.constant("rename"), path: folder, to: folder }),
    // The folder of the store itself, and what stands beside it.
    fc.record({
      kind: fc.constantFrom("rename", "symlink"),
      path: fc.constant("."),
      to: fc.constant("../away"),
    }),
  )
  const within = (root: string, change: Edit): Edit => ({
    ...change,
    path: join(root, change.path),
    ...("to" in change && { to: join(root, change.to) }),
  })

  test("after any edits of another process it lists what a look at every file lists", async () => {
    const once = async (steps: readonly Edit[]) => {
      const round = mkdtempSync(join(path, "round-"))
      const root = join(round, "notes")
      for (const [at, one] of NAMES.entries()) put(join(root, one).slice(path.length), `- number ${at}\n`)
      const stores: Stores = {
        all: [store(root)],
        files: [],
        gate: () => openGate({ stores: [store(root)] }),
      }
      const watched = new WatchedStore(store(root), { stores, scratch: round, watchFrom: 1 })
      opened.push(watched)
      watched.files()
      watched.files()
      for (const step of steps) {
        const files = watched.files()
        await watched.started()
        expect(listed(files)).toEqual(listed(byNeeds(lookThrough(stores, store(root), stores.gate()))))
        watched.files()
        await edit(within(root, step))
        expect(listed(watched.files())).toEqual(
          listed(byNeeds(lookThrough(stores, store(root), stores.gate()))),
        )
      }
    }
    await fc.assert(fc.asyncProperty(fc.array(edits, { minLength: 1, maxLength: 8 }), once), { numRuns: 20 })
  })

  test("after any edits while it is prepared and afterwards it lists the same", async () => {
    const once = async (during: readonly Edit[], after: readonly Edit[]) => {
      const round = mkdtempSync(join(path, "round-"))
      const root = join(round, "notes")
      for (const [at, one] of NAMES.entries()) put(join(root, one).slice(path.length), `- number ${at}\n`)
      const stores: Stores = {
        all: [store(root)],
        files: [],
        gate: () => openGate({ stores: [store(root)] }),
      }
      const watched = new WatchedStore(store(root), { stores, scratch: round, watchFrom: 1 })
      opened.push(watched)
      const check = () =>
        expect(listed(watched.files())).toEqual(
          listed(byNeeds(lookThrough(stores, store(root), stores.gate()))),
        )
      const prepared = watched.prepare()
      for (const step of during) await edit(within(root, step))
      await prepared
      check()
      for (const step of after) {
        await watched.prepare()
        await edit(within(root, step))
        check()
      }
    }
    const some = fc.array(edits, { maxLength: 4 })
    await fc.assert(fc.asyncProperty(some, some, once), { numRuns: 20 })
  })

  test("a prepared store is not looked through when it is asked, and others work while it is prepared", async () => {
    for (let at = 0; at < 2_000; at += 1) put(`notes/${at}.md`, "- The lamp burns.\n")
    const folder = join(path, "notes")
    let looked = 0
    const gate = () => {
      const own = openGate({ stores: [store(folder)] })
      return {
        guardUnder: own.guardUnder.bind(own),
        guardElsewhere: own.guardElsewhere.bind(own),
        groundsFor: own.groundsFor.bind(own),
        guardsOfFound(...found: Parameters<typeof own.guardsOfFound>) {
          looked += 1
          // As slow as a disk.
          const end = performance.now() + 0.1
          while (performance.now() < end);
          return own.guardsOfFound(...found)
        },
      }
    }
    const memory = openMemory({
      stores: [store(folder)],
      index: join(path, "index.db"),
      counter: o200k,
      gate,
    })
    opened.push(memory)
    let turns = 0
    const count = async () => {
      for (let isOver = false; !isOver; turns += 1) {
        await setImmediate()
        isOver = looked === 2_000
      }
    }
    await Promise.all([memory.prepare(), count()])
    expect([looked, turns > 5]).toEqual([2_000, true])
    await memory.refresh()
    const search = () => memory.search("lamp", { trust: "full" })
    // A busy machine may need more than one try. The file of the only hit is looked at again before it is shown.
    for (let before = 0; looked !== before + 1; ) {
      await memory.prepare()
      before = looked
      expect(search().hits.length).toBe(1)
    }
  })

  test("more changes than the kernel's queue may hold are all seen", async () => {
    const root = dirname(put("notes/0.md", "- one\n"))
    for (let at = 1; at < 1_500; at += 1) put(`notes/${at}.md`, "- one\n")
    const stores: Stores = { all: [store(root)], files: [], gate: () => openGate({ stores: [store(root)] }) }
    const watched = new WatchedStore(store(root), { stores, scratch: path, watchFrom: 1 })
    opened.push(watched)
    await untilWatched(watched)
    for (let at = 0; at < 1_500; at += 1) put(`notes/${at}.md`, "- two two\n")
    expect(listed(watched.files()).filter(({ size }) => size !== 10)).toEqual([])
    await untilWatched(watched)
  })

  test("an edit between the last look at every file and the first event is seen", async () => {
    const file = put("notes/a.md", "- one\n")
    const root = dirname(file)
    const stores: Stores = { all: [store(root)], files: [], gate: () => openGate({ stores: [store(root)] }) }
    const watched = new WatchedStore(store(root), { stores, scratch: path, watchFrom: 1 })
    opened.push(watched)
    for (let at = 0; at < 4; at += 1) watched.files()
    writeFileSync(file, "- two two\n")
    await watched.started()
    expect(listed(watched.files())).toMatchObject([{ size: 10 }])
  })

  test("what raises no event is seen from time to time: an edit by a name in a folder that is not watched", async () => {
    const file = put("notes/a.md", "- one\n")
    await edit({ kind: "link", path: file, to: join(path, "beside.md") })
    const watch = openFolderWatch([join(path, "notes")], path, 1)
    if (watch === undefined) throw new Error("not watched")
    opened.push(watch)
    await watch.started()
    await edit({ kind: "in-place", path: join(path, "beside.md"), text: "- two\n" })
    while (watch.changed()?.includes(file) !== true) await setImmediate()
  })

  test("folders that are gone, or where changes may raise no event, are not said to be unchanged", async () => {
    for (const folder of [join(path, "none"), "/proc/self"]) {
      const watch = openFolderWatch([folder], path)
      await watch?.started()
      expect(watch?.changed()).toBeUndefined()
      await watch?.close()
    }
    expect(openFolderWatch([path], join(path, "none"))).toBeUndefined()
  })
})

const options = () => ({ index: join(path, "state", "memory.sqlite"), counter: o200k, watchFrom: 1 })

function open(more: Partial<Parameters<typeof openMemory>[0]> = {}): Memory {
  const memory = openMemory({ stores: [store(join(path, "notes"))], ...options(), ...more })
  opened.push(memory)
  return memory
}

/** Searched often enough to be watched. */
async function settle(memory: Memory): Promise<void> {
  for (let at = 0; at < 3; at += 1) {
    memory.search("lantern", { trust: "full" })
    await memory.refresh()
  }
  memory.search("lantern", { trust: "full" })
}

const found = (memory: Memory, query: string, trust: Trust = "full") =>
  memory.search(query, { trust }).hits.map(({ path }) => path)

test("an edit in place of the same size and time, by another process, is found by the next search", async () => {
  const file = put("notes/deep/a.md", "- a lantern\n")
  put("notes/b.md", "- a lantern and more\n")
  const memory = open()
  await settle(memory)
  for (const word of ["candles", "lantern", "beacons"]) {
    await edit({ kind: "in-place", path: file, text: `- a ${word}\n` })
    expect(found(memory, word)).toContain("notes/deep/a.md")
  }
  expect(found(memory, "lantern")).toEqual(["notes/b.md"])
})

test("a store that was empty of folders, and folders that are filled later", async () => {
  put("notes/a.md", "- a lantern\n")
  const memory = open()
  await settle(memory)
  await edit({ kind: "make-folder", path: join(path, "notes/new/newer") })
  expect(found(memory, "candles")).toEqual([])
  await edit({ kind: "write", path: join(path, "notes/new/newer/b.md"), text: "- candles\n" })
  expect(found(memory, "candles")).toEqual(["notes/new/newer/b.md"])
  await edit({ kind: "remove", path: join(path, "notes/new") })
  expect(found(memory, "candles")).toEqual([])
})

test("a second name in a folder that nobody watches closes a file before it is shown again", async () => {
  const file = put("notes/a.md", "- a lantern\n")
  put("notes/b.md", "- a lantern for all\n")
  mkdirSync(join(path, "closed", ".hidden"), { recursive: true })
  const closed = { name: "closed", folder: join(path, "closed"), trust: "full" } as const
  const memory = open({ stores: [store(join(path, "notes")), closed] })
  await settle(memory)
  expect(found(memory, "lantern", "familiar").toSorted()).toEqual(["notes/a.md", "notes/b.md"])
  await edit({ kind: "link", path: file, to: join(path, "closed", ".hidden", "a.md") })
  expect(found(memory, "lantern", "familiar")).toEqual(["notes/b.md"])
  await edit({ kind: "remove", path: join(path, "closed", ".hidden", "a.md") })
  expect(found(memory, "lantern", "familiar").toSorted()).toEqual(["notes/a.md", "notes/b.md"])
})

test("a workspace that is configured otherwise, a skill around a store and a word in a file close files at once", async () => {
  const file = put("memory/social/a.md", "- a lantern\n")
  put("memory/social/b.md", "- a lantern for all\n")
  let workspace = openWorkspace(path)
  const social = { name: "social", folder: join(path, "memory", "social"), trust: "familiar" } as const
  const memory = open({ stores: [social], root: path, gate: () => workspaceGate(workspace) })
  const both = ["social/a.md", "social/b.md"]
  const now = () => found(memory, "lantern", "familiar").toSorted()
  await settle(memory)
  expect(now()).toEqual(both)
  put("incipit.yaml", "prompt:\n  files:\n    - path: memory/social/a.md\n      trust: full\n")
  workspace = reload(workspace)
  expect(now()).toEqual(["social/b.md"])
  put("incipit.yaml", "{}\n")
  workspace = reload(workspace)
  expect(now()).toEqual(both)
  const skill = put("memory/SKILL.md", "---\nname: x\ndescription: x\ntrust: full\n---\n")
  expect(now()).toEqual([])
  rmSync(skill)
  expect(now()).toEqual(both)
  await settle(memory)
  await edit({ kind: "write", path: file, text: "---\ntrust: inner\n---\n- a lantern\n" })
  expect(now()).toEqual(["social/b.md"])
  expect(found(memory, "lantern", "inner").toSorted()).toEqual(both)
})

test("a store that is replaced by a link, or is in a folder that is, shows nothing of where it leads", async () => {
  put("notes/a.md", "- a lantern\n")
  put("elsewhere/a.md", "- a lantern elsewhere\n")
  const memory = open({ root: path })
  await settle(memory)
  await edit({ kind: "rename", path: join(path, "notes"), to: join(path, "old") })
  symlinkSync(join(path, "elsewhere"), join(path, "notes"))
  expect(found(memory, "lantern")).toEqual([])
})

test.each([
  ["src", "./src/memory/memory.ts", "./src/tokens/o200k.ts"],
  ["the package", "./dist/lib/memory.js", "./dist/lib/tokens.js"],
])(
  "%s: a watch leaves nothing beside the index, and does not keep a process running",
  (_, memory, tokens) => {
    put("notes/a.md", "- a lantern\n")
    const program = `
    import { readdirSync, readlinkSync } from "node:fs"
    import { openMemory } from "${memory}"
    import { o200k } from "${tokens}"
    const [folder, index] = process.argv.slice(1)
    const stores = [{ name: "notes", folder, trust: "full" }]
    const memory = openMemory({ stores, index, counter: o200k, watchFrom: 1 })
    const found = () => memory.search("lantern", { trust: "full" }).hits.length
    const watches = () => process.platform === "linux" && readdirSync("/proc/self/fd").some(isWatch)
    const isWatch = (name) => {
      try {
        return readlinkSync("/proc/self/fd/" + name).includes("inotify")
      } catch {
        return false
      }
    }
    const seen = [found(), watches()]
    found()
    found()
    await memory.refresh()
    console.log(...seen, found(), watches())`
    const { index } = options()
    const args = ["--input-type=module-typescript", "-e", program, join(path, "notes"), index]
    const isWatched = process.platform === "linux"
    expect(execFileSync(process.execPath, args, { encoding: "utf8" })).toBe(`1 false 1 ${isWatched}\n`)
    expect(readdirSync(dirname(index)).filter((name) => name.includes("watch"))).toEqual([])
  },
)

test("an index in memory writes nothing, not even for a moment, into the folder that the process works in", async () => {
  put("notes/a.md", "- a lantern\n")
  const seen: string[] = []
  const last = `.seen-${process.pid}`
  const looked = new Promise<void>((done) => {
    const watcher = watch(".", (_kind, name) => {
      if (name?.startsWith(".watch-")) seen.push(name)
      if (name !== last) return
      watcher.close()
      done()
    })
  })
  await settle(open({ index: ":memory:" }))
  // Events come in order: after this one, there is none of before.
  writeFileSync(last, "")
  rmSync(last)
  await looked
  expect(seen).toEqual([])
})
