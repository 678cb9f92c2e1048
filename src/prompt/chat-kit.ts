// What all chats of a prompt share, made once for each prompt, so that their compiler keeps what it has compiled; and a
// chat that begins or continues with it.
import { oncePerObject } from "../base/memo/once.ts"
import { createCompiler } from "../core/compile/compiler.ts"
import type { GivenBudget } from "../core/fit/budget.ts"
import type { Counter } from "../core/model/counter.ts"
import { isSent, type Message } from "../core/model/message.ts"
import { partText } from "../core/model/part-text.ts"
import { sessionFor } from "./chat-session.ts"
import type { SavedParts } from "./chat-state.ts"
import { type ChatKit, type ChatWork, turnOf } from "./chat-work.ts"
import type { Definition } from "./definition.ts"
import type { ChatOptions } from "./prompt-inputs.ts"

/** What a prompt was made into, for a program that runs it without a chat, as `openAgent` does. */
export interface PromptDefinition extends Definition {
  readonly budget: GivenBudget | undefined
  readonly ttl: string | undefined
  readonly counter: Counter
}

export const kitOf = oncePerObject((definition: PromptDefinition): ChatKit => {
  const { profile, budget, ttl, counter } = definition
  const count = oncePerObject((message: Message) => tokensIn(message, counter))
  return { definition, compiler: createCompiler({ profile, counter }), budget, ttl, count }
})

export function workFrom(
  kit: ChatKit,
  given: ChatOptions,
  { state, asked }: Omit<SavedParts, "id">,
): ChatWork {
  const session = sessionFor(kit.definition, given)
  const turn = turnOf(state.turn, state.texts)
  return { kit, given, session, turn, state, asked, made: undefined }
}

function tokensIn({ parts }: Message, counter: Counter): number {
  return parts.filter(isSent).reduce((sum, part) => sum + counter.count(partText(part)), 0)
}
