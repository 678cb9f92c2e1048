// Envelopes in a conversation: who says what in a room, what stands for all that was said before, and what the person
// ran themselves. Their tags are the compiler's own, so text of users, tools and models can neither write nor end one.
import type { Message } from "../model/message.ts"
import { escapeAttribute, guard } from "../write/markup.ts"

/** Each is a reserved tag (`markup.ts`). */
export const ENVELOPES = ["said-by", "conversation-summary", "user-command"] as const
export type EnvelopeKind = (typeof ENVELOPES)[number]

export interface Enveloped {
  readonly kind: EnvelopeKind
  readonly attributes?: Readonly<Record<string, string>>
  readonly text: string
}

/** The text in its envelope. The first line opens it and the last one closes it, whatever the text is. */
export function envelope({ kind, attributes = {}, text }: Enveloped): string {
  const written = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${escapeAttribute(plainName(value))}"`,
  )
  return `<${kind}${written.join("")}>\n${guard(text)}\n</${kind}>`
}

/** A user's message that is one envelope; it is known as ours, and is not guarded once more. */
export function envelopeMessage(enveloped: Enveloped): Message {
  return { role: "user", parts: [{ kind: "text", text: envelope(enveloped), envelope: true }] }
}

/** What stands in an envelope that was written here. */
export function insideEnvelope(text: string): string {
  return text.slice(text.indexOf("\n") + 1, text.lastIndexOf("\n"))
}

/** The same envelope around another text. */
export function withInside(text: string, inside: string): string {
  return `${text.slice(0, text.indexOf("\n") + 1)}${inside}${text.slice(text.lastIndexOf("\n"))}`
}

const LONGEST_NAME = 80
/** Whatever ends a line, is not seen, or turns what follows it around. */
const UNPLAIN = /[\p{C}\p{Zl}\p{Zp}\s]+/gu

/** A name on one line, of characters that are seen; brackets and quotes are escaped where it is written. */
export function plainName(name: string): string {
  const plain = [...name.replaceAll(UNPLAIN, " ").trim()]
  return plain.length <= LONGEST_NAME ? plain.join("") : `${plain.slice(0, LONGEST_NAME).join("")}...`
}
