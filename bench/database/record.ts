// Measures the record: how fast events are written in batches, with and without redaction, and how fast a log of a
// million events answers queries. One run, Markdown on stdout. Exits with 1 if a target is missed.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { QUARTER_MS } from "../../src/database/contract/record/costs.ts"
import type { RecordStore } from "../../src/database/contract/record/record-store.ts"
import type { Database } from "../../src/database/sqlite/database.ts"
import { costs } from "../../src/record/ask/cost.ts"
import { type LogFilter, queryEvents } from "../../src/record/ask/logs.ts"
import { prune } from "../../src/record/keep/upkeep.ts"
import { createRedactor } from "../../src/record/redact/redactor.ts"
import { openRecord, type Redact } from "../../src/record/write/record.ts"
import { inFile } from "../../test/record/in-file.ts"
import { eventAt, percentile, questionKinds, START, TURN } from "../inputs/record-events.ts"
import { checkTargets, digits, formatMs, machine, median, printTable } from "../measure/measure.ts"

const EVENTS = 1_000_000
/** Appended before each flush; the record makes its own batches. */
const CHUNK = 20_000
const QUESTIONS = 300
interface Speed {
  readonly rate: number
  readonly whole: number
  /** By CPU time alone, for machines with other load. */
  readonly processor: number
}

/** Events per second, the median of the chunks: other disk activity slows some of them down. */
async function write(path: string, events: number, redact?: Redact): Promise<Speed> {
  const record = openRecord(path, { most: EVENTS, ...(redact && { redact }) })
  const rates: number[] = []
  let spentMs = 0
  let processorMs = 0
  for (let n = 0; n < events; n += CHUNK) {
    const chunk = Array.from({ length: CHUNK }, (_, at) => eventAt(n + at, EVENTS))
    const used = process.cpuUsage()
    const from = performance.now()
    for (const event of chunk) record.append(event)
    await record.flush()
    const ms = performance.now() - from
    const { user, system } = process.cpuUsage(used)
    rates.push((CHUNK / ms) * 1_000)
    spentMs += ms
    processorMs += (user + system) / 1_000
  }
  const { dropped, lastError } = record.health()
  if (dropped > 0) throw new Error(`dropped ${dropped}: ${lastError}`)
  await record.close()
  return { rate: median(rates), whole: (events / spentMs) * 1_000, processor: (events / processorMs) * 1_000 }
}

/** The time in the turn itself: appending. */
async function appendMs(path: string): Promise<number> {
  const record = openRecord(path)
  const times: number[] = []
  for (let turn = 0; turn < 500; turn += 1) {
    const from = performance.now()
    for (let n = 0; n < TURN.length; n += 1) record.append(eventAt(turn * TURN.length + n, EVENTS))
    times.push(performance.now() - from)
    await record.flush()
  }
  await record.close()
  return percentile(times, 0.99)
}

/** Sections of a large prompt, each from a different file. */
const SECTIONS = 40

const COSTS = ["day", "session", "file"] as const

/** Section costs are written with receipts, which this bench does not have. */
function addSectionCosts(database: Database): void {
  const row = "INSERT INTO section_costs VALUES (?, ?, ?, 10, 400, 20, 0, 0, 0.001)"
  const quarters = Math.ceil((EVENTS * 1_000) / QUARTER_MS)
  database.transaction(() => {
    for (let at = 0; at < quarters * SECTIONS; at += 1) {
      const [quarter, section] = [Math.floor(at / SECTIONS), at % SECTIONS]
      database.run(row, Math.floor(START / QUARTER_MS) + quarter, `section-${section}`, `files/${section}.md`)
    }
  })
}

