import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { afterEach, expect, test } from "vitest"
import { TRUSTS, type Trust } from "../../src/base/trust.ts"
import { openMemory } from "../../src/memory/memory.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { type MemoryFolder, memoryFolder, STORES } from "./folder.ts"
import { PATHS } from "./hostile.ts"

let folder: MemoryFolder
afterEach(() => folder.remove())

const FILES = {
  "private/secret.md": "- the lantern code is 4711\n",
  "shared/team.md": "- a lantern for the team\n",
  "social/note.md": "- a lantern for all\n",
}

test("each trust finds and reads just the stores that it reaches", () => {
  folder = memoryFolder(FILES)
  writeFileSync(join(folder.path, "MEMORY.md"), "- the owner's lantern\n")
  const found = (trust: Trust) =>
    folder.memory
      .search("lantern", { trust })
      .hits.map(({ path }) => path)
      .toSorted()
  const read = (trust: Trust) =>
    [...Object.keys(FILES), "private/MEMORY.md"]
      .filter((path) => folder.memory.get(path, { trust }).status === "ok")
      .toSorted()
  const reach = {
    public: [],
    familiar: ["social/note.md"],
    inner: ["shared/team.md", "social/note.md"],
    full: ["private/MEMORY.md", "private/secret.md", "shared/team.md", "social/note.md"],
  }
  for (const trust of TRUSTS) expect([found(trust), read(trust)]).toEqual([reach[trust], reach[trust]])
  expect(folder.memory.status({ trust: "familiar" }).stores.map(({ name }) => name)).toEqual(["social"])
})

test("what is forbidden and what is not there look the same", () => {
  folder = memoryFolder(FILES)
  const answers = ["private/secret.md", "private/none.md", "nowhere/none.md", "social/none.md", ...PATHS].map(
    (path) => folder.memory.get(path, { trust: "familiar" }),
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set(['{"status":"not-found","reason":"no such file in memory"}']),
  )
  expect(folder.memory.search("4711", { trust: "familiar" })).toEqual(
    folder.memory.search("0815", { trust: "familiar" }),
  )
})

test("no path leads out of the stores, to read or to write", () => {
  folder = memoryFolder(FILES)
  writeFileSync(join(folder.path, "outside.md"), "outside\n")
  const full = PATHS.map((path) => folder.memory.get(path, { trust: "full" }).status)
  expect(new Set(full)).toEqual(new Set(["not-found"]))
  for (const path of PATHS) {
    const result = folder.memory.write(`a fact for ${path.length} ${path.replaceAll(/\W/g, "x")}`, {
      trust: "familiar",
      by: "bob",
      store: "social",
      path,
      now: 0,
    })
    const landed = result.status === "written" ? result.path : "social/"
    expect(landed.startsWith("social/")).toBe(true)
  }
  const names = folder.memory.status().stores.map(({ name, files }) => [name, files])
  expect(names.slice(0, 2)).toEqual(
    [
      ["private", 0],
      ["shared", 0],
    ].map(([name]) => [name, expect.any(Number)]),
  )
  expect(
    folder.memory.search("fact", { trust: "full" }).hits.every(({ path }) => path.startsWith("social/")),
  ).toBe(true)
})

test("another name of a file gives no right to read it", () => {
  folder = memoryFolder(FILES)
  const [secret, social] = [join(folder.path, "memory/private/secret.md"), join(folder.path, "memory/social")]
  linkSync(secret, join(social, "hard.md"))
  symlinkSync(secret, join(social, "soft.md"))
  symlinkSync(join(folder.path, "memory/private"), join(social, "way"))
  mkdirSync(join(folder.path, "elsewhere"))
  writeFileSync(join(folder.path, "elsewhere/x.md"), "- lantern elsewhere\n")
  symlinkSync(join(folder.path, "elsewhere"), join(social, "else"))
  for (const path of ["social/hard.md", "social/soft.md", "social/way/secret.md", "social/else/x.md"]) {
    expect(folder.memory.get(path, { trust: "familiar" }).status).toBe("not-found")
    expect(folder.memory.write("a new fact", { trust: "familiar", by: "bob", path, now: 0 }).status).toBe(
      "refused",
    )
  }
  expect(folder.memory.search("lantern", { trust: "familiar" }).hits.map(({ path }) => path)).toEqual([
    "social/note.md",
  ])
})

test("another name of the workspace's own memory gives no right to read it", () => {
  folder = memoryFolder(FILES)
  const own = join(folder.path, "MEMORY.md")
  writeFileSync(own, "- the lantern of the owner\n")
  linkSync(own, join(folder.path, "memory/social/hard.md"))
  expect(folder.memory.get("social/hard.md", { trust: "familiar" }).status).toBe("not-found")
  const found = (trust: Trust) => folder.memory.search("owner", { trust }).hits.map(({ path }) => path)
  expect([found("familiar"), found("full")]).toEqual([[], ["private/MEMORY.md"]])
})

test("a hard link that needs no more trust is read like an ordinary file", () => {
  folder = memoryFolder(FILES)
  linkSync(join(folder.path, "memory/social/note.md"), join(folder.path, "backup.md"))
  expect(folder.memory.get("social/note.md", { trust: "familiar" }).status).toBe("ok")
  expect(folder.memory.search("lantern", { trust: "familiar" }).hits.map(({ path }) => path)).toEqual([
    "social/note.md",
  ])
})

