// What the prompt's view works out by itself: rows of text with their lines, places on the bar and on the timeline, since
// when a text is cached, and what editing it costs.
import { expect, test } from "vitest"
import { blocksOf, placeAfter } from "../../page/parts/blocks.ts"
import { callBefore, lossOf, missWords } from "../../page/parts/call-facts.ts"
import { callAt, dragTo, layoutOf, nextMiss, offsetFor } from "../../page/parts/timeline/timeline-layout.ts"
import { visibleName } from "../../page/parts/visible-text.ts"
import { cachedSince } from "../../page/views/prompt/cached-since.ts"
import { editCost } from "../../page/views/prompt/edit-cost.ts"
import { findIn } from "../../page/views/prompt/find.ts"
import { ownRows } from "../../page/views/prompt/own-rows.ts"
import { rowOf, weighed } from "../../page/views/prompt/prompt-row.ts"
import { firstLine } from "../../page/views/prompt/selection.ts"
import { segmentsOf, textRows, wordAt } from "../../page/views/prompt/text-rows.ts"
import type { CallDetail, CallRow, ShownPart } from "../../src/serve/page/shown.ts"

const FILE = { kind: "file", path: "SOUL.md", match: "exact" } as const

function part(facts: Partial<ShownPart> & Pick<ShownPart, "text">): ShownPart {
  return {
    ...{ tier: "system", kind: "system", role: null, tool: null, tokens: 10, pace: null, breakpoint: null },
    ...{ cache: null, costUsd: null, spans: [] },
    ...facts,
  }
}

function row(facts: Partial<CallRow> & { readonly read?: number; readonly written?: number }): CallRow {
  const { read = 0, written = 0, ...rest } = facts
  return {
    ...{ id: "a.1", session: "s", turn: "a", step: 1, at: 0, model: "anthropic/claude-sonnet-5-5" },
    ...{ client: "incipit", costUsd: null, isSimulated: false, miss: null, error: null },
    usage: { read, written, uncached: 0, output: 1 },
    ...rest,
  }
}

const MISS = {
  ...{ cause: "expired", tokens: 10, costUsd: 0.1, sentence: "", path: null, line: null },
  ...{ before: null, after: null },
} as const

function rowsOf(one: ShownPart, columns = 80) {
  return textRows([{ part: 0, start: 0, end: one.text.length, title: undefined }], [one], columns)
}

test("each row knows the line of its file, across wrapped lines, empty lines and lines of nobody", () => {
  const text = "<soul>\nfirst line\n\nthe third one is long\n</soul>\n"
  const own = { start: 7, end: 41, section: "soul", owner: { ...FILE, lines: [4, 6] as const } }
  const frame = (start: number, end: number) => ({ start, end, section: "soul", owner: null })
  const one = part({ text, spans: [frame(0, 7), own, frame(41, text.length)] })
  expect(
    rowsOf(one, 16).map(({ kind, start, end, fileLine, isFirst, heading }) =>
      kind === "heading" ? heading : [text.slice(start, end), fileLine, isFirst],
    ),
  ).toEqual([
    ["<soul>", undefined, true],
    "SOUL.md",
    ["first line", 4, true],
    ["", 5, true],
    ["the third one ", 6, true],
    ["is long", 6, false],
    ["</soul>", undefined, true],
  ])
})

test("a text in endless stretches is read once, not once for each of them", () => {
  const text = "abcdefghi ".repeat(300_000)
  const starts = Array.from({ length: 300_000 }, (_, at) => at * 10)
  const one = part({
    text,
    spans: starts.map((start) => ({ start, end: start + 9, section: "s", owner: null })),
  })
  const pieces = starts.map((start) => ({ part: 0, start, end: start + 9, title: undefined }))
  expect(textRows(pieces, [one], 80).map(({ start, end }) => [start, end])).toEqual(
    starts.map((start) => [start, start + 9]),
  )
})

