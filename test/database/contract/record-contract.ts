// What every driver of the record must do. Each test gets a record of its own, empty.
import { expect, test } from "vitest"
import { byCodePoint } from "../../../src/base/order.ts"
import type { RecordEntry } from "../../../src/database/contract/record/batch.ts"
import type { NewEventRow } from "../../../src/database/contract/record/event-row.ts"
import type {
  NewReceipt,
  NodeName,
  ReceiptPage,
  TextTree,
} from "../../../src/database/contract/record/receipts.ts"
import type { RecordStore } from "../../../src/database/contract/record/record-store.ts"
import { refOf } from "../../../src/database/text-ref.ts"
import type { RecordEvent } from "../../../src/record/write/event.ts"
import { eventRow } from "../../../src/record/write/event-row.ts"

/** Opens an empty record; `again` opens the same one as another process would. */
export type OpenRecord = () => Promise<{ readonly store: RecordStore; again(): Promise<RecordStore> }>

const DAY_MS = 86_400_000
const NOON = Date.UTC(2026, 10, 15, 12)
const ALL = { order: "oldest", limit: 1_000 } as const

function event(more: Partial<RecordEvent> = {}): NewEventRow {
  const made: RecordEvent = { type: "tool_call", at: NOON, session: "s1", user: "alice", ...more }
  return eventRow(made, made.error ?? "", made.data === undefined ? "" : JSON.stringify(made.data))
}

function call(more: Partial<RecordEvent> = {}): NewEventRow {
  const usage = { uncached: 10, read: 20, write: { "5m": 30 }, output: 5 }
  return event({ type: "api_call", model: "m", turn: "t1", step: 1, usage, costUsd: 0.5, ...more })
}

/** Until all is written: a driver may take a part of it, so that it doesn't block the process for long. */
async function append(
  store: RecordStore,
  entries: readonly RecordEntry[],
  dropped = 0,
): Promise<{ readonly failures: number; readonly nodes: ReadonlyMap<number, readonly NodeName[]> }> {
  const nodes = new Map<number, readonly NodeName[]>()
  let [next, failures] = [0, 0]
  while (next < entries.length) {
    const left = entries.slice(next)
    const appended = await store.append({ entries: left, dropped: next === 0 ? dropped : 0 })
    if (appended.kind === "locked") continue
    for (const [at, path] of appended.nodes) nodes.set(next + at, path)
    failures += appended.failures.length
    next += appended.count
  }
  return { failures, nodes }
}

const events = (rows: readonly NewEventRow[]): readonly RecordEntry[] =>
  rows.map((row) => ({ kind: "event", row }))

function tree(stored: string, texts: readonly string[] = []): TextTree {
  return { stored, texts: new Map(texts.map((text) => [refOf(text), text])) }
}

const SHARED = "a text that two others name"
/** Names a text, as a part of a request does. */
const naming = (text: string) => JSON.stringify({ $text: refOf(text) })

function receipt(turn: string, step: number, more: Partial<NewReceipt> = {}): NewReceipt {
  return {
    ...{ turn, step, at: NOON + step, session: "s1", trust: "full", model: "m" },
    ...{ frame: tree(naming(SHARED), [SHARED]), marks: tree("[]"), plan: tree(`plan of ${turn}`) },
    elements: ["hello", `answer of ${turn}`].map((text) => tree(text)),
    ...more,
  }
}

async function putReceipts(store: RecordStore, receipts: readonly NewReceipt[]) {
  const { nodes } = await append(
    store,
    receipts.map((made) => ({ kind: "receipt", receipt: made })),
  )
  return receipts.map((_receipt, at): readonly NodeName[] => nodes.get(at) ?? [])
}

/** Letters and digits without a pattern, so that they cannot be packed. */
function noise(length: number): string {
  let [text, state] = ["", 1]
  while (text.length < length) {
    state = (state * 48_271) % 2_147_483_647
    text += (state % 36).toString(36)
  }
  return text
}

