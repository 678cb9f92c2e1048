// The conversation as it was last sent, with a question added: the provider still has it in its cache, so reading it
// costs a tenth. The question does not stay in the conversation.
import { parseDuration } from "../../../base/duration.ts"
import { type Message, userMessage } from "../../../core/model/message.ts"
import { type Prompt, prefixOf } from "../../../core/model/prompt.ts"
import { fallbackMessages } from "../../fallback/messages.ts"
import { messagesOf } from "../../models/item-messages.ts"
import type { Model } from "../../models/model.ts"
import { wireMessages } from "../../models/wire-messages.ts"
import { conversationTokens, headNow } from "../compile.ts"
import type { Work } from "../work.ts"

export interface Continuation {
  /** Without a tail, since only the question is new. */
  readonly prompt: Prompt
  readonly messages: readonly Message[]
}

/** Returns undefined if the provider's cache has expired, never held it, or would not match the request now. */
export async function continuationOf(work: Work): Promise<Continuation | undefined> {
  const { runtime, gathered, turn, signal, step, state } = work
  const { rule } = runtime.model()
  if (rule.lookup === "none" || state.rebase !== undefined || !isWarm(work)) return undefined
  const said = messagesOf(work.items)
  const head = headNow(work, undefined)
  if (head.started) return undefined
  const options = { conversationTokens: conversationTokens(said, head.baseline.ratio.factor) }
  const prompt: Prompt = { ...head.step(turn, options), tail: undefined }
  if (prefixOf(prompt) !== state.lastCall?.prefix) return undefined
  const event = { session: gathered.seen.session, turn, step, messages: said }
  return { prompt, messages: runtime.secrets.within(await runtime.hooks.context(event, signal)) }
}

function isWarm({ runtime, gathered, state }: Work): boolean {
  const ttlMs = parseDuration(gathered.ttl) ?? 0
  return state.lastCall !== undefined && runtime.now() - state.lastCall.at < ttlMs
}

/** The messages in the model's form, with the question at the end. */
export function withQuestion({ messages }: Continuation, text: string, model: Model): readonly Message[] {
  const { messages: wired } = wireMessages(asked(messages, text), model)
  return model.toolFormat === "fallback" ? fallbackMessages(wired) : wired
}

/** Adds the question to the last message if that is the user's: some servers refuse two user messages in a row. */
function asked(messages: readonly Message[], text: string): readonly Message[] {
  const last = messages.at(-1)
  if (last?.role !== "user") return [...messages, userMessage(text)]
  return messages.with(-1, { ...last, parts: [...last.parts, { kind: "text", text }] })
}
