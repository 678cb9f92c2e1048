import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import fc from "fast-check"
import { afterEach, expect, test } from "vitest"
import { o200k } from "../../src/tokens/o200k.ts"
import { type MemoryFolder, memoryFolder } from "./folder.ts"
import { TEXTS } from "./hostile.ts"

let folder: MemoryFolder
afterEach(() => folder.remove())

const CAROL =
  "# People\n\n## Carol\n\n- birthday: 12 March\n- likes green tea\n\n## Bo\n\n- plays the cello\n"

test("a hit says where it is, under which heading, and what it costs", () => {
  folder = memoryFolder({ "shared/people.md": CAROL, "shared/2024-05-01.md": "- Bo moved to Oslo\n" })
  const { status, hits, tokens } = folder.memory.search("When is Carol's birthday?", {
    trust: "full",
    limit: 1,
  })
  expect({ status, hits: hits.map(({ score, ...rest }) => rest), tokens }).toEqual({
    status: "ok",
    hits: [
      {
        path: "shared/people.md",
        lines: [5, 5],
        heading: "People > Carol",
        text: "- birthday: 12 March",
        tokens: 6,
      },
    ],
    tokens: 6,
  })
  expect(folder.memory.search("Oslo", { trust: "full" }).hits[0]).toMatchObject({
    date: "2024-05-01",
    lines: [1, 1],
  })
})

test("a heading is found by itself, and shows what is below it", () => {
  folder = memoryFolder({ "shared/people.md": CAROL })
  expect(
    folder.memory.search("Carol", { trust: "full" }).hits.map(({ text, lines }) => ({ text, lines })),
  ).toEqual([{ text: "## Carol\n\n- birthday: 12 March\n- likes green tea", lines: [3, 6] }])
})

test("words in any form and script find their line", () => {
  const lines = [
    "- She painted the fences",
    "- Model gpt-4 on release 2026.4.10",
    "- 田中さんは東京に住んでいます",
    "- สวัสดีครับเพื่อน",
    "- 사과를 좋아해요",
    "- Crème brûlée at the café",
    "- vitamin B for 🎂",
    "- x",
  ]
  folder = memoryFolder({ "social/a.md": lines.join("\n") })
  const asked: readonly (readonly [string, number])[] = [
    ["painting a fence?", 0],
    ["gpt-4", 1],
    ["2026.4.10", 1],
    ["東京", 2],
    ["住", 2],
    ["เพื่อน", 3],
    ["사과를", 4],
    ["creme brulee", 5],
    ["CAFE", 5],
    ["🎂", 6],
    ["x", 7],
  ]
  const found = asked.map(
    ([question]) => folder.memory.search(question, { trust: "familiar" }).hits[0]?.lines[0],
  )
  expect(found).toEqual(asked.map(([, at]) => at + 1))
})

test("a date in the question prefers what is dated so", () => {
  const day = (date: string) => `# ${date}\n\n- Ana went for a walk in the hills\n`
  folder = memoryFolder({
    "social/a.md": day("3 May 2023"),
    "social/b.md": day("9 June 2023"),
    "social/c.md": day("9 July 2023"),
  })
  const first = (question: string) =>
    folder.memory.search(question, { trust: "familiar", limit: 1 }).hits[0]?.date
  expect(
    ["Where did Ana walk in June?", "Ana's walk on 9 July 2023", "Ana walk 2023-05-03"].map(first),
  ).toEqual(["2023-06-09", "2023-07-09", "2023-05-03"])
})

test("one text is one hit, wherever it is", () => {
  folder = memoryFolder({ "social/a.md": "- Likes tea.\n", "social/b.md": "- likes TEA\n" })
  expect(folder.memory.search("tea", { trust: "familiar" }).hits).toHaveLength(1)
})

