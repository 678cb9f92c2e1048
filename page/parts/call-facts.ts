// What is read off a call of the timeline: its input, the share that came from the cache, and a miss in a few words.
import type { CallRow, ShownMiss, ShownUsage } from "../../src/serve/page/shown.ts"
import { clock, count, counted, money, percent, span } from "./figures.ts"
import { visibleName } from "./visible-text.ts"

export function inputOf({ uncached, read, written }: ShownUsage): number {
  return uncached + read + written
}

/** Undefined for a call without input or without usage. */
export function cachedShare(usage: ShownUsage | null): number | undefined {
  const input = usage === null ? 0 : inputOf(usage)
  return usage === null || input === 0 ? undefined : usage.read / input
}

/**
 * Whether two calls of a session belong to one conversation: a helper of another client has a turn of its own, and so has
 * what our agent asks beside its turns, whose name has a dot.
 */
export function isSameThread(one: CallRow, other: CallRow): boolean {
  if (one.turn === other.turn) return true
  return one.client === "incipit" && !one.turn.includes(".") && !other.turn.includes(".")
}

/** The call before this one in its conversation. */
export function callBefore(calls: readonly CallRow[], at: number): CallRow | undefined {
  const call = calls[at]
  if (call === undefined) return undefined
  for (let index = at - 1; index >= 0; index -= 1) {
    const before = calls[index]
    if (before !== undefined && isSameThread(call, before)) return before
  }
  return undefined
}

/** A cause in a few words, such as "41 min pause" or "AGENTS.md:12 changed". */
export function missWords(calls: readonly CallRow[], at: number): string {
  const call = calls[at]
  const miss = call?.miss
  if (call === undefined || miss === null || miss === undefined) return ""
  const before = callBefore(calls, at)
  if (miss.cause === "expired" && before !== undefined) return `${span(call.at - before.at)} pause`
  if (miss.path !== null) return `${placeOf(miss)} changed`
  return CAUSE_WORDS[miss.cause] ?? visibleName(miss.cause.replaceAll("-", " "))
}

/** A file with its line. */
function placeOf({ path, line }: Pick<ShownMiss, "path" | "line">): string {
  if (path === null) return ""
  return line === null ? visibleName(path) : `${visibleName(path)}:${line}`
}

const CAUSE_WORDS: Readonly<Record<string, string>> = {
  expired: "pause",
  changed: "text changed",
  "text-changed": "text changed",
  "model-changed": "other model",
  evicted: "dropped by the provider",
  "nothing-kept": "nothing was cached",
  "below-minimum": "too short to cache",
  "beyond-look-back": "too many blocks ago",
  "not-cached": "no cache",
  "look-back": "too many blocks ago",
  unknown: "unknown cause",
}

/** What all misses of a session cost: money if every price is known, else tokens only. */
export function missSum(calls: readonly CallRow[]): string {
  const misses = calls.flatMap(({ miss }) => miss ?? [])
  const tokens = misses.reduce((sum, miss) => sum + miss.tokens, 0)
  const usd = misses.reduce((sum, { costUsd }) => sum + (costUsd ?? Number.NaN), 0)
  const isFree = Number.isNaN(usd) || calls.some(({ isSimulated }) => isSimulated)
  const price = isFree ? "" : `, ${money(usd)} more than reading them`
  return `${counted(misses.length, "cache miss", "cache misses")}: ${count(tokens)} tokens paid for again${price}.`
}

/** Where it is shown which call it is, and that it missed. */
export function explanation({ sentence }: ShownMiss): string {
  return sentence.replace(/^Cache miss: (?:this call|call \S+) read /, "It read ")
}

/** What a miss cost: money if the price is known, else tokens. */
export function lossOf({ costUsd, tokens }: ShownMiss): string {
  return costUsd === null || costUsd === 0 ? `${count(tokens)} tokens again` : money(costUsd)
}

/** A call in words, for screen readers. */
export function callInWords(calls: readonly CallRow[], at: number): string {
  const call = calls[at]
  if (call === undefined) return "no calls"
  const { usage, costUsd, miss, error } = call
  const share = cachedShare(usage)
  return [
    `Call ${count(at + 1)} of ${count(calls.length)}, ${clock(call.at)}`,
    ...(usage === null ? ["tokens not reported"] : [`${count(inputOf(usage))} tokens`]),
    ...(share === undefined ? [] : [`${percent(share)} from the cache`]),
    ...(costUsd === null || call.isSimulated ? [] : [money(costUsd)]),
    ...(miss === null ? [] : [`cache miss: ${missWords(calls, at)}, ${lossOf(miss)}`]),
    ...(error === null ? [] : [`failed: ${visibleName(error)}`]),
  ].join(", ")
}
