// Measures the record: how fast events are written in batches, with and without redaction, and how fast a log of a
// million events answers queries. One run, Markdown on stdout. Exits with 1 if a target is missed.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import type { EventType } from "../src/base/event-types.ts"
import type { Database } from "../src/database/sqlite/database.ts"
import { QUARTER_MS } from "../src/record/ask/call-sums.ts"
import { costs } from "../src/record/ask/cost.ts"
import { type LogFilter, queryEvents } from "../src/record/ask/logs.ts"
import { prune } from "../src/record/keep/retention.ts"
import { createRedactor } from "../src/record/redact/redactor.ts"
import type { RecordEvent } from "../src/record/write/event.ts"
import { openRecord, type Redact } from "../src/record/write/record.ts"
import { checkTargets, digits, formatMs, machine, median, printTable } from "./measure.ts"

const EVENTS = 1_000_000
/** Appended before each flush; the record makes its own batches. */
const CHUNK = 20_000
const QUESTIONS = 300
const START = Date.UTC(2026, 10, 1)

/** The events of a turn, in order; three of ten have a text. */
const TURN: readonly EventType[] = [
  "message_received",
  "trust_resolved",
  "prompt_built",
  "turn_started",
  "api_call",
  "tool_call",
  "tool_call",
  "tool_error",
  "turn_completed",
  "message_sent",
]
const SESSIONS = 500
/** Sessions in use at a time; after some turns, others take over. */
const AT_ONCE = 20
const TURNS_AT_ONCE = EVENTS / TURN.length / (SESSIONS / AT_ONCE)
const USERS = 50

/**
 * Ids grow with time, like version 7 UUIDs. Random ones cost about a third of the speed: each lands on a different
 * page.
 */
function eventAt(n: number): RecordEvent {
  const turn = Math.floor(n / TURN.length)
  const session = Math.floor(turn / TURNS_AT_ONCE) * AT_ONCE + (turn % AT_ONCE)
  const type = TURN[n % TURN.length] ?? "diagnostic"
  return {
    type,
    at: START + n * 1_000,
    session: `session-${session}`,
    agent: "main",
    user: `user-${session % USERS}`,
    channel: turn % 3 === 0 ? "signal" : "terminal",
    trust: "full",
    trace: `trace-${turn}`,
    turn: `turn-${turn}`,
    span: n.toString(36),
    ...(type === "api_call" && {
      model: "claude-opus-5",
      durationMs: 900,
      usage: { uncached: 120, read: 4_000, write: { "5m": 300 }, output: 250 },
      costUsd: 0.011,
    }),
    ...(type === "tool_call" && {
      durationMs: 12,
      data: { tool: "bash", command: `ls -la /home/user/project-${turn % 9973}` },
    }),
    ...(type === "tool_error" && { error: `ENOENT: no such file or directory, open /srv/notes/${turn}.md` }),
  }
}

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
    const chunk = Array.from({ length: CHUNK }, (_, at) => eventAt(n + at))
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
    for (let n = 0; n < TURN.length; n += 1) record.append(eventAt(turn * TURN.length + n))
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
function askCosts(database: Database): readonly { readonly by: string; readonly times: readonly number[] }[] {
  return COSTS.map((by) => {
    const times = Array.from({ length: 60 }, () => {
      const start = performance.now()
      costs(database, { by, timeZone: "Europe/Stockholm" })
      return performance.now() - start
    })
    return { by, times }
  })
}

const QUESTION_KINDS: readonly { readonly name: string; readonly filter: (n: number) => LogFilter }[] = [
  { name: "newest 100", filter: () => ({}) },
  { name: "a session", filter: (n) => ({ session: `session-${(n * 7) % SESSIONS}` }) },
  { name: "errors of a user", filter: (n) => ({ user: `user-${n % USERS}`, level: "error" }) },
  {
    name: "a type since yesterday",
    filter: (n) => ({ types: ["api_call"], since: START + (EVENTS - 86_400 - n) * 1_000 }),
  },
  {
    name: "two types in an old hour",
    filter: (n) => ({
      types: ["api_call", "tool_error"],
      since: START + n * 3_600_000,
      until: START + (n + 1) * 3_600_000,
    }),
  },
  { name: "a channel", filter: () => ({ channel: "signal" }) },
  { name: "a trace", filter: (n) => ({ trace: `trace-${n * 313}` }) },
  { name: "a turn", filter: (n) => ({ turn: `turn-${n * 271}` }) },
  { name: "a rare text", filter: (n) => ({ text: `notes/${n * 331}.md` }) },
  { name: "a common text", filter: () => ({ text: "no such file" }) },
  {
    name: "a common text in a session",
    filter: (n) => ({ text: "directory", session: `session-${n % SESSIONS}` }),
  },
  { name: "a text that the level excludes", filter: () => ({ text: "bash", level: "error" }) },
  { name: "a text that is nowhere", filter: (n) => ({ text: `absent${n}` }) },
]

function ask(database: Database, filter: (n: number) => LogFilter): readonly number[] {
  return Array.from({ length: QUESTIONS }, (_, n) => {
    const asked = filter(n)
    const from = performance.now()
    queryEvents(database, asked)
    return performance.now() - from
  })
}

function percentile(values: readonly number[], share: number): number {
  return (
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
    Number.NaN
  )
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
  const asked = record.read((database) =>
    QUESTION_KINDS.map(({ name, filter }) => ({ name, times: ask(database, filter) })),
  )
  printTable(
    [`asking ${digits(EVENTS)} events`, "median", "p99"],
    asked.map(({ name, times }) => [name, formatMs(median(times)), formatMs(percentile(times, 0.99))]),
  )
  const database = record.read((opened) => opened)
  addSectionCosts(database)
  const priced = askCosts(database)
  printTable(
    [`cost over ${digits(EVENTS)} events`, "median", "p99"],
    priced.map(({ by, times }) => [`by ${by}`, formatMs(median(times)), formatMs(percentile(times, 0.99))]),
  )
  const dearest = Math.max(...priced.map(({ times }) => percentile(times, 0.99)))
  const from = performance.now()
  const pruned = await prune(database, { olderThanMs: 86_400_000, now: START + EVENTS * 1_000 })
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
