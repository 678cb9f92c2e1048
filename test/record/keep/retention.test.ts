// Pruning: whole traces, nothing that is still needed, a file that really gets smaller, and sums of cost that stay.
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { zstdCompressSync } from "node:zlib"
import fc from "fast-check"
import { expect, onTestFinished, test } from "vitest"
import type { Database } from "../../../src/database/sqlite/database.ts"
import { factOf } from "../../../src/database/sqlite/record/facts.ts"
import { forget, prune } from "../../../src/database/sqlite/record/retention.ts"
import { queryEvents } from "../../../src/record/ask/logs.ts"
import { openRecord } from "../../../src/record/write/record.ts"
import { inFile } from "../in-file.ts"
import { count, event, integrity, NOON, openFile, openStore, recordFile } from "../record-file.ts"

const DAY_MS = 86_400_000

test("a trace goes whole or stays whole; events without one go one by one", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          age: fc.integer({ min: 0, max: 60 }),
          trace: fc.option(fc.constantFrom("a", "b", "c", "d"), { nil: undefined }),
        }),
        { minLength: 1, maxLength: 30 },
      ),
      async (made) => {
        const path = recordFile()
        const record = openRecord(path)
        for (const { age, trace } of made)
          record.append(event({ at: NOON - age * DAY_MS, error: `age ${age}`, ...(trace && { trace }) }))
        await record.close()
        const database = openFile(path)
        const { events } = await prune(database, { olderThanMs: 30 * DAY_MS, now: NOON })
        const newest = made.length - 1
        const stays = made.flatMap(({ age, trace }, at) => {
          const together =
            trace === undefined
              ? [at]
              : made.flatMap((other, index) => (other.trace === trace ? [index] : []))
          const isFresh = together.some((index) => (made[index]?.age ?? 0) <= 30 || index === newest)
          return (trace === undefined ? age <= 30 || at === newest : isFresh) ? [at + 1] : []
        })
        expect((await queryEvents(openStore(path))).map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
          stays,
        )
        expect(await queryEvents(openStore(path), { text: "age" })).toHaveLength(stays.length)
        expect(events).toBe(made.length - stays.length)
        expect(integrity(path)).toBe("ok")
      },
    ),
    // Just as old as may be stays.
    { numRuns: 30, examples: [[[30, 31, 0].map((age) => ({ age, trace: undefined }))]] },
  )
})

test("the file shrinks by age, and cost sums and the numbering stay", async () => {
  const path = recordFile()
  const record = openRecord(path)
  const usage = { uncached: 10, read: 0, write: {}, output: 1 }
  for (let n = 0; n < 6_000; n += 1)
    record.append(
      event({
        type: "api_call",
        at: NOON - 60 * DAY_MS,
        trace: `t${n >> 2}`,
        error: `text ${n} ${"x".repeat(300)}`,
        usage,
        costUsd: 0.5,
      }),
    )
  await record.close()
  const database = openFile(path)
  const report = await prune(database, { olderThanMs: 30 * DAY_MS, now: NOON })
  expect(report).toMatchObject({ events: 5_996, isLogEmpty: true, bytesAfter: database.size() })
  expect(report.bytesAfter).toBeLessThan(report.bytesBefore / 10)
  expect(database.get("SELECT calls, cost_usd FROM costs")).toEqual({ calls: 6_000, cost_usd: 3_000 })
  expect(factOf(database, "pruned")).toBe(new Date(NOON).toISOString())
  // All was old; the newest trace is kept, so that no number is given twice.
  const again = openRecord(path)
  again.append(event())
  await again.close()
  expect((await queryEvents(openStore(path), { limit: 1 })).map(({ id }) => id)).toEqual([6_001])
  expect(integrity(path)).toBe("ok")
})

