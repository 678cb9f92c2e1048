// Questions to the event log, against a plain filter over the same events.
import fc from "fast-check"
import { expect, onTestFinished, test } from "vitest"
import { EVENT_TYPES, type EventType, LEVELS } from "../../../src/base/event-types.ts"
import type { RecordStore } from "../../../src/database/contract/record/record-store.ts"
import { followEvents, type LogFilter, queryEvents } from "../../../src/record/ask/logs.ts"
import type { RecordEvent } from "../../../src/record/write/event.ts"
import { openRecord } from "../../../src/record/write/record.ts"
import { event, NOON, openStore, recordFile } from "../record-file.ts"

async function stored(events: readonly RecordEvent[]): Promise<RecordStore> {
  const path = recordFile()
  const record = openRecord(path)
  for (const one of events) record.append(one)
  await record.close()
  return openStore(path)
}

const TYPES = Object.keys(EVENT_TYPES) as readonly EventType[]
const name = fc.constantFrom("a", "b-1", "b-2", 'é "x" OR y', "c*")
const word = fc.constantFrom("disk", "full", "ENOENT", "rate-limit", "429", "Größe", "日本")
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((list) => list.join(" "))
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const anyEvent: fc.Arbitrary<RecordEvent> = fc.record(
  {
    type: fc.constantFrom(...TYPES),
    at: fc.integer({ min: NOON, max: NOON + 50 }),
    level: fc.constantFrom(...LEVELS),
    session: name,
    user: name,
    channel: name,
    trace: name,
    turn: name,
    error: words,
    data: fc.record({ note: words }),
  },
  { requiredKeys: ["type", "at"] },
)

const anyFilter: fc.Arbitrary<LogFilter> = fc
  .record({
    session: optional(name),
    user: optional(name),
    channel: optional(name),
    level: optional(fc.constantFrom(...LEVELS)),
    types: optional(fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 15 })),
    trace: optional(name),
    turn: optional(name),
    since: optional(fc.integer({ min: NOON - 5, max: NOON + 55 })),
    until: optional(fc.integer({ min: NOON - 5, max: NOON + 55 })),
    text: optional(words),
    order: optional(fc.constantFrom("newest" as const, "oldest" as const)),
  })
  // Most filters leave something.
  .chain((made) => fc.subarray(Object.entries(made), { maxLength: 4 }))
  .map((entries) => Object.fromEntries(entries.filter(([, value]) => value !== undefined)))

/** What the question means, said plainly. */
function matches(filter: LogFilter, one: RecordEvent): boolean {
  const level = one.level ?? EVENT_TYPES[one.type].level
  const text = `${one.error ?? ""} ${one.data?.note ?? ""}`.split(/[\s-]+/)
  return (
    (["session", "user", "channel", "trace", "turn"] as const).every(
      (key) => (filter[key] ?? one[key]) === one[key],
    ) &&
    LEVELS.indexOf(level) >= LEVELS.indexOf(filter.level ?? "debug") &&
    (filter.types ?? [one.type]).includes(one.type) &&
    one.at >= (filter.since ?? 0) &&
    one.at < (filter.until ?? Number.POSITIVE_INFINITY) &&
    (filter.text ?? "").split(/[\s-]+/).every((part) => part === "" || text.includes(part))
  )
}

test("every filter gives what a plain one would, on one page or on many", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyEvent, { maxLength: 40 }),
      fc.array(anyFilter, { minLength: 10, maxLength: 20 }),
      async (events, filters) => {
        const store = await stored(events)
        for (const filter of filters) {
          const found = await queryEvents(store, filter)
          const ids = events.flatMap((one, at) => (matches(filter, one) ? [at + 1] : []))
          expect(
            found.map(({ id }) => id).toSorted((a, b) => a - b),
            JSON.stringify(filter),
          ).toEqual(ids)
          const pages: number[] = []
          for (let cursor: number | undefined; ; ) {
            const page = await queryEvents(store, {
              ...filter,
              limit: 3,
              ...(cursor !== undefined && { cursor }),
            })
            pages.push(...page.map(({ id }) => id))
            cursor = page.at(-1)?.id
            if (page.length < 3) break
          }
          expect(pages).toEqual(found.map(({ id }) => id))
        }
      },
    ),
    { numRuns: 30 },
  )
})

