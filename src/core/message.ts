// Messages of a conversation, for any provider. What was sent once keeps its bytes.

export type MessagePart =
  /** `tail`: written by the compiler, so that a new epoch can take it out again. */
  | { readonly kind: "text"; readonly text: string; readonly tail?: true }
  | { readonly kind: "tool-call"; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly kind: "tool-result"; readonly id: string; readonly text: string; readonly isError?: true }

export interface Message {
  readonly role: "user" | "assistant"
  readonly parts: readonly MessagePart[]
}

/** Providers refuse text without a visible character, so such a part is never sent. */
export function isSent(part: MessagePart): boolean {
  return part.kind !== "text" || part.text.trim() !== ""
}

export function userMessage(text: string): Message {
  return { role: "user", parts: [{ kind: "text", text }] }
}
