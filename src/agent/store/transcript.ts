// What a conversation is made of, as it is kept: messages, and what else the model is told or people may look up.
import type { Trust } from "../../base/trust.ts"
import { type Message, userMessage } from "../../core/model/message.ts"
import { type Enveloped, envelopeMessage } from "../../core/view/envelope.ts"
import { guard } from "../../core/write/markup.ts"

export type Item =
  | {
      readonly kind: "message"
      readonly message: Message
      /** Of a message that opens a turn. */
      readonly by?: Speaker
    }
  /** From a hook or a host; the model reads it as the user's. */
  | { readonly kind: "custom"; readonly by: string; readonly text: string; readonly data?: unknown }
  /** A command that the person ran. `!cmd` is told to the model, `!!cmd` is not. */
  | {
      readonly kind: "shell"
      readonly command: string
      readonly output: string
      readonly exitCode: number | null
      readonly isTold: boolean
    }
  /** What stands for all that came before. */
  | { readonly kind: "summary"; readonly text: string }

/** Who said a message. Without a name it is nobody whom the configuration knows. */
export interface Speaker {
  readonly name?: string
  /** On the channel, such as "telegram:4712". */
  readonly id?: string
  /** What they may do in this conversation. */
  readonly trust: Trust
}

/** An item with its place in the store. */
export interface StoredItem {
  readonly id: number
  readonly turn: string | undefined
  readonly at: number
  readonly item: Item
}

/**
 * What came from outside while a turn was under way stands among the turn's items, between a call and its result
 * perhaps. It is told with the next turn, so its place is after this one.
 */
export function inOrder(items: readonly StoredItem[]): readonly StoredItem[] {
  const ends = new Map(items.map(({ turn }, at) => [turn, at]))
  const ordered: StoredItem[] = []
  let held: readonly StoredItem[] = []
  let end = -1
  for (const [at, item] of items.entries()) {
    if (item.turn !== undefined) end = Math.max(end, ends.get(item.turn) ?? at)
    if (item.turn === undefined && at < end) held = [...held, item]
    else ordered.push(item)
    if (at < end) continue
    ordered.push(...held)
    held = []
  }
  return ordered
}

const KNOWN = new WeakMap<Item, Message>()

/** The conversation as a model reads it. The same item gives the same message, so that nothing is written twice. */
export function messagesOf(items: readonly Pick<StoredItem, "item">[]): readonly Message[] {
  return items.flatMap(({ item }) => messageOf(item) ?? [])
}

/** Nothing for what the model is not told. */
export function messageOf(item: Item): Message | undefined {
  if (item.kind === "message") return item.message
  if (item.kind === "shell" && !item.isTold) return undefined
  const known = KNOWN.get(item)
  if (known !== undefined) return known
  const made = item.kind === "custom" ? userMessage(guard(item.text)) : envelopeMessage(envelopedOf(item))
  KNOWN.set(item, made)
  return made
}

function envelopedOf(item: Extract<Item, { kind: "summary" | "shell" }>): Enveloped {
  if (item.kind === "summary") return { kind: "conversation-summary", text: item.text }
  const exit = item.exitCode === null ? "by a signal" : `${item.exitCode}`
  return {
    kind: "user-command",
    attributes: item.exitCode === 0 ? {} : { exit },
    text: `$ ${item.command}\n${item.output.trimEnd() || "It printed nothing."}`,
  }
}
