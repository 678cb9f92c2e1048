// The tail: turn text, written once into the message that opens the turn. From then on it is transcript and keeps its
// bytes. Text that hasn't changed since it was sent is not repeated. The renderer chooses the form in which a model
// reads it (render/formats/late-system.ts).
import type { Digest } from "../../base/digest.ts"
import { IncipitError } from "../../base/error.ts"
import { isRecord } from "../../base/is-record.ts"
import type { Patch } from "../../base/text/line-diff.ts"
import { checkMessages, type Excerpt, type Message, type MessagePart } from "../model/message.ts"
import type { OnChange } from "../model/on-change.ts"
import { guardPart } from "./guard-part.ts"

/** What the conversation already contains, by section. Plain data: a host stores it and passes it in again. */
export interface Sent {
  readonly epoch: number
  readonly turn: string
  readonly sections: Readonly<Record<string, Digest>>
  /** For head sections sent again in a tail: turns the baseline's text into the text sent last. */
  readonly patches?: Readonly<Record<string, Patch>>
}

export interface Moment {
  readonly sent: Sent | undefined
  readonly epoch: number
  readonly turn: string
}

/** How the operator's words in a tail reach a model: inside the user's message, or as a system message after it. */
export type TailForm = "message" | "system"

/** A text that the tail may have to send. */
export interface Sendable {
  /** Its key in `Sent`. */
  readonly key: string
  readonly digest: Digest
  readonly onChange: OnChange
}

/** Whether the tail has to send a text now. `later`: it changed, but is sent only with the next turn. */
export function whenToSend(
  { key, digest, onChange }: Sendable,
  moment: Moment,
): "now" | "later" | "unchanged" {
  const known = sentSections(moment)
  const same = known[key] === digest
  if (!isSameTurn(moment)) return same && onChange !== "always" ? "unchanged" : "now"
  if (same) return "unchanged"
  return onChange === "step" ? "now" : "later"
}

/** A new epoch has a new conversation, in which nothing has been sent yet. */
export function sentSections({ sent, epoch }: Moment): Readonly<Record<string, Digest>> {
  return sent?.epoch === epoch ? sent.sections : {}
}

/** Returns undefined for a text that was sent again without a stored patch. */
export function patchIn(moment: Moment, key: string): Patch | undefined {
  if (!(key in sentSections(moment))) return NO_PATCH
  return moment.sent?.patches?.[key]
}

/** One object, because updates are cached by the identity of the patch before them. */
const NO_PATCH: Patch = []

export function isSameTurn({ sent, epoch, turn }: Moment): boolean {
  return sent?.epoch === epoch && sent.turn === turn
}

/** What `attach` takes: the tail of a prompt. A whole prompt has a text too, so its type would fit without `plan`. */
export interface AttachedTail {
  readonly text: string
  readonly operator?: readonly Excerpt[]
  /** Never set. Its type is what a person reads who passes the whole prompt. */
  readonly plan?: "attach takes prompt.tail, not the prompt"
}

/**
 * Puts the tail of a prompt into the conversation. Call it before you render. Writes the tail into the last message:
 * before the user's words when a turn opens, after the newest tool result within a turn. A turn that no user message
 * opens gets a message of its own. Text of users and tools in that message is guarded, so that it cannot forge a tail.
 */
export function attach(messages: readonly Message[], tail: AttachedTail | undefined): readonly Message[] {
  checkMessages(messages)
  checkTailGiven(tail)
  const written = tail === undefined ? [] : [tailPart(tail.text, tail.operator)]
  const last = messages.at(-1)
  if (last === undefined || last.role !== "user") {
    return written.length === 0 ? messages : [...messages, { role: "user", parts: written }]
  }
  const parts = last.parts.map((part) => guardPart(part))
  if (parts.some((part) => part.kind === "text" && part.tail && part.text === tail?.text)) {
    return replaceLast(messages, last, parts)
  }
  const isWithinTurn = parts.some(({ kind }) => kind === "tool-result")
  return replaceLast(messages, last, isWithinTurn ? [...parts, ...written] : [...written, ...parts])
}

function checkTailGiven(tail: unknown): void {
  const isTail = isRecord(tail) && typeof tail.text === "string" && !("plan" in tail)
  if (tail === undefined || isTail) return
  const found = isRecord(tail) ? "the prompt" : `a ${typeof tail}`
  throw new IncipitError("bad-messages", `attach takes prompt.tail, not ${found}`)
}

function tailPart(text: string, operator: readonly Excerpt[] | undefined): MessagePart {
  return { kind: "text", text, tail: true, ...(operator && { operator }) }
}

/**
 * Removes all tails from a conversation, and reasoning that its provider refuses after another prompt. Call it when a
 * new epoch begins: it drops the old ones.
 */
export function detach(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) => {
    const parts = message.parts.filter((part) => !(part.kind === "text" && part.tail) && !isBound(part))
    return parts.length === message.parts.length ? message : { ...message, parts }
  })
}

/**
 * Claude's signature is bound to everything before the reasoning: the API refuses a request in which that has changed,
 * or in which only some of the reasoning is missing. Other providers' reasoning stays valid, and OpenAI refuses calls
 * without the reasoning that belongs to them.
 */
const BOUND = ["anthropic", "bedrock"]

function isBound(part: MessagePart): boolean {
  return part.kind === "reasoning" && BOUND.some((provider) => part.data?.[provider] !== undefined)
}

function replaceLast(
  messages: readonly Message[],
  last: Message,
  parts: readonly MessagePart[],
): readonly Message[] {
  const same = parts.length === last.parts.length && parts.every((part, at) => part === last.parts[at])
  return same ? messages : messages.with(-1, { ...last, parts })
}
