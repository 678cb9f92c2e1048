// The items of a conversation as they are stored: messages, and whatever else the model reads or people may look up.
import type { Trust } from "../../base/trust.ts"
import { type Message, userMessage } from "../../core/model/message.ts"
import { type Enveloped, envelopeMessage } from "../../core/view/envelope.ts"
import { guard } from "../../core/write/markup.ts"

export type Item =
  | {
      readonly kind: "message"
      readonly message: Message
      /** Set on a message that opens a turn. */
      readonly by?: Speaker
    }
  /** From a hook or a host; the model reads it as the user's. */
  | { readonly kind: "custom"; readonly by: string; readonly text: string; readonly data?: unknown }
  /** A command that the person ran. The model sees `!cmd`, but not `!!cmd`. */
  | {
      readonly kind: "shell"
      readonly command: string
      readonly output: string
      readonly exitCode: number | null
      readonly isTold: boolean
    }
  /** Replaces everything before it. */
  | { readonly kind: "summary"; readonly text: string }

/** Who sent a message. Without a name, the configuration does not know the sender. */
export interface Speaker {
  readonly name?: string
  /** The identity on the channel, such as "telegram:4712". */
  readonly id?: string
  /** Their trust in this conversation. */
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
 * Moves items that came from outside during a turn to after it. They may be stored between a call and its result, and
 * the model reads them with the next turn.
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

/**
 * The conversation as a model reads it. The same item gives the same message object, so that nothing is rendered twice.
 */
export function messagesOf(items: readonly Pick<StoredItem, "item">[]): readonly Message[] {
  return items.flatMap(({ item }) => messageOf(item) ?? [])
}

/** Undefined for an item that the model does not see. */
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