test("the size is kept to by the oldest traces, and others may write meanwhile", async () => {
  const path = recordFile()
  const record = openRecord(path)
  onTestFinished(() => record.close())
  for (let n = 0; n < 8_000; n += 1)
    record.append(
      event({ at: NOON - DAY_MS + n, trace: `t${n >> 2}`, error: `text ${n} ${"x".repeat(200)}` }),
    )
  await record.flush()
  const database = openFile(path)
  const maxBytes = 1_500_000
  const pruned = prune(database, { maxBytes, now: NOON })
  for (let n = 0; n < 50; n += 1) {
    record.append(event({ at: NOON, span: "meanwhile" }))
    await record.flush()
  }
  const { bytesAfter } = await pruned
  expect(bytesAfter).toBeLessThanOrEqual(maxBytes)
  expect(bytesAfter).toBeGreaterThan(maxBytes / 2)
  expect(record.health().dropped).toBe(0)
  const left = await queryEvents(openStore(path), { limit: 10_000 })
  expect(left.filter(({ span }) => span === "meanwhile")).toHaveLength(50)
  // The newest ones, without a gap, in whole traces.
  const ids = left.flatMap(({ id, trace }) => (trace === undefined ? [] : [id])).toSorted((a, b) => a - b)
  expect(ids.at(-1)).toBe(8_000)
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, n) => 8_000 - ids.length + 1 + n))
  expect(ids.length % 4).toBe(0)
  expect(integrity(path)).toBe("ok")
})

test("a size that cannot be reached leaves what is still going on", async () => {
  const path = recordFile()
  const record = openRecord(path)
  for (let n = 0; n < 100; n += 1) record.append(event({ at: NOON - 1_000, trace: "running" }))
  record.append(event({ at: NOON }))
  await record.close()
  const database = openFile(path)
  expect(await prune(database, { maxBytes: 1, now: NOON })).toMatchObject({ events: 0 })
  expect(count(database)).toBe(101)
})

const digestOf = (text: string) => createHash("sha256").update(text).digest()

function putText(database: Database, text: string): number {
  const bytes = Buffer.from(text)
  const packed = zstdCompressSync(bytes)
  const body = packed.length < bytes.length ? packed : bytes
  const known = database.get("SELECT id FROM texts WHERE digest = ?", digestOf(text))
  if (known) return Number(known.id)
  return database.run(
    "INSERT INTO texts (digest, bytes, body) VALUES (?, ?, ?)",
    digestOf(text),
    bytes.length,
    body,
  ).id
}

const ref = (text: string) => digestOf(text).toString("base64url")

/** Long enough to be packed. */
const partOf = (long: string) =>
  JSON.stringify({ items: [{ $text: ref("shared") }, { $text: ref(long) }], rest: "-".repeat(400) })

/** A receipt whose frame names a part that names a text, with a conversation of some messages. */
function putReceipt(database: Database, turn: string, at: number, messages: readonly string[]): void {
  const long = `${turn} says ${"something long ".repeat(30)}`
  const part = partOf(long)
  for (const text of ["shared", long, part]) putText(database, text)
  let node = 0
  for (const message of messages) {
    const text = putText(database, message)
    const known = database.get("SELECT id FROM nodes WHERE parent = ? AND text = ?", node, text)
    node = known
      ? Number(known.id)
      : database.run("INSERT INTO nodes (parent, text) VALUES (?, ?)", node, text).id
  }
  database.run("INSERT OR IGNORE INTO models (id, name) VALUES (1, 'a model')")
  database.run(
    "INSERT INTO receipts (turn_id, step, at, model_id, frame, node, marks, plan) VALUES (?, 1, ?, 1, ?, ?, ?, ?)",
    turn,
    at,
    putText(database, JSON.stringify({ $json: ref(part), turn })),
    node,
    putText(database, "[]"),
    putText(database, `plan of ${turn}`),
  )
}

