import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { openMemory } from "../../src/memory/memory.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { memoryFolder } from "./folder.ts"

function folder(files: Readonly<Record<string, string>>) {
  const made = memoryFolder(files)
  onTestFinished(() => made.remove())
  return made
}

const FILES = {
  "shared/people.md":
    "# People\n\n- 2026-06-01: Carol moved\n- Carol likes tea\n\n## June 2026\n\n- A month of fog\n",
  "shared/2026-06-14.md": "- first\n- second\n",
  "social/2026-06-14.md": "- third\n",
  "private/plans.md": "- 2027-01-01: the lease ends\n- 2026-06-13: signed\n",
}

test("the newest come first, of one day those further down; what is undated or lies ahead is left out", () => {
  const { memory } = folder(FILES)
  const recent = (trust: "full" | "inner" | "public", limit = 10) =>
    memory
      .recent({ trust, until: "2026-06-15", limit })
      .entries.map(({ path, date, text }) => `${date} ${path} ${text}`)
  const inner = [
    "2026-06-14 shared/2026-06-14.md - second",
    "2026-06-14 shared/2026-06-14.md - first",
    "2026-06-14 social/2026-06-14.md - third",
    "2026-06-01 shared/people.md - 2026-06-01: Carol moved",
    "2026-06 shared/people.md - A month of fog",
  ]
  expect([recent("inner"), recent("inner", 2), recent("full")[3], recent("public")]).toEqual([
    inner,
    inner.slice(0, 2),
    "2026-06-13 private/plans.md - 2026-06-13: signed",
    [],
  ])
})

test("what has a date of its own counts from that, whatever the file's name says", () => {
  const { memory } = folder({ "shared/2026-06-10.md": "- 2026-06-08: fog\n- sun\n" })
  const { entries } = memory.recent({ trust: "inner", until: "2026-06-15", limit: 5 })
  expect(entries.map(({ date, text }) => [date, text])).toEqual([
    ["2026-06-10", "- sun"],
    ["2026-06-08", "- 2026-06-08: fog"],
  ])
})

test("of one day the order is that of the paths, whatever the order of the stores", async () => {
  const { path } = folder({ "shared/2026-06-14.md": "- first\n", "social/2026-06-14.md": "- second\n" })
  const stores = ["social", "shared"].map((name) => {
    return { name, folder: join(path, "memory", name), trust: "inner" } as const
  })
  const memory = openMemory({ stores, index: join(path, "other.sqlite"), counter: o200k })
  const { entries } = memory.recent({ trust: "inner", until: "2026-06-15", limit: 5 })
  expect(entries.map(({ text }) => text)).toEqual(["- first", "- second"])
  await memory.close()
})

test("an entry that was written counts from the day of its writing", () => {
  const { memory } = folder({})
  const now = Date.UTC(2026, 5, 15)
  memory.write("Carol was born on 2001-01-01", { trust: "inner", by: "ada", path: "people.md", now })
  expect(memory.recent({ trust: "inner", until: "2026-06-15", limit: 5 })).toEqual({
    status: "ok",
    entries: [
      {
        path: "shared/people.md",
        date: "2026-06-15",
        text: "- Carol was born on 2001-01-01",
        digest: expect.stringMatching(/^[0-9a-f]{32}$/),
        provenance: { by: "ada", trust: "inner", at: "2026-06-15T00:00:00.000Z" },
      },
    ],
  })
})

test("what is hidden changes nothing", () => {
  const ask = (files: Readonly<Record<string, string>>) =>
    folder(files).memory.recent({ trust: "inner", until: "2026-06-15", limit: 3 })
  const { "private/plans.md": hidden, ...visible } = FILES
  expect(hidden && ask(FILES)).toEqual(ask(visible))
})

test("says when there is nothing, and when it cannot be asked", async () => {
  const made = folder({})
  expect(made.memory.recent({ trust: "full", until: "2026-06-15", limit: 3 })).toEqual({
    status: "empty",
    entries: [],
  })
  await made.memory.close()
  const { status, entries } = made.memory.recent({ trust: "full", until: "2026-06-15", limit: 3 })
  expect([status, entries]).toEqual(["error", []])
})

test("in one look, an edit counts from the next look on, and what is written to memory at once", () => {
  const { memory, write } = folder({ "shared/2026-06-14.md": "- fog\n" })
  const recent = () =>
    memory.recent({ trust: "inner", until: "2026-06-15", limit: 5 }).entries.map(({ text }) => text)
  const [before, during, written] = memory.inOneLook(() => {
    const before = recent()
    write("shared/2026-06-15.md", "- sun\n")
    const during = recent()
    memory.write("rain", { trust: "inner", by: "bo", now: Date.UTC(2026, 5, 13), store: "shared" })
    return [before, during, recent()]
  })
  expect([before, during, written]).toEqual([["- fog"], ["- fog"], ["- sun", "- fog", "- rain"]])
  write("shared/2026-06-15.md", "- storm\n")
  expect([recent(), memory.inOneLook(recent)]).toEqual(Array(2).fill(["- storm", "- fog", "- rain"]))
})
