// One recorded call: its receipt, and what the provider answered, or why it did not.
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import type { Receipt } from "../../../record/ask/replay.ts"
import type { StepName } from "../../../record/ask/turn-diff.ts"
import type { StoredEvent } from "../../../record/write/event.ts"
import { storedEvent } from "../../../record/write/stored-event.ts"
import type { Usage } from "../../../render/cache/price.ts"
import { asideOf } from "../../api/sessions/aside.ts"
import type { Seen } from "../../api/sessions/seen.ts"
import type { CallRow, ShownMiss, ShownUsage } from "../shown.ts"

export interface RecordedCall {
  readonly receipt: Receipt
  readonly answered: StoredEvent | undefined
  /** The last failure, if it was not answered. */
  readonly failed: StoredEvent | undefined
}

export function callId({ turn, step }: StepName): string {
  return `${turn}.${step}`
}

export function stepNamed(id: string): StepName | undefined {
  const [, turn, step] = /^(.+)\.(0|[1-9]\d{0,8})$/s.exec(id) ?? []
  return turn === undefined ? undefined : { turn, step: Number(step) }
}

export async function recordedCalls(
  store: RecordStore,
  receipts: readonly Receipt[],
): Promise<readonly RecordedCall[]> {
  const turns = [...new Set(receipts.map(({ turn }) => asideOf(turn).turn))]
  const events = (await store.events.calls(turns)).map(storedEvent)
  const ofTurn = Map.groupBy(events, ({ turn }) => turn)
  return receipts.map((receipt) => {
    const { turn, purpose } = asideOf(receipt.turn)
    const own = (ofTurn.get(turn) ?? []).filter(
      ({ step, data }) => data?.for === purpose && (purpose !== undefined || step === receipt.step),
    )
    const answered = own.findLast(({ type }) => type === "api_call")
    const failed = answered === undefined ? own.findLast(({ type }) => type === "api_error") : undefined
    return { receipt, answered, failed }
  })
}

export function callRow(
  { receipt, answered, failed }: RecordedCall,
  { isWhole }: Pick<Seen, "isWhole">,
  miss: ShownMiss | undefined,
): CallRow {
  const { turn, step, session, at, model } = receipt
  const usage = isWhole ? answered?.usage : undefined
  return {
    ...{ id: callId(receipt), session, turn, step, at, model, client: "incipit" },
    usage: usage === undefined ? null : shownUsage(usage),
    costUsd: (isWhole ? answered?.costUsd : null) ?? null,
    isSimulated: answered?.data?.simulated === true,
    miss: miss ?? null,
    // What a provider said is for the operator.
    error: failed === undefined ? null : ((isWhole ? failed.error : undefined) ?? "The call failed."),
  }
}

function shownUsage({ uncached, read, write, output }: Usage): ShownUsage {
  return { uncached, read, written: Object.values(write).reduce((sum, one) => sum + one, 0), output }
}