test("receipts go with the events of their turn, and with them what only they need", async () => {
  const path = recordFile()
  const record = openRecord(path)
  const turns = [
    { turn: "old", at: NOON - 60 * DAY_MS, messages: ["hello", "old answer", "old end"] },
    { turn: "fresh", at: NOON - DAY_MS, messages: ["hello", "fresh answer"] },
  ]
  for (const { turn, at, messages } of turns) {
    record.append(event({ at, turn, trace: turn }))
    await record.flush()
    inFile(record, (database) => putReceipt(database, turn, at, messages))
  }
  await record.flush()
  const database = openFile(path)
  // Without any event: an old one is of no use, a fresh one may be of a turn that has just begun.
  putReceipt(database, "beginning", NOON, ["hello", "fresh answer", "beginning"])
  putReceipt(database, "lost", NOON - 60 * DAY_MS, ["lost"])
  const before = count(database, "texts")
  const report = await prune(database, { olderThanMs: 30 * DAY_MS, now: NOON })
  await record.close()
  expect(database.all("SELECT turn_id FROM receipts ORDER BY id")).toEqual([
    { turn_id: "fresh" },
    { turn_id: "beginning" },
  ])
  const kept = [
    "shared",
    "[]",
    "hello",
    "fresh answer",
    "beginning",
    ...["fresh", "beginning"].flatMap((turn) => {
      const long = `${turn} says ${"something long ".repeat(30)}`
      const part = partOf(long)
      return [long, part, JSON.stringify({ $json: ref(part), turn }), `plan of ${turn}`]
    }),
  ]
  const left = database
    .all("SELECT digest FROM texts")
    .map(({ digest }) => Buffer.from(digest as Uint8Array).toString("hex"))
  expect(left.toSorted()).toEqual(kept.map((text) => digestOf(text).toString("hex")).toSorted())
  expect(count(database, "nodes")).toBe(3)
  expect(report).toMatchObject({ events: 1, receipts: 2, texts: before - kept.length })
  expect(database.all("PRAGMA foreign_key_check")).toEqual([])
  // A text with the number of a removed one is looked at as well.
  putReceipt(database, "later", NOON + DAY_MS, ["later"])
  expect(await prune(database, { olderThanMs: 30 * DAY_MS, now: NOON + 2 * DAY_MS })).toMatchObject({
    texts: 0,
  })
  expect(await prune(database, { olderThanMs: 0, now: NOON + 3 * DAY_MS })).toMatchObject({ receipts: 2 })
})

test("what is named by a text that was not looked at yet stays, however many there are", async () => {
  const database = openFile(recordFile())
  database.transaction(() => {
    for (let at = 0; at < 300; at += 1) putReceipt(database, `turn ${at}`, NOON, ["hello"])
  })
  const before = count(database, "texts")
  expect(await prune(database, { olderThanMs: DAY_MS, now: NOON })).toMatchObject({ receipts: 0, texts: 0 })
  expect([before, count(database, "texts")]).toEqual([1_203, 1_203])
})

/** What somebody said and did, the newest event among it; one of others before. */
async function recordOfBob(path: string): Promise<void> {
  const record = openRecord(path)
  record.append(event({ error: "a hinge" }))
  for (let at = 1; at <= 50; at += 1)
    record.append(
      event({
        ...{ session: "mackerel", user: "bobkin", channel: "chat:bobkin", trace: "mackerel-trace" },
        ...{ turn: `mackerel-${at}`, error: `KIPPER ${at}`, data: { path: "sprat" } },
      }),
    )
  await record.close()
}

test("what is forgotten is in no byte of the file, and the last event keeps its number alone", async () => {
  const path = recordFile()
  await recordOfBob(path)
  const database = openFile(path)
  expect(await forget(database, ["mackerel"])).toEqual({ events: 50, receipts: 0 })
  const TOOL = { type: "tool_call", level: "info", category: "tool" }
  const bytes = ["", "-wal"].map((end) => readFileSync(path + end, "latin1")).join("")
  expect(bytes.match(/kipper|sprat|bobkin|mackerel/gi)).toBe(null)
  expect(await queryEvents(openStore(path))).toEqual([
    { id: 51, at: NOON, ...TOOL },
    { id: 1, at: NOON, ...TOOL, session: "s1", user: "alice", error: "a hinge" },
  ])
  expect(integrity(path)).toBe("ok")
})

test("words of events that were pruned are gone from the index", async () => {
  const path = recordFile()
  await recordOfBob(path)
  const record = openRecord(path)
  record.append(event({ at: NOON + 2 * DAY_MS, error: "a wick" }))
  await record.close()
  const database = openFile(path)
  await prune(database, { olderThanMs: DAY_MS, now: NOON + 2 * DAY_MS })
  const blocks = database.all("SELECT block FROM events_text_data")
  const words = blocks
    .map(({ block }) => (block instanceof Uint8Array ? Buffer.from(block).toString("latin1") : ""))
    .join("")
  expect(words.match(/kipper|hinge|wick/g)).toEqual(["wick"])
})
