// The record's questions about captured calls: which have no compiled plan, and whose clients write the same text in
// different ways.
import { expect, test } from "vitest"
import type { CapturedCall } from "../../../src/capture/call.ts"
import type { RecordStore } from "../../../src/database/contract/record/record-store.ts"
import { costs } from "../../../src/record/ask/cost.ts"
import { recordedCalls } from "../../../src/record/ask/recorded-calls.ts"
import { replay } from "../../../src/record/ask/replay.ts"
import { traceLines, traceOf } from "../../../src/record/ask/trace.ts"
import { turnDiff } from "../../../src/record/ask/turn-diff.ts"
import { whyMiss } from "../../../src/record/ask/why-miss.ts"
import type { JsonObject } from "../../../src/record/write/request-marks.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { callOf, NOON, openIn } from "./captured-calls.ts"

const MARK = { cache_control: { type: "ephemeral" } }
const READ = { name: "read", description: "Reads a file.", input_schema: { type: "object" } }
const RULES = "Be brief.\nBe kind.\n"

function requestOf(more: JsonObject = {}): JsonObject {
  return {
    model: "claude-sonnet-5-5",
    system: [
      { type: "text", text: "x-anthropic-billing-header: cc_version=1; cch=aaaa;" },
      { type: "text", text: RULES, ...MARK },
    ],
    tools: [READ],
    messages: [{ role: "user", content: [{ type: "text", text: "hello", ...MARK }] }],
    ...more,
  }
}

/** The next call: it appends, moves the mark, writes its first message as a text, and counts itself. */
const NEXT: JsonObject = {
  system: [
    { type: "text", text: "x-anthropic-billing-header: cc_version=1; cch=bbbb;" },
    { type: "text", text: RULES, ...MARK },
  ],
  messages: [
    { role: "user", content: "hello" },
    { role: "assistant", content: "hi" },
    { role: "user", content: [{ type: "text", text: "go on", ...MARK }] },
  ],
}

const HIT = { uncached: 0, read: 2_510, write: { "5m": 90 }, output: 5 }
const MISSED = { uncached: 0, read: 0, write: { "5m": 2_600 }, output: 5 }
const FIRST = { uncached: 0, read: 0, write: { "5m": 2_510 }, output: 5 }

async function asked<T>(
  calls: readonly Partial<CapturedCall>[],
  ask: (store: RecordStore) => Promise<T>,
): Promise<T> {
  const { captures } = openIn()
  for (const [at, call] of calls.entries())
    await captures.keep(callOf({ id: `msg_${at + 1}`, at: NOON + at * 1_000, ...call }))
  await captures.recorder.flush()
  const answer = await captures.recorder.read(ask)
  await captures.close()
  return answer
}

test("a client that appends has no miss, however it writes its texts", async () => {
  const calls = [
    { request: requestOf(), usage: FIRST },
    { request: requestOf(NEXT), usage: HIT },
  ]
  expect(await asked(calls, (store) => whyMiss(store, "msg_2"))).toMatchObject({
    cause: { kind: "hit" },
    lostTokens: 0,
  })
  // Also if the provider dropped it: no text has changed.
  const dropped = [calls[0] ?? {}, { request: requestOf(NEXT), usage: MISSED }]
  expect(await asked(dropped, (store) => whyMiss(store, "msg_2"))).toMatchObject({
    cause: { kind: "evicted" },
  })
  const difference = await asked(calls, (store) => turnDiff(store, "msg_1", "msg_2"))
  expect(difference).toMatchObject({ fields: [], conversation: { shared: 1, before: 1, after: 3 } })
  expect(difference?.plan?.first).toBeUndefined()
})

test.each([
  [
    "a tool that changed",
    { tools: [{ ...READ, description: "Reads any file." }] },
    { what: "tool", name: "read", how: "changed", before: "Reads a file.", after: "Reads any file." },
  ],
  [
    "a line of the system text",
    { system: [{ type: "text", text: "Be brief.\nBe exact.\n", ...MARK }] },
    { what: "section", name: "system/1", how: "changed", before: "Be kind.", after: "Be exact." },
  ],
  [
    "a message that was rewritten",
    { messages: [{ role: "user", content: "goodbye" }] },
    { what: "message", name: "/messages/0", how: "changed", before: "hello", after: "goodbye" },
  ],
] as const)("the cause of a miss is named: %s", async (_name, more, change) => {
  const calls = [
    { request: requestOf(), usage: FIRST },
    { request: requestOf({ ...NEXT, ...more }), usage: MISSED },
  ]
  const found = await asked(calls, (store) => whyMiss(store, "msg_2"))
  expect(found?.cause).toMatchObject({ kind: "changed", change })
  expect(found?.lostTokens).toBe(2_510)
})

test("threads are compared only with themselves", async () => {
  const calls = [
    { request: requestOf(), usage: FIRST },
    { request: requestOf({ tools: [] }), usage: MISSED, thread: "title" },
    { request: requestOf(NEXT), usage: HIT },
  ]
  const causes = await asked(calls, async (store) =>
    Promise.all(["msg_1", "msg_2", "msg_3"].map(async (id) => (await whyMiss(store, id))?.cause.kind)),
  )
  expect(causes).toEqual(["first-call", "first-call", "hit"])
})

test("replay gives the request as it was sent, and costs have names", async () => {
  const calls = [{ request: requestOf(), usage: FIRST }]
  expect(await asked(calls, (store) => replay(store, "msg_1"))).toMatchObject({
    exact: true,
    request: requestOf(),
  })
  const report = await asked(calls, (store) => costs(store, { by: "section", timeZone: "UTC" }))
  expect(report.rows.map(({ key }) => key)).toEqual(["(conversation)", "(answer)", "tool:read", "system/1"])
  const trace = await asked(calls, (store) => traceOf(store, "msg_1"))
  expect(trace && traceLines(trace)[0]).toMatch(
    /^\[provider\] api_call model=claude-sonnet-5-5 input_tokens=2510/,
  )
})

test("calls to simulate: whole ones only, without the line that counts requests", async () => {
  const calls = [
    { request: requestOf(), usage: FIRST },
    { request: requestOf(NEXT), usage: HIT, coverage: "partial" as const },
    { usage: HIT, coverage: "none" as const },
  ]
  const found = await asked(calls, async (store) => {
    const all = []
    for await (const call of recordedCalls(store, { counter: o200k })) all.push(call)
    return all
  })
  expect(found).toHaveLength(1)
  expect(found[0]?.blocks.map(({ tier }) => tier)).toEqual(["tools", "system", "messages"])
})
