// Every name of `incipit/record` in use: what happened, what it cost, and why the cache missed.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { attach, createCompiler, o200k, userMessage } from "incipit"
import { type Call, ruleFor, simulate } from "incipit/cache"
import { incipit } from "incipit/profiles"
import {
  type CostReport,
  costs,
  createLog,
  createRedactor,
  exportEvents,
  followEvents,
  type LogFilter,
  openOtel,
  openRecord,
  openScope,
  priceFor,
  prune,
  queryEvents,
  type RecordEvent,
  type Recorder,
  recordedCalls,
  replay,
  saveReceipt,
  saveUsage,
  startUpkeep,
  statusOf,
  traceLines,
  traceOf,
  turnDiff,
  whyMiss,
} from "incipit/record"
import { renderAnthropic } from "incipit/render"
import { gatherAgent, gatherSession, openWorkspace } from "incipit/sources"

const folder = mkdtempSync(join(tmpdir(), "incipit-"))
const now = () => Date.UTC(2026, 10, 16, 8)

// Keys and other secrets never reach the file.
const redact = createRedactor({ patterns: ["harbour-\\d+"] })
console.log(await redact(["the code is harbour-4711"]))

const record: Recorder = openRecord(join(folder, "record.db"), { redact })
const log = createLog({ write: (line) => process.stdout.write(line), level: "warn", isTerminal: true })
const otel = openOtel({}) // without an endpoint, nothing leaves the machine
const recorder = {
  append(event: RecordEvent) {
    for (const sink of [record, log, otel]) sink.append(event)
  },
}

// Two calls of one conversation, as your own loop makes them.
const workspace = openWorkspace(join(import.meta.dirname, "..", "lighthouse"))
const head = createCompiler({ profile: incipit }).head(
  gatherAgent(workspace).value,
  gatherSession(workspace).value,
)
const model = "anthropic/claude-sonnet-5-5"
const price = priceFor(model, { at: now() })
const ids = Array.from({ length: 10 }, (_, at) => `span-${at}`)
const id = () => ids.pop() ?? crypto.randomUUID()
const scope = openScope({
  recorder,
  origin: { session: "s1", user: "ada", trust: "full", trace: "m1" },
  now,
  id,
})

for (const turn of ["turn-1", "turn-2"]) {
  const prompt = head.step({ id: turn, now: now(), timeZone: "UTC" })
  const { request } = renderAnthropic(prompt, attach([userMessage("Hello")], prompt.tail), {
    model,
    maxTokens: 100,
  })
  const facts = { turn, step: 1, at: now(), session: "s1" } as const
  saveReceipt(record, { ...facts, trust: "full", model, prompt, request })
  const usage = { uncached: 4_000, read: 0, write: {}, output: 80 }
  scope.with({ turn, step: 1 }).event("api_call", { model, usage, costUsd: 0.01 })
  saveUsage(record, { ...facts, usage, costUsd: 0.01, ...(price && { price }) })
}
await record.flush() // now it survives a crash

const filter: LogFilter = { session: "s1", types: ["api_call"] }
const found = await record.read((store) => queryEvents(store, filter))
console.log(found.map(({ turn }) => turn))

const report: CostReport = await record.read((store) => costs(store, { by: "day", timeZone: "UTC" }))
console.log(report.rows.map(({ key, calls, costUsd }) => ({ key, calls, costUsd })))

const trace = await record.read((store) => traceOf(store, "turn-1"))
console.log(trace === undefined ? "no trace" : traceLines(trace).length)

// The request as it was sent, byte for byte.
console.log((await record.read((store) => replay(store, "turn-1")))?.exact)

console.log((await record.read((store) => whyMiss(store, "turn-2")))?.cause.kind)

// Where the requests of two turns part.
console.log((await record.read((store) => turnDiff(store, "turn-1", "turn-2")))?.fields)

// Recorded calls under another rule: what would they have read?
const calls: Call[] = []
for await (const call of record.read((store) => recordedCalls(store, { counter: o200k }))) calls.push(call)
console.log(simulate(calls, { rule: ruleFor("openai/gpt-5.2") }).calls.length, "calls")

const status = await record.read((store) => statusOf(store, { now: now(), health: record.health() }))
console.log(status.sessions.length)

// New events, as they are written: `wait` decides when to look again, and when to stop.
const wait = async () => false
for await (const event of record.read((store) => followEvents(store, filter, { wait, after: 0 })))
  console.log("followed", event.turn)

const lines: string[] = []
await record.read((store) => exportEvents(store, (line) => void lines.push(line)))
console.log(lines.length, "lines of JSON")

// What is older than a month goes: now, or once a day while the program runs.
const pruned = await record.read((store) => prune(store, { olderThanMs: 30 * 86_400_000, now: now() }))
console.log(pruned.events)

const upkeep = startUpkeep(record.path, { now })
await upkeep.first
upkeep.stop()

await otel.flush()
await record.close()
rmSync(folder, { recursive: true })
