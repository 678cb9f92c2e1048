// Where spans stand, for any turn that could be recorded: each within the one it stands under, none before it starts.
import fc from "fast-check"
import { expect, test } from "vitest"
import { type TraceNode, traceOf } from "../../../src/record/ask/trace.ts"
import { openPlaces, type Placed } from "../../../src/record/otel/place.ts"
import type { RecordEvent } from "../../../src/record/write/event.ts"
import { openScope, type Scope } from "../../../src/record/write/scope.ts"
import { clockAt, counting, withRecord, write } from "../open.ts"

type Act =
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "call" | "tool" | "diagnostic"; readonly ms: number }
  | { readonly kind: "work"; readonly acts: readonly Act[] }
  | { readonly kind: "part"; readonly acts: readonly Act[]; readonly late: boolean }

const acts = (least: number) =>
  fc.letrec<{ act: Act; acts: readonly Act[] }>((tie) => ({
    act: fc.oneof(
      { depthSize: "small" },
      fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: least, max: 900 }) }),
      fc.record({
        kind: fc.constantFrom("call" as const, "tool" as const, "diagnostic" as const),
        ms: fc.integer({ min: 0, max: 500 }),
      }),
      fc.record({ kind: fc.constant("work" as const), acts: tie("acts") }),
      fc.record({ kind: fc.constant("part" as const), acts: tie("acts"), late: fc.boolean() }),
    ),
    acts: fc.array(tie("act"), { maxLength: 6 }),
  })).acts

/** The events of a turn in which all of that happens, the way the agent records it. */
async function recorded(list: readonly Act[]): Promise<readonly RecordEvent[]> {
  const events: RecordEvent[] = []
  const { now, pass } = clockAt("2026-11-15T02:00:00Z")
  const turns = counting("t")
  const gateway = openScope({
    recorder: { append: (event) => void events.push(event) },
    origin: { trace: "m1" },
    now,
    id: counting("s"),
  })
  const play = async (scope: Scope, { kind, ...act }: Act): Promise<void> => {
    if (kind === "pass" && "ms" in act) return pass(act.ms)
    if (kind === "work" && "acts" in act)
      return scope.time("tool_call", async (inner) => {
        for (const one of act.acts) await play(inner, one)
      })
    if (kind === "part" && "acts" in act) return turn(scope, act.acts, "late" in act && act.late)
    const ms = "ms" in act ? act.ms : 0
    if (kind === "diagnostic") return scope.event("diagnostic")
    pass(ms)
    scope.event(kind === "call" ? "api_call" : "tool_call", { durationMs: ms })
  }
  const turn = async (above: Scope, inner: readonly Act[], late: boolean): Promise<void> => {
    const message = above.with({ turn: turns() }).open("message_received")
    const scope = message.open("turn_started", { model: "openai/gpt-6" })
    for (const one of inner) await play(scope, one)
    message.event("turn_completed", { durationMs: 1 })
    // What is found out when the turn is over.
    if (late) scope.event("cache_missed")
    message.event("message_sent")
  }
  await turn(gateway, list, true)
  return events
}

function outside(placed: readonly Placed[]): readonly Placed[] {
  const bySpan = new Map(placed.map((one) => [one.event.span, one]))
  return placed.filter(({ start, end, parent }) => {
    const above = bySpan.get(parent)
    return end < start || (above !== undefined && (start < above.start || end > above.end))
  })
}

test("every span is within its parent, also if the clock is set back", async () => {
  await fc.assert(
    fc.asyncProperty(acts(-300), async (list) => {
      const events = await recorded(list)
      const places = openPlaces(100_000)
      const placed = events.flatMap((event) => places.add(event))
      expect(outside(placed)).toEqual([])
      // Each event is one span, but a turn is one of two.
      const started = events.filter(({ type }) => type === "turn_started")
      expect(placed).toHaveLength(events.length - started.length)
      // All of them hang together: only the first message and what came of it stand at the top.
      const spans = new Set(placed.map(({ event }) => event.span))
      for (const { parent, link } of placed)
        for (const named of [parent, link]) expect(named === undefined || spans.has(named)).toBe(true)
    }),
    { numRuns: 200 },
  )
})

test("another process that received the message, or too much to remember, puts nothing outside of its parent", async () => {
  await fc.assert(
    fc.asyncProperty(acts(0), fc.integer({ min: 1, max: 5 }), async (list, most) => {
      const events = await recorded(list)
      const received = events.filter(({ type }) => type === "message_received")
      const places = openPlaces(100_000)
      const rest = events.filter((event) => !received.includes(event))
      const theirs = received.map((event) => ({ event, start: event.at, end: event.at }))
      expect(outside([...theirs, ...rest.flatMap((event) => places.add(event))])).toEqual([])
      const small = openPlaces(most)
      const spans = events.flatMap((event) => small.add(event)).map(({ event }) => event.span)
      expect(new Set(spans).size).toBeGreaterThan(0)
    }),
    { numRuns: 100 },
  )
})

test("in a trace siblings are in the order of their starts, none before its parent", async () => {
  const walk = (nodes: readonly TraceNode[], least: number): void => {
    const starts = nodes.map(({ startMs }) => startMs)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    expect(Math.min(least, ...starts)).toBe(least)
    for (const { children, startMs } of nodes) walk(children, startMs)
  }
  await fc.assert(
    fc.asyncProperty(acts(0), async (list) => {
      await withRecord(async (record) => {
        await write(record, await recorded(list))
        const trace = await record.read((store) => traceOf(store, "m1"))
        walk(trace?.nodes ?? [], 0)
      })
    }),
    { numRuns: 40 },
  )
})
