// What Diff says of each part: what became of it, and why it is not there on one side.
import { expect, test } from "vitest"
import { STANDING } from "../../page/views/diff/diff-parts.ts"
import { firstOf, partChanges } from "../../page/views/diff/part-changes.ts"

const part = (
  key: string,
  text: string | null,
  facts: { readonly tokens?: number; readonly outcome?: string; readonly isPrefix?: boolean } = {},
) => ({
  ...{
    key,
    title: key,
    group: "Sections",
    source: "",
    text,
    tokens: 10,
    isPrefix: false,
    outcome: "",
    ...facts,
  },
})
const side = (
  parts: readonly ReturnType<typeof part>[],
  reasons: readonly (readonly [string, string])[] = [],
) => ({
  ...{ parts, reasons: new Map(reasons), tokens: 0, model: "" },
})

test("a part that is missing on one side has that side's reason, and one that was cut has what was done to it", () => {
  const left = side(
    [part("same", "a", { tokens: 9 }), part("gone", "b"), part("cut", "c"), part("tool", null)],
    [["new", "withheld: needs full trust"]],
  )
  const right = side(
    [
      part("same", "a"),
      part("cut", "c", { outcome: "truncated" }),
      part("tool", null, { tokens: 20 }),
      part("new", "d"),
    ],
    [["gone", "dropped: no room"]],
  )
  expect(partChanges(left, right).map(({ kind, key, reason }) => [kind, key, reason])).toEqual([
    ["unchanged", "same", ""],
    ["unchanged", "cut", "truncated"],
    ["changed", "tool", ""],
    ["added", "new", "before, withheld: needs full trust"],
    ["removed", "gone", "dropped: no room"],
  ])
})

const kinds = (left: ReturnType<typeof side>, right: ReturnType<typeof side>) =>
  partChanges(left, right).map(({ kind, key, reason }) => [kind, key, reason])

test("of two sizes without text, a difference of counting is none; a size says nothing of a text", () => {
  const sizes = (...tokens: readonly number[]) =>
    side(tokens.map((one, at) => part(`tool ${at}`, null, { tokens: one })))
  expect(kinds(sizes(10, 100, 100, 100), sizes(12, 109, 90, 112)).map(([kind]) => kind)).toEqual([
    ...["unchanged", "unchanged", "changed", "changed"],
  ])
  const named = side([part("tool", "Reads a file.", { tokens: 10 })])
  const sized = side([part("tool", null, { tokens: 200 })])
  expect([...kinds(named, sized), ...kinds(sized, named)]).toEqual([
    ["not compared", "tool", ""],
    ["not compared", "tool", ""],
  ])
})

test("what is not sent again because the conversation has it is neither removed nor added", () => {
  const sent = side([part("bulletin", "The lamp is lit.")])
  const later = side([], [["bulletin", STANDING]])
  expect([...kinds(sent, later), ...kinds(later, sent)]).toEqual([
    ["not compared", "bulletin", STANDING],
    ["not compared", "bulletin", `before, ${STANDING}`],
  ])
})

test("the first to look at is of the cached prefix, then one with a text, then the largest", () => {
  const first = (...parts: readonly ReturnType<typeof part>[]) =>
    firstOf(partChanges(side([]), side(parts)))?.key
  const said = part("said", "b", { tokens: 5_000 })
  expect(first(said, part("soul", "a", { tokens: 1, isPrefix: true }))).toBe("soul")
  expect(first(said, part("tool", null, { tokens: 1, isPrefix: true }))).toBe("tool")
  expect(first(part("sized", null, { tokens: 6_000 }), said)).toBe("said")
  expect(first(part("small", "a"), said)).toBe("said")
  const [same, unknown] = [side([said, part("tool", "a")]), side([said, part("tool", null)])]
  expect(firstOf(partChanges(same, unknown))).toBeUndefined()
})
