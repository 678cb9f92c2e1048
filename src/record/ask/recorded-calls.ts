// Recorded calls as a provider's cache saw them: tools, system text and parts of the conversation by digest, with the
// marks that were sent, so that they can be simulated under other rules.
import type { Counter } from "../../core/model/counter.ts"
import type { RecordStore } from "../../database/contract/record/record-store.ts"
import type { Call } from "../../render/cache/call.ts"
import { cacheCall, type Measure, measurer } from "./cache-call.ts"
import { type Receipt, receiptOf, replayOf, reportOf, type Texts, textsOf } from "./replay.ts"

/** Which recorded calls are wanted, and how their texts are counted. */
export interface RecordedCallsOptions {
  readonly counter: Counter
  readonly session?: string | undefined
  /** Milliseconds since 1970; `since` is included, `until` is not. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  /** Called for each call whose texts are damaged: its real content is unknown, so it is left out. */
  readonly onDamaged?: (turn: string, step: number) => void
}

/**
 * The calls of a record, for `simulate`: the answered steps of turns, in order; not side requests such as a summary. Token counts do not include a model's
 * factor.
 */
export async function* recordedCalls(
  store: RecordStore,
  options: RecordedCallsOptions,
): AsyncGenerator<Call> {
  const { counter, session, since = 0, until = Number.MAX_SAFE_INTEGER, onDamaged } = options
  const texts = textsOf(store)
  const measure = measurer(counter)
  let start: number | undefined
  for (const row of await store.receipts.answered({ since, until, session })) {
    const receipt = receiptOf(row)
    start ??= receipt.at
    const call = await recordedCall(store, { receipt, output: row.output }, { texts, measure })
    if (call === "damaged") onDamaged?.(receipt.turn, receipt.step)
    else if (call !== "partial") yield { ...call, at: receipt.at - start }
  }
}

interface Answered {
  readonly receipt: Receipt
  readonly output: number
}

/** One call. Of a damaged one the real content is unknown, of a partial one some of it. `at` is since 1970. */
export async function recordedCall(
  store: RecordStore,
  { receipt, output }: Answered,
  { texts, measure }: { readonly texts: Texts; readonly measure: Measure },
): Promise<Call | "damaged" | "partial"> {
  const { request, damaged } = await replayOf(store, receipt, texts)
  if (damaged.length > 0) return "damaged"
  if (!(await isWhole(store, receipt, texts))) return "partial"
  return cacheCall(request, { at: receipt.at, output, model: receipt.model }, measure)
}

/** Of some calls of other clients only a part is known, or no text. */
async function isWhole(store: RecordStore, receipt: Receipt, texts: Texts): Promise<boolean> {
  const about = (await reportOf(store, receipt, texts))?.plan.about
  return about === undefined || about.coverage === "exact"
}
