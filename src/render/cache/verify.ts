// Checks a call before it is sent: what the provider would refuse, and what it would silently not cache. Given the
// previous call, it also reports which part of that call's cache this one invalidates.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { byCodePoint } from "../../base/order.ts"
import { type CacheRule, TIERS, type Tier, ttlOf } from "./cache-rule.ts"
import { type Call, type CallBlock, inPrefixOrder, type Piece } from "./call.ts"

/** What a provider would refuse about a call, and what it would not cache. */
export interface Verdict {
  /** The provider would answer with an error. */
  readonly refused: readonly Diagnostic[]
  /** The provider would answer, at full price. */
  readonly uncached: readonly Diagnostic[]
}

/** The rule to check a call against, and the call before it. */
export interface VerifyOptions {
  readonly rule: CacheRule
  /** The last call of the same conversation. */
  readonly previous?: Call
}

/** Checks a call before it is sent: what the provider would refuse, and what it would silently not cache. */
export function verify(call: Call, { rule, previous }: VerifyOptions): Verdict {
  return {
    refused: [...emptyBlocks(call), ...lateSystem(call, rule), ...badBreakpoints(call, rule)],
    uncached: [
      ...ignoredBreakpoints(call, rule),
      ...belowMinimum(call, rule),
      ...(previous === undefined || rule.lookup === "none" ? [] : lostSince(previous, call, rule)),
    ],
  }
}

/** A tool result may be empty and isn't empty text; a system block consists of nothing but text. */
function emptyBlocks({ blocks }: Call): readonly Diagnostic[] {
  const empty = blocks.find(
    ({ tier, pieces }) =>
      pieces.length === 0 || (tier === "system" && pieces.every(({ tokens }) => tokens === 0)),
  )
  return empty === undefined ? [] : [{ code: "empty-text-block", tier: empty.tier }]
}

function lateSystem({ blocks }: Call, rule: CacheRule): readonly Diagnostic[] {
  const first = blocks.findIndex(({ tier }) => tier === "messages")
  const late = first === -1 ? [] : blocks.slice(first).filter(({ tier }) => tier === "system")
  const isAllowed = late.length === 0 || rule.lateSystem !== "refused"
  return isAllowed ? [] : [{ code: "late-system", tokens: tokensOf(late) }]
}

function badBreakpoints(call: Call, rule: CacheRule): readonly Diagnostic[] {
  const marked = markedBlocks(call)
  const isKnown = rule.lookup === "breakpoint"
  if (!isKnown && rule.surplus === "ignored") return []
  const misplaced = marked.find(({ tier }) => !rule.markable.includes(tier))
  const misplacedMarks: readonly Diagnostic[] =
    misplaced === undefined ? [] : [{ code: "breakpoint-not-allowed", tier: misplaced.tier }]
  if (!isKnown) return misplacedMarks
  const allowed = allowedBy(rule)
  const isOver = rule.surplus === "refused" && marked.length > allowed
  return [
    ...(isOver ? [{ code: "too-many-breakpoints", count: marked.length, allowed } as const] : []),
    ...misplacedMarks,
    ...badLifetimes(marked, rule),
  ]
}

function ignoredBreakpoints(call: Call, rule: CacheRule): readonly Diagnostic[] {
  const { length: count } = markedBlocks(call)
  if (count === 0 || rule.surplus === "refused") return []
  if (rule.lookup !== "breakpoint") return [{ code: "breakpoint-without-effect", rule: rule.id }]
  const allowed = allowedBy(rule)
  return count > allowed ? [{ code: "breakpoints-ignored", count, allowed }] : []
}

function markedBlocks(call: Call): readonly CallBlock[] {
  return inPrefixOrder(call).filter(({ breakpoint }) => breakpoint !== undefined)
}

function allowedBy({ breakpoints, implicit }: CacheRule): number {
  return breakpoints - (implicit ? 1 : 0)
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

/** Whether everything that the call marks, or sends, is too short to be cached. */
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
  const setting = changedSetting(previous, call, rule)
  if (setting?.tier === "tools") return [setting]
  return [
    ...(setting ? [setting] : []),
    ...afterMoving(previous, call),
    ...beyondLookBack(previous, call, rule),
  ]
}

/** Of the settings that differ, the one that invalidates most. */
function changedSetting(previous: Call, call: Call, { invalidates }: CacheRule) {
  const { settings: before = {} } = previous
  const { settings: now = {} } = call
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].toSorted(byCodePoint)
  const changed = names.filter((name) => before[name] !== now[name])
  for (const tier of TIERS) {
    const name = changed.find((one) => invalidates[one] === tier)
    if (name !== undefined)
      return { code: "setting-changed", name, tier, tokens: sharedTokens(previous, call, tier) } as const
  }
  return undefined
}

/** Tokens that both calls have, from a tier on. New text doesn't count as lost. */
function sharedTokens(previous: Call, call: Call, from: Tier): number {
  const known = new Set(previous.blocks.flatMap(({ pieces }) => pieces.map(({ key }) => key)))
  // A late system message is part of the conversation, and is lost with it.
  const said = call.blocks.findIndex(({ tier }) => tier === "messages")
  const blocks = call.blocks.filter(
    ({ tier }, at) =>
      TIERS.indexOf(tier) >= TIERS.indexOf(from) || (said !== -1 && at > said && tier !== "tools"),
  )
  return tokensOf(
    blocks.map((block) => ({ ...block, pieces: block.pieces.filter(({ key }) => known.has(key)) })),
  )
}

function lostTools(previous: Call, call: Call): readonly Diagnostic[] {
  const [before, now] = [previous, call].map((one) =>
    one.blocks.filter(({ tier }) => tier === "tools").map(({ pieces }) => keysOf(pieces)),
  )
  if (before === undefined || now === undefined || before.join() === now.join()) return []
  const isSameSet = before.toSorted(byCodePoint).join() === now.toSorted(byCodePoint).join()
  const tokens = sharedTokens(previous, call, "tools")
  return [{ code: isSameSet ? "tools-reordered" : "tools-changed", tokens }]
}

/** Text that would have been read if nothing before it had changed. */
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

/** Whether any breakpoint of this call is close enough to the last one of the previous call. */
function beyondLookBack(previous: Call, call: Call, { lookBack }: CacheRule): readonly Diagnostic[] {
  if (lookBack === undefined) return []
  const written = inPrefixOrder(previous).findLastIndex(({ breakpoint }) => breakpoint !== undefined)
  const marks = inPrefixOrder(call).flatMap(({ breakpoint }, at) => (breakpoint === undefined ? [] : [at]))
  const after = marks.filter((at) => at >= written)
  const nearest = Math.min(...after) - written
  if (written === -1 || after.length === 0 || nearest < lookBack) return []
  return [{ code: "beyond-look-back", blocks: nearest, lookBack }]
}

function tokensOf(blocks: readonly CallBlock[]): number {
  return Math.round(
    blocks.reduce((sum, { pieces }) => pieces.reduce((all, { tokens }) => all + tokens, sum), 0),
  )
}

function keysOf(pieces: readonly Piece[]): string {
  return pieces.map(({ key }) => key).join(" ")
}
