// The causes that depend on more than text: lifetimes side by side, the provider's look-back, the order of calls, and how
// much is remembered.
import { expect, test } from "vitest"
import type { BillMiss } from "../../../src/capture/bill/bill.ts"
import { firstDifference } from "../../../src/capture/bill/misses/first-difference.ts"
import { createMissList } from "../../../src/capture/bill/misses/miss-list.ts"
import type { CapturedCall } from "../../../src/capture/call.ts"
import { ruleFor } from "../../../src/render/cache/cache-rules.ts"
import type { Usage } from "../../../src/render/cache/price.ts"
import { billOf } from "./bill-of.ts"
import { callsOf, drafts, lines, MINUTE, MODEL, START } from "./conversation.ts"

function callWith(at: number, usage: Usage, rest: Partial<CapturedCall> = {}): CapturedCall {
  return {
    ...{ id: `c${at}`, client: "claude-code", session: "s1", thread: "main", at, model: MODEL, usage },
    ...{ format: "anthropic", coverage: "none", files: [], ...rest },
  }
}

test.each([
  [4, undefined],
  [10, 5],
  [70, 60],
])(
  "of two lifetimes side by side, after %i minutes, the one that has passed is named",
  async (minutes, passed) => {
    const first = callWith(START, { uncached: 0, read: 0, write: { "1h": 20_000, "5m": 10_000 }, output: 1 })
    const isGone = (lifetime: number) => minutes > lifetime
    const read = isGone(60) ? 0 : isGone(5) ? 20_000 : 30_000
    const write = isGone(60) ? { "1h": 20_000, "5m": 10_000 } : isGone(5) ? { "5m": 10_000 } : { "5m": 10 }
    const later = callWith(START + minutes * MINUTE, { uncached: 0, read, write, output: 1 })
    const { misses } = await billOf([first, later])
    expect(misses.map(({ cause, ttlMs }) => [cause, (ttlMs ?? 0) / MINUTE])).toEqual(
      passed === undefined ? [] : [["expired", passed]],
    )
  },
)

/** Two calls that differ in how many blocks the model wrote between their marks; nothing was read by the second. */
function withBlocks(count: number): readonly CapturedCall[] {
  const mark = { cache_control: { type: "ephemeral" } }
  const asked = (text: string, isMarked: boolean) => ({
    role: "user",
    content: [{ type: "text", text, ...(isMarked && mark) }],
  })
  const said = Array.from({ length: count - 1 }, (_, at) => ({ type: "text", text: `Block ${at}.` }))
  const requests = [
    [asked(lines("The keeper", 200), true)],
    [asked(lines("The keeper", 200), false), { role: "assistant", content: said }, asked("And now?", true)],
  ]
  return requests.map((messages, at) =>
    callWith(
      START + at * MINUTE,
      { uncached: 0, read: 0, write: { "5m": 3_000 }, output: 1 },
      {
        ...{ coverage: "exact", request: { model: MODEL, messages } },
      },
    ),
  )
}

test("a mark that is further back than the provider looks, and one that is not", async () => {
  const { lookBack = 0 } = ruleFor(MODEL)
  const causes = async (count: number) => (await billOf(withBlocks(count))).misses.map(({ cause }) => cause)
  expect(await causes(lookBack)).toEqual(["look-back"])
  expect(await causes(lookBack - 1)).toEqual(["evicted"])
})

test("another name of the model that answered is no setting that changed", () => {
  const sent = (model: string) => ({ parts: [], settings: { model: JSON.stringify(model) } })
  expect(firstDifference(sent("gpt-5.5"), sent("gpt-5.5-2026-04"), ruleFor("openai/gpt-5.5"))).toBeUndefined()
})

test("calls in a file that are older than those before them are compared with nothing", async () => {
  expect((await billOf(callsOf(drafts(4)).toReversed())).misses).toEqual([])
})

test("sixteen conversations at once are each compared with their own text", async () => {
  const sent = drafts(3, (draft, at) => ({
    ...draft,
    ...(at === 2 && { system: lines("Another agent", 100) }),
  }))
  const sessions = Array.from({ length: 16 }, (_, at) => callsOf(sent, { session: `s${at}` }))
  const mixed = sent.flatMap((_, at) => sessions.flatMap((calls) => calls[at] ?? []))
  const { missGroups } = await billOf(mixed)
  expect(missGroups.map(({ cause, count }) => [cause, count])).toEqual([["text-changed", 16]])
})

test("of more misses than are listed, the most expensive are, and the sums are of all", () => {
  const list = createMissList()
  for (let at = 0; at < 2_500; at += 1) {
    const miss = { at, client: "pi", session: "s", call: `${at}`, cause: "evicted", tokens: 1 } as const
    list.add({ ...miss, costUsd: 2_500 - at } satisfies BillMiss)
  }
  expect(list.misses().map(({ call }) => call)).toEqual(Array.from({ length: 1_000 }, (_, at) => `${at}`))
  expect(list.groups()).toMatchObject([{ count: 2_500, tokens: 2_500, costUsd: (2_500 * 2_501) / 2 }])
})
