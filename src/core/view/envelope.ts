// Envelopes in a conversation: who says what in a room, the summary that replaces earlier messages, the line about a
// branch that was left behind, and commands that the person ran. Their tags are reserved, so text of users, tools and
// models can neither open nor close one.
import type { Message } from "../model/message.ts"
import { escapeAttribute, guard } from "../write/markup.ts"

/** Each is a reserved tag (`markup.ts`). */
export const ENVELOPES = ["said-by", "conversation-summary", "branch-summary", "user-command"] as const
export type EnvelopeKind = (typeof ENVELOPES)[number]

export interface Enveloped {
  readonly kind: EnvelopeKind
  readonly attributes?: Readonly<Record<string, string>>
  readonly text: string
}

/** Wraps the text in its envelope. The first line always opens it and the last one closes it. */
export function envelope({ kind, attributes = {}, text }: Enveloped): string {
  const written = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${escapeAttribute(plainName(value))}"`,
  )
  return `<${kind}${written.join("")}>\n${guard(text)}\n</${kind}>`
}

/** A user message that is one envelope. It is marked as ours, so it isn't guarded again. */
export function envelopeMessage(enveloped: Enveloped): Message {
  return { role: "user", parts: [{ kind: "text", text: envelope(enveloped), envelope: true }] }
}

/** The text inside an envelope that `envelope` wrote. */
export function insideEnvelope(text: string): string {
  return text.slice(text.indexOf("\n") + 1, text.lastIndexOf("\n"))
}

/** The same envelope around another text. */
export function withInside(text: string, inside: string): string {
  return `${text.slice(0, text.indexOf("\n") + 1)}${inside}${text.slice(text.lastIndexOf("\n"))}`
}

const LONGEST_NAME = 80
/** Characters that end a line, are invisible, or reverse the direction of the text after them. */
const UNPLAIN = /[\p{C}\p{Zl}\p{Zp}\s]+/gu

/** A name on one line, with visible characters only. The caller escapes brackets and quotes. */
export function plainName(name: string): string {
  const plain = [...name.replaceAll(UNPLAIN, " ").trim()]
  return plain.length <= LONGEST_NAME ? plain.join("") : `${plain.slice(0, LONGEST_NAME).join("")}...`
}
