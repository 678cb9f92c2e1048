import fc from "fast-check"
import { expect, test } from "vitest"
import { type TraceNode, traceLines, traceOf } from "../../../src/record/ask/trace.ts"
import { type RecordEvent, startOf } from "../../../src/record/write/event.ts"
import type { Recorder } from "../../../src/record/write/record.ts"
import { openScope } from "../../../src/record/write/scope.ts"
import { clockAt, counting, withRecord, write } from "../open.ts"

const usage = (uncached: number, read: number, output: number) => ({ uncached, read, write: {}, output })

/** The turn of the documentation, from the message to the reply. */
async function playTurn(recorder: Recorder) {
  const { now, pass } = clockAt("2026-11-15T02:00:00Z")
  const origin = { trace: "m1", session: "abc", user: "alice", channel: "signal", trust: "full" } as const
  const gateway = openScope({ recorder, origin, now, id: counting("s") })
  const message = gateway.open("message_received")
  message.event("trust_resolved", { data: { user: "full", situation: "dm", effective: "full" } })
  pass(10)
  message.event("prompt_built", { data: { sections: 6, tokens: 4200, cached_tokens: 3100 } })
  const model = "claude-opus-5-5"
  const turn = message.with({ turn: "t1" }).open("turn_started", { model })
  const call = (uncached: number) =>
    turn.time(
      "api_call",
      () => pass(1900),
      () => ({ model, usage: usage(uncached, 0, 100), costUsd: 0.06 }),
    )
  await call(5200)
  await turn.time(
    "tool_call",
    () => pass(120),
    () => ({ data: { tool: "bash", command: "ls" } }),
  )
  await turn.time(
    "memory_search",
    () => pass(80),
    () => ({ data: { query: "birthday", results: 3 } }),
  )
  await call(5800)
  message.with({ turn: "t1" }).event("turn_completed", {
    durationMs: 4000,
    costUsd: 0.12,
    data: { total_tokens: 11200 },
  })
  message.event("message_sent", { data: { length: 240 } })
  await recorder.flush()
}

test("a turn is a tree from the message to the reply", async () => {
  await withRecord(async (record) => {
    await playTurn(record)
    const trace = await record.read((store) => traceOf(store, "t1"))
    expect(traceLines(trace!)).toEqual([
      "[gateway] message_received channel=signal user=alice trust=full",
      "  [router] trust_resolved user=full situation=dm effective=full",
      "  [prompt] prompt_built sections=6 tokens=4200 cached_tokens=3100 start=+10ms",
      "  [agent] turn_started session=abc model=claude-opus-5-5 start=+10ms",
      "    [provider] api_call model=claude-opus-5-5 input_tokens=5200 output_tokens=100 duration=1.9s cost=$0.060 start=+10ms",
      '    [tool] bash command="ls" duration=120ms status=ok start=+1.9s',
      '    [memory] memory_search query="birthday" results=3 duration=80ms start=+2s',
      "    [provider] api_call model=claude-opus-5-5 input_tokens=5800 output_tokens=100 duration=1.9s cost=$0.060 start=+2.1s",
      "  [agent] turn_completed total_tokens=11200 duration=4s cost=$0.12 end=+4s",
      "  [channel] message_sent channel=signal length=240 start=+4s",
    ])
  })
})

test("a trace is found by its turn and by its own id, and nothing is found by another", async () => {
  await withRecord(async (record) => {
    await playTurn(record)
    const find = (id: string) => record.read((store) => traceOf(store, id))
    expect(await find("m1")).toEqual(await find("t1"))
    expect(await find("t2")).toBeUndefined()
  })
})

test("work that throws is an error of its kind, with its length, and throws on", async () => {
  const events: RecordEvent[] = []
  const { now, pass } = clockAt("2026-11-15T02:00:00Z")
  const scope = openScope({
    recorder: { append: (event) => events.push(event) },
    origin: { session: "abc" },
    now,
    id: counting("s"),
  })
  const failing = scope.time("tool_call", () => {
    pass(30)
    throw new Error("no such file")
  })
  await expect(failing).rejects.toThrow("no such file")
  expect(events).toEqual([
    {
      type: "tool_error",
      at: Date.parse("2026-11-15T02:00:00.030Z"),
      session: "abc",
      trace: "s1",
      span: "s2",
      durationMs: 30,
      level: "error",
      error: "no such file",
    },
  ])
})

test("work began when its clock was first read, though the clock continues while its end is recorded", async () => {
  const events: RecordEvent[] = []
  let time = 0
  const scope = openScope({
    ...{ recorder: { append: (event) => void events.push(event) }, origin: {}, id: counting("s") },
    now: () => (time += 1),
  })
  await scope.time("tool_call", () => {})
  await scope.time("tool_call", () => Promise.reject(new Error("no"))).catch(() => {})
  expect(events.map(startOf)).toEqual([1, 3])
})

test("a delegated part comes after the call that sent it, also within a millisecond", async () => {
  await withRecord(async (record) => {
    const { now, pass } = clockAt("2026-11-15T02:00:00Z")
    const turn = openScope({ recorder: record, origin: { turn: "t1" }, now, id: counting("s") }).open(
      "turn_started",
    )
    await turn.time(
      "tool_call",
      () => {
        turn.event("message_received")
        pass(40)
      },
      () => ({ data: { tool: "delegate" } }),
    )
    await record.flush()
    const trace = await record.read((store) => traceOf(store, "t1"))
    expect(traceLines(trace!).map((line) => /^ *\[\w+\] \w+/.exec(line)?.[0])).toEqual([
      "[agent] turn_started",
      "  [tool] delegate",
      "  [gateway] message_received",
    ])
  })
})

test("a clock that is set back makes no negative length of time", async () => {
  const events: RecordEvent[] = []
  const { now, pass } = clockAt("2026-11-15T02:00:00Z")
  const recorder = { append: (event: RecordEvent) => void events.push(event) }
  const scope = openScope({ recorder, origin: {}, now, id: counting("s") })
  await scope.time("api_call", () => pass(-5000))
  expect(events[0]?.durationMs).toBe(0)
})

test("any parents, also those that go round in a circle, give each event one place", async () => {
  const span = fc.constantFrom("a", "b", "c", "d", "e")
  const events = fc.array(
    fc.record({ span: fc.option(span), parent: fc.option(span), at: fc.integer({ min: 0, max: 5 }) }),
    { minLength: 1, maxLength: 12 },
  )
  const size = (node: TraceNode): number =>
    node.times + node.children.reduce((sum, child) => sum + size(child), 0)
  await fc.assert(
    fc.asyncProperty(events, async (list) => {
      await withRecord(async (record) => {
        await write(
          record,
          list.map(({ span, parent, at }) => ({
            type: "api_error",
            at,
            trace: "m1",
            ...(span && { span }),
            ...(parent && { parent }),
          })),
        )
        const trace = await record.read((store) => traceOf(store, "m1"))
        expect(trace?.nodes.reduce((sum, node) => sum + size(node), 0)).toBe(list.length)
        expect(traceLines(trace!).length).toBeGreaterThan(0)
      })
    }),
    { numRuns: 60 },
  )
})
