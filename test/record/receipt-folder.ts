// What the tests of receipts share: a record in a temporary folder, and short ways to fill it.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import type { Message } from "../../src/core/model/message.ts"
import { findReceipt, reportOf } from "../../src/record/ask/replay.ts"
import type { RecordEvent } from "../../src/record/write/event.ts"
import type { StoredPlan } from "../../src/record/write/receipt-cache.ts"
import { type ReceiptOptions, saveReceipt } from "../../src/record/write/receipts.ts"
import { openRecord, type Recorder, type RecorderOptions } from "../../src/record/write/record.ts"
import type { Price, Usage } from "../../src/render/cache/price.ts"
import { samplePrompt } from "../render/sample.ts"

/** Closed and gone when the test ends. */
export function openTemporary(options: RecorderOptions = {}): Recorder {
  const folder = mkdtempSync(join(tmpdir(), "incipit-receipts-"))
  const recorder = openRecord(join(folder, "record.db"), options)
  onTestFinished(async () => {
    await recorder.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return recorder
}

export const FACTS = {
  turn: "t1",
  step: 1,
  at: Date.UTC(2026, 9, 10, 8),
  session: "s1",
  trust: "full",
  model: "anthropic/claude-sonnet-5-5",
} as const

/** Saves a receipt with plain defaults and waits until it is in the file. */
export async function save(recorder: Recorder, facts: Partial<ReceiptOptions>): Promise<void> {
  saveReceipt(recorder, { ...FACTS, prompt: samplePrompt(), request: {}, ...facts })
  await recorder.flush()
}

export const PRICE: Price = {
  model: "claude-sonnet-5-5",
  input: 2,
  output: 10,
  read: 0.2,
  write: { "5m": 2.5, "1h": 4 },
  estimated: false,
  source: "a test",
  date: "2026-10-08",
}

/** A call with its usage, at the time and place of a receipt. */
export function apiCall(facts: Partial<RecordEvent> & { readonly usage: Usage }): RecordEvent {
  return { ...FACTS, type: "api_call", price: PRICE, ...facts }
}

/** What a step of a turn adds to a conversation. */
export function stepMessages(id: string, text: string): readonly Message[] {
  return [
    { role: "assistant", parts: [{ kind: "tool-call", id, name: "ask", input: { what: text } }] },
    { role: "user", parts: [{ kind: "tool-result", id, text }] },
  ]
}

/** The plan that a receipt has in the file. */
export function planOf(recorder: Recorder, step?: number): Promise<StoredPlan | undefined> {
  return recorder.read(async (store) => {
    const receipt = await findReceipt(store, FACTS.turn, step)
    return receipt && (await reportOf(store, receipt))?.plan
  })
}