test("what does not fit is shortened around the words asked for, and the rest is counted", () => {
  const long = `${"Nothing of interest happens here. ".repeat(60)}The lantern is in the blue shed. ${"And so on, and so on. ".repeat(60)}`
  folder = memoryFolder({ "social/a.md": `${long}\n\n- another lantern\n- third lantern\n` })
  for (const budget of [1, 12, 20, 60, 150, 5_000]) {
    const { hits, tokens, more } = folder.memory.search("blue lantern shed", { trust: "familiar", budget })
    expect(tokens).toBe(hits.reduce((sum, hit) => sum + o200k.count(hit.text), 0))
    expect(tokens).toBeLessThanOrEqual(Math.max(12, budget))
    expect(hits.length + (more?.count ?? 0)).toBe(3)
    expect(hits[0]?.text).toContain("lantern")
  }
})

test("a heading gives way to a line of its own part that answers better", () => {
  folder = memoryFolder({ "shared/people.md": CAROL })
  const { hits } = folder.memory.search("When is the birthday of Carol?", { trust: "full" })
  expect(hits.map(({ text }) => text)).toEqual(["- birthday: 12 March", "- likes green tea"])
})

test("what shares only a common word with the question is no hit beside one that answers it", () => {
  const common = Array.from({ length: 30 }, (_line, at) => `- lamp ${at}`)
  folder = memoryFolder({
    "shared/a.md": common.join("\n"),
    "shared/b.md": "- wick\n- vane\n- hinge\n- door\n- bell\n",
    "shared/oil.md": "- The lamp burns colza\n",
  })
  const { hits, more } = folder.memory.search("colza lamp", { trust: "full" })
  expect([hits.map(({ text }) => text), more]).toEqual([["- The lamp burns colza"], undefined])
})

test("what is left out is priced as the hit that it would be", () => {
  const long = `- oil ${"and so on ".repeat(200)}`
  folder = memoryFolder({ "shared/a.md": "- oil oil\n", "shared/b.md": long })
  const { hits, more } = folder.memory.search("oil", { trust: "full", limit: 1 })
  expect([hits.map(({ path }) => path), more]).toEqual([["shared/a.md"], { count: 1, tokens: 160 }])
})

test("stop words, and nothing at all, give an answer", () => {
  folder = memoryFolder({ "social/a.md": "- to be or not to be\n- the lantern\n" })
  expect(folder.memory.search("to be or not to be", { trust: "familiar" }).hits[0]?.lines).toEqual([1, 1])
  expect(folder.memory.search("", { trust: "familiar" })).toEqual({ status: "empty", hits: [], tokens: 0 })
  expect(folder.memory.search("zeppelin", { trust: "familiar" })).toEqual({
    status: "empty",
    hits: [],
    tokens: 0,
  })
})

test("no question throws, and none is read as an order to the index", () => {
  folder = memoryFolder({
    "social/a.md": "- the lantern is blue\n- a shed\n",
    "private/b.md": "- lantern secret\n",
  })
  for (const text of TEXTS) {
    const result = folder.memory.search(text, { trust: "familiar" })
    expect(["ok", "empty"]).toContain(result.status)
    for (const hit of result.hits) expect(hit.path).toBe("social/a.md")
    expect(folder.memory.recall(text, { trust: "familiar", budget: 100 }).tokens).toBeLessThanOrEqual(100)
  }
  expect(folder.memory.search('NOT "lantern" AND -lantern', { trust: "familiar" }).hits[0]?.lines).toEqual([
    1, 1,
  ])
})

test("the price is that of the text, for any text and any question", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.constantFrom(...TEXTS.slice(0, 56)),
  )
  folder = memoryFolder()
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 8 }),
      text,
      fc.integer({ min: 0, max: 60 }),
      (lines, question, budget) => {
        folder.write("social/a.md", lines.map((line) => `- ${line}`).join("\n"))
        const result = folder.memory.search(question, { trust: "familiar", budget })
        expect(["ok", "empty"]).toContain(result.status)
        for (const hit of result.hits) expect(hit.tokens).toBe(o200k.count(hit.text))
        expect(result.tokens).toBe(result.hits.reduce((sum, hit) => sum + hit.tokens, 0))
        expect(result.tokens).toBeLessThanOrEqual(Math.max(12, budget))
        const recall = folder.memory.recall(question, { trust: "familiar", budget })
        expect(recall.tokens).toBe(o200k.count(recall.text))
        expect(recall.tokens).toBeLessThanOrEqual(budget)
      },
    ),
    { seed: 11, numRuns: 60 },
  )
})

