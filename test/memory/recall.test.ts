// What is recalled for a turn: the best hits first, each with its place, as many as the budget holds.
import { expect, test } from "vitest"
import { isRecalled, recallText } from "../../src/memory/recall.ts"
import type { Hit, SearchResult } from "../../src/memory/search.ts"
import { o200k } from "../../src/tokens/o200k.ts"

function hit(path: string, text: string, more: Partial<Hit> = {}): Hit {
  return { path, lines: [1, 1], heading: "", text, tokens: o200k.count(text), score: 1, ...more }
}

const HITS = [
  hit("shared/lamp.md", "The lamp turns slowly.", { lines: [3, 4], date: "2026-06-12" }),
  hit("shared/log.md", "The sea was as it is. ".repeat(40)),
  hit("shared/oil [old].md", "There is oil."),
]
const FOUND: SearchResult = { status: "ok", hits: HITS, tokens: 0 }

test("each hit stands behind a mark with its place, by which it is known again", () => {
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
