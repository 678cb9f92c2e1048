// The conversation as it was last sent, with a question added: the provider still has it in its cache, so reading it
// costs a tenth. The question does not stay in the conversation.
import { parseDuration } from "../../../base/duration.ts"
import { type Message, userMessage } from "../../../core/model/message.ts"
import { type Prompt, prefixOf } from "../../../core/model/prompt.ts"
import type { Model } from "../../models/model.ts"
import type { Services } from "../../setup/services.ts"
import type { Prompts } from "../prompt/compile.ts"
import type { Work } from "../work.ts"

export interface Continuation {
  /** Without a tail, since only the question is new. */
  readonly prompt: Prompt
  readonly messages: readonly Message[]
}

export type ContinuationServices = Pick<Services, "hooks" | "secrets" | "clock"> & {
  readonly prompts: Pick<Prompts, "head">
}

/** Returns undefined if the provider's cache has expired, never held it, or would not match the request now. */
export async function continuationOf(
  { hooks, secrets, clock, prompts }: ContinuationServices,
  work: Work,
): Promise<Continuation | undefined> {
  const { gathered, turn, signal, step, state, conversation, model } = work
  const { rule } = model
  if (rule.lookup === "none" || state.rebase !== undefined || !isWarm(work, clock)) return undefined
  const said = conversation.messagesOf(work.items)
  const head = prompts.head(work, undefined)
  if (head.started) return undefined
  const options = { conversationTokens: conversation.tokens(said, head.baseline.ratio.factor) }
  const prompt: Prompt = { ...head.step(turn, options), tail: undefined }
  if (prefixOf(prompt) !== state.lastCall?.prefix) return undefined
  const event = { session: gathered.seen.session, turn, step, messages: said }
  return { prompt, messages: secrets.within(await hooks.context(event, signal)) }
}

function isWarm({ gathered, state }: Work, clock: Pick<Services["clock"], "now">): boolean {
  const ttlMs = parseDuration(gathered.ttl) ?? 0
  return state.lastCall !== undefined && clock.now() - state.lastCall.at < ttlMs
}

/** The messages in the model's form, with the question at the end. */
export function withQuestion(
  { conversation }: Work,
  { messages }: Continuation,
  text: string,
  model: Model,
): readonly Message[] {
  const { messages: wired } = conversation.wired(asked(messages, text), model)
  return model.toolFormat === "fallback" ? conversation.withoutCalls(wired) : wired
}

/** Adds the question to the last message if that is the user's: some servers refuse two user messages in a row. */
function asked(messages: readonly Message[], text: string): readonly Message[] {
  const last = messages.at(-1)
  if (last?.role !== "user") return [...messages, userMessage(text)]
  return messages.with(-1, { ...last, parts: [...last.parts, { kind: "text", text }] })
}
