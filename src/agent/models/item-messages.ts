// The items of a conversation as the messages that a model reads.
import { type Message, userMessage } from "../../core/model/message.ts"
import { type Enveloped, envelopeMessage } from "../../core/view/envelope.ts"
import { guard } from "../../core/write/markup.ts"
import type { Item, StoredItem } from "../../database/contract/transcripts.ts"

/** The conversation as a model reads it. */
export function messagesOf(items: readonly Pick<StoredItem, "item">[]): readonly Message[] {
  return items.flatMap(({ item }) => messageOf(item) ?? [])
}

/** Undefined for an item that the model does not see. */
export function messageOf(item: Item): Message | undefined {
  if (item.kind === "message") return item.message
  if (item.kind === "shell" && !item.isSent) return undefined
  return item.kind === "custom" ? userMessage(guard(item.text)) : envelopeMessage(envelopedOf(item))
}

function envelopedOf(item: Extract<Item, { kind: "summary" | "branch" | "shell" }>): Enveloped {
  if (item.kind === "summary") return { kind: "conversation-summary", text: item.text }
  if (item.kind === "branch") return { kind: "branch-summary", text: item.text }
  const exit = item.exitCode === null ? "by a signal" : `${item.exitCode}`
  return {
    kind: "user-command",
    attributes: item.exitCode === 0 ? {} : { exit },
    text: `$ ${item.command}\n${item.output.trimEnd() || "It printed nothing."}`,
  }
}