test("the first line of a file is found among endless stretches of nobody", () => {
  const nobody = Array.from({ length: 500_000 }, (_, at) => {
    return { start: at * 4, end: at * 4 + 3, section: "s", owner: null }
  })
  const last = { start: 2_000_000, end: 2_000_004, section: "s", owner: { ...FILE, lines: [7, 9] as const } }
  const one = part({ text: " ".repeat(2_000_004), spans: [...nobody, last] })
  const all = weighed({ parts: [one], report: null })
  const row = rowOf(
    { key: "s", title: "s" },
    all.filter(({ span }) => span.section === "s"),
  )
  expect(firstLine({ kind: "row", row }, { parts: [one] })).toEqual({ path: "SOUL.md", line: 7 })
})

test("files that touch keep their lines apart, and a file has no more lines than it has", () => {
  const text = "a one\na two\nb one\nb two\nb more\n"
  const spans = [
    { start: 0, end: 12, section: "a", owner: { ...FILE, lines: [8, 9] as const } },
    { start: 12, end: text.length, section: "b", owner: { ...FILE, path: "b.md", lines: [1, 2] as const } },
  ]
  expect(rowsOf(part({ text, spans })).map(({ heading, fileLine }) => heading ?? fileLine)).toEqual([
    ...["SOUL.md", 8, 9, "b.md", 1, 2, 2],
  ])
})

test("rows together are the whole text, however wide its characters are", () => {
  const text = `灯台の光は海の上を渡る。\tTab\u202eevil\n👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀 and é̂́ x\r\n${"y".repeat(100)}`
  for (const columns of [16, 17, 40]) {
    const rows = rowsOf(part({ text }), columns)
    expect(rows.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text.replaceAll("\n", ""))
    const segments = rows.flatMap((one) => segmentsOf(text, one, []))
    expect(segments.filter(({ mark }) => mark === "hidden").map((one) => one.text)).toEqual([
      "U+202E",
      "U+000D",
    ])
  }
})

test("marks of a row are in order, and what is hidden stays visible within them", () => {
  const text = "one two\u200bthree"
  const marks = [
    { start: 4, end: 13, mark: "found" },
    { start: 4, end: 7, mark: "word" },
  ] as const
  expect(segmentsOf(text, { start: 0, end: text.length }, marks)).toEqual([
    { start: 0, text: "one ", mark: undefined },
    { start: 4, text: "two", mark: "found" },
    { start: 7, text: "U+200B", mark: "hidden" },
    { start: 8, text: "three", mark: "found" },
  ])
  expect(wordAt("the lamp's light", 5)).toEqual([4, 8])
  expect(wordAt("a  b", 1)).toEqual([0, 1])
})

test("words are found regardless of case, and at the right place where lower case is longer", () => {
  const parts = [part({ text: "Lamp lamp" }), part({ text: "İİ Lamp lamp" })]
  expect(findIn(parts, "lamp")).toEqual([
    { part: 0, start: 0, end: 4 },
    { part: 0, start: 5, end: 9 },
    { part: 1, start: 8, end: 12 },
  ])
})

test("stretches of a part share its tokens, its money and what the cache did from the front", () => {
  const one = part({
    ...{ text: "aaaabbbb", tokens: 100, costUsd: 0.01, cache: { read: 60, written: 40, uncached: 0 } },
    spans: [{ start: 0, end: 4, section: "a", owner: null }],
  })
  // It is a detail as far as the shares look into it.
  const detail = { parts: [one], report: null } as unknown as CallDetail
  expect(
    weighed(detail).map(({ tokens, costUsd, cache, before }) => [tokens, costUsd, cache, before]),
  ).toEqual([
    [50, 0.005, { read: 50, written: 0, uncached: 0 }, 0],
    [50, 0.005, { read: 10, written: 40, uncached: 0 }, 50],
  ])
})

test("a dense section gets more of its part, and a stretch that the text does not have gets none", () => {
  const one = part({
    ...{ text: "aaaabbbb", tokens: 100 },
    spans: [
      { start: 0, end: 4, section: "a", owner: null },
      { start: 4, end: 99, section: "b", owner: null },
      { start: 99, end: 120, section: "c", owner: null },
    ],
  })
  const sections = [
    { id: "a", tokens: 3, spans: [{ block: 0, start: 0, end: 4 }] },
    { id: "b", tokens: 1, spans: [{ block: 0, start: 4, end: 8 }] },
  ]
  // As far as the shares look into it.
  const detail = { parts: [one], report: { sections } } as unknown as CallDetail
  expect(weighed(detail).map(({ start, end, tokens }) => [start, end, tokens])).toEqual([
    [0, 4, 75],
    [4, 8, 25],
  ])
})

