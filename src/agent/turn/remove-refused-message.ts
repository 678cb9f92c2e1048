// Removes the message that a provider names as the reason for a refusal, since every later request would be refused
// too. A tool's result loses only its text; anything else becomes a note, together with its calls and results, so that
// the conversation keeps its form. The store is changed; the record has what was sent.
import type { MessagePart } from "../../core/model/message.ts"
import type { Item, StoredItem } from "../../database/contract/transcripts.ts"
import { clockText } from "../../profiles/parts.ts"
import { messageOf } from "../models/item-messages.ts"
import type { Services } from "../setup/services.ts"
import type { ModelFailure } from "./provider/call.ts"
import type { Fault } from "./provider/fault.ts"
import { save, type Work } from "./work.ts"

const RESULT = "The provider refused this result, so it is left out."
const NOTE = "The provider refused this message, so it is left out."

/** Returns false if the provider names no message, or the one that the turn is about. */
export async function removeRefusedMessage(
  services: Pick<Services, "store" | "clock">,
  work: Work,
  { fault, message: why }: ModelFailure,
): Promise<boolean> {
  const sent = work.items.filter(({ item }) => messageOf(item) !== undefined)
  const target = fault && sent[fault.message]
  if (fault === undefined || target === undefined || isOpening(work, target)) return false
  const replace = withoutText(target, fault) ?? withoutMessage(sent, fault.message)
  if (replace.length === 0) return false
  // From here on, a cache holds another conversation.
  const { lastCall: _other, ...state } = work.state
  work.state = state
  await save(services, work, { replace })
  reportRefusal(work, target, { why, timeZone: services.clock.timeZone })
  return true
}

/** The person's message of this turn; without it there is nothing to answer. */
function isOpening({ items, turn }: Work, { seq }: StoredItem): boolean {
  const first = items.find((item) => item.turn === turn.id && item.item.kind === "message")
  return first?.seq === seq
}

interface Replaced {
  readonly seq: number
  readonly item: Item
}

/** The named result, or all of them. Undefined if none has text left to remove. */
function withoutText({ seq, item }: StoredItem, { part: named }: Fault): readonly Replaced[] | undefined {
  if (item.kind !== "message") return undefined
  const { parts } = item.message
  const isResult = (part: MessagePart | undefined) => part?.kind === "tool-result" && part.text !== RESULT
  if (!parts.some(isResult)) return undefined
  const only = named !== undefined && isResult(parts[named]) ? named : undefined
  const left = parts.map((part, at) =>
    part.kind === "tool-result" && (only ?? at) === at
      ? { ...part, text: RESULT, isError: true as const }
      : part,
  )
  return [{ seq, item: { ...item, message: { ...item.message, parts: left } } }]
}

/** Replaces the message with a note, and also the one with its calls or their results. */
function withoutMessage(sent: readonly StoredItem[], at: number): readonly Replaced[] {
  const has = (one: StoredItem | undefined, kind: MessagePart["kind"]) =>
    one?.item.kind === "message" && one.item.message.parts.some((part) => part.kind === kind)
  const pair = has(sent[at], "tool-call")
    ? sent[at + 1]
    : has(sent[at], "tool-result")
      ? sent[at - 1]
      : undefined
  return [sent[at], pair].flatMap((one) => {
    const item = one && asNote(one.item)
    return one === undefined || item === undefined ? [] : [{ seq: one.seq, item }]
  })
}

/** Undefined for an existing note. Text of the compiler stays, since it is written only once. */
function asNote(item: Item): Item | undefined {
  if (item.kind !== "message")
    return item.kind === "custom" && item.text === NOTE
      ? undefined
      : { kind: "custom", by: "incipit", text: NOTE }
  const { parts } = item.message
  const isNote = parts.some((part) => part.kind === "text" && part.text === NOTE)
  if (isNote) return undefined
  const tails = parts.filter((part) => part.kind === "text" && part.tail === true)
  return { ...item, message: { ...item.message, parts: [{ kind: "text", text: NOTE }, ...tails] } }
}

function reportRefusal(
  { scope, tell }: Work,
  { at, item }: StoredItem,
  { why, timeZone }: { readonly why: string; readonly timeZone: string },
): void {
  const what = item.kind === "message" ? messageKind(item.message.parts, item.message.role) : `a ${item.kind}`
  const when = clockText(at, timeZone)
  const text = `The provider refused ${what} of ${when} (${why}). It is left out, and the rest was sent again.`
  scope.event("diagnostic", { level: "warn", data: { code: "message-refused", text } })
  tell({ kind: "diagnostic", level: "warning", text })
}

function messageKind(parts: readonly MessagePart[], role: "user" | "assistant"): string {
  if (parts.some(({ kind }) => kind === "tool-result")) return "a tool's result"
  if (parts.some(({ kind }) => kind === "tool-call")) return "a tool call"
  return role === "assistant" ? "an answer" : "a message"
}
