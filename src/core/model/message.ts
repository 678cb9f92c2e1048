// Messages of a conversation, for any provider. What was sent once keeps its bytes.

/** What a provider wants back with a part just as it gave it, such as a signature; by the provider's name. */
export type ProviderData = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/**
 * A piece of a text and where it stands there. The words are repeated, so that a text that was changed since, such as
 * by taking a secret out, cannot make other words of it pass for these.
 */
export interface Excerpt {
  readonly at: number
  readonly text: string
}

export type MessagePart =
  /** `tail`: written by the compiler, so that a new epoch can take it out again. */
  /** `operator`: of a tail, what a model may be sent as a system message, in order. */
  /** `envelope`: an envelope of ours, whose inside is guarded already. */
  | {
      readonly kind: "text"
      readonly text: string
      readonly tail?: true
      readonly operator?: readonly Excerpt[]
      readonly envelope?: true
      readonly data?: ProviderData
    }
  /** What the model thought aloud. Only the AI SDK's renderer gives it back. */
  | { readonly kind: "reasoning"; readonly text: string; readonly data?: ProviderData }
  | {
      readonly kind: "tool-call"
      readonly id: string
      readonly name: string
      readonly input: unknown
      /** Why the input could not be read: `input` has its start, and the call is never run. */
      readonly unread?: "cut" | "malformed"
      readonly data?: ProviderData
    }
  | { readonly kind: "tool-result"; readonly id: string; readonly text: string; readonly isError?: true }

export type SentPart = Exclude<MessagePart, { kind: "reasoning" }>

export interface Message {
  readonly role: "user" | "assistant"
  readonly parts: readonly MessagePart[]
}

/** Providers refuse text without a visible character, so such a part is never sent; thoughts count as no text. */
export function isSent(part: MessagePart): part is SentPart {
  if (part.kind === "reasoning") return false
  return part.kind !== "text" || part.text.trim() !== ""
}

export function userMessage(text: string): Message {
  return { role: "user", parts: [{ kind: "text", text }] }
}

/** A user's message that answers no call. */
export function answersNoCall({ role, parts }: Message): boolean {
  return role === "user" && parts.every(({ kind }) => kind === "text")
}

/** What is said in words: no thoughts, calls or results. */
export function wordsIn(parts: readonly MessagePart[]): string {
  return parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("")
}