test("newest first is by time, whatever was written first", async () => {
  const store = await stored([event({ at: NOON + 2 }), event({ at: NOON }), event({ at: NOON + 1 })])
  expect((await queryEvents(store)).map(({ at }) => at - NOON)).toEqual([2, 1, 0])
  expect((await queryEvents(store, { order: "oldest" })).map(({ at }) => at - NOON)).toEqual([0, 1, 2])
  expect((await queryEvents(store, { limit: 1, cursor: 3 })).map(({ at }) => at - NOON)).toEqual([0])
})

test("what comes back is what was appended", async () => {
  const full: RecordEvent = {
    type: "api_call",
    at: NOON,
    level: "warn",
    session: "s",
    agent: "a",
    user: "u",
    channel: "c",
    trust: "inner",
    trace: "t",
    turn: "n",
    step: 2,
    span: "p",
    parent: "q",
    durationMs: 12,
    model: "claude-opus-5",
    usage: { uncached: 1, read: 2, write: { "5m": 3, "1h": 4 }, output: 5 },
    costUsd: 0.125,
    price: {
      model: "claude-opus-5",
      input: 5,
      output: 25,
      estimated: false,
      source: "here",
      date: "2026-11-15",
    },
    error: "none",
    data: { list: [1, null, { deep: "é" }] },
  }
  const unknown: RecordEvent = { ...full, costUsd: null, price: null }
  const bare: RecordEvent = { type: "diagnostic", at: NOON }
  const store = await stored([full, unknown, bare])
  expect(await queryEvents(store, { order: "oldest" })).toEqual([
    { ...full, id: 1, category: "provider" },
    { ...unknown, id: 2, category: "provider" },
    { ...bare, id: 3, level: "warn", category: "prompt" },
  ])
})

test("no text is an operator, and none breaks the question", async () => {
  const store = await stored([
    event({ error: 'NEAR "quoted" AND col:x rate-limit foo.bar(1)' }),
    event({ error: "other" }),
  ])
  const found = async (text: string) => (await queryEvents(store, { text })).map(({ id }) => id)
  for (const text of [
    '"quoted"',
    "NEAR AND",
    "col:x",
    "rate-limit",
    "foo.bar",
    "bar(1)",

    "- near",
  ])
    expect(await found(text), text).toEqual([1])
  for (const text of [
    "NOT other",
    "rate OR other",
    "er*ror",
    "near(other)",
    "level:info",
    "metadata",
    "rat*",
    "rate-lim",
  ])
    expect(await found(text), text).toEqual([])
  // A text of signs alone asks for nothing.
  for (const text of ["", "  ", '"', "*", "^ - + ( ) : { }", "\0"])
    expect(await found(text), text).toEqual([2, 1])
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), fc.string(), async (text, session) => {
      await queryEvents(store, { text, session, types: ["tool_call"] })
      await queryEvents(store, { text: text.repeat(200) })
    }),
  )
})

test("following gives each event once, from now on, in the order of writing", async () => {
  const path = recordFile()
  const record = openRecord(path)
  onTestFinished(() => record.close())
  record.append(event({ span: "before" }))
  await record.flush()
  const rounds = [["1", "2"], [], Array.from({ length: 1_200 }, (_, n) => `many ${n}`), ["last"]]
  const seen: (string | undefined)[] = []
  let round = 0
  const wait = async () => {
    for (const span of rounds[round] ?? []) {
      record.append(event({ span, at: NOON - round, error: "wanted" }))
      record.append(event({ span: "other", user: "bob", error: "wanted" }))
      record.append(event({ span: "other", error: "unwanted" }))
    }
    await record.flush()
    round += 1
    return round <= rounds.length
  }
  for await (const one of followEvents(openStore(path), { user: "alice", text: "wanted" }, { wait }))
    seen.push(one.span)
  expect(seen).toEqual(rounds.flat())
})
