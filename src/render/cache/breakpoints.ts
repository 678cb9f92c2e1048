// Plans the cache breakpoints. A provider allows only a few, and finds an earlier one only a few blocks back. They go
// after the head, the newest message, the message that ended the previous call, and the stable text.
import { inModelTokens } from "../../core/fit/budget.ts"
import type { TailForm } from "../../core/layout/tail.ts"
import { isSent, type Message } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { blockCount, lastSent, type PartPlace, tailFormOf } from "../formats/late-system.ts"
import { type CacheRule, ttlOf } from "./cache-rule.ts"

/** What a breakpoint comes after. */
export type Position =
  | { readonly kind: "head"; readonly block: number }
  | { readonly kind: "message"; readonly message: number; readonly part: number }

/** A place in a request up to which the provider is asked to cache. */
export interface Breakpoint {
  readonly after: Position
  readonly ttl: string
  /** `anchor`: where the previous call wrote, so that a long turn still finds it. */
  readonly why: "stable" | "session" | "anchor" | "conversation"
}

/** Options for planning breakpoints. */
export interface BreakpointOptions {
  readonly rule: CacheRule
  /** How many breakpoints the caller sets itself; they count towards the limit. */
  readonly taken?: number
  /** How long the conversation is cached. Never longer than the head, which the API would refuse. */
  readonly ttl?: string
  /** How tails are sent. Default: as the model supports. */
  readonly form?: TailForm
  /** No later request continues this one: it reads what the previous call wrote, and writes nothing. */
  readonly oneOff?: boolean
}

/** Decides where a request gets its cache breakpoints. The renderers call it; call it yourself only to simulate. */
export function planBreakpoints(
  prompt: Prompt,
  messages: readonly Message[],
  options: BreakpointOptions,
): readonly Breakpoint[] {
  const { rule, taken = 0, oneOff = false, form = tailFormOf(prompt, rule) } = options
  const slots = rule.breakpoints - taken - (rule.implicit ? 1 : 0)
  if (rule.lookup !== "breakpoint" || slots <= 0) return []
  const head = headBreakpoints(prompt, rule)
  const marks = movingBreakpoints(messages, { rule, ttl: shorter(rule, options.ttl, head), form })
  const { newest: _unused, ...old } = marks
  const moving = oneOff ? { ...old, isFar: true } : marks
  const wanted = inOrderOfWorth(head, moving)
  return wanted.slice(0, slots).toSorted((a, b) => rank(a.after) - rank(b.after))
}

/** Ends of blocks that don't change with the turn and reach the minimum; shorter prefixes aren't cached. */
function headBreakpoints({ head, plan }: Prompt, rule: CacheRule): readonly Breakpoint[] {
  const ratio = plan.budget
  let tokens = plan.budget.tools
  return head.flatMap((block, at): readonly Breakpoint[] => {
    tokens += inModelTokens(block.tokens, ratio)
    if (block.breakpoint === undefined || tokens < rule.minimum) return []
    const ttl = ttlOf(rule, block.breakpoint.ttl).name
    return [{ after: { kind: "head", block: at }, ttl, why: block.pace === "stable" ? "stable" : "session" }]
  })
}

/** The newest part, and the last part of the previous call, which is where that call wrote. */
function movingBreakpoints(
  messages: readonly Message[],
  { rule, ttl, form }: { readonly rule: CacheRule; readonly ttl: string; readonly form: TailForm },
): { readonly newest?: Breakpoint; readonly anchor?: Breakpoint; readonly isFar: boolean } {
  const last = lastSent(messages, messages.length - 1, form)
  if (last === undefined) return { isFar: false }
  const newest: Breakpoint = { after: afterPart(last), ttl, why: "conversation" }
  const before = beforeAnswer(messages, form)
  if (before === undefined) return { ...(!rule.implicit && { newest }), isFar: false }
  const anchor: Breakpoint = { after: afterPart(before), ttl, why: "anchor" }
  const distance = blocksAfter(messages, before, form)
  const isFar = rule.lookBack !== undefined && distance >= rule.lookBack
  return { ...(!rule.implicit && { newest }), anchor, isFar }
}

/** Where the previous call ended: before the newest answer, which may consist of several messages. */
function beforeAnswer(messages: readonly Message[], form: TailForm): ReturnType<typeof lastSent> {
  const answer = messages.findLastIndex(({ role }) => role === "assistant")
  const asked = messages
    .slice(0, Math.max(0, answer))
    .findLastIndex(({ role, parts }) => role === "user" && parts.some(isSent))
  return lastSent(messages, asked, form)
}

function afterPart({ message, part }: PartPlace): Position {
  return { kind: "message", message, part }
}

/** Most valuable first: with few slots, only the first ones are set. */
function inOrderOfWorth(
  head: readonly Breakpoint[],
  { newest, anchor, isFar }: ReturnType<typeof movingBreakpoints>,
): readonly Breakpoint[] {
  const end = head.at(-1)
  const far = isFar && anchor !== undefined ? [anchor] : []
  const near = !isFar && anchor !== undefined ? [anchor] : []
  return [...(newest ? [newest] : []), ...far, ...(end ? [end] : []), ...head.slice(0, -1).reverse(), ...near]
}

/** A request must have its longest lifetimes first, so the conversation's is at most the head's. */
function shorter(rule: CacheRule, wanted: string | undefined, head: readonly Breakpoint[]): string {
  const ttl = ttlOf(rule, wanted)
  const least = Math.min(...head.map((breakpoint) => ttlOf(rule, breakpoint.ttl).seconds))
  if (ttl.seconds <= least) return ttl.name
  return rule.ttls.findLast(({ seconds }) => seconds <= least)?.name ?? ttl.name
}

function blocksAfter(
  messages: readonly Message[],
  { message, part, isLate }: PartPlace & { readonly isLate: boolean },
  form: TailForm,
): number {
  const rest = isLate ? 0 : (messages[message]?.parts.length ?? 0) - part - 1
  return messages.slice(message + 1).reduce((sum, next) => sum + blockCount(next, form), rest)
}

function rank(position: Position): number {
  return position.kind === "head" ? position.block - 1e9 : position.message * 1e4 + position.part
}
