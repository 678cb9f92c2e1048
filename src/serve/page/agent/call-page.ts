// A page of the calls of a session, the newest ones first asked for.
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import { findReceipt, receiptOf } from "../../../record/ask/replay.ts"
import { badField } from "../../api/read-input.ts"
import { isSeen, type Seen } from "../../api/sessions/seen.ts"
import type { CallsAsked } from "../page-source.ts"
import type { CallPage, CallRow } from "../shown.ts"
import type { Recorded } from "./recorded.ts"
import { callId, callRow, type RecordedCall, recordedCalls, stepNamed } from "./recorded-call.ts"

export async function callPage(
  recorded: Recorded,
  { session, before, limit }: CallsAsked,
  seen: Seen,
): Promise<CallPage> {
  const { store } = recorded
  const place = before === undefined ? undefined : await placeOf(store, before, { session, seen })
  const page = { session, before: place, limit: limit + 1, withAsides: seen.isWhole }
  const found = (await store.receipts.page(page)).map(receiptOf).filter((receipt) => isSeen(receipt, seen))
  const receipts = found.slice(0, limit).toReversed()
  const [first] = receipts
  return {
    calls: await callRows(recorded, await recordedCalls(store, receipts), seen),
    earlier: found.length > limit && first !== undefined ? callId(first) : null,
  }
}

/** Of calls of one session, oldest first. */
export async function callRows(
  { store, misses }: Pick<Recorded, "store" | "misses">,
  calls: readonly RecordedCall[],
  seen: Seen,
): Promise<readonly CallRow[]> {
  const missed = seen.isWhole ? await misses.find(store, calls) : []
  return calls.map((call, at) => callRow(call, seen, missed[at]))
}

/** A call's own name is the place, because numbers of receipts would tell how many others there are. */
async function placeOf(
  store: RecordStore,
  before: string,
  { session, seen }: { readonly session: string; readonly seen: Seen },
): Promise<number> {
  const name = stepNamed(before)
  const receipt = name && (await findReceipt(store, name.turn, name.step))
  if (receipt?.session !== session || !isSeen(receipt, seen))
    throw badField("before", "isn't the `earlier` of a page")
  return receipt.id
}