/** Milliseconds for every kind of cost query, over all data. */
async function askCosts(
  store: RecordStore,
): Promise<readonly { readonly by: string; readonly times: readonly number[] }[]> {
  const asked: { by: string; times: readonly number[] }[] = []
  for (const by of COSTS) {
    const times: number[] = []
    for (let n = 0; n < 60; n += 1) {
      const start = performance.now()
      await costs(store, { by, timeZone: "Europe/Stockholm" })
      times.push(performance.now() - start)
    }
    asked.push({ by, times })
  }
  return asked
}

async function ask(store: RecordStore, filter: (n: number) => LogFilter): Promise<readonly number[]> {
  const times: number[] = []
  for (let n = 0; n < QUESTIONS; n += 1) {
    const asked = filter(n)
    const from = performance.now()
    await queryEvents(store, asked)
    times.push(performance.now() - from)
  }
  return times
}

const folder = mkdtempSync(join(tmpdir(), "incipit-bench-record-"))
try {
  console.log(`## The record\n\n${machine()}\n`)
  const redact = createRedactor()
  await redact(["loads the rules"])
  const redacted = await write(join(folder, "redacted.sqlite"), EVENTS / 10, redact)
  const appended = await appendMs(join(folder, "append.sqlite"))
  const plain = await write(join(folder, "record.sqlite"), EVENTS)
  printTable(
    ["writing", "median of chunks", "whole run", "by processor time"],
    [
      [
        `${digits(EVENTS)} events, batched`,
        `${digits(plain.rate)}/s`,
        `${digits(plain.whole)}/s`,
        `${digits(plain.processor)}/s`,
      ],
      [
        `${digits(EVENTS / 10)} events, redacted`,
        `${digits(redacted.rate)}/s`,
        `${digits(redacted.whole)}/s`,
        `${digits(redacted.processor)}/s`,
      ],
      ["appending a turn of 10 events, p99", formatMs(appended), "", ""],
    ],
  )
  const record = openRecord(join(folder, "record.sqlite"))
  const asked = await record.read(async (store) => {
    const answers: { name: string; times: readonly number[] }[] = []
    for (const { name, filter } of questionKinds(EVENTS))
      answers.push({ name, times: await ask(store, filter) })
    return answers
  })
  printTable(
    [`asking ${digits(EVENTS)} events`, "median", "p99"],
    asked.map(({ name, times }) => [name, formatMs(median(times)), formatMs(percentile(times, 0.99))]),
  )
  inFile(record, addSectionCosts)
  const priced = await record.read(askCosts)
  printTable(
    [`cost over ${digits(EVENTS)} events`, "median", "p99"],
    priced.map(({ by, times }) => [`by ${by}`, formatMs(median(times)), formatMs(percentile(times, 0.99))]),
  )
  const dearest = Math.max(...priced.map(({ times }) => percentile(times, 0.99)))
  const from = performance.now()
  const pruned = await record.read((store) =>
    prune(store, { olderThanMs: 86_400_000, now: START + EVENTS * 1_000 }),
  )
  printTable(
    ["pruning", "events removed", "before", "after", "time"],
    [
      [
        "to one day",
        digits(pruned.events),
        `${digits(pruned.bytesBefore / 1e6)} MB`,
        `${digits(pruned.bytesAfter / 1e6)} MB`,
        formatMs(performance.now() - from),
      ],
    ],
  )
  await record.close()
  const all = percentile(
    asked.flatMap(({ times }) => times),
    0.99,
  )
  checkTargets([
    {
      what: "events written, batched",
      bound: "at least 50,000/s",
      measured: `${digits(plain.rate)}/s`,
      holds: plain.rate >= 50_000,
    },
    { what: "any question, p99", bound: "under 30 ms", measured: formatMs(all), holds: all < 30 },
    {
      what: "cost by day, session or file, p99",
      bound: "under 100 ms",
      measured: formatMs(dearest),
      holds: dearest < 100,
    },
    {
      what: "a turn's own time for its events, p99",
      bound: "under 1 ms",
      measured: formatMs(appended),
      holds: appended < 1,
    },
  ])
} finally {
  rmSync(folder, { recursive: true, force: true })
}
