// How long the page waits for what it reads of a large record: sessions, pages of calls, one call, and lines of a file.
// Half of the calls are of one session. `--calls 10000` makes it smaller. Markdown on stdout.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { scriptOptions } from "../../scripts/script-options.ts"
import { openAgent } from "../../src/agent/setup/open.ts"
import { attach } from "../../src/core/layout/tail.ts"
import { type Message, userMessage } from "../../src/core/model/message.ts"
import type { Prompt } from "../../src/core/model/prompt.ts"
import { openRecordFile } from "../../src/database/sqlite/record/open-record.ts"
import { saveReceipt } from "../../src/record/write/receipts.ts"
import { openRecord, type Recorder } from "../../src/record/write/record.ts"
import { ruleFor } from "../../src/render/cache/cache-rules.ts"
import type { Price } from "../../src/render/cache/price.ts"
import { renderAnthropic } from "../../src/render/formats/anthropic.ts"
import { recordedSource } from "../../src/serve/page/agent/recorded-source.ts"
import type { Reader } from "../../src/serve/page/page-source.ts"
import { formatMs, machine, median, printTable } from "../measure/measure.ts"

const values = scriptOptions("node bench/page/page-record.ts [--calls N]", { calls: { type: "string" } })
const CALLS = Number(values.calls ?? 100_000)
const SESSIONS = 50
const START = Date.UTC(2026, 0, 1)
const MODEL = "anthropic/claude-sonnet-5-5"
/** One in so many calls misses the cache. */
const MISS_EVERY = 50
/** A conversation is compacted when it has so many messages. */
const MOST_MESSAGES = 80
const PRICE: Price = {
  ...{ model: "claude-sonnet-5-5", input: 2, output: 10, read: 0.2, write: { "5m": 2.5 } },
  ...{ estimated: false, source: "a bench", date: "2026-01-01" },
}

function lines(count: number, what: string): string {
  const all = Array.from(
    { length: count },
    (_, at) => `${what} ${at}: note the tide and the wind, and say so.`,
  )
  return `${all.join("\n")}\n`
}

/** Prompts of a real folder, a minute apart. */
async function promptsOf(folder: string): Promise<readonly Prompt[]> {
  const workspace = join(folder, "workspace")
  mkdirSync(workspace)
  writeFileSync(join(workspace, "SOUL.md"), lines(60, "Rule"))
  writeFileSync(join(workspace, "AGENTS.md"), lines(120, "Habit"))
  let now = START
  const agent = await openAgent({
    workspace,
    state: join(folder, "none"),
    now: () => now,
    env: {},
    timeZone: "UTC",
  })
  const prompts: Prompt[] = []
  for (; prompts.length < 200; now += 60_000) prompts.push(await agent.preview("how high is the water?"))
  await agent.close()
  return prompts
}

async function fill(record: Recorder, prompts: readonly Prompt[]): Promise<void> {
  let messages: readonly Message[] = []
  let kept = 0
  for (let n = 1; n <= CALLS; n += 1) {
    const isLong = n <= CALLS / 2
    const session = isLong ? "long" : `s${n % SESSIONS}`
    const prompt = prompts[n % prompts.length]
    if (prompt === undefined) throw new Error("no prompt")
    if (messages.length > MOST_MESSAGES || !isLong) [messages, kept] = [[], 0]
    messages = attach([...messages, userMessage(`Question ${n}: ${lines(3, "about")}`)], prompt.tail)
    const { request } = renderAnthropic(prompt, messages, { model: MODEL, maxTokens: 1_000 })
    const facts = {
      turn: `t${n}`,
      step: 1,
      at: START + n * 20_000,
      session,
      trust: "full",
      model: MODEL,
    } as const
    saveReceipt(record, { ...facts, prompt, request })
    const input = 6_000 + messages.length * 60
    const read = n % MISS_EVERY === 0 ? 0 : kept
    kept = input
    const usage = { uncached: 0, read, write: { "5m": input - read }, output: 50 }
    record.append({ ...facts, type: "api_call", usage, price: PRICE })
    messages = [...messages, { role: "assistant", parts: [{ kind: "text", text: `Answer ${n}.` }] }]
    if (n % 500 === 0) await record.flush()
  }
  await record.close()
}

const READER: Reader = {
  ...{ user: undefined, situation: "dm", trust: "full", scopes: ["read", "operate"], from: {} },
}

/** Of the processor, because others may use it, too: the first time, and the median of those after it. */
async function timesOf(ask: (n: number) => Promise<unknown>): Promise<readonly [string, string]> {
  const times: number[] = []
  for (let n = 0; n < 9; n += 1) {
    const from = process.cpuUsage()
    await ask(n)
    const { user, system } = process.cpuUsage(from)
    times.push((user + system) / 1_000)
  }
  return [formatMs(times[0] ?? 0), formatMs(median(times.slice(1)))]
}

async function measureRecord(path: string): Promise<void> {
  const store = openRecordFile(path)
  const names = ["long", ...Array.from({ length: SESSIONS }, (_, at) => `s${at}`)]
  const listed = names.map((id) => ({
    ...{
      id,
      agent: "main",
      who: "owner",
      situation: "dm",
      title: id,
      trust: "full" as const,
      turns: 1,
      createdAt: START,
      usedAt: START,
    },
  }))
  const source = recordedSource({
    outbox: { reply: async () => undefined },
    read: (ask) => ask(store),
    sessions: { list: async () => listed, has: async () => true },
    termsOf: async (model) => ({ model, rule: ruleFor(model), price: null }),
  })
  const calls = (limit: number) => source.calls(READER, { session: "long", limit })
  const soul = { path: "SOUL.md", lines: [10, 12] } as const
  const questions = {
    "a list of 51 sessions": () => source.sessions(READER, { limit: SESSIONS + 1 }),
    "200 calls of the long session": () => calls(200),
    "500 calls of the long session": () => calls(500),
    "one call, in parts": (n: number) => source.call(READER, `t${CALLS / 2 - n}.1`),
    "calls that three lines rode in": () => source.carried(READER, soul),
    "the same in one session": () => source.carried(READER, { ...soul, session: "s1" }),
  }
  const rows: (readonly string[])[] = []
  for (const [what, ask] of Object.entries(questions)) rows.push([what, ...(await timesOf(ask))])
  await store.close()
  console.log(`## What the page reads of ${CALLS} calls\n\n${machine()}\n`)
  printTable(["question", "first", "again"], rows)
}

const folder = mkdtempSync(join(tmpdir(), "incipit-bench-page-"))
try {
  const path = join(folder, "record.db")
  await fill(openRecord(path, { most: CALLS }), await promptsOf(folder))
  await measureRecord(path)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
