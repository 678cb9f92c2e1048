// What an asker may not see changes no byte of any answer: not a line, a count, a sum, a time or an order.
import fc from "fast-check"
import { expect, test } from "vitest"
import { COST_KEYS } from "../../src/base/cost-keys.ts"
import { EVENT_TYPES, type EventType, LEVELS } from "../../src/base/event-types.ts"
import { atLeast, TRUSTS } from "../../src/base/trust.ts"
import type { RecordEvent } from "../../src/record/write/event.ts"
import type { Recorder } from "../../src/record/write/record.ts"
import type { Caller } from "../../src/tools/tool-context.ts"
import { withRecord, write } from "../record/open.ts"
import { asking, owner } from "./ask.ts"

const now = "2026-11-15T12:00:00Z"
const sessions = ["room", "alice-dm", "bob-dm"]
const users = ["alice", "bob"]

const asker: fc.Arbitrary<Caller> = fc
  .record({
    session: fc.constantFrom(...sessions),
    user: fc.option(fc.constantFrom(...users)),
    trust: fc.constantFrom(...TRUSTS),
    situation: fc.constantFrom("dm", "group", "system"),
    isOwner: fc.boolean(),
  })
  .filter(({ trust, situation, isOwner }) => !(isOwner && trust === "full" && situation === "dm"))
  .map(({ user, ...rest }) => ({ ...rest, ...(user && { user }) }))

const event: fc.Arbitrary<RecordEvent> = fc.record(
  {
    // The names of the types are those of the table.
    type: fc.constantFrom(...(Object.keys(EVENT_TYPES) as EventType[])),
    at: fc.integer({ min: Date.parse("2026-11-13T00:00:00Z"), max: Date.parse(now) }),
    level: fc.constantFrom(...LEVELS),
    session: fc.constantFrom(...sessions),
    user: fc.constantFrom(...users),
    channel: fc.constantFrom("signal", "telegram:1"),
    trust: fc.constantFrom(...TRUSTS),
    trace: fc.constantFrom("m1", "m2"),
    turn: fc.constantFrom("t1", "t2"),
    span: fc.constantFrom("s1", "s2", "s3"),
    parent: fc.constantFrom("s1", "s2", "s3"),
    durationMs: fc.integer({ min: 0, max: 9000 }),
    model: fc.constantFrom("claude-opus-5-5", "mystery"),
    usage: fc.record({
      uncached: fc.nat(999),
      read: fc.nat(999),
      write: fc.constant({ "5m": 3 }),
      output: fc.nat(999),
    }),
    costUsd: fc.double({ min: 0, max: 1, noNaN: true }),
    error: fc.constantFrom("rate limit", "away", "timeout"),
    data: fc.record({ status: fc.constantFrom(429, 500), waitMs: fc.constantFrom(1000, 2000) }),
  },
  { requiredKeys: ["type", "at"] },
)

/** The rule, said again in its own words. */
function maySee({ session, user, trust }: Caller, event: RecordEvent): boolean {
  const isTheirs = event.user === undefined || event.user === user
  return event.session === session && isTheirs && atLeast(trust, event.trust ?? "public")
}

async function answers(events: readonly RecordEvent[], asker: Caller): Promise<readonly string[]> {
  return withRecord(async (record: Recorder) => {
    await write(record, events)
    const ask = asking(record, asker, now)
    return Promise.all([
      ask("incipit_status"),
      ...[{}, { level: "error" }, { limit: 2 }, { user: "alice" }, { user: "bob", since: "today" }].map(
        (input) => ask("incipit_logs", input),
      ),
      ...sessions.map((session_id) => ask("incipit_logs", { session_id }, { mostTokens: 300 })),
      ...["t1", "t2", "m1", "m2", "t9"].map((turn) => ask("incipit_trace", { turn })),
      ...COST_KEYS.map((by) => ask("incipit_cost", { by, since: "36h" })),
      ask("incipit_explain", { what: "soul" }),
    ])
  })
}

test("hidden events may be other ones, more, fewer or none, and every answer stays the same", async () => {
  await fc.assert(
    fc.asyncProperty(
      asker,
      fc.array(event, { maxLength: 14 }),
      fc.array(fc.tuple(event, fc.nat(20)), { maxLength: 14 }),
      async (who, events, others) => {
        const seen = events.filter((item) => maySee(who, item))
        const changed = [...seen]
        for (const [other, at] of others)
          if (!maySee(who, other)) changed.splice(Math.min(at, changed.length), 0, other)
        const before = await answers(events, who)
        expect(await answers(changed, who)).toEqual(before)
        expect(await answers(seen, who)).toEqual(before)
      },
    ),
    { numRuns: 60 },
  )
})

test("what may be seen is shown", async () => {
  const secret = {
    type: "tool_error",
    at: Date.parse(now) - 1000,
    session: "room",
    trust: "familiar",
  } as const
  const events: readonly RecordEvent[] = [
    { ...secret, user: "alice", data: { tool: "read", input: "of alice" } },
    { ...secret, user: "bob", data: { tool: "read", input: "of bob" } },
    { ...secret, data: { tool: "read", input: "of the room" } },
    { ...secret, user: "bob", trust: "full", data: { tool: "read", input: "above" } },
    { ...secret, user: "bob", session: "bob-dm", data: { tool: "read", input: "elsewhere" } },
  ]
  await withRecord(async (record) => {
    await write(record, events)
    const inputs = async (who: Caller) => {
      const text = await asking(record, who, now)("incipit_logs", {})
      return [...text.matchAll(/input="([^"]*)"/g)].map(([, input]) => input)
    }
    const bob: Caller = {
      session: "room",
      user: "bob",
      trust: "familiar",
      situation: "group",
      isOwner: false,
    }
    expect(await inputs(bob)).toEqual(["of the room", "of bob"])
    expect(await inputs({ ...bob, trust: "full" })).toEqual(["above", "of the room", "of bob"])
    expect(await inputs({ ...bob, trust: "public" })).toEqual([])
    expect(await inputs({ ...bob, session: "bob-dm", situation: "dm" })).toEqual(["elsewhere"])
    const { user, ...nobody } = bob
    expect(await inputs(nobody)).toEqual(["of the room"])
    // A room that is configured like a direct conversation is still a room.
    expect(await inputs({ ...owner, session: "room", isOwner: false })).toEqual(["of the room", "of alice"])
    expect(await inputs({ ...owner, situation: "group" })).toEqual([])
    expect(await inputs(owner)).toEqual(["elsewhere", "above", "of the room", "of bob", "of alice"])
  })
})
