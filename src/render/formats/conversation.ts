// Writes a conversation in a provider's form, each message once, and reports where the tail went: into the user's
// message, into a late system message after it, or partly into each.
import { privateField } from "../../base/memo/private-field.ts"
import type { TailForm } from "../../core/layout/tail.ts"
import type { Message } from "../../core/model/message.ts"
import type { Block } from "../../core/model/plan.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { divide, type LateText, type PartPlace, type Sent, sentOrder } from "./late-system.ts"
import type { Spot, TailSpot } from "./place.ts"
import type { Marks, PartMarks } from "./renderer.ts"

/** A message in a provider's form. */
export interface WrittenMessage<T> {
  /** Empty for a message that isn't sent. */
  readonly items: readonly T[]
  /** By part: where the compiler's text went in one of the items. */
  readonly tails: ReadonlyMap<number, Spot & { readonly item: number }>
}

/** `calls`: the nearest earlier answer, which contains the calls that results belong to. */
export type WriteMessage<T, M> = (
  message: Message,
  marks: PartMarks<M>,
  calls: Message | undefined,
) => WrittenMessage<T>

/** A late system message in a provider's form, with the pointer to its text. */
export type WriteLate<T, M> = (
  text: string,
  mark: M | undefined,
) => { readonly item: T; readonly pointer: string }

export interface WrittenConversation<T> {
  readonly items: T[]
  /** Empty if the conversation doesn't contain the tail. */
  readonly tail: readonly TailSpot[]
}

export interface Conversation<T, M> {
  readonly prompt: Prompt
  readonly messages: readonly Message[]
  readonly marks: Marks<M>
  /** Items before the conversation, such as one with the head. */
  readonly lead?: readonly T[]
  /** Default: tails stay in messages. */
  readonly form?: TailForm
}

/**
 * Writes conversations into the list that the pointer names. Messages without a breakpoint are written once and cached.
 * Without `writeLate`, tails stay in messages whatever the form.
 */
export function conversationWriter<T, M>(
  list: string,
  write: WriteMessage<T, M>,
  writeLate?: WriteLate<T, M>,
): (conversation: Conversation<T, M>) => WrittenConversation<T> {
  const remembered = rememberMessages(write)
  const late = writeLate && rememberLate(writeLate)
  return ({ prompt, messages, marks, lead = [], form = "message" }) => {
    const position = tailPosition(prompt, messages)
    const items = [...lead]
    const tail: TailSpot[] = []
    let calls: Message | undefined
    for (const sent of sentOrder(messages, late === undefined ? "message" : form)) {
      if (sent.kind === "system") {
        if (late === undefined) continue
        const { item, pointer } = late(sent.late, lateMark(sent.tails, marks))
        const start = startOf(sent, position)
        const spot = { pointer: `${list}/${items.length}${pointer}`, offset: start ?? 0 }
        if (start !== undefined) tail.push(...lateSpots(prompt.tail, spot))
        items.push(item)
        continue
      }
      const { at, message } = sent
      const isWhole = message === messages[at]
      const marked = isWhole ? marks.message(at) : marksLeft(messages[at], marks.message(at))
      const written = marked ? write(message, marked, calls) : remembered(message, calls)
      const found = position?.message === at ? written.tails.get(position.part) : undefined
      if (found) {
        const pointer = `${list}/${items.length + found.item}${found.pointer}`
        tail.push(...restSpots(prompt.tail, { pointer, offset: found.offset }, isWhole))
      }
      for (const item of written.items) items.push(item)
      if (message.role === "assistant") calls = message
    }
    return { items, tail }
  }
}

/** The newest part that is this prompt's tail. From the end, because two turns within a minute may share one. */
export function tailPosition({ tail }: Prompt, messages: readonly Message[]): PartPlace | undefined {
  if (tail === undefined) return undefined
  for (let message = messages.length - 1; message >= 0; message -= 1) {
    const parts = messages[message]?.parts ?? []
    const part = parts.findLastIndex(
      (candidate) => candidate.kind === "text" && candidate.tail === true && candidate.text === tail.text,
    )
    if (part !== -1) return { message, part }
  }
  return undefined
}

function rememberMessages<T, M>(
  write: WriteMessage<T, M>,
): (message: Message, calls: Message | undefined) => WrittenMessage<T> {
  const known = privateField<Message, { calls: Message | undefined; written: WrittenMessage<T> }>()
  return (message, calls) => {
    const found = known.get(message)
    if (found !== undefined && found.calls === calls) return found.written
    const written = write(message, () => undefined, calls)
    known.set(message, { calls, written })
    return written
  }
}

function rememberLate<T, M>(
  write: WriteLate<T, M>,
): (late: LateText, mark: M | undefined) => ReturnType<WriteLate<T, M>> {
  const known = privateField<LateText, ReturnType<WriteLate<T, M>>>()
  return (late, mark) => {
    if (mark !== undefined) return write(late.text, mark)
    const written = known.get(late) ?? write(late.text, undefined)
    known.set(late, written)
    return written
  }
}

/** A breakpoint after a tail goes after the last text sent from it. */
function lateMark<M>(tails: readonly PartPlace[], marks: Marks<M>): M | undefined {
  for (const { message, part } of tails.toReversed()) {
    const mark = marks.message(message)?.(part)
    if (mark !== undefined) return mark
  }
  return undefined
}

/** Drops the marks that move to the late system message. */
function marksLeft<M>(
  stored: Message | undefined,
  marks: PartMarks<M> | undefined,
): PartMarks<M> | undefined {
  const moved = stored?.parts.map((part) => divide(part) !== undefined) ?? []
  return marks && ((part) => (moved[part] ? undefined : marks(part)))
}

/** Where the tail at the position begins in the late text. Returns undefined if it isn't part of that text. */
function startOf({ late, tails }: Extract<Sent, { kind: "system" }>, position: PartPlace | undefined) {
  const which = tails.findIndex(
    ({ message, part }) => message === position?.message && part === position.part,
  )
  return late.starts[which]
}

function lateSpots(tail: Block | undefined, { pointer, offset }: Spot): readonly TailSpot[] {
  let next = offset
  return (tail?.operator ?? []).map(({ at, text }) => {
    const spot = { start: at, end: at + text.length, pointer, offset: next }
    next += text.length
    return spot
  })
}

/** The text between the operator's words, or all of the tail. */
function restSpots(
  tail: Block | undefined,
  { pointer, offset }: Spot,
  isWhole: boolean,
): readonly TailSpot[] {
  if (tail === undefined) return []
  const spots: TailSpot[] = []
  let start = 0
  let next = offset
  const end = { at: tail.text.length, text: "" }
  for (const { at, text } of isWhole ? [end] : [...(tail.operator ?? []), end]) {
    if (at > start) spots.push({ start, end: at, pointer, offset: next })
    next += at - start
    start = at + text.length
  }
  return spots
}
