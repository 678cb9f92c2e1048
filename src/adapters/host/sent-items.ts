// What a request sends, said in a way that every host can write: the head, and the host's own messages with turn context
// before, between or after their parts. The host's parts are named by their place, so that nothing of them is rewritten.
import type { TailForm } from "../../core/layout/tail.ts"
import type { Message, MessagePart } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { checkGiven } from "../../render/formats/check.ts"
import { type PartPlace, type Sent, sentOrder } from "../../render/formats/late-system.ts"
import type { Rendered } from "../../render/formats/place.ts"
import {
  cacheDiagnostics,
  joinHead,
  type KeyedOptions,
  type Marks,
  marksOf,
  tailFormFor,
} from "../../render/formats/renderer.ts"

/** A text of the compiler. `mark`: how long to cache the prefix up to its end. */
export interface SentText {
  readonly text: string
  readonly mark: string | undefined
}

/** One part of a message. `guarded`: what the host's text has to say instead, because it would pass for the compiler's. */
export type SentPiece =
  | ({ readonly kind: "tail" } & SentText)
  | {
      readonly kind: "part"
      readonly part: number
      readonly guarded: string | undefined
      readonly mark: string | undefined
    }

/** One message. `at`: its place in the host's conversation; undefined for turn context that no message of the host opens. */
export type SentItem =
  | { readonly kind: "message"; readonly at: number | undefined; readonly pieces: readonly SentPiece[] }
  | ({ readonly kind: "system" } & SentText)

export interface SentRequest {
  readonly head: readonly SentText[]
  /** The head as one text, for hosts that take one. */
  readonly headText: string
  readonly items: readonly SentItem[]
}

export interface HostForm {
  /** The host's messages, as the core sees them. */
  readonly messages: readonly Message[]
  /** Whether the host can send a system message within the conversation. */
  readonly takesLate: boolean
}

/** Makes a renderer for one call of a host. */
export function renderFor({ messages: own, takesLate }: HostForm) {
  return (prompt: Prompt, messages: readonly Message[], options: KeyedOptions): Rendered<SentRequest> => {
    checkGiven(prompt, messages, options)
    const form: TailForm = takesLate ? tailFormFor(prompt, options) : "message"
    const marks = marksOf(prompt, messages, { ...options, form, mark: (ttl) => ttl })
    const places = ownPlaces(messages)
    const items = sentOrder(messages, form).map((sent): SentItem => {
      if (sent.kind === "system")
        return { kind: "system", text: sent.late.text, mark: lateMark(sent.tails, marks) }
      const at = places[sent.at]
      return {
        kind: "message",
        at,
        pieces: piecesOf(sent, { own: at === undefined ? undefined : own[at], messages, marks }),
      }
    })
    return {
      request: {
        head: prompt.head.map(({ text }, block) => ({ text, mark: marks.head(block) })),
        headText: joinHead(prompt).text,
        items: items.filter(
          (item) => item.kind === "system" || item.pieces.length > 0 || item.at !== undefined,
        ),
      },
      places: [],
      diagnostics: cacheDiagnostics(options),
    }
  }
}

/** For each message, its place among those of the host. */
function ownPlaces(messages: readonly Message[]): readonly (number | undefined)[] {
  let next = 0
  return messages.map((message) => (isOnlyTail(message) ? undefined : next++))
}

/** A turn that no message of the host opened. */
export function isOnlyTail({ parts }: Message): boolean {
  return parts.length > 0 && parts.every(isTail)
}

export function withoutTail(messages: readonly Message[]): readonly Message[] {
  return messages
    .filter((message) => !isOnlyTail(message))
    .map((message) => ({ ...message, parts: message.parts.filter((part) => !isTail(part)) }))
}

export function isTail(part: MessagePart): boolean {
  return part.kind === "text" && part.tail === true
}

interface Around {
  readonly own: Message | undefined
  readonly messages: readonly Message[]
  readonly marks: Marks<string>
}

function piecesOf(
  { at, message }: Extract<Sent, { kind: "message" }>,
  { own, messages, marks }: Around,
): readonly SentPiece[] {
  const stored = messages[at]?.parts ?? []
  const markOf = marks.message(at)
  let next = 0
  return message.parts.flatMap((part, index): SentPiece[] => {
    if (stored[index] !== undefined && isTail(stored[index])) {
      // A breakpoint after a divided tail goes after the system message.
      const mark = part === stored[index] ? markOf?.(index) : undefined
      return part.kind === "text" && part.text.trim() !== "" ? [{ kind: "tail", text: part.text, mark }] : []
    }
    // Reasoning that was made with another prompt is gone: Claude refuses it then.
    while (part.kind !== "reasoning" && own?.parts[next]?.kind === "reasoning") next += 1
    const guarded = guardedText(part, own?.parts[next])
    return [{ kind: "part", part: next++, guarded, mark: markOf?.(index) }]
  })
}

function guardedText(part: MessagePart, own: MessagePart | undefined): string | undefined {
  const isText = part.kind === "text" || part.kind === "tool-result"
  return isText && own?.kind === part.kind && own.text !== part.text ? part.text : undefined
}

function lateMark(tails: readonly PartPlace[], marks: Marks<string>): string | undefined {
  return tails
    .map(({ message, part }) => marks.message(message)?.(part))
    .findLast((mark) => mark !== undefined)
}
