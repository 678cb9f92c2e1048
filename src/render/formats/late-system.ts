// The conversation in the order in which it is sent. A model that accepts system messages within a conversation gets a
// tail's operator text as one, after the user's message. For other models it stays in that message. The stored
// conversation is the same for both, and text of people, tools and files never moves.
import { oncePerObject } from "../../base/memo/once.ts"
import { privateField } from "../../base/memo/private-field.ts"
import type { TailForm } from "../../core/layout/tail.ts"
import { isSent, type Message, type MessagePart } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { TAIL_ENVELOPE } from "../../core/write/markup.ts"
import type { CacheRule } from "../cache/cache-rule.ts"

export function takesLateSystem({ lateSystem }: CacheRule): boolean {
  return lateSystem === "after-user" || lateSystem === "allowed"
}

/** The form for a model. Without a head, a late system message would be read as the system prompt. */
export function tailFormOf({ head }: Pick<Prompt, "head">, rule: CacheRule): TailForm {
  return takesLateSystem(rule) && head.length > 0 ? "system" : "message"
}

/** The position of a part in the stored conversation. */
export interface PartPlace {
  readonly message: number
  readonly part: number
}

/** One item that is sent. */
export type Sent =
  /** `at`: its index in the stored conversation. Its parts have the same indexes as there. */
  | { readonly kind: "message"; readonly at: number; readonly message: Message }
  | { readonly kind: "system"; readonly late: LateText; readonly tails: readonly PartPlace[] }

/** The text of a late system message, from one or more consecutive tails. The same tails give the same object. */
export interface LateText {
  readonly text: string
  /** Where the text of each tail begins. */
  readonly starts: readonly number[]
}

export function sentOrder(messages: readonly Message[], form: TailForm): readonly Sent[] {
  const all = messages.map((message, at): Sent => ({ kind: "message", at, message }))
  if (form === "message") return all
  const sent: Sent[] = []
  for (let start = 0; start < messages.length; ) {
    const end = runEnd(messages, start)
    sent.push(...sentRun(messages, start, end))
    start = end
  }
  return sent
}

/** The stored position of the newest part up to a message, after which a breakpoint can be set. */
export function lastSent(
  messages: readonly Message[],
  from: number,
  form: TailForm,
): (PartPlace & { readonly isLate: boolean }) | undefined {
  let message = from
  while (message >= 0 && !messages[message]?.parts.some(canBeMarked)) message -= 1
  if (message < 0) return undefined
  const run = form === "message" ? [] : sentRun(messages, runStart(messages, message), message + 1)
  const late = run.at(-1)
  const tail = late?.kind === "system" ? late.tails.at(-1) : undefined
  if (tail !== undefined) return { ...tail, isLate: true }
  return { message, part: messages[message]?.parts.findLastIndex(canBeMarked) ?? 0, isLate: false }
}

/** APIs take no breakpoint on some of their own blocks. Marking none of them costs a few tokens at most. */
function canBeMarked(part: MessagePart): boolean {
  return part.kind !== "native" && isSent(part)
}

/** How many blocks a message is sent as; a divided tail counts as two. */
export function blockCount({ parts }: Message, form: TailForm): number {
  if (form === "message") return parts.length
  return parts.reduce((sum, part) => sum + (divide(part)?.rest === undefined ? 1 : 2), 0)
}

/** An answer with nothing to send doesn't separate anything: the provider sees two consecutive user messages. */
function isAnswer({ role, parts }: Message): boolean {
  return role === "assistant" && parts.some(isSent)
}

/** A run is an answer, or everything before the next one. */
function runEnd(messages: readonly Message[], start: number): number {
  const first = messages[start]
  if (first === undefined || isAnswer(first)) return start + 1
  let end = start + 1
  for (let next = messages[end]; next !== undefined && !isAnswer(next); next = messages[end]) end += 1
  return end
}

function runStart(messages: readonly Message[], last: number): number {
  const before = messages.slice(0, last).findLastIndex(isAnswer)
  const own = messages[last]
  return own !== undefined && isAnswer(own) ? last : before + 1
}

/** A late system message must follow the user's words and precede an answer, so it ends its run. */
function sentRun(messages: readonly Message[], start: number, end: number): readonly Sent[] {
  const run = messages.slice(start, end)
  const whole = run.map((message, at): Sent => ({ kind: "message", at: start + at, message }))
  const tails = run.flatMap(({ parts }, at) =>
    parts.flatMap((part, number) =>
      divide(part) === undefined ? [] : [{ part, place: { message: start + at, part: number } }],
    ),
  )
  const [first, ...others] = tails
  if (first === undefined) return whole
  const rest = run.map(withoutLate)
  // Without user text before it, as in a turn that no user message opens, it couldn't follow the user's words.
  if (!rest.some(({ role, parts }) => role === "user" && parts.some(isSent))) return whole
  const late = lateText([first.part, ...others.map(({ part }) => part)])
  return [
    ...rest.map((message, at): Sent => ({ kind: "message", at: start + at, message })),
    { kind: "system", late, tails: tails.map(({ place }) => place) },
  ]
}

interface Divided {
  /** The operator's words. */
  readonly late: string
  /** What stays in the user's message. Undefined if only the frame would be left. */
  readonly rest: string | undefined
}

/** Returns undefined for a part that stays whole: no tail, without operator text, or changed since it was written. */
export function divide(part: MessagePart): Divided | undefined {
  return part.kind === "text" && part.tail === true ? divideTail(part) : undefined
}

const divideTail = oncePerObject((part: Extract<MessagePart, { kind: "text" }>): Divided | undefined => {
  if (part.operator === undefined) return undefined
  const late = part.operator.map(({ text }) => text).join("")
  if (late.trim() === "") return undefined
  let rest = ""
  let from = 0
  for (const { at, text } of part.operator) {
    if (at < from || !part.text.startsWith(text, at)) return undefined
    rest += part.text.slice(from, at)
    from = at + text.length
  }
  rest += part.text.slice(from)
  const isFrame = rest === TAIL_ENVELOPE.open + TAIL_ENVELOPE.close
  return { late, rest: isFrame ? undefined : rest }
}, privateField())

const withoutLate = oncePerObject((message: Message): Message => {
  const parts = message.parts.map((part): MessagePart => {
    const divided = divide(part)
    // Empty text isn't sent, and the indexes of the other parts stay the same.
    return divided === undefined ? part : { kind: "text", text: divided.rest ?? "", tail: true }
  })
  return parts.some((part, at) => part !== message.parts[at]) ? { ...message, parts } : message
}, privateField())

/** The text of some tails, and what it becomes with another one. */
interface LateTails {
  readonly late: LateText
  readonly with: (part: MessagePart) => LateTails
}

/** Sections end with a blank line, so tails need no separator. */
function lateTails(late: LateText): LateTails {
  const { text, starts } = late
  const more = (part: MessagePart) =>
    lateTails({ text: text + (divide(part)?.late ?? ""), starts: [...starts, text.length] })
  // Most are the only tail of their run.
  let known: LateTails["with"] | undefined
  return {
    late,
    with(part) {
      known ??= oncePerObject(more)
      return known(part)
    },
  }
}

const firstTail = oncePerObject(
  (part: MessagePart) => lateTails({ text: divide(part)?.late ?? "", starts: [0] }),
  privateField(),
)

/** The same parts give the same object. */
function lateText([first, ...others]: readonly [MessagePart, ...MessagePart[]]): LateText {
  return others.reduce((tails, part) => tails.with(part), firstTail(first)).late
}
