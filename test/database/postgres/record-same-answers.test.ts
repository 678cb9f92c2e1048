// The same events and receipts on SQLite and on PostgreSQL give the same answers to the same questions, before and after
// old ones are removed.
import fc from "fast-check"
import { describe, expect, onTestFinished, test } from "vitest"
import { COST_KEYS } from "../../../src/base/cost-keys.ts"
import { EVENT_TYPES, type EventType, LEVELS } from "../../../src/base/event-types.ts"
import { TRUSTS } from "../../../src/base/trust.ts"
import type { Sight } from "../../../src/database/contract/record/event-log.ts"
import type { RecordStore } from "../../../src/database/contract/record/record-store.ts"
import { openPostgresRecord } from "../../../src/database/postgres/record/open-record.ts"
import { wordsIn } from "../../../src/database/postgres/record/words.ts"
import { openDatabase } from "../../../src/database/sqlite/open-database.ts"
import { openRecordFile } from "../../../src/database/sqlite/record/open-record.ts"
import { costs } from "../../../src/record/ask/cost.ts"
import { queryEvents } from "../../../src/record/ask/logs.ts"
import { recordedCalls } from "../../../src/record/ask/recorded-calls.ts"
import { replay } from "../../../src/record/ask/replay.ts"
import { saveUsage } from "../../../src/record/ask/section-costs.ts"
import { statusOf } from "../../../src/record/ask/status.ts"
import { traceOf } from "../../../src/record/ask/trace.ts"
import { turnDiff } from "../../../src/record/ask/turn-diff.ts"
import { whyMiss } from "../../../src/record/ask/why-miss.ts"
import { exportEvents } from "../../../src/record/keep/export.ts"
import type { RecordEvent } from "../../../src/record/write/event.ts"
import { saveReceipt } from "../../../src/record/write/receipts.ts"
import { type Recorder, recordInto } from "../../../src/record/write/record.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { PRICE } from "../../record/receipt-folder.ts"
import { recordFile } from "../../record/record-file.ts"
import { samplePrompt } from "../../render/sample.ts"
import { NO_SERVER, testServer } from "./postgres-server.ts"

const DAY_MS = 86_400_000
const MIDNIGHT = Date.UTC(2026, 10, 15)
const HEALTH = { waiting: 0, dropped: 0, lastError: undefined, damaged: undefined }
/** The keys of the table are the types. */
const TYPES = Object.keys(EVENT_TYPES) as readonly EventType[]

