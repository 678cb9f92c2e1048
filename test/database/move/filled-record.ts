// A record with rows of every kind, and everything that can be read from one.
import { COST_KEYS } from "../../../src/base/cost-keys.ts"
import type { RecordStore } from "../../../src/database/contract/record/record-store.ts"
import { costs } from "../../../src/record/ask/cost.ts"
import { queryEvents } from "../../../src/record/ask/logs.ts"
import { replay } from "../../../src/record/ask/replay.ts"
import { saveUsage } from "../../../src/record/ask/section-costs.ts"
import { traceOf } from "../../../src/record/ask/trace.ts"
import { whyMiss } from "../../../src/record/ask/why-miss.ts"
import { exportEvents } from "../../../src/record/keep/export.ts"
import { saveReceipt } from "../../../src/record/write/receipts.ts"
import { recordInto } from "../../../src/record/write/record.ts"
import { PRICE } from "../../record/receipt-folder.ts"
import { event, NOON } from "../../record/record-file.ts"
import { samplePrompt } from "../../render/sample.ts"

const DAY_MS = 86_400_000
const MODEL = "anthropic/claude-sonnet-5-5"
const USAGE = { uncached: 10, read: 1_024, write: { "5m": 100 }, output: 9 }
const TURNS = ["t1", "t2", "t3"]

export async function fillRecord(store: RecordStore): Promise<void> {
  // Before there is anything, so that what pruning prepares in a file is not done yet.
  await store.upkeep.prune({ olderThanMs: DAY_MS, now: NOON })
  const recorder = recordInto(store)
  for (const [place, turn] of TURNS.entries()) {
    const at = NOON - place * DAY_MS
    const facts = { turn, step: 1, session: "s1", at, model: MODEL }
    recorder.append(event({ at, turn, trace: `trace-${turn}`, level: "error", error: `Größe: no ${turn}` }))
    recorder.append(
      event({
        ...facts,
        type: "api_call",
        usage: USAGE,
        costUsd: 0.1 + place,
        price: PRICE,
        durationMs: 12.5,
      }),
    )
    recorder.append(
      event({ at, type: "message_received", channel: "mail", data: { n: place, text: "日本語" } }),
    )
    const messages = TURNS.slice(0, place + 1).map((content) => ({ role: "user", content }))
    const system = [{ type: "text", text: "one ".repeat(400), cache_control: { type: "ephemeral" } }]
    saveReceipt(recorder, { ...facts, trust: "full", prompt: samplePrompt(), request: { system, messages } })
    saveUsage(recorder, { ...facts, usage: USAGE, costUsd: 0.5, price: PRICE })
  }
  await recorder.flush()
  await store.append({ entries: [], dropped: 3 })
  await recorder.close()
}

/** Removes what is older than a day and a half, and says how much that was. */
export async function pruneRecord(store: RecordStore): Promise<unknown> {
  const { events, receipts, texts } = await store.upkeep.prune({ olderThanMs: 1.5 * DAY_MS, now: NOON })
  return { events, receipts, texts, left: await readRecord(store) }
}

/** What every question about the record gives. */
export async function readRecord(store: RecordStore): Promise<unknown> {
  const exported: string[] = []
  await exportEvents(store, (line) => void exported.push(line))
  const costsBy: unknown[] = []
  for (const by of COST_KEYS) costsBy.push(await costs(store, { by, timeZone: "UTC", sight: undefined }))
  const turns: unknown[] = []
  for (const turn of TURNS)
    turns.push(await traceOf(store, turn), await replay(store, turn), await whyMiss(store, turn))
  return {
    ...{ exported, costsBy, turns },
    found: [await queryEvents(store, { text: "grosse" }), await queryEvents(store, { text: "日本語" })],
    pages: [await queryEvents(store, { order: "oldest" }), await queryEvents(store, { level: "error" })],
    status: [await store.events.channels(0), await store.events.sessions(0), await store.events.oldest()],
    receipts: await store.receipts.turns("s1"),
    facts: await store.facts(),
    lastId: await store.events.lastId(),
  }
}
