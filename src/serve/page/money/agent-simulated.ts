// The recorded calls of a session in other ways: with another lifetime of the cache, other marks, another provider.
import type { Terms } from "../../../agent/models/terms.ts"
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import { measurer } from "../../../record/ask/cache-call.ts"
import { recordedCall } from "../../../record/ask/recorded-calls.ts"
import { receiptOf, textsOf } from "../../../record/ask/replay.ts"
import { o200k } from "../../../tokens/o200k.ts"
import { type RecordedCall, recordedCalls } from "../agent/recorded-call.ts"
import { withRememberedTexts } from "../agent/remembered-texts.ts"
import type { Simulated } from "../shown.ts"
import { type KnownCall, MOST_SIMULATED, simulateSession } from "./simulate-session.ts"

export interface SimulatedAsked {
  readonly session: string
  /** At the time of the last call. */
  readonly termsOf: (model: string, at: number) => Promise<Terms>
}

/** Of a session that the reader may see whole. */
export async function simulatedIn(
  store: RecordStore,
  { session, termsOf }: SimulatedAsked,
): Promise<Simulated> {
  const page = { session, limit: MOST_SIMULATED, withAsides: false }
  const receipts = (await store.receipts.page(page)).toReversed().map(receiptOf)
  const calls = (await recordedCalls(store, receipts)).filter(({ answered }) => answered !== undefined)
  const all = (await store.receipts.counts([session], { withAsides: false })).get(session) ?? 0
  const at = calls.at(-1)?.receipt.at ?? 0
  return simulateSession({
    session,
    // Which of the earlier ones were answered is not known.
    answered: all > receipts.length ? all : calls.length,
    calls: knownCalls(store, calls),
    termsFor: (model) => termsOf(model, at),
    models: [],
  })
}

async function* knownCalls(
  store: RecordStore,
  calls: readonly RecordedCall[],
): AsyncGenerator<KnownCall | undefined> {
  const known = withRememberedTexts(store)
  const [texts, measure] = [textsOf(known), measurer(o200k)]
  for (const { receipt, answered } of calls) {
    const output = answered?.usage?.output ?? 0
    const call = await recordedCall(known, { receipt, output }, { texts, measure })
    const isFree = answered?.data?.simulated === true
    yield typeof call === "string" ? undefined : { call, costUsd: answered?.costUsd ?? null, isFree }
  }
}
