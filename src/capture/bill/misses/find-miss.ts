// Whether a call paid again for what the one before it in its conversation had left in the cache, and why. Names only
// what is known: without the text of both requests, that is the model and the time; with a part of it, also the system
// text, if both have it. Pure.
import { keptBy, priceOfLoss } from "../../../record/ask/cache-loss.ts"
import { type CacheRule, ttlOf } from "../../../render/cache/cache-rule.ts"
import { inputOf } from "../../../render/cache/price.ts"
import type { SplitCall } from "../../split/splitter.ts"
import type { BillMiss } from "../bill.ts"
import type { OwnedCall } from "../owners/charge-call.ts"
import { changedPlace } from "./changed-place.ts"
import { type Difference, firstDifference, goneParts, resentShare } from "./first-difference.ts"

/** A call as the next one of its conversation needs it. */
export interface ThreadCall extends OwnedCall {
  /** The lifetimes that the conversation has written so far, by name. */
  readonly lifetimes: ReadonlySet<string>
  readonly settings: SplitCall["settings"]
}

/** Returns undefined if all that was kept was read. */
export function findMiss(before: ThreadCall, after: ThreadCall, rule: CacheRule): BillMiss | undefined {
  const { usage } = after.call
  const expected = Math.min(keptBy(before.call.usage, rule), inputOf(usage))
  const lost = expected - usage.read
  if (lost < Math.max(1, rule.step)) return undefined
  const reason = reasonOf(before, after, rule)
  const tokens = Math.min(lost, paidAgain(before, after, reason, rule))
  if (tokens < Math.max(1, rule.step)) return undefined
  const { at, client, session, id } = after.call
  const { difference: _, ...said } = reason
  const costUsd = priceOfLoss(tokens, usage, after.priced.price)
  return { at, client, session, call: id, ...said, tokens: Math.round(tokens), costUsd }
}

type Reason = Pick<BillMiss, "cause"> &
  Partial<BillMiss> & {
    readonly difference?: Difference | undefined
  }

/** The first cause that is enough for it. */
function reasonOf(before: ThreadCall, after: ThreadCall, rule: CacheRule): Reason {
  if (before.call.model !== after.call.model)
    return { cause: "model-changed", models: [before.call.model, after.call.model] }
  const lifetimes = lifetimesOf(before, rule)
  const idleMs = after.call.at - before.call.at
  const [longest, shortest] = [Math.max(...lifetimes), Math.min(...lifetimes)]
  if (idleMs > longest) return { cause: "expired", idleMs, ttlMs: longest }
  const isKnown = before.call.coverage === "exact" && after.call.coverage === "exact"
  const found = isKnown ? knownReason(before, after, rule) : systemReason(before, after, rule)
  if (found !== undefined) return found
  // The end of a request may live shorter than its beginning.
  if (idleMs > shortest) return { cause: "expired", idleMs, ttlMs: shortest }
  if (isKnown) return { cause: "evicted" }
  return { cause: "unknown" }
}

/** In milliseconds: of the marks of the request, else of what was written, else the provider's default. */
function lifetimesOf(before: ThreadCall, rule: CacheRule): readonly number[] {
  const marks = before.parts.flatMap(({ breakpoint }) => breakpoint ?? [])
  const names = marks.length > 0 ? marks : before.lifetimes.size > 0 ? before.lifetimes : [undefined]
  return [...new Set(names)].map((name) => ttlOf(rule, name).seconds * 1000)
}

function knownReason(before: ThreadCall, after: ThreadCall, rule: CacheRule): Reason | undefined {
  const difference = firstDifference(before, after, rule)
  if (difference === undefined)
    return isBeyondLookBack(before, after, rule) ? { cause: "look-back" } : undefined
  if (difference.kind === "setting") {
    const { name, before: was, after: is } = difference
    return { cause: "settings-changed", setting: name, before: short(was), after: short(is), difference }
  }
  const part = after.parts[difference.after ?? -1] ?? before.parts[difference.before ?? -1]
  if (part?.tier === "messages" && isCompacted(before, after)) return { cause: "compacted", difference }
  const place = changedPlace(before, after, difference)
  if (part?.tier === "tools") return { cause: "tools-changed", ...place, difference }
  const kind = place.owner?.kind
  const isTalk = kind === "conversation" || kind === "tool-result" || kind === "output"
  const cause = part?.tier === "messages" && isTalk ? "messages-changed" : "text-changed"
  return { cause, ...place, difference }
}

/**
 * Requests that are known in part: their system text is enough for a miss if both have it and it differs. Anything else
 * that differs may only be missing in one of them.
 */
function systemReason(before: ThreadCall, after: ThreadCall, rule: CacheRule): Reason | undefined {
  const difference = firstDifference(before, after, rule)
  if (difference?.kind !== "part" || difference.how !== "changed") return undefined
  const parts = [before.parts[difference.before ?? -1], after.parts[difference.after ?? -1]]
  if (!parts.every((part) => part?.tier === "system" && part.kind === "system")) return undefined
  return { cause: "text-changed", ...changedPlace(before, after, difference), difference }
}

const LONGEST_SETTING = 80

function short(text: string): string {
  return text.slice(0, LONGEST_SETTING).toWellFormed()
}

/** Whether the next mark is so far behind the last one of the earlier request that the provider does not find it. */
function isBeyondLookBack(before: ThreadCall, after: ThreadCall, { lookBack }: CacheRule): boolean {
  if (lookBack === undefined) return false
  const written = before.parts.findLastIndex(({ breakpoint }) => breakpoint !== undefined)
  const next = after.parts.findIndex(({ breakpoint }, at) => at >= written && breakpoint !== undefined)
  return written !== -1 && next !== -1 && next - written >= lookBack
}

/** Of the conversation, less than this share is left. */
const FEW = 0.5

/** Whether most messages of the earlier request are gone. */
function isCompacted(before: ThreadCall, after: ThreadCall): boolean {
  const later = new Set(after.parts.map(({ digest }) => digest))
  const messages = before.parts.filter(({ tier }) => tier === "messages")
  const left = messages.filter(({ digest }) => later.has(digest))
  return left.length < messages.length * FEW && isLargeDrop(before, after)
}

function isLargeDrop(before: ThreadCall, after: ThreadCall): boolean {
  return inputOf(after.call.usage) < inputOf(before.call.usage) * FEW
}

/**
 * Of tokens that were not read, those that had been sent before. A summary is new text, and so is what comes after a
 * conversation was taken back to an earlier message: both are paid for the first time.
 */
function paidAgain(before: ThreadCall, after: ThreadCall, reason: Reason, rule: CacheRule): number {
  const { difference, cause } = reason
  const input = inputOf(after.call.usage)
  const isKnown =
    before.parts.length > 0 && after.call.coverage === "exact" && before.call.coverage === "exact"
  // After a large drop, nobody knows how much of the rest is new.
  if (!isKnown) return isLargeDrop(before, after) ? 0 : input
  const isEdited = difference?.kind === "part" && difference.how === "changed" && cause !== "compacted"
  const edited = isEdited ? difference.after : undefined
  // All of it was sent again, apart from an edit: no need to estimate how much.
  if (goneParts(before, after, rule) <= (isEdited ? 1 : 0)) return input
  const readShare = input === 0 ? 0 : after.call.usage.read / input
  return input * resentShare(before, after, { readShare, edited })
}