test("what is written now is found now, and what is deleted is gone from the index as well", async () => {
  folder = memoryFolder({ "social/a.md": "- one lantern\n" })
  const find = (text: string) => folder.memory.search(text, { trust: "familiar" }).hits.map((hit) => hit.text)
  expect(find("lantern")).toEqual(["- one lantern"])
  folder.write("social/a.md", "- two lantern\n")
  expect(find("lantern")).toEqual(["- two lantern"])
  const other = folder.write("social/b.md", "- a quokkaword\n")
  expect(find("quokkaword")).toEqual(["- a quokkaword"])
  rmSync(other)
  expect(find("quokkaword")).toEqual([])
  await folder.memory.close()
  for (const name of readdirSync(join(folder.path, "state")))
    expect(readFileSync(join(folder.path, "state", name)).includes("quokkaword")).toBe(false)
})

test("a change that leaves the size and time of a file as they were is seen while it is fresh", () => {
  folder = memoryFolder({ "social/a.md": "- one lantern\n" })
  const path = join(folder.path, "memory/social/a.md")
  const find = () => folder.memory.search("lantern", { trust: "familiar" }).hits.map((hit) => hit.text)
  const { atime, mtime } = statSync(path)
  utimesSync(path, atime, mtime)
  expect(find()).toEqual(["- one lantern"])
  writeFileSync(path, "- two lantern\n")
  utimesSync(path, atime, mtime)
  expect(find()).toEqual(["- two lantern"])
})

test("an edit in place is found by the next search of every handle, whatever time and size say", () => {
  const old = new Date(1_000_000_000)
  folder = memoryFolder({ "social/a.md": "- one lantern\n", "social/deep/b.md": "- one beacon\n" })
  const files = ["social/a.md", "social/deep/b.md"].map((name) => join(folder.path, "memory", name))
  for (const path of files) utimesSync(path, old, old)
  const other = folder.open()
  const find = () =>
    [folder.memory, other].map((memory) =>
      memory
        .search("lantern beacon", { trust: "familiar" })
        .hits.map((hit) => hit.text)
        .sort(),
    )
  expect(find()).toEqual(Array(2).fill(["- one beacon", "- one lantern"]))
  for (const [path, name] of [
    [files[0]!, "lantern"],
    [files[1]!, "beacon"],
  ] as const) {
    writeFileSync(path, `- two ${name}\n`)
    utimesSync(path, old, old)
  }
  expect(find()).toEqual(Array(2).fill(["- two beacon", "- two lantern"]))
  folder.write("social/new/c.md", "- third lantern\n")
  rmSync(files[1]!)
  expect(find()).toEqual(Array(2).fill(["- third lantern", "- two lantern"]))
})

test("the index is for its owner alone, and one that was deleted is there again", () => {
  folder = memoryFolder({ "social/a.md": "- one lantern\n" })
  const index = join(folder.path, "state/memory.sqlite")
  const modes = [1, 2].map(() => {
    rmSync(index, { force: true })
    folder.memory.search("lantern", { trust: "familiar" })
    return statSync(index).mode & 0o777
  })
  expect(modes).toEqual([0o600, 0o600])
})

test("an index that is deleted or damaged is made again, and the files stay as they are", async () => {
  folder = memoryFolder({ "social/a.md": "- one lantern\n" })
  const index = join(folder.path, "state", "memory.sqlite")
  const find = () => folder.memory.search("lantern", { trust: "familiar" })
  expect(find().hits).toHaveLength(1)
  for (const end of ["", "-wal", "-shm"]) rmSync(index + end, { force: true })
  expect(find()).toMatchObject({ status: "ok", hits: [{ text: "- one lantern" }] })
  await folder.memory.close()
  writeFileSync(index, "this is no database, and long enough to be looked at ".repeat(100))
  expect(folder.open().search("lantern", { trust: "familiar" })).toMatchObject({
    status: "ok",
    hits: [{ text: "- one lantern" }],
  })
})

