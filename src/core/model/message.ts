// Messages of a conversation, independent of the provider. A message keeps its bytes once it was sent.
import { IncipitError } from "../../base/error.ts"

/** Data that a provider needs back unchanged with a part, such as a signature. Keyed by the provider's name. */
export type ProviderData = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/**
 * A piece of a text, and its offset there. It repeats the words, so that after a change to the text, such as redacting
 * a secret, other words cannot pass for these.
 */
export interface Excerpt {
  readonly at: number
  readonly text: string
}

/**
 * The forms of providers whose own data a message can carry: the APIs and SDKs that `fromResponses` and others read. And
 * `file`, which is no provider's: `{ type: "file", mediaType, data, name }` with base64, which each renderer converts.
 */
export const NATIVE_FORMATS = [
  "responses",
  "chat",
  "anthropic",
  "google",
  "bedrock",
  "ai-sdk",
  "file",
] as const
/** The API whose own items a message keeps. */
export type NativeFormat = (typeof NATIVE_FORMATS)[number]

/** What a provider's form has and ours doesn't, as JSON. Only the renderer of that format sends it, unchanged; a file, all. */
export interface Native {
  readonly format: NativeFormat
  readonly value: Readonly<Record<string, unknown>>
}

/** One part of a message: text, reasoning, a tool call, a tool result, or data of one provider. */
export type MessagePart =
  /** `tail`: written by the compiler, so that a new epoch can remove it. */
  /** `operator`: the parts of a tail that may be sent as a system message, in order. */
  /** `envelope`: one of our envelopes, whose content is already guarded. */
  | {
      readonly kind: "text"
      readonly text: string
      readonly tail?: true
      readonly operator?: readonly Excerpt[]
      readonly envelope?: true
      readonly data?: ProviderData
      readonly native?: Native
    }
  /** The model's reasoning. Sent back only to the provider that it came from, with that provider's signature. */
  | {
      readonly kind: "reasoning"
      readonly text: string
      readonly data?: ProviderData
      readonly native?: Native
    }
  | {
      readonly kind: "tool-call"
      readonly id: string
      readonly name: string
      readonly input: unknown
      /** Why the input could not be parsed. `input` has its start, and the call is never run. */
      readonly unread?: "cut" | "malformed"
      readonly data?: ProviderData
      readonly native?: Native
    }
  | {
      readonly kind: "tool-result"
      readonly id: string
      readonly text: string
      /** The text is JSON. Providers that take values get the value. */
      readonly json?: true
      readonly isError?: true
      readonly data?: ProviderData
      readonly native?: Native
    }
  /** Something that we have no kind for, such as an image or a search on the provider's side. Others leave it out. */
  /** `fields`: the value is fields of the message that the parts after it make, not a part of its content. */
  | ({ readonly kind: "native"; readonly fields?: true } & Native)

export type SentPart = Exclude<MessagePart, { kind: "reasoning" }>

/** One message of a conversation, for every provider. */
export interface Message {
  readonly role: "user" | "assistant"
  readonly parts: readonly MessagePart[]
}

const TEXT_KINDS: readonly unknown[] = ["text", "reasoning", "tool-result"]

/** Throws if a message isn't in our form. Those of an SDK look similar, and would be sent without their text. */
export function checkMessages(messages: readonly Message[]): void {
  if (!Array.isArray(messages)) throw new IncipitError("bad-messages", "the messages aren't a list")
  // A conversation is checked with every call, so this allocates nothing.
  for (let at = 0; at < messages.length; at += 1) {
    const problem = messageProblem(messages[at])
    if (problem !== undefined) throw new IncipitError("bad-messages", `message ${at + 1} ${problem}`)
  }
}

/** A value of any shape; every field is checked. */
type Unchecked<T> = { readonly [K in keyof T]?: unknown } | null | undefined

function messageProblem(message: Unchecked<Message>): string | undefined {
  const { role, parts } = message ?? {}
  if (role === undefined) return "isn't an object with a role and parts"
  if (role !== "user" && role !== "assistant")
    return `has the role ${JSON.stringify(role)}; use user or assistant`
  if (!Array.isArray(parts)) return "has no list of parts"
  for (const part of parts) {
    const problem = partProblem(part)
    if (problem !== undefined) return problem
  }
  return undefined
}

function partProblem(part: Unchecked<{ readonly kind: string; readonly text: string }>): string | undefined {
  const { kind, text } = part ?? {}
  if (kind === "tool-call" || kind === "native") return undefined
  if (!TEXT_KINDS.includes(kind)) {
    const found = kind === undefined ? "without a kind" : `of the kind ${JSON.stringify(kind)}`
    return `has a part ${found}; use ${TEXT_KINDS.join(", ")}, tool-call, native`
  }
  return typeof text === "string" ? undefined : `has a part of the kind "${kind}" whose text isn't a string`
}

/**
 * Providers refuse text without a visible character, so such a part is never sent. Reasoning never counts: no breakpoint
 * can follow it, and an answer of nothing else is no answer.
 */
export function isSent(part: MessagePart): part is SentPart {
  if (part.kind === "reasoning") return false
  return part.kind !== "text" || part.text.trim() !== ""
}

/** A message of the user with one text. */
export function userMessage(text: string): Message {
  return { role: "user", parts: [{ kind: "text", text }] }
}

/** A user message without tool results. */
export function answersNoCall({ role, parts }: Message): boolean {
  return role === "user" && parts.every(({ kind }) => kind !== "tool-result")
}

/** The text parts, joined: no reasoning, calls or results. */
export function wordsIn(parts: readonly MessagePart[]): string {
  return parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("")
}
