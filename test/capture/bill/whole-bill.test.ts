// A whole bill as JSON: a week of two sessions with a sub-agent, an edit, a pause, another model, a call without text and
// one without a price. Read it as a reader of `bill --json` would.
import { expect, test } from "vitest"
import type { CapturedCall } from "../../../src/capture/call.ts"
import { billOf } from "./bill-of.ts"
import { callsOf, drafts, FIRST, lines, MINUTE, MODEL, priceOf } from "./conversation.ts"

const DAY = 24 * 60 * MINUTE

function week(): readonly CapturedCall[] {
  const main = callsOf(
    drafts(9, (draft, at) => ({
      ...draft,
      at: draft.at + (at >= 6 ? 41 * MINUTE : 0),
      tools: at >= 2 ? draft.tools : draft.tools.slice(0, 2),
      system: at >= 4 ? draft.system.replace("rule number 9 in", "rule number 9 at") : draft.system,
      model: at >= 8 ? "claude-opus-4-8" : draft.model,
      steps: draft.steps.map((one, number) => ({
        ...one,
        command: number < 5 ? "npm test" : one.command,
        result: number < 5 ? lines(`Test run ${number}`, 180) : one.result,
      })),
    })),
  )
  const helper = callsOf(
    drafts(3, (draft) => ({ ...draft, at: draft.at + 5 * MINUTE, system: lines("A helper", 90) })),
    { thread: "agent-1" },
  )
  const later = callsOf(
    drafts(3, (draft) => draft, { ...FIRST, at: FIRST.at + 2 * DAY }),
    { session: "s2", output: 120 },
  )
  const blind = callsOf(
    drafts(2, (draft) => draft, { ...FIRST, at: FIRST.at + 3 * DAY }),
    {
      session: "s3",
      coverage: "none",
    },
  )
  const unpriced = blind.slice(1).map((call) => ({ ...call, id: "x", model: "own/model" }))
  return [...main, ...helper, ...later, ...blind, ...unpriced]
}

test("a whole bill", async () => {
  const bill = await billOf(week(), {
    priceOf: (model) => (model === MODEL || model.startsWith("claude-opus") ? priceOf() : null),
  })
  const { usageMs: _usage, detailMs: _detail, ...reading } = bill.reading
  const shown = JSON.stringify({ ...bill, reading }, (_key, value: unknown) => rounded(value), 2)
  await expect(`${shown}\n`).toMatchFileSnapshot("../../golden/capture/bill/whole-bill.json")
})

/** Sums of the same numbers may differ in the last digit. */
test.each([
  ["very long", `/${"a/".repeat(100_000)}`],
  ["no path", "/a\0b"],
  ["relative", "../.."],
])("a folder that a client names and that is %s", async (_name, project) => {
  const calls = week().map((call) => ({ ...call, project }))
  expect((await billOf(calls)).calls).toBe(calls.length)
})

function rounded(value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(9)) : value
}
