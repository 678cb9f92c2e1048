// Conversations in the forms that steps need. Each message is converted and counted once, so that a step pays only for
// what is new. An agent has one of these, and what it keeps for a message ends with the message.
import { type PrivateField, privateField } from "../../base/memo/private-field.ts"
import { inModelTokens } from "../../core/fit/budget.ts"
import { isSent, type Message } from "../../core/model/message.ts"
import { partText } from "../../core/model/part-text.ts"
import type { Item, StoredItem } from "../../database/contract/transcripts.ts"
import { o200k } from "../../tokens/o200k.ts"
import { type FallbackCache, fallbackMessages } from "../fallback/messages.ts"
import { messageOf } from "../models/item-messages.ts"
import type { Model } from "../models/model.ts"
import { type WireCache, type WiredConversation, wireMessages } from "../models/wire-messages.ts"

export interface Conversation {
  /** As a model reads it. The same item gives the same message object. */
  messagesOf(items: readonly Pick<StoredItem, "item">[]): readonly Message[]
  /** In the model's tokens. `factor`: from o200k tokens to the model's. */
  tokens(messages: readonly Message[], factor: number): number
  /** As the model's provider accepts it. */
  wired(messages: readonly Message[], model: Pick<Model, "id" | "callIds" | "takesFiles">): WiredConversation
  /** For a model without tool calling. */
  withoutCalls(messages: readonly Message[]): readonly Message[]
}

export function createConversation(): Conversation {
  const wireCache: WireCache = new WeakMap()
  const fallbackCache: FallbackCache = new WeakMap()
  return {
    messagesOf: (items) => items.flatMap(({ item }) => remembered(known, item, messageOf) ?? []),
    tokens(messages, factor) {
      const sum = messages.reduce((all, message) => all + (remembered(counted, message, tokensOf) ?? 0), 0)
      return inModelTokens(sum, { factor, exact: false })
    },
    wired: (messages, model) => wireMessages(messages, model, wireCache),
    withoutCalls: (messages) => fallbackMessages(messages, fallbackCache),
  }
}

const known = privateField<Item, Message>()
const counted = privateField<Message, number>()

function remembered<K extends object, V>(
  known: PrivateField<K, V>,
  key: K,
  make: (key: K) => V | undefined,
): V | undefined {
  const before = known.get(key)
  if (before !== undefined) return before
  const made = make(key)
  if (made !== undefined) known.set(key, made)
  return made
}

function tokensOf({ parts }: Message): number {
  const texts = parts.filter(isSent).map(partText)
  return texts.reduce((sum, text) => sum + o200k.count(text), 0)
}
