// Every call that lines of a file rode in, and what that cost: one pass over the newest calls, whose plans say which
// lines of which files they were made of. Others are answered between its pages.
import { setImmediate as letOthersRun } from "node:timers/promises"
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import { attribute, inputParts } from "../../../record/ask/attribute.ts"
import { type Receipt, receiptOf, reportOf, type Texts, textsOf } from "../../../record/ask/replay.ts"
import { inputOf } from "../../../render/cache/price.ts"
import { isSeen, type Seen } from "../../api/sessions/seen.ts"
import type { LinesAsked } from "../page-source.ts"
import type { Carried } from "../shown.ts"
import { cutAtLines } from "./cut-at-lines.ts"
import { callId, type RecordedCall, recordedCalls } from "./recorded-call.ts"
import { roundedUsd } from "./shown-parts.ts"

const MOST_CALLS = 5_000
/** How many of them are named. */
const MOST_IDS = 500
const PAGE = 200

export interface SeenSessions {
  /** Undefined for all that are recorded. */
  readonly sessions: readonly string[] | undefined
  readonly seen: Seen
  /** How many calls are looked at. */
  readonly most?: number
}

interface Sum {
  calls: number
  tokens: number
  costUsd: number | null
  lastAt: number | null
  firstAt: number | null
  /** Newest first. */
  readonly ids: string[]
}

export async function carriedIn(
  store: RecordStore,
  { path, lines, signal }: LinesAsked,
  { sessions, seen, most = MOST_CALLS }: SeenSessions,
): Promise<Carried> {
  const sum: Sum = { calls: 0, tokens: 0, costUsd: null, firstAt: null, lastAt: null, ids: [] }
  const texts = textsOf(store)
  let left = most
  let isWhole = true
  for await (const receipts of pagesOf(store, sessions, seen)) {
    const some = receipts.slice(0, left)
    for (const call of await recordedCalls(store, some))
      add(sum, call.receipt, await carriedBy(store, { call, path, lines, seen, texts }))
    left -= some.length
    isWhole = some.length === receipts.length
    if (!isWhole) break
    await letOthersRun()
    signal?.throwIfAborted()
  }
  const { ids, costUsd, ...sums } = sum
  return {
    path,
    lines,
    ...sums,
    costUsd: roundedUsd(costUsd),
    ids: ids.slice(0, MOST_IDS).toReversed(),
    isWhole,
  }
}

/** Newest first, session by session. */
export async function* pagesOf(
  store: RecordStore,
  sessions: SeenSessions["sessions"],
  seen: Seen,
): AsyncGenerator<readonly Receipt[]> {
  for (const session of sessions ?? [undefined])
    for (let before: number | undefined; ; ) {
      const page = { session, before, limit: PAGE, withAsides: seen.isWhole }
      const rows = await store.receipts.page(page)
      yield rows.map(receiptOf).filter((receipt) => isSeen(receipt, seen))
      before = rows.at(-1)?.id
      if (rows.length < PAGE) break
    }
}

interface CarriedAsked extends Pick<LinesAsked, "path" | "lines"> {
  readonly call: RecordedCall
  readonly seen: Seen
  readonly texts: Texts
}

interface Share {
  readonly tokens: number
  readonly costUsd: number | null
}

/** Undefined if none of the lines were in it. */
async function carriedBy(store: RecordStore, asked: CarriedAsked): Promise<Share | undefined> {
  const { call, path, lines, seen, texts } = asked
  const stored = await reportOf(store, call.receipt, texts)
  if (stored === undefined) return undefined
  const { report, plan } = stored
  const cut = cutAtLines(report, path, lines)
  if (cut === undefined) return undefined
  const { usage, price = null, costUsd = null } = (seen.isWhole ? call.answered : undefined) ?? {}
  const input = usage === undefined ? 0 : inputOf(usage)
  const parts = inputParts(cut, { input, ...(plan.after !== undefined && { after: plan.after }) })
  const isAsked = (part: { readonly path?: string; readonly lines?: readonly [number, number] }) =>
    part.path === path && part.lines !== undefined && part.lines[0] <= lines[1] && part.lines[1] >= lines[0]
  if (usage === undefined)
    return { tokens: parts.filter(isAsked).reduce((sum, { tokens }) => sum + tokens, 0), costUsd: null }
  const shares = attribute(parts, { usage, price, costUsd }).filter(isAsked)
  return {
    tokens: shares.reduce((sum, share) => sum + inputOf(share.usage), 0),
    costUsd: costUsd === null ? null : shares.reduce((sum, share) => sum + (share.costUsd ?? 0), 0),
  }
}

function add(sum: Sum, receipt: Receipt, share: Share | undefined): void {
  if (share === undefined) return
  sum.calls += 1
  sum.tokens += Math.round(share.tokens)
  if (share.costUsd !== null) sum.costUsd = (sum.costUsd ?? 0) + share.costUsd
  sum.firstAt = Math.min(sum.firstAt ?? receipt.at, receipt.at)
  sum.lastAt = Math.max(sum.lastAt ?? receipt.at, receipt.at)
  sum.ids.push(callId(receipt))
}
