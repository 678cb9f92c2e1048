// A prompt as its first request has it, for one audience.
import { IncipitError } from "../base/error.ts"
import type { GivenBudget } from "../core/fit/budget.ts"
import type { Prompt } from "../core/model/prompt.ts"
import { chatOf } from "../prompt/chat.ts"
import { kitOf, type PromptDefinition, workFrom } from "../prompt/chat-kit.ts"
import { NEW_CHAT } from "../prompt/chat-state.ts"
import type { ChatOptions } from "../prompt/prompt-inputs.ts"

export interface PromptCase {
  readonly definition: PromptDefinition
  /** Who the chat is with, and what its sections need. */
  readonly session: ChatOptions
  readonly turn: object
  readonly model: string
}

/** `budget` replaces that of the prompt. */
export function compileFor({ definition, session, turn, model }: PromptCase, budget?: GivenBudget): Prompt {
  const kit = kitOf(budget === undefined ? definition : { ...definition, budget })
  const chat = chatOf<object, object>(workFrom(kit, session, { state: NEW_CHAT, asked: undefined }))
  chat.say("Hello", turn)
  chat.openaiCompatible(model)
  if (chat.prompt === undefined) throw new IncipitError("bad-input", "the prompt has made no request")
  return chat.prompt
}
