// Checks a call before it is sent: what the provider would refuse, and what it would silently not cache.
// With the call before at hand, it also says what of that call's cache this one throws away.
import type { Diagnostic } from "../core/diagnostic.ts"
import { type CacheRule, TIERS, ttlOf } from "./cache-rules.ts"
import type { Call, CallBlock, Piece } from "./call.ts"

export interface Verdict {
  /** The provider would answer with an error. */
  readonly refused: readonly Diagnostic[]
  /** It would answer, and charge the full price. */
  readonly uncached: readonly Diagnostic[]
}

export interface VerifyOptions {
  readonly rule: CacheRule
  /** The last call of the same conversation. */
  readonly previous?: Call
}

export function verify(call: Call, { rule, previous }: VerifyOptions): Verdict {
  return {
    refused: [...emptyBlocks(call), ...lateSystem(call, rule), ...badBreakpoints(call, rule)],
    uncached: [
      ...belowMinimum(call, rule),
      ...(previous === undefined || rule.lookup === "none" ? [] : lostSince(previous, call, rule)),
    ],
  }
}

function emptyBlocks({ blocks }: Call): readonly Diagnostic[] {
  const empty = blocks.find((block) => tokensOf([block]) === 0)
  return empty === undefined ? [] : [{ code: "empty-text-block", tier: empty.tier }]
}

function lateSystem({ blocks }: Call, rule: CacheRule): readonly Diagnostic[] {
  const first = blocks.findIndex(({ tier }) => tier === "messages")
  const late = first === -1 ? [] : blocks.slice(first).filter(({ tier }) => tier === "system")
  const isFine = late.length === 0 || rule.lateSystem !== "refused"
  return isFine ? [] : [{ code: "late-system", tokens: tokensOf(late) }]
}

function badBreakpoints(call: Call, rule: CacheRule): readonly Diagnostic[] {
  const marked = inPrefixOrder(call).filter(({ breakpoint }) => breakpoint !== undefined)
  if (marked.length === 0) return []
  if (rule.lookup !== "breakpoint") return [{ code: "breakpoint-without-effect", rule: rule.id }]
  const allowed = rule.breakpoints - (rule.implicit ? 1 : 0)
  const found: Diagnostic[] = []
  if (marked.length > allowed) found.push({ code: "too-many-breakpoints", count: marked.length, allowed })
  const stray = marked.find(({ tier }) => !rule.markable.includes(tier))
  if (stray !== undefined) found.push({ code: "breakpoint-not-allowed", tier: stray.tier })
  return [...found, ...badLifetimes(marked, rule)]
}

function badLifetimes(marked: readonly CallBlock[], rule: CacheRule): readonly Diagnostic[] {
  const names = marked.map(({ breakpoint }) => breakpoint ?? "")
  const unknown = names.find((name) => !rule.ttls.some((ttl) => ttl.name === name))
  if (unknown !== undefined) {
    const known = rule.ttls.map((ttl) => ttl.name).join(" and ")
    return [{ code: "unknown-ttl", ttl: unknown, known }]
  }
  const seconds = names.map((name) => ttlOf(rule, name).seconds)
  const late = seconds.findIndex((value, at) => at > 0 && value > (seconds[at - 1] ?? value))
  return late === -1 ? [] : [{ code: "ttl-order", ttl: names[late] ?? "", before: names[late - 1] ?? "" }]
}

/** Nothing that the call marks, or sends at all, is long enough to be kept. */
function belowMinimum(call: Call, rule: CacheRule): readonly Diagnostic[] {
  if (rule.lookup === "none") return []
  const ordered = inPrefixOrder(call)
  const last = ordered.findLastIndex(({ breakpoint }) => breakpoint !== undefined)
  const isWhole = rule.lookup === "prefix" || rule.implicit
  if (!isWhole && last === -1) return []
  const tokens = tokensOf(isWhole ? ordered : ordered.slice(0, last + 1))
  return tokens >= rule.minimum
    ? []
    : [{ code: "below-minimum", tokens, minimum: rule.minimum, rule: rule.id }]
}

function lostSince(previous: Call, call: Call, rule: CacheRule): readonly Diagnostic[] {
  const tools = lostTools(previous, call)
  if (tools.length > 0) return tools
  return [...afterMoving(previous, call), ...beyondLookBack(previous, call, rule)]
}

function lostTools(previous: Call, call: Call): readonly Diagnostic[] {
  const [before, now] = [previous, call].map((one) =>
    one.blocks.filter(({ tier }) => tier === "tools").map(({ pieces }) => keysOf(pieces)),
  )
  if (before === undefined || now === undefined || before.join() === now.join()) return []
  const isSameSet = before.toSorted().join() === now.toSorted().join()
  return [{ code: isSameSet ? "tools-reordered" : "tools-changed", tokens: tokensOf(call.blocks) }]
}

/** Text that would have been read, had nothing in front of it changed. */
function afterMoving(previous: Call, call: Call): readonly Diagnostic[] {
  const before = inPrefixOrder(previous).flatMap(({ pieces }) => pieces)
  const now = inPrefixOrder(call).flatMap(({ tier, pieces }) => pieces.map((piece) => ({ tier, piece })))
  const first = now.findIndex(({ piece }, at) => piece.key !== before[at]?.key)
  const changed = now[first]
  if (changed === undefined || first >= before.length) return []
  const known = new Set(before.slice(first).map(({ key }) => key))
  const tokens = now
    .slice(first)
    .reduce((sum, { piece }) => sum + (known.has(piece.key) ? piece.tokens : 0), 0)
  return tokens === 0 ? [] : [{ code: "text-after-moving", tokens: Math.round(tokens), tier: changed.tier }]
}

/** Whether any breakpoint of this call is near enough to the last one of the call before. */
function beyondLookBack(previous: Call, call: Call, { lookBack }: CacheRule): readonly Diagnostic[] {
  if (lookBack === undefined) return []
  const written = inPrefixOrder(previous).findLastIndex(({ breakpoint }) => breakpoint !== undefined)
  const marks = inPrefixOrder(call).flatMap(({ breakpoint }, at) => (breakpoint === undefined ? [] : [at]))
  const after = marks.filter((at) => at >= written)
  const nearest = Math.min(...after) - written
  if (written === -1 || after.length === 0 || nearest < lookBack) return []
  return [{ code: "beyond-look-back", blocks: nearest, lookBack }]
}

function inPrefixOrder({ blocks }: Call): readonly CallBlock[] {
  return TIERS.flatMap((tier) => blocks.filter((block) => block.tier === tier))
}

function tokensOf(blocks: readonly CallBlock[]): number {
  return Math.round(
    blocks.reduce((sum, { pieces }) => pieces.reduce((all, { tokens }) => all + tokens, sum), 0),
  )
}

function keysOf(pieces: readonly Piece[]): string {
  return pieces.map(({ key }) => key).join(" ")
}
