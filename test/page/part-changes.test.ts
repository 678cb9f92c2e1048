// What Diff says of each part: what became of it, and why it is not there on one side.
import { expect, test } from "vitest"
import { partChanges } from "../../page/views/diff/part-changes.ts"

const part = (
  key: string,
  text: string | null,
  facts: { readonly tokens?: number; readonly outcome?: string } = {},
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
    ["same", "same", ""],
    ["same", "cut", "truncated"],
    ["changed", "tool", ""],
    ["added", "new", "before, withheld: needs full trust"],
    ["removed", "gone", "dropped: no room"],
  ])
})