test("a store within the folder of another is no part of it", async () => {
  folder = memoryFolder(FILES)
  const at = join(folder.path, "memory")
  const stores = [
    { name: "all", folder: at, trust: "familiar" },
    { name: "mine", folder: join(at, "private"), trust: "full" },
  ] as const
  const memory = openMemory({ stores, index: join(folder.path, "other.sqlite"), counter: o200k })
  const found = (trust: Trust) =>
    memory
      .search("lantern", { trust })
      .hits.map(({ path }) => path)
      .toSorted()
  const visible = ["all/shared/team.md", "all/social/note.md"]
  expect([found("familiar"), found("full")]).toEqual([visible, [...visible, "mine/secret.md"]])
  const path = "all/private/secret.md"
  expect(memory.get(path, { trust: "familiar" }).status).toBe("not-found")
  expect(memory.write("a new fact", { trust: "familiar", by: "bob", path, now: 0 }).status).toBe("refused")
  await memory.close()
})

test("a name that could be read as another one names nothing, and no file is too large by a byte", () => {
  folder = memoryFolder({
    "social/cafe\u0301.md": "- a lantern\n",
    "social/large.md": "x".repeat(1024 * 1024),
    "social/larger.md": "x".repeat(1024 * 1024 + 1),
  })
  const status = (path: string) => folder.memory.get(path, { trust: "familiar", lines: 1 }).status
  expect(["social/cafe\u0301.md", "social/large.md", "social/larger.md"].map(status)).toEqual([
    "not-found",
    "ok",
    "not-found",
  ])
})

const WORDS = [
  "lantern",
  "harbour",
  "cello",
  "tea",
  "march",
  "oslo",
  "shed",
  "blue",
  "When",
  "?",
  "2024-03-01",
  "- ",
  "# ",
  "\n",
  "Bo: ",
]
const TEXT = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 30 })
  .map((words) => words.join(" "))
const NOTES = fc.array(TEXT, { maxLength: 4 })

test("what one may not see changes nothing: not hits, order, scores, counts or prices", async () => {
  folder = memoryFolder()
  await fc.assert(
    fc.asyncProperty(
      NOTES,
      NOTES,
      NOTES,
      TEXT,
      fc.constantFrom<Trust>("familiar", "inner"),
      async (seen, hidden, others, question, trust) => {
        const answers = []
        for (const secret of [hidden, others]) {
          const own = memoryFolder()
          for (const [at, text] of seen.entries()) own.write(`social/${at}.md`, text)
          for (const [at, text] of secret.entries()) own.write(`private/${at}.md`, text)
          if (trust === "familiar")
            for (const [at, text] of secret.entries()) own.write(`shared/${at}.md`, text)
          // The owner's own questions come first and fill whatever is remembered.
          own.memory.search(question, { trust: "full" })
          answers.push([
            own.memory.search(question, { trust, budget: 60 }),
            own.memory.recall(question, { trust, budget: 80 }),
            own.memory.get("private/0.md", { trust }),
            own.memory.write("lantern blue tea", { trust, by: "bob", now: 0, path: "social/new.md" }),
            own.memory.status({ trust }),
          ])
          await own.remove()
        }
        expect(answers[0]).toEqual(answers[1])
      },
    ),
    { seed: 5, numRuns: 40 },
  )
})

test("a part of a file comes with the price of the rest, whatever is asked for", () => {
  folder = memoryFolder({ "social/a.md": "one\ntwo\nthree\nfour\n" })
  const get = (from?: number, lines?: number) =>
    folder.memory.get("social/a.md", {
      trust: "familiar",
      ...(from !== undefined && { from }),
      ...(lines !== undefined && { lines }),
    })
  expect(get()).toEqual({
    status: "ok",
    path: "social/a.md",
    lines: [1, 4],
    text: "one\ntwo\nthree\nfour",
    tokens: o200k.count("one\ntwo\nthree\nfour"),
  })
  expect(get(2, 1)).toEqual({
    status: "ok",
    path: "social/a.md",
    lines: [2, 2],
    text: "two",
    tokens: 1,
    rest: { from: 3, lines: 2, tokens: o200k.count("three\nfour") },
  })
  for (const odd of [-1, 0, Number.NaN, Number.NEGATIVE_INFINITY, 0.5])
    expect(get(odd, odd)).toMatchObject({ status: "ok", lines: [1, Number.isFinite(odd) ? 1 : 4] })
  expect(get(1e9, 1e9)).toMatchObject({ status: "ok", text: "", tokens: 0 })
  expect(STORES.social).toBe("familiar")
})

test("a line that is longer than all that is shown at once is shown all the same", () => {
  const long = "x".repeat(70_000)
  folder = memoryFolder({ "social/long.md": `${long}\nlast\n` })
  expect(folder.memory.get("social/long.md", { trust: "familiar" })).toMatchObject({
    ...{ lines: [1, 1], text: long },
    rest: { from: 2, lines: 1, tokens: 1 },
  })
})