test("an index of a newer Incipit is an error that says so, not an empty answer", async () => {
  folder = memoryFolder({ "social/a.md": "- one lantern\n" })
  folder.memory.search("lantern", { trust: "familiar" })
  await folder.memory.close()
  const database = new DatabaseSync(join(folder.path, "state", "memory.sqlite"))
  database.exec("PRAGMA user_version = 99")
  database.close()
  expect(folder.open().search("lantern", { trust: "familiar" })).toMatchObject({ status: "error", hits: [] })
})

test("many files are indexed in the background: until then the answer is stale, never empty", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 260 }, (_, at) => [`social/${at}.md`, `- lantern number ${at}\n`]),
  )
  folder = memoryFolder(files)
  // Files that were written just now are looked at again, whatever their time says.
  const social = readdirSync(folder.path, { recursive: true, encoding: "utf8" }).filter((name) =>
    /social.\d+\.md$/.test(name),
  )
  for (const name of social) utimesSync(join(folder.path, name), 1_000_000, 1_000_000)
  expect(social).toHaveLength(260)
  expect(folder.memory.search("lantern", { trust: "familiar" })).toEqual({
    status: "stale",
    reason: "260 files are being indexed",
    hits: [],
    tokens: 0,
  })
  const reports: number[] = []
  await folder.memory.refresh({ onProgress: ({ done }) => reports.push(done) })
  expect(folder.memory.search("lantern", { trust: "familiar" }).status).toBe("ok")
  await folder.memory.refresh({ rebuild: true, onProgress: ({ done }) => reports.push(done) })
  expect(reports.at(-1)).toBe(260)
  expect(folder.memory.status().stores.find(({ name }) => name === "social")).toEqual({
    name: "social",
    trust: "familiar",
    files: 260,
    units: 260,
    tokens: expect.any(Number),
    fresh: true,
    changed: 0,
  })
})

test("during a rebuild the old index answers", async () => {
  folder = memoryFolder(
    Object.fromEntries(
      Array.from({ length: 120 }, (_, at) => [`social/${at}.md`, `- lantern number ${at}\n`]),
    ),
  )
  const search = () => folder.memory.search("lantern number 77", { trust: "familiar" })
  const before = search()
  let seen = 0
  await folder.memory.refresh({
    rebuild: true,
    onProgress: () => {
      expect(search()).toEqual(before)
      seen += 1
    },
  })
  // How often depends on how long the slices take.
  expect(seen).toBeGreaterThan(0)
  expect(search().hits.map(({ text }) => text)).toEqual(before.hits.map(({ text }) => text))
})

test("why a line is not among the hits", () => {
  folder = memoryFolder({
    "social/a.md": "- the lantern\n- cello\n- a b\n",
    "private/s.md": "- secret lantern\n",
  })
  const why = (wanted: string, question: string) =>
    folder.memory.whyNot(wanted, question, { trust: "familiar" })
  expect(why("no such text", "lantern")).toEqual({ kind: "unknown" })
  expect(why("private/s.md", "lantern")).toEqual({
    kind: "withheld",
    path: "private/s.md",
    needs: "full",
    has: "familiar",
  })
  expect(why("secret lantern", "lantern")).toMatchObject({ kind: "withheld" })
  expect(why("social/a.md", "zeppelin")).toMatchObject({
    kind: "no-match",
    path: "social/a.md",
    asked: ["zeppelin"],
  })
  expect(why("the lantern", "blue lantern")).toMatchObject({
    kind: "ranked",
    rank: 1,
    shared: ["lantern"],
    lines: [1, 1],
  })
})