const maybe = <T>(...values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
const text = fc.constantFrom(
  "rate-limit",
  "No such file",
  "Zoë's Größe",
  "50% _x_ \\",
  "日本語 text",
  "İs ß ſet",
  "a b",
)
const at = fc
  .tuple(fc.constantFrom(0, 9, 10, 11), fc.constantFrom(0, 1, 450_000, DAY_MS - 1))
  .map(([days, ms]) => MIDNIGHT - days * DAY_MS + ms)

/** Costs are sums of a power of two, so that they are exact in any order. */
const usage = fc.record({
  uncached: fc.integer({ min: 0, max: 5_000 }),
  read: fc.constantFrom(0, 1_024, 4_096),
  write: fc.constantFrom({}, { "5m": 100 }, { "1h": 7, "5m": 3 }),
  output: fc.constantFrom(0, 9, 10, 11),
})

const facts = fc.record({
  at,
  type: fc.constantFrom(...TYPES, "api_call" as const, "api_call" as const),
  level: maybe(...LEVELS),
  session: maybe("s1", "s2"),
  user: maybe("alice", "bob"),
  channel: maybe("signal", "mail"),
  trust: maybe(...TRUSTS),
  trace: maybe("x", "y", "z"),
  turn: maybe("t1", "t2", "t3"),
  step: maybe(1, 2),
  model: maybe("anthropic/claude-sonnet-5-5", "openai/gpt-5.2"),
  error: fc.option(text, { nil: undefined }),
  data: fc.option(fc.dictionary(text, fc.oneof(text, fc.integer(), fc.constant(null)), { maxKeys: 2 }), {
    nil: undefined,
  }),
  durationMs: maybe(0, 12.4, 900),
  usage: fc.option(usage, { nil: undefined }),
  costUsd: maybe(0, 0.25, 1.5, null),
  price: maybe(PRICE, null),
})

const receipt = fc.record({
  turn: fc.constantFrom("t1", "t2", "t3"),
  step: fc.constantFrom(1, 2),
  session: fc.constantFrom("s1", "s2"),
  at,
  model: fc.constantFrom("anthropic/claude-sonnet-5-5", "openai/gpt-5.2"),
  system: fc.constantFrom("one ".repeat(200), "two"),
  messages: fc.array(text, { maxLength: 4 }),
  usage,
})

type Receipt = typeof receipt extends fc.Arbitrary<infer T> ? T : never
type Made = { readonly event: RecordEvent } | { readonly receipt: Receipt }

const defined = (value: object): RecordEvent =>
  // Without what is undefined, it is what the record of its parts is.
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as unknown as RecordEvent

const made: fc.Arbitrary<Made> = fc.oneof(
  { weight: 4, arbitrary: facts.map((event) => ({ event: defined(event) })) },
  { weight: 1, arbitrary: receipt.map((one) => ({ receipt: one })) },
)

async function write(recorder: Recorder, batches: readonly (readonly Made[])[]): Promise<void> {
  for (const batch of batches) {
    for (const one of batch) {
      if ("event" in one) recorder.append(one.event)
      else keep(recorder, one.receipt)
    }
    await recorder.flush()
  }
  expect(recorder.health()).toEqual(HEALTH)
}

function keep(recorder: Recorder, made: Receipt): void {
  const { system, messages, usage: used, ...rest } = made
  const request = {
    system: [{ type: "text", text: system, cache_control: { type: "ephemeral" } }],
    messages: messages.map((content) => ({ role: "user", content })),
  }
  saveReceipt(recorder, { ...rest, trust: "full", prompt: samplePrompt(), request })
  saveUsage(recorder, { ...rest, usage: used, costUsd: 0.5, price: PRICE })
}

const SIGHTS: readonly (Sight | undefined)[] = [
  undefined,
  { session: "s1", user: "alice", trust: "full" },
  { session: "s2", user: undefined, trust: "public" },
]
const NAMES = ["t1", "t2", "t3", "x", "t1.1", "none"]
const TEXTS = [
  "rate-limit",
  "FILE no",
  "zoe",
  "Grosse",
  "größe",
  "x 50",
  "日本語",
  "is SS set",
  "a b",
  "text",
]

/** Everything that can be asked, with what a question of people gets. */
async function answers(store: RecordStore, now: number): Promise<unknown> {
  const costsBy: unknown[] = []
  for (const by of COST_KEYS)
    for (const sight of SIGHTS)
      for (const range of [{}, { since: MIDNIGHT - 10 * DAY_MS, until: MIDNIGHT }])
        costsBy.push(rounded(await costs(store, { by, timeZone: "Europe/Stockholm", sight, ...range })))
  const logs: unknown[] = []
  for (const filter of [{}, { session: "s1" }, { level: "warn" }, { user: "bob", turn: "t1" }] as const)
    for (const order of ["newest", "oldest"] as const)
      logs.push(
        await queryEvents(store, { ...filter, order }),
        await queryEvents(store, { ...filter, order, limit: 2, cursor: 3 }),
      )
  for (const one of TEXTS) logs.push(await queryEvents(store, { text: one }))
  const turns: unknown[] = []
  for (const name of NAMES) {
    for (const sight of SIGHTS) turns.push(await traceOf(store, name, sight))
    turns.push(await replay(store, name), await replay(store, name, 1), await whyMiss(store, name))
    turns.push(await turnDiff(store, "t1", name))
  }
  const status: unknown[] = []
  for (const sight of SIGHTS) {
    const { record, ...rest } = await statusOf(store, { now, health: HEALTH, sight, windowMs: 20 * DAY_MS })
    // Sizes differ.
    status.push(rest, record?.oldestAt)
  }
  const exported: string[] = []
  await exportEvents(store, (line) => void exported.push(line))
  const calls: unknown[] = []
  for await (const call of recordedCalls(store, { counter: o200k })) calls.push(call)
  return { costsBy, logs, turns, status, exported, calls }
}

/** A sum of parts of a dollar depends on its order in the last digit; then, equal ones may change places. */
function rounded(report: Awaited<ReturnType<typeof costs>>): unknown {
  const whole = JSON.parse(JSON.stringify(report), (_key, value) =>
    typeof value === "number" && !Number.isInteger(value) ? Number(value.toFixed(9)) : value,
  )
  const order = (rows: readonly { readonly key: string }[]) =>
    rows.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  return { ...whole, rows: order(whole.rows) }
}

describe.skipIf(NO_SERVER)(NO_SERVER ?? "SQLite and PostgreSQL", () => {
  const server = testServer()

  test("the same events and receipts give the same answers, before and after retention", {
    timeout: 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(made, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 }),
        async (batches) => {
          const stores = [openRecordFile(recordFile()), await openPostgresRecord(server.newUrl())]
          const [one, other] = stores.map((store) => recordInto(store))
          if (one === undefined || other === undefined) return
          try {
            for (const recorder of [one, other]) await write(recorder, batches)
            const [before, same] = await Promise.all(stores.map((store) => answers(store, MIDNIGHT)))
            expect(same).toEqual(before)
            const options = { olderThanMs: 10 * DAY_MS, now: MIDNIGHT }
            const [pruned, alike] = await Promise.all(stores.map(({ upkeep }) => upkeep.prune(options)))
            expect({ events: alike?.events, receipts: alike?.receipts, texts: alike?.texts }).toEqual({
              ...{ events: pruned?.events, receipts: pruned?.receipts, texts: pruned?.texts },
            })
            const [after, sameAfter] = await Promise.all(stores.map((store) => answers(store, MIDNIGHT)))
            expect(sameAfter).toEqual(after)
          } finally {
            await Promise.all([one.close(), other.close()])
          }
        },
      ),
      { numRuns: 6 },
    )
  })
})