test("the list has each section once, where it is now, and one whose text is not found with its tokens", () => {
  const spanned = (text: string, section: string) => [{ start: 0, end: text.length, section, owner: null }]
  const said = (text: string, section?: string) =>
    part({
      ...{ text, tier: "messages", kind: "text", role: "user" },
      spans: section === undefined ? [] : spanned(text, section),
    })
  const parts = [
    part({ text: "Soul.", spans: spanned("Soul.", "soul") }),
    ...[said("At nine.", "clock"), said("Hello."), said("At ten.", "clock")],
  ]
  const section = (id: string, tokens: number) => ({
    ...{ id, tokens, pace: "stable", outcome: { kind: "included" }, spans: [] },
  })
  const report = {
    sections: [section("soul", 10), section("clock", 10), section("secret", 7)],
    ...{ withheld: [], tools: [] },
  }
  // As far as the list looks into it.
  const { groups } = ownRows({ parts, report } as unknown as CallDetail)
  expect(groups.map(({ title, rows }) => [title, rows.map((one) => [one.title, one.tokens])])).toEqual([
    [
      "Sections",
      [
        ...[
          ["soul", 10],
          ["clock", 10],
        ],
        ["secret", 7],
      ],
    ],
    [
      "Conversation",
      [
        ["User messages", 10],
        ["Turn context of earlier turns", 10],
      ],
    ],
  ])
})

test("blocks: earlier turn context is conversation, the last is a block of its own, and their places add up", () => {
  const said = (text: string, pace: "turn" | null = null) =>
    part({ text, pace, tier: "messages", kind: "text", role: "user" })
  const parts = [
    part({ text: "t", tier: "tools", kind: "tool", pace: "stable", tokens: 20 }),
    part({ text: "s", pace: "stable", tokens: 30 }),
    ...[said("old", "turn"), said("asked"), said("new", "turn"), said("now")],
    part({ text: "late", role: "system", pace: "turn", tokens: 0 }),
    said("step"),
  ]
  const twice = blocksOf([said("asked"), said("one", "turn"), said("two", "turn"), said("step")])
  expect(twice.map(({ key, parts: at }) => [key, at])).toEqual([
    ["talk", [0]],
    ["turn-context", [1, 2]],
    ["talk-since", [3]],
  ])
  const blocks = blocksOf(parts)
  expect(blocks.map(({ key, tokens, parts: at }) => [key, tokens, at])).toEqual([
    ["tools", 20, [0]],
    ["system-stable", 30, [1]],
    ["talk", 40, [2, 3, 4, 5]],
    ["talk-since", 10, [7]],
  ])
  expect(placeAfter(blocks, 35)).toEqual({ share: 0.35, blocks: 1.5 })
  expect(placeAfter(blocks, 100)).toEqual({ share: 1, blocks: 4 })
})

test("the window of the timeline holds the playhead, and a point is the call that is drawn there", () => {
  const calls = Array.from({ length: 1_000 }, () => row({ read: 5 }))
  const layout = layoutOf(calls, 600)
  expect(layout).toMatchObject({ pitch: 6, isLong: true, most: 5 })
  for (const at of [0, 3, 99, 500, 998, 999, 20]) {
    const offset = offsetFor(layout, at, 2_000)
    expect(callAt(layout, at * 6 - offset + 3, offset)).toBe(at)
    expect(at * 6 - offset).toBeGreaterThanOrEqual(0)
    expect(at * 6 - offset + 6).toBeLessThanOrEqual(600)
  }
})

test("a dragged playhead stops at each miss on its way, until the pointer has gone further", () => {
  const calls = Array.from({ length: 20 }, (_, at) => row(at === 5 || at === 12 ? { miss: MISS } : {}))
  let drag = dragTo(calls, { at: 2, stuck: undefined }, { at: 15, x: 300 })
  expect(drag).toEqual({ at: 5, stuck: { at: 5, x: 300 } })
  drag = dragTo(calls, drag, { at: 16, x: 320 })
  expect(drag.at).toBe(5)
  drag = dragTo(calls, drag, { at: 16, x: 330 })
  expect(drag.at).toBe(12)
  drag = dragTo(calls, drag, { at: 14, x: 290 })
  expect(drag.at).toBe(14)
  drag = dragTo(calls, drag, { at: 13, x: 280 })
  expect(drag).toEqual({ at: 13, stuck: undefined })
  expect(nextMiss(calls, 12, -1)).toBe(5)
  expect(nextMiss(calls, 12, 1)).toBeUndefined()
})

