// Which calls missed the cache, and why. Looking for the cause puts two requests together again, so it is done only where
// tokens were lost, and once for each call.
import { setImmediate as letOthersRun } from "node:timers/promises"
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import { createRecentlyUsed } from "../../../database/recently-used.ts"
import { keptBy } from "../../../record/ask/cache-loss.ts"
import { receiptOf, ruleOf, type Texts, textsOf } from "../../../record/ask/replay.ts"
import { type WhyMiss, whyMiss } from "../../../record/ask/why-miss.ts"
import { inputOf } from "../../../render/cache/price.ts"
import { isAside } from "../../api/sessions/aside.ts"
import type { ShownMiss } from "../shown.ts"
import { type RecordedCall, recordedCalls } from "./recorded-call.ts"
import { withRememberedTexts } from "./remembered-texts.ts"

export interface MissFinder {
  /** For each of these calls of one session, oldest first. */
  find(store: RecordStore, calls: readonly RecordedCall[]): Promise<readonly (ShownMiss | undefined)[]>
}

const MOST_KEPT = 5_000

export function createMissFinder(): MissFinder {
  const known = createRecentlyUsed<string, { readonly miss: ShownMiss | undefined }>(MOST_KEPT)
  const explained = async (store: RecordStore, { receipt }: RecordedCall, before: RecordedCall) => {
    const { id, turn, step } = receipt
    // A step that is tried again gets another receipt, with another id.
    const key = `${turn}.${step} ${id} ${before.receipt.id}`
    const found = known.get(key)
    if (found !== undefined) return found.miss
    // Each takes milliseconds, and there may be hundreds.
    await letOthersRun()
    const miss = shownMiss(await whyMiss(store, turn, step))
    known.set(key, { miss }, 1)
    return miss
  }
  return {
    async find(recorded, calls) {
      const store = withRememberedTexts(recorded)
      const texts = textsOf(store)
      const found: (ShownMiss | undefined)[] = []
      let last: RecordedCall | undefined
      for (const call of calls) {
        const isAnswered = call.answered !== undefined && !isAside(call.receipt)
        const before = isAnswered ? (last ?? (await callBefore(store, call))) : undefined
        const isMissed = before !== undefined && (await hasLost(store, before, call, texts))
        found.push(isMissed ? await explained(store, call, before) : undefined)
        if (isAnswered) last = call
      }
      return found
    },
  }
}

/** The last answered call of the session before this one. */
async function callBefore(store: RecordStore, { receipt }: RecordedCall): Promise<RecordedCall | undefined> {
  const row = await store.receipts.before(receipt)
  if (row === undefined) return undefined
  const [before] = await recordedCalls(store, [receiptOf(row)])
  return before
}

/** Whether it read less than the call before had left. The rule is looked up only if it may have. */
async function hasLost(
  store: RecordStore,
  { answered: before }: RecordedCall,
  { receipt, answered }: RecordedCall,
  texts: Texts,
): Promise<boolean> {
  const [left, usage] = [before?.usage, answered?.usage]
  if (left === undefined || usage === undefined) return false
  const input = inputOf(usage)
  if (Math.min(inputOf(left), input) <= usage.read) return false
  const rule = await ruleOf(store, receipt, texts)
  return Math.min(keptBy(left, rule), input) - usage.read >= Math.max(1, rule.step)
}

function shownMiss(why: WhyMiss | undefined): ShownMiss | undefined {
  if (why === undefined || why.lostTokens === undefined || why.lostTokens === 0) return undefined
  const { cause, lostTokens, lostUsd, sentence } = why
  if (cause.kind === "hit" || cause.kind === "first-call") return undefined
  const change = cause.kind === "changed" ? cause.change : undefined
  return {
    ...{ cause: cause.kind, tokens: lostTokens, costUsd: lostUsd, sentence },
    ...{ path: change?.path ?? null, line: change?.line ?? null },
    ...{ before: change?.before ?? null, after: change?.after ?? null },
  }
}
