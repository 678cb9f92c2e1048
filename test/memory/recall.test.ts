// What is recalled for a turn: the best hits first, each with its place, as many as the budget holds.
import { afterEach, expect, test } from "vitest"
import { namesIn } from "../../src/memory/rank/relevance.ts"
import { isRecalled, recallText } from "../../src/memory/recall.ts"
import type { Hit, SearchResult } from "../../src/memory/search.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { type MemoryFolder, memoryFolder } from "./folder.ts"

let folder: MemoryFolder
const folders: MemoryFolder[] = []
afterEach(async () => {
  for (const used of folders.splice(0)) await used.remove()
})

function hit(path: string, text: string, more: Partial<Hit> = {}): Hit {
  return { path, lines: [1, 1], heading: "", text, tokens: o200k.count(text), score: 1, ...more }
}

const HITS = [
  hit("shared/lamp.md", "The lamp turns slowly.", { lines: [3, 4], date: "2026-06-12" }),
  hit("shared/log.md", "The sea was as it is. ".repeat(40)),
  hit("shared/oil [old].md", "There is oil."),
]
const FOUND: SearchResult = { status: "ok", hits: HITS, tokens: 0 }

test("each hit comes after a mark with its place, by which it is known again", () => {
  const { text, hits } = recallText(FOUND, 60, o200k)
  expect(text).toBe(
    "[memory shared/lamp.md:3-4 (2026-06-12)] The lamp turns slowly.\n[memory shared/oil [old).md:1] There is oil.\n",
  )
  expect(hits).toEqual([HITS[0], HITS[2]])
  expect(text.trimEnd().split("\n").map(isRecalled)).toEqual([true, true])
})

test("what just fits is recalled, and what is a token too long is not", () => {
  const all = recallText(FOUND, 10_000, o200k)
  expect([all.hits, all.tokens]).toEqual([HITS, o200k.count(all.text)])
  expect(recallText(FOUND, all.tokens, o200k)).toEqual(all)
  expect(recallText(FOUND, all.tokens - 1, o200k).hits).toEqual(HITS.slice(0, 2))
})

const DISHES = [..."abcdefghijk"].map(
  (name) => `- dish ${name}: make it from scratch, with flour of the mill`,
)

/** What is recalled, and what search finds, from eleven lines that say "from scratch" and one about a person. */
function asked(message: string, files: Readonly<Record<string, string>> = {}) {
  folder = memoryFolder({
    "shared/kitchen.md": `# Kitchen\n\n${DISHES.join("\n")}\n`,
    "shared/people.md": "# People\n\n- Carol keeps the harbour ledger\n- Bo plays the cello\n",
    "shared/lamp.md": "# Lamp\n\n- The wick is trimmed at dusk\n- Oil comes in blue drums\n",
    ...files,
  })
  folders.push(folder)
  const options = { trust: "inner", budget: 300 } as const
  return {
    recalled: folder.memory.recall(message, options).hits.length,
    found: folder.memory.search(message, options).hits.length,
  }
}

test("a word shared by chance recalls nothing, though search finds it", () => {
  expect(asked("Write hello into scratch.txt, please")).toEqual({ recalled: 0, found: expect.any(Number) })
  expect(folder.memory.search("scratch.txt", { trust: "inner" }).hits.length).toBeGreaterThan(5)
  expect(folder.memory.recall("scratch.txt", { trust: "inner", budget: 300 })).toMatchObject({
    status: "empty",
    text: "",
    tokens: 0,
  })
})

test("a person whom memory has never heard of recalls nothing", () => {
  expect(asked("Which instrument does Zebulon play at the harbour?").recalled).toBe(0)
  expect(
    folder.memory.recall("Which instrument does Bo play?", { trust: "inner", budget: 300 }).text,
  ).toContain("Bo plays the cello")
})

test("what memory knows is recalled, by other words for it and inside of a long message too", () => {
  expect(asked("How do I make dish c from scratch?").recalled).toBeGreaterThan(0)
  for (const message of [
    "Who keeps the ledger?",
    "who is responsible for the harbour ledger nowadays",
    "WHO KEEPS THE LEDGER?",
    "Please tell me, do you remember who keeps the ledger? Thanks!",
    "I was thinking about yesterday evening and several unrelated matters. Anyway, who keeps the harbour ledger?",
  ])
    expect(folder.memory.recall(message, { trust: "inner", budget: 300 }).text, message).toContain(
      "Carol keeps",
    )
})

test("one word that memory knows once is enough beside four that it does not know, and not beside five", () => {
  const made = memoryFolder({ "shared/a.md": "- lantern w1\n", "shared/b.md": "- plain w2\n" })
  folders.push(made)
  const recalled = (message: string) =>
    made.memory.recall(message, { trust: "inner", budget: 300 }).hits.map(({ text }) => text)
  expect(
    ["lantern", "lantern alpha beta gamma delta", "lantern alpha beta gamma delta epsilon"].map(recalled),
  ).toEqual([["- lantern w1"], ["- lantern w1"], []])
})

test("a file is recalled by its name once memory mentions it", () => {
  const notes = { "shared/notes.md": "- scratch.txt holds the draft of the letter\n" }
  expect(asked("Please open scratch.txt", notes).recalled).toBeGreaterThan(0)
})

test("what somebody may not see does not help them to recall", () => {
  const secret = { "private/zebulon.md": "- Zebulon plays the tuba\n- Zebulon is at the harbour\n" }
  const message = "Which instrument does Zebulon play at the harbour?"
  const without = asked(message)
  expect(asked(message, secret)).toEqual(without)
})

test("names are capitals inside of a sentence and joined names, never a sentence's first word", () => {
  expect([
    ...namesIn("Where did Carol go? Then Bo left. See notes.txt, well-known and/or src/memory."),
  ]).toEqual(["carol", "bo", "notes·txt", "src·memory"])
  expect([...namesIn("WHERE IS CAROL")]).toEqual([])
  expect([...namesIn("Ja.\n- Carol")]).toEqual([])
})