export function eventsContract(open: OpenRecord): void {
  test("what was appended is found as it was, by any filter, in either order", async () => {
    const { store } = await open()
    const rows = [
      call({ at: NOON + 2, error: "rate-limit of Zoë", trust: "inner", trace: "a" }),
      event({ at: NOON, channel: "signal", level: "error", error: "no such file", trace: "a", turn: "t2" }),
      event({ at: NOON + 1, user: "bob", data: { path: "notes/1.md", é: [null, 1.5] }, durationMs: 1.6 }),
    ]
    await append(store, events(rows))
    const { events: log } = store
    const stored = rows.map((row, at) => ({ id: at + 1, ...row }))
    expect(await log.find(ALL)).toEqual([stored[1], stored[2], stored[0]])
    expect(await log.written({}, { after: 0, upTo: 9, limit: 9 })).toEqual(stored)
    // Exports print the columns in this order.
    expect(Object.keys((await log.find(ALL))[0] ?? {})).toEqual(Object.keys(stored[0] ?? {}))
    const ids = async (filter: object) =>
      (await log.find({ order: "newest", limit: 9, ...filter })).map(({ id }) => id)
    expect(await ids({})).toEqual([1, 3, 2])
    expect(await ids({ cursor: 3 })).toEqual([2])
    expect(await ids({ cursor: 77 })).toEqual([1, 3, 2])
    expect(await ids({ limit: 1 })).toEqual([1])
    expect(await ids({ user: "bob" })).toEqual([3])
    expect(await ids({ level: "warn" })).toEqual([2])
    expect(await ids({ types: ["api_call", "finding"] })).toEqual([1])
    expect(await ids({ since: NOON + 1, until: NOON + 2 })).toEqual([3])
    expect(await ids({ trace: "a", channel: "signal", turn: "t2", session: "s1" })).toEqual([2])
    expect(await ids({ words: ["LIMIT", "zoe"] })).toEqual([1])
    expect(await ids({ words: ["rate-limit"] })).toEqual([1])
    expect(await ids({ words: ["limit-rate"] })).toEqual([])
    expect(await ids({ words: ["no", "1"] })).toEqual([])
    expect(await ids({ words: ["notes/1.md"] })).toEqual([3])
    expect(await log.count({ session: "s1" }, 2)).toBe(2)
    expect(await log.count({ session: "s2" }, 2)).toBe(0)
    expect(await log.lastId()).toBe(3)
    expect(await log.oldest()).toBe(NOON)
  })

  test("texts of any length and kind are stored, and found by their words", async () => {
    const { store } = await open()
    const long = noise(20_000)
    const odd = ["\ud800 half a letter", "a\u0000b", "% _ \\ ' \" $1 ?", "\u{1f980} crab"]
    await append(
      store,
      events([event({ data: { long } }), ...odd.map((error) => event({ error, turn: `${error.length}` }))]),
    )
    const found = async (...words: readonly string[]) =>
      (await store.events.find({ ...ALL, words })).map(({ id }) => id)
    expect(await found(long)).toEqual([1])
    expect(await found("half", "letter")).toEqual([2])
    expect(await found("$1")).toEqual([4])
    expect(await found("crab")).toEqual([5])
    expect(await store.events.lastId()).toBe(5)
  })

  test("whoever may not see an event finds, counts and sums nothing of it", async () => {
    const { store } = await open()
    await append(
      store,
      events([
        call({ trust: "full", turn: "a" }),
        call({ trust: "public", turn: "b", user: "bob" }),
        call({ trust: "public", turn: "c" }),
        call({ turn: "d", session: "s2" }),
        event({ channel: "signal", level: "error", error: "secret", trust: "full" }),
      ]),
    )
    const sight = { session: "s1", user: "alice", trust: "public" } as const
    const found = await store.events.find({ ...ALL, sight })
    expect(found.map(({ turn_id }) => turn_id)).toEqual(["c"])
    expect(await store.events.count({ sight }, 9)).toBe(1)
    expect(await store.events.latestTurn({ sight })).toBe("c")
    expect(await store.events.latestTurn({ sight, besides: "c" })).toBe(undefined)
    expect(await store.events.trace("a", { sight, limit: 9 })).toEqual({ rows: [], count: 0 })
    expect(await store.events.channels(0, sight)).toEqual([])
    expect(await store.events.sessions(0, sight)).toEqual([{ session: "s1", lastAt: NOON, events: 1 }])
    const { rows, turns } = await store.costs({ by: "turn", sight })
    expect(rows.map(({ key }) => key)).toEqual(["c"])
    expect(turns).toEqual({ count: 1, calls: 1, unpriced: 0, costUsd: 0.5 })
    expect((await store.costs({ by: "section", sight })).rows).toEqual([])
  })

  test("a trace is all of it, by its turns too, and the rest is counted", async () => {
    const { store } = await open()
    const steps = Array.from({ length: 5 }, (_, at) =>
      event({ at: NOON + at * DAY_MS, trace: "x", turn: `t${at >> 1}` }),
    )
    await append(store, events([...steps, event({ turn: "t0" }), event({ trace: "y" })]))
    const all = await store.events.trace("x", { limit: 9 })
    expect(all.rows.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
    expect(await store.events.trace("t0", { limit: 9 })).toMatchObject({ count: 6 })
    expect((await store.events.trace("t2", { limit: 2 })).rows.map(({ id }) => id)).toEqual([1, 2])
    expect(await store.events.trace("t2", { limit: 2 })).toMatchObject({ count: 5 })
    expect(await store.events.latestTurn({})).toBe("t0")
    expect(await store.events.latest("s1", "tool_call")).toMatchObject({ id: 7 })
    expect(await store.events.latest("s1", "api_call")).toBe(undefined)
  })

  test("channels and sessions, since a moment", async () => {
    const { store } = await open()
    const failed = { level: "error", channel: "mail" } as const
    await append(
      store,
      events([
        event({ type: "message_received", channel: "signal", at: NOON - 9 * DAY_MS, session: "s3" }),
        event({ ...failed, at: NOON, error: "first" }),
        event({ ...failed, at: NOON, error: "second", session: "s2" }),
        event({ ...failed, at: NOON - 1, error: "earlier", session: "s2" }),
        event({ ...failed, at: NOON - DAY_MS, error: "too old", session: "s4" }),
      ]),
    )
    const since = NOON - 1_000
    expect(await store.events.channels(since)).toEqual([
      { channel: "mail", lastMessageAt: undefined, errors: 3, lastError: "first", lastErrorAt: NOON },
      {
        ...{ channel: "signal", lastMessageAt: NOON - 9 * DAY_MS, errors: 0 },
        ...{ lastError: undefined, lastErrorAt: undefined },
      },
    ])
    expect(await store.events.sessions(since)).toEqual([
      { session: "s1", lastAt: NOON, events: 1 },
      { session: "s2", lastAt: NOON, events: 2 },
    ])
  })

  test("what cannot be stored fails alone, and what was dropped is added up", async () => {
    const { store, again } = await open()
    const broken = { ...event(), level: null as unknown as string }
    const entries = events([event({ span: "a" }), broken, event({ span: "c" })])
    expect((await append(store, entries, 2)).failures).toBe(1)
    await append(await again(), events([event({ span: "d" })]), 3)
    expect((await store.events.find(ALL)).map(({ span_id }) => span_id)).toEqual(["a", "c", "d"])
    expect(await store.facts()).toEqual({ dropped: 5, damaged: undefined, pruned: undefined })
  })

  test("many that write at once: each event has one id, and who follows misses none", async () => {
    const { store, again } = await open()
    const writers = await Promise.all(Array.from({ length: 4 }, again))
    let isOver = false
    const seen: number[] = []
    const follow = async () => {
      for (let last = 0; !isOver || last < (await store.events.lastId()); ) {
        const rows = await store.events.written(
          {},
          { after: last, upTo: await store.events.lastId(), limit: 50 },
        )
        seen.push(...rows.map(({ id }) => id))
        last = rows.at(-1)?.id ?? last
      }
    }
    const following = follow()
    await Promise.all(
      writers.map(async (writer, name) => {
        for (let n = 0; n < 20; n += 1) {
          const rows = [event({ span: `${name} ${n}`, at: NOON + n * DAY_MS }), call({ turn: `${name}` })]
          await append(writer, events(rows))
        }
      }),
    )
    isOver = true
    await following
    expect(seen).toEqual(Array.from({ length: 160 }, (_, at) => at + 1))
    const { total, turns } = await store.costs({ by: "model" })
    expect([total?.calls, turns.count]).toEqual([80, 4])
  })
}

export function receiptsContract(open: OpenRecord): void {
  test("a receipt is found by its step, and leads to all of its texts", async () => {
    const { store } = await open()
    const [first = [], second = []] = await putReceipts(store, [receipt("t1", 1), receipt("t1", 2)])
    expect(second).toEqual(first)
    const found = await store.receipts.find("t1", 1)
    expect(found).toEqual({
      ...{ id: 1, turn: "t1", step: 1, at: NOON + 1, session: "s1", trust: "full", model: "m" },
      ...{ frame: refOf(naming(SHARED)), marks: refOf("[]"), plan: refOf("plan of t1"), node: first.at(-1) },
    })
    expect((await store.receipts.find("t1"))?.step).toBe(2)
    expect(await store.receipts.find("t1", 3)).toBe(undefined)
    expect((await store.receipts.ofTurn("t1")).map(({ step }) => step)).toEqual([1, 2])
    expect(await store.receipts.elements(first.at(-1) ?? "")).toEqual(["hello", "answer of t1"].map(refOf))
    const long = "long ".repeat(1_000)
    await putReceipts(store, [receipt("t2", 1, { elements: [tree(long)] })])
    const texts = [SHARED, "plan of t1", long]
    const refs = [...texts, "never written"].map(refOf)
    expect(await store.receipts.texts(refs)).toEqual(new Map(texts.map((text) => [refOf(text), text])))
  })

  test("a conversation that goes on names what is stored, as long as it is", async () => {
    const { store } = await open()
    const [nodes = []] = await putReceipts(store, [receipt("t1", 1)])
    const elements = ["hello", "answer of t1", "and on"].map((text) => tree(text))
    const known = { turn: "t1", step: 1, nodes, shared: 2 }
    const [longer = []] = await putReceipts(store, [receipt("t2", 1, { elements, known })])
    expect(longer.slice(0, 2)).toEqual(nodes)
    expect(await store.receipts.elements(longer.at(-1) ?? "")).toEqual(
      ["hello", "answer of t1", "and on"].map(refOf),
    )
    // What it continues is gone: everything is stored again.
    await store.upkeep.forget(["s1"])
    expect(await store.receipts.texts(["hello", SHARED, naming(SHARED)].map(refOf))).toEqual(new Map())
    const [again = []] = await putReceipts(store, [receipt("t3", 1, { elements, known })])
    expect(await store.receipts.elements(again.at(-1) ?? "")).toHaveLength(3)
    expect(await store.receipts.texts([refOf("hello")])).toEqual(new Map([[refOf("hello"), "hello"]]))
  })

  test("a receipt replaces that of the same step, and is the newest then", async () => {
    const { store } = await open()
    await putReceipts(store, [receipt("t1", 1), receipt("t2", 1), receipt("t1", 1, { plan: tree("other") })])
    await putReceipts(store, [receipt("t1", 1, { plan: tree("last") })])
    const found = await store.receipts.find("t1", 1)
    expect(found?.plan).toBe(refOf("last"))
    expect((await store.receipts.ofTurn("t1")).length).toBe(1)
    expect((await store.receipts.before(found ?? { session: "", id: 0 }))?.turn).toBe("t2")
    expect(await store.receipts.turns("s1")).toEqual(["t2", "t1"])
    await store.upkeep.prune({ olderThanMs: DAY_MS, now: NOON })
    const refs = ["plan of t1", "other", "last", SHARED].map(refOf)
    expect([...(await store.receipts.texts(refs)).keys()].toSorted()).toEqual(refs.slice(2).toSorted())
  })

  test("which call came before, and which were answered", async () => {
    const { store } = await open()
    await putReceipts(store, [
      receipt("t1", 1),
      receipt("t2", 1),
      receipt("t3", 1, { at: NOON - 5 }),
      receipt("t4", 1, { session: "s2" }),
    ])
    await append(
      store,
      events([
        call({ turn: "t1" }),
        call({ turn: "t3", usage: { uncached: 1, read: 1, write: {}, output: 8 } }),
        call({ turn: "t3", usage: { uncached: 1, read: 1, write: {}, output: 9 } }),
        call({ turn: "t4", session: "s2" }),
      ]),
    )
    const third = await store.receipts.find("t3", 1)
    expect((await store.receipts.before(third ?? { session: "", id: 0 }))?.turn).toBe("t1")
    expect(await store.events.answer("t3", 1)).toMatchObject({ tokens_out: 9 })
    expect(await store.events.answer("t2", 1)).toBe(undefined)
    const answered = async (more: object = {}) =>
      (await store.receipts.answered({ since: 0, until: NOON * 2, session: undefined, ...more })).map(
        ({ turn, output }) => `${turn} ${output}`,
      )
    expect(await answered()).toEqual(["t3 9", "t1 5", "t4 5"])
    expect(await answered({ session: "s2" })).toEqual(["t4 5"])
    expect(await answered({ until: NOON })).toEqual(["t3 9"])
  })

  test("calls in pages, newest first, with or without what was asked beside the turns", async () => {
    const { store } = await open()
    await putReceipts(store, [
      ...[receipt("t1", 1), receipt("t1", 2), receipt("t1.summary", 1)],
      ...[receipt("t9", 1, { session: "s2" }), receipt("t2", 1), receipt("t3", 1)],
    ])
    const page = async (asked: Partial<ReceiptPage>) =>
      (await store.receipts.page({ limit: 9, withAsides: false, ...asked })).map(
        ({ turn, step }) => `${turn}.${step}`,
      )
    expect(await page({ session: "s1" })).toEqual(["t3.1", "t2.1", "t1.2", "t1.1"])
    expect(await page({ session: "s1", withAsides: true, limit: 3 })).toEqual([
      "t3.1",
      "t2.1",
      "t1.summary.1",
    ])
    const second = await store.receipts.find("t2", 1)
    expect(await page({ session: "s1", before: second?.id ?? 0, limit: 1 })).toEqual(["t1.2"])
    expect(await page({ before: second?.id ?? 0, limit: 2 })).toEqual(["t9.1", "t1.2"])
    expect(await page({ session: "nobody" })).toEqual([])
    const counts = async (withAsides: boolean) => [
      ...(await store.receipts.counts(["s2", "s1", "nobody"], { withAsides })),
    ]
    expect((await counts(false)).toSorted()).toEqual([
      ["s1", 4],
      ["s2", 1],
    ])
    expect((await counts(true)).toSorted()).toEqual([
      ["s1", 5],
      ["s2", 1],
    ])
  })

  test("the calls of turns, answered or not, and what sessions cost", async () => {
    const { store } = await open()
    const failed = { type: "api_error", error: "busy", step: 1 } as const
    await append(
      store,
      events([
        event({ ...failed, turn: "t1" }),
        call({ turn: "t1", step: 1 }),
        event({ type: "tool_call", turn: "t1" }),
        call({ turn: "t2", session: "s2" }),
        call({ turn: "t3", session: "s3", costUsd: null }),
        event({ ...failed, turn: "t3", session: "s3" }),
      ]),
    )
    const found = async (turns: readonly string[]) =>
      (await store.events.calls(turns))
        .map(({ id, turn_id: turn, event_type: type }) => `${id} ${turn} ${type}`)
        .toSorted()
    expect(await found(["t3", "t1", "nobody"])).toEqual([
      ...["1 t1 api_error", "2 t1 api_call", "5 t3 api_call", "6 t3 api_error"],
    ])
    expect(await found([])).toEqual([])
    const sums = await store.sessionCosts(["s3", "s1", "nobody"])
    expect(
      sums
        .map(({ key, calls, unpriced, costUsd }) => ({ key, calls, unpriced, costUsd }))
        .toSorted((one, other) => byCodePoint(one.key, other.key)),
    ).toEqual([
      { key: "s1", calls: 1, unpriced: 0, costUsd: 0.5 },
      { key: "s3", calls: 1, unpriced: 1, costUsd: 0 },
    ])
  })
}

export function costsContract(open: OpenRecord): void {
  test("every call counts once in every sum, and each turn once", async () => {
    const { store } = await open()
    const quarter = Math.floor(NOON / 900_000)
    await append(store, events([call(), call({ turn: "t2", user: "bob", costUsd: null }), call()]))
    await append(store, [
      ...events([
        call({ at: NOON + 900_000, session: "s2", model: "n" }),
        event({ type: "api_call", turn: "t3" }),
        // Outside of any turn.
        eventRow(
          { type: "api_call", at: NOON, usage: { uncached: 1, read: 0, write: {}, output: 0 } },
          "",
          "",
        ),
      ]),
      {
        ...{ kind: "parts", quarter },
        parts: [
          ...["soul", "soul", "tools"].map((section) => ({
            ...{ section, path: `${section}.md`, fresh: 1, cacheRead: 2, cacheWrite: 3, output: 4 },
            ...{ unpriced: section === "tools" ? (1 as const) : (0 as const), costUsd: 0.25 },
          })),
        ],
      },
    ])
    const figures = {
      calls: 1,
      unpriced: 0,
      fresh: 10,
      cacheRead: 20,
      cacheWrite: 30,
      output: 5,
      costUsd: 0.5,
    }
    const times = (count: number, more: object = {}) =>
      Object.fromEntries(
        Object.entries({ ...figures, ...more }).map(([name, value]) => [
          name,
          name in more ? value : value * count,
        ]),
      )
    const { rows, total, turns, unpricedCalls, unmeasured } = await store.costs({ by: "session" })
    const loose = {
      key: "",
      calls: 1,
      unpriced: 1,
      fresh: 1,
      cacheRead: 0,
      cacheWrite: 0,
      output: 0,
      costUsd: 0,
    }
    expect(rows).toEqual([
      loose,
      { key: "s1", ...times(3, { unpriced: 1, costUsd: 1 }) },
      { key: "s2", ...times(1) },
    ])
    expect(total).toMatchObject({ calls: 5, unpriced: 2, fresh: 41, costUsd: 1.5 })
    expect({ turns, unpricedCalls, unmeasured }).toEqual({
      ...{ turns: { count: 2, calls: 4, unpriced: 1, costUsd: 1.5 }, unpricedCalls: 2, unmeasured: 1 },
    })
    const keys = async (by: "day" | "user" | "model" | "turn" | "section" | "file", more: object = {}) =>
      (await store.costs({ by, ...more })).rows.map(({ key, costUsd }) => `${key}=${costUsd}`)
    expect(await keys("day")).toEqual([`${quarter}=1`, `${quarter + 1}=0.5`])
    expect(await keys("user")).toEqual(["=0", "alice=1.5", "bob=0"])
    expect(await keys("model")).toEqual(["=0", "m=1", "n=0.5"])
    expect(await keys("turn")).toEqual(["=0", "t1=1.5", "t2=0"])
    expect(await keys("section")).toEqual(["soul=0.5", "tools=0.25"])
    expect(await keys("file", { first: quarter + 1 })).toEqual([])
    const later = await store.costs({ by: "turn", first: quarter + 1, end: quarter + 2 })
    expect(later).toEqual({
      rows: [{ key: "t1", ...figures }],
      total: { key: "", ...figures },
      turns: { count: 1, calls: 1, unpriced: 0, costUsd: 0.5 },
      ...{ unpricedCalls: 0, unmeasured: 0 },
    })
    expect((await store.costs({ by: "day", first: quarter + 9 })).total).toBe(undefined)
  })
}

export function recordUpkeepContract(open: OpenRecord): void {
  const midnight = Date.UTC(2026, 10, 15)

  test("what is too old goes by whole traces, the sums stay, and the newest event stays", async () => {
    const { store } = await open()
    const at = (days: number) => midnight - days * DAY_MS
    await append(
      store,
      events([
        call({ at: at(40), turn: "old", trace: "old" }),
        event({ at: at(31) + 5, trace: "long" }),
        event({ at: at(29), trace: "long" }),
        event({ at: at(31) }),
        event({ at: -5 * DAY_MS, error: "before 1970" }),
        event({ at: at(30) }),
        event({ at: at(50), trace: "newest", span: "newest" }),
      ]),
    )
    const before = await store.costs({ by: "turn" })
    const now = midnight
    expect(await store.upkeep.prune({ olderThanMs: 30 * DAY_MS, now })).toMatchObject({ events: 3 })
    const left = await store.events.written({}, { after: 0, upTo: 99, limit: 99 })
    expect(left.map(({ id }) => id)).toEqual([2, 3, 6, 7])
    expect(await store.costs({ by: "turn" })).toEqual(before)
    expect((await store.facts()).pruned).toBe(new Date(now).toISOString())
    await append(store, events([event({ at: at(40) })]))
    expect(await store.events.lastId()).toBe(8)
    // Now the newest is another one.
    expect(await store.upkeep.prune({ olderThanMs: 30 * DAY_MS, now })).toMatchObject({ events: 1 })
  })

  test("receipts go with the events of their turn, and with them what only they need", async () => {
    const { store } = await open()
    const old = midnight - 60 * DAY_MS
    await append(
      store,
      events([event({ at: old, turn: "old", trace: "old" }), event({ at: midnight, turn: "fresh" })]),
    )
    await putReceipts(store, [
      receipt("old", 1, { at: old }),
      receipt("fresh", 1, { at: midnight }),
      // Without any event: an old one is of no use, a fresh one may be of a turn that has just begun.
      receipt("lost", 1, { at: old }),
      receipt("beginning", 1, { at: midnight }),
    ])
    const report = await store.upkeep.prune({ olderThanMs: 30 * DAY_MS, now: midnight })
    expect(report).toMatchObject({ events: 1, receipts: 2, texts: 4 })
    expect(await store.receipts.turns("s1")).toEqual(["fresh", "beginning"])
    const texts = ["hello", "answer of old", "answer of fresh", "plan of old", "plan of lost", SHARED]
    expect([...(await store.receipts.texts(texts.map(refOf))).values()].toSorted()).toEqual(
      ["hello", "answer of fresh", SHARED].toSorted(),
    )
    expect(await store.upkeep.prune({ olderThanMs: 30 * DAY_MS, now: midnight })).toMatchObject({
      ...{ events: 0, receipts: 0, texts: 0 },
    })
  })

  test("while old events go, others write, and nothing that is young is lost", async () => {
    const { store, again } = await open()
    const other = await again()
    const old = midnight - 60 * DAY_MS
    const names = Array.from({ length: 25 }, (_, at) => `t${at}`)
    const write = async () => {
      for (const turn of names) {
        const rows = [event({ at: old, turn: `old ${turn}`, trace: turn }), event({ at: midnight, turn })]
        await append(other, events(rows))
        await putReceipts(other, [
          receipt(`old ${turn}`, 1, { at: old }),
          receipt(turn, 1, {
            at: midnight,
            elements: ["hello", "said often", turn].map((text) => tree(text)),
          }),
        ])
      }
    }
    const writing = write()
    const prune = () => store.upkeep.prune({ olderThanMs: 30 * DAY_MS, now: midnight })
    for (let round = 0; round < 8; round += 1) await prune()
    await writing
    await append(store, events([event({ at: midnight, turn: "last" })]))
    await prune()
    const left = await store.events.find(ALL)
    expect(left.map(({ turn_id }) => turn_id)).toEqual([...names, "last"])
    for (const turn of names) {
      const found = await store.receipts.find(turn)
      const refs = [
        ...(await store.receipts.elements(found?.node ?? "")),
        found?.frame ?? "",
        found?.plan ?? "",
      ]
      const texts = ["hello", "said often", turn, naming(SHARED), `plan of ${turn}`]
      expect([...(await store.receipts.texts(refs)).values()].toSorted()).toEqual(texts.toSorted())
      expect(await store.receipts.find(`old ${turn}`)).toBe(undefined)
    }
  })

  test("nothing is left of sessions that are to be forgotten but what they cost", async () => {
    const { store } = await open()
    await append(
      store,
      events([event({ session: "s2" }), call({ error: "secret" }), call({ error: "secret" })]),
    )
    await putReceipts(store, [receipt("t1", 1), receipt("t2", 1, { session: "s2" })])
    expect(await store.upkeep.forget(["s1", "s9"])).toEqual({ events: 2, receipts: 1 })
    expect((await store.events.find(ALL)).map(({ id, session_id }) => [id, session_id])).toEqual([
      [1, "s2"],
      [3, null],
    ])
    expect(await store.events.find({ ...ALL, words: ["secret"] })).toEqual([])
    expect(await store.receipts.turns("s1")).toEqual([])
    expect(await store.receipts.texts(["plan of t1", "plan of t2"].map(refOf))).toEqual(
      new Map([[refOf("plan of t2"), "plan of t2"]]),
    )
    expect((await store.costs({ by: "session" })).rows).toMatchObject([{ key: "s1", costUsd: 1 }])
  })

  test("a limit of size is kept to by the oldest days", async () => {
    const { store } = await open()
    const rows = Array.from({ length: 2_000 }, (_, at) =>
      event({ at: midnight - 9 * DAY_MS + at * 6 * 60_000, error: `text ${at} ${"x".repeat(300)}` }),
    )
    await append(store, events(rows))
    const { bytes, logBytes } = await store.upkeep.sizes()
    const maxBytes = (bytes + logBytes) / 2
    const { events: removed } = await store.upkeep.prune({ maxBytes, now: midnight })
    expect(removed).toBeGreaterThan(500)
    expect(removed).toBeLessThan(1_900)
    const [oldest] = await store.events.find({ ...ALL, limit: 1 })
    expect(oldest?.id).toBe(removed + 1)
  })
}