test("a text has the words that SQLite's index finds in it", () => {
  const database = openDatabase(":memory:", {
    migrations: [
      "CREATE VIRTUAL TABLE texts USING fts5(text)\n\nCREATE VIRTUAL TABLE words USING fts5vocab(texts, 'instance')",
    ],
  })
  onTestFinished(() => database.close())
  const unit = fc.oneof(
    fc.integer({ min: 1, max: 0x4ff }).map((code) => String.fromCodePoint(code)),
    fc.constantFrom(
      "a",
      "B",
      "7",
      " ",
      "-",
      "_",
      "é",
      "e\u0301",
      "İ",
      "ı",
      "ς",
      "Σ",
      "ß",
      "ǖ",
      "日",
      "한",
      "ñ",
      "\u0305",
    ),
  )
  // Letters that came into Unicode after its version 6.1, which SQLite knows.
  const isKnown = (letter: string) => !["\u037f"].includes(letter)
  fc.assert(
    fc.property(fc.string({ unit: unit.filter(isKnown), maxLength: 20 }), (given) => {
      database.run("DELETE FROM texts")
      database.run("INSERT INTO texts VALUES (?)", given)
      const rows = database.all("SELECT term FROM words ORDER BY offset")
      expect(wordsIn(given)).toEqual(rows.map(({ term }) => term))
    }),
    { numRuns: 500 },
  )
})
