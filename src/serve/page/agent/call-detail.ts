// One recorded call as the model received it: its request in parts, whose text each part is, what the cache did with it,
// and what was answered.
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import { findReceipt, type Receipt, replayOf, type Texts, textsOf } from "../../../record/ask/replay.ts"
import { isAside } from "../../api/sessions/aside.ts"
import { isSeen, type Seen } from "../../api/sessions/seen.ts"
import { shownPlaces, shownRequest } from "../../api/sessions/shown-request.ts"
import { cacheRates } from "../cache-rates.ts"
import type { CallDetail } from "../shown.ts"
import { answerOf } from "./answer-of.ts"
import { callRows } from "./call-page.ts"
import { readPlan } from "./read-plan.ts"
import type { Recorded } from "./recorded.ts"
import { type RecordedCall, recordedCalls, stepNamed } from "./recorded-call.ts"
import { shownParts } from "./shown-parts.ts"

/** `seenIn`: undefined for a session that this reader may not see. */
export async function callDetail(
  recorded: Recorded,
  id: string,
  seenIn: (session: string) => Promise<Seen | undefined>,
): Promise<CallDetail | undefined> {
  const { store } = recorded
  const name = stepNamed(id)
  const receipt = name && (await findReceipt(store, name.turn, name.step))
  const seen = receipt && (await seenIn(receipt.session))
  if (receipt === undefined || seen === undefined || !isSeen(receipt, seen)) return undefined
  const calls = await recordedCalls(store, [receipt])
  const [call] = calls
  const [row] = await callRows(recorded, calls, seen)
  if (call === undefined || row === undefined) return undefined
  const texts = textsOf(store)
  const { parts, rule, report, request, seenRequest, exact, redacted } = await partsOfCall(recorded, {
    ...{ call, seen, texts },
  })
  return {
    call: row,
    ...{ report: report ?? null, parts, cacheRates: cacheRates(rule, parts) },
    request: seenRequest,
    isExact: exact && (seen.isWhole || JSON.stringify(seenRequest) === JSON.stringify(request)),
    redacted: shownPlaces(redacted, seenRequest),
    answer: (await answerOf(recorded, receipt, texts)) ?? null,
  }
}

export interface CallAsked {
  readonly call: RecordedCall
  readonly seen: Seen
  readonly texts: Texts
}

/** Its request in parts, as far as the reader sees it. */
export async function partsOfCall(
  { store, splitter }: Pick<Recorded, "store" | "splitter">,
  { call: { receipt, answered }, seen, texts }: CallAsked,
) {
  const { request, exact, redacted } = await replayOf(store, receipt, texts)
  const { planned, rule } = await readPlan(store, receipt, { seen, texts })
  const seenRequest = seen.isWhole ? request : shownRequest(request)
  const parts = shownParts(
    {
      ...{ request: seenRequest, planned, rule, answered: seen.isWhole ? answered : undefined },
      itemsBefore: await itemsBefore(store, receipt),
    },
    splitter,
  )
  return { parts, rule, report: planned?.report, request, seenRequest, exact, redacted }
}

/** How many items of the conversation the call before had sent. */
async function itemsBefore(store: RecordStore, receipt: Receipt): Promise<number | undefined> {
  const before = isAside(receipt) ? undefined : await store.receipts.before(receipt)
  return before && (await store.receipts.elements(before.node)).length
}
