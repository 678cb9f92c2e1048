// The tail: turn text, written once into the message that opens the turn. From then on it is transcript
// and keeps its bytes; what has not changed since it was told is not said again. In which form a model reads it is the
// renderer's choice (render/formats/late-system.ts).
import type { Digest } from "../../base/digest.ts"
import type { Patch } from "../../base/text/line-diff.ts"
import type { Freshness } from "../model/freshness.ts"
import type { Excerpt, Message, MessagePart } from "../model/message.ts"
import { guard } from "../write/markup.ts"

/** What the conversation already holds, by section. Plain data: a host stores it and hands it in again. */
export interface Told {
  readonly epoch: number
  readonly turn: string
  readonly sections: Readonly<Record<string, Digest>>
  /** Of sections of the head that were told anew: what makes their last told text of the baseline's. */
  readonly patches?: Readonly<Record<string, Patch>>
}

export interface Moment {
  readonly told: Told | undefined
  readonly epoch: number
  readonly turn: string
}

/** How the operator's words in a tail reach a model: within the user's message, or as a system message after it. */
export type TailForm = "message" | "system"

/** Whether the tail has to say a text now. `later`: it changed, but only the next turn tells it. */
export function whenToTell(
  key: string,
  now: Digest,
  freshness: Freshness,
  moment: Moment,
): "now" | "later" | "told" {
  const known = toldSections(moment)
  const same = known[key] === now
  if (!isSameTurn(moment)) return same && freshness !== "always" ? "told" : "now"
  if (same) return "told"
  return freshness === "step" ? "now" : "later"
}

/** A new epoch has a new conversation: nothing has been told in it. */
export function toldSections({ told, epoch }: Moment): Readonly<Record<string, Digest>> {
  return told?.epoch === epoch ? told.sections : {}
}

/** `undefined` for a text that was told anew, by whom it is not known how. */
export function patchIn(moment: Moment, key: string): Patch | undefined {
  if (!(key in toldSections(moment))) return []
  return moment.told?.patches?.[key]
}

export function isSameTurn({ told, epoch, turn }: Moment): boolean {
  return told?.epoch === epoch && told.turn === turn
}

/**
 * Writes the tail into the last message: before the user's words when a turn opens, after the newest tool
 * result within one. A turn that nobody's message opens gets a message of its own. Text of users and tools in
 * that message is guarded, so that it cannot forge the tail.
 */
export function attach(
  messages: readonly Message[],
  tail: { readonly text: string; readonly operator?: readonly Excerpt[] } | undefined,
): readonly Message[] {
  const written = tail === undefined ? [] : [tailPart(tail.text, tail.operator)]
  const last = messages.at(-1)
  if (last === undefined || last.role !== "user") {
    return written.length === 0 ? messages : [...messages, { role: "user", parts: written }]
  }
  const parts = last.parts.map(guardPart)
  if (parts.some((part) => part.kind === "text" && part.tail && part.text === tail?.text)) {
    return replaceLast(messages, last, parts)
  }
  const isWithinTurn = parts.some(({ kind }) => kind === "tool-result")
  return replaceLast(messages, last, isWithinTurn ? [...parts, ...written] : [...written, ...parts])
}

function tailPart(text: string, operator: readonly Excerpt[] | undefined): MessagePart {
  return { kind: "text", text, tail: true, ...(operator && { operator }) }
}

/** Takes all tails out: at a new epoch, old ones go. */
export function detach(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) => {
    const parts = message.parts.filter((part) => !(part.kind === "text" && part.tail))
    return parts.length === message.parts.length ? message : { ...message, parts }
  })
}

/** Text of users and tools with the compiler's own tags taken from it. */
export function guardPart(part: MessagePart): MessagePart {
  if (part.kind === "tool-call" || (part.kind === "text" && (part.tail || part.envelope))) return part
  const text = guard(part.text)
  return text === part.text ? part : { ...part, text }
}

function replaceLast(
  messages: readonly Message[],
  last: Message,
  parts: readonly MessagePart[],
): readonly Message[] {
  const same = parts.length === last.parts.length && parts.every((part, at) => part === last.parts[at])
  return same ? messages : messages.with(-1, { ...last, parts })
}
