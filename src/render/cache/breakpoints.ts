// Plans where cache breakpoints stand. A provider allows few of them, and finds an earlier one only a few blocks
// back: the end of the head, the newest message, the message that the call before ended with, and the stable text.
import { inModelTokens } from "../../core/fit/budget.ts"
import type { TailForm } from "../../core/layout/tail.ts"
import { isSent, type Message } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { blockCount, lastSent, type PartPlace, tailFormOf } from "../formats/late-system.ts"
import { type CacheRule, ttlOf } from "./cache-rule.ts"

/** After what a breakpoint stands. */
export type Position =
  | { readonly kind: "head"; readonly block: number }
  | { readonly kind: "message"; readonly message: number; readonly part: number }

export interface Breakpoint {
  readonly after: Position
  readonly ttl: string
  /** `anchor`: where the call before wrote, so that a long turn still finds it. */
  readonly why: "stable" | "session" | "anchor" | "conversation"
}

export interface BreakpointOptions {
  readonly rule: CacheRule
  /** How many the caller sets itself; they are taken off what is allowed. */
  readonly taken?: number
  /** How long the conversation is kept; never longer than the head, which the API would refuse. */
  readonly ttl?: string
  /** How tails are sent. Default: as the model takes them. */
  readonly form?: TailForm
  /** Nothing will ever go on from this request: it reads what the call before has left, and leaves nothing itself. */
  readonly oneOff?: boolean
}

export function planBreakpoints(
  prompt: Prompt,
  messages: readonly Message[],
  options: BreakpointOptions,
): readonly Breakpoint[] {
  const { rule, taken = 0, oneOff = false, form = tailFormOf(prompt, rule) } = options
  const slots = rule.breakpoints - taken - (rule.implicit ? 1 : 0)
  if (rule.lookup !== "breakpoint" || slots <= 0) return []
  const head = headBreakpoints(prompt, rule)
  const marks = movingBreakpoints(messages, rule, shorter(rule, options.ttl, head), form)
  const { newest: _unused, ...old } = marks
  const moving = oneOff ? { ...old, isFar: true } : marks
  const wanted = inOrderOfWorth(head, moving)
  return wanted.slice(0, slots).toSorted((a, b) => rank(a.after) - rank(b.after))
}

/** Ends of blocks that do not move with the turn and reach the minimum: what is shorter is not cached. */
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

/** The newest part, and the last part of the call before, which is where that one wrote. */
function movingBreakpoints(
  messages: readonly Message[],
  rule: CacheRule,
  ttl: string,
  form: TailForm,
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

/** Where the call before ended: before the newest answer, which may be several messages. */
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

/** What is worth most comes first: with few slots, only that is set. */
function inOrderOfWorth(
  head: readonly Breakpoint[],
  { newest, anchor, isFar }: ReturnType<typeof movingBreakpoints>,
): readonly Breakpoint[] {
  const end = head.at(-1)
  const far = isFar && anchor !== undefined ? [anchor] : []
  const near = !isFar && anchor !== undefined ? [anchor] : []
  return [...(newest ? [newest] : []), ...far, ...(end ? [end] : []), ...head.slice(0, -1).reverse(), ...near]
}

/** The longest lifetime comes first in a request, so the conversation's is at most the head's. */
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