test("a text is cached since the call that wrote it, through helpers, asides and other models", () => {
  const calls = [
    row({ turn: "a", written: 100, at: 1 }),
    row({ turn: "a", read: 100, written: 10, at: 2 }),
    row({ turn: "a.title", at: 3, written: 300 }),
    row({ turn: "b", model: "other/model", written: 200, at: 4 }),
    row({ turn: "b", read: 110, written: 10, at: 5 }),
  ]
  expect(cachedSince(calls, 4, 90)).toEqual({ kind: "read", since: calls[0], times: 2 })
  expect(cachedSince(calls, 4, 108)).toEqual({ kind: "read", since: calls[1], times: 1 })
  expect(cachedSince(calls, 4, 118)).toEqual({ kind: "written" })
  expect(cachedSince(calls, 4, 400)).toEqual({ kind: "uncached" })
  expect(cachedSince(calls.slice(1), 0, 90)).toEqual({ kind: "read", since: undefined, times: 1 })
  expect(callBefore(calls, 3)).toBe(calls[1])
  expect(
    missWords([row({ at: 0 }), row({ turn: "x.title", at: 60_000 }), row({ at: 300_000, miss: MISS })], 2),
  ).toBe("5 min pause")
  const changed = { ...MISS, cause: "changed", path: "AGENTS.md", line: 12 }
  expect(missWords([row({ miss: changed }), row({ miss: { ...changed, line: null } })], 0)).toBe(
    "AGENTS.md:12 changed",
  )
  expect([lossOf(MISS), lossOf({ ...MISS, costUsd: 0 }), lossOf({ ...MISS, costUsd: null })]).toEqual([
    ...["$0.10", "10 tokens again", "10 tokens again"],
  ])
})

test("an edit costs what is cached after it: written instead of read, by the price that the call had", () => {
  const call = row({ read: 900, written: 100 })
  const rate = 3e-6
  const parts = [
    part({
      text: "a",
      tokens: 900,
      cache: { read: 900, written: 0, uncached: 0 },
      costUsd: 900 * rate * 0.1,
    }),
    part({
      text: "b",
      tokens: 100,
      cache: { read: 0, written: 100, uncached: 0 },
      costUsd: 100 * rate * 1.25,
    }),
  ]
  const detail = {
    ...{ call, parts, report: null, request: {}, isExact: true, redacted: [], answer: null },
    cacheRates: { read: 0.1, written: 1.25 },
  }
  const cost = editCost(detail, [200, 300])
  expect(cost?.tokens).toBe(800)
  expect(cost?.nowUsd).toBeCloseTo(800 * rate * 1.15, 12)
  expect(cost?.laterUsd).toBeCloseTo(100 * rate * 1.25, 12)
  // What the cache read in part has no price of its own, and one price tells the other.
  const mixed = part({ text: "c", tokens: 10, cache: { read: 5, written: 5, uncached: 0 }, costUsd: 99 })
  expect(editCost({ ...detail, parts: [...parts, mixed] }, [200, 300])).toEqual(cost)
  for (const some of [parts.slice(0, 1), parts.slice(1)])
    expect(editCost({ ...detail, parts: some }, [200, 300])?.nowUsd).toBeCloseTo(800 * rate * 1.15, 12)
  expect(editCost({ ...detail, cacheRates: null }, [200, 300])).toMatchObject({ tokens: 800, nowUsd: null })
  const unpriced = { ...detail, parts: parts.map((one) => ({ ...one, costUsd: null })) }
  expect(editCost(unpriced, [200, 300])).toEqual({ tokens: 800, nowUsd: null, laterUsd: null })
})

test("a name cannot look like another one", () => {
  expect(visibleName("SOUL\u202e.md\u200b\n2")).toBe("SOUL‹U+202E›.md‹U+200B› 2")
})
