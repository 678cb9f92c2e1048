// `definePrompt`: the short way into the compiler. Sections in, chats out.
import { checkAgent } from "../core/compile/check-input.ts"
import type { GivenBudget } from "../core/fit/budget.ts"
import type { Counter } from "../core/model/counter.ts"
import type { Tool } from "../core/model/inputs.ts"
import type { Markup } from "../core/write/markup.ts"
import { type Chat, chatOf } from "./chat.ts"
import { kitOf, type PromptDefinition, workFrom } from "./chat-kit.ts"
import { NEW_CHAT, readState, type SavedChat } from "./chat-state.ts"
import { checkPromptOptions } from "./check-prompt.ts"
import { defineProfile } from "./definition.ts"
import type { ChatAudience, ChatOptions, PromptSections, SessionInputs, TurnInputs } from "./prompt-inputs.ts"

/** What a prompt is made of. */
export interface PromptOptions<Sections extends PromptSections> {
  /** The sections by id, in the order of the prompt. Slow text comes first whatever the order. */
  readonly sections: Sections
  /** The tools that the model may call. */
  readonly tools?: readonly Tool[] | undefined
  /** The most tokens that all sections take together, or single limits. Default: a quarter of the model's window. */
  readonly budget?: GivenBudget | undefined
  /** How long the provider should keep the cached prefix: "5m" or "1h". Default: "5m". */
  readonly ttl?: string | undefined
  /** How sections are set off from each other. Default: `tags`. */
  readonly markup?: Markup | undefined
  /** The name in plans and errors. Default: "prompt". */
  readonly name?: string | undefined
}

/** A prompt that chats can be opened with, or an agent. `Session`, `Turn`: the inputs that its sections need. */
export interface DefinedPrompt<Session extends object, Turn extends object> {
  /** Begins a conversation. */
  open(options: ChatOptions & Session): Chat<Session, Turn>
  /**
   * Continues a conversation that `save` has stored, with the same bytes if nothing has changed. Pass the trust again:
   * without it, the chat goes on as public.
   */
  resume(saved: SavedChat, options: ChatAudience & Session): Chat<Session, Turn>
  readonly definition: PromptDefinition
}

/** Ties the sections to a compiler. Throws if one of them cannot be compiled. */
export function definePrompt<const Sections extends PromptSections>(
  options: PromptOptions<Sections> & { readonly counter: Counter },
): DefinedPrompt<SessionInputs<Sections>, TurnInputs<Sections>> {
  checkPromptOptions(options)
  const { sections, tools = [], name = "prompt", markup, budget, ttl, counter } = options
  const definition = { ...defineProfile({ name, sections, tools, markup }), budget, ttl, counter }
  checkAgent(definition.agent)
  const kit = kitOf(definition)
  return {
    open: (given) => chatOf(workFrom(kit, given, { state: NEW_CHAT, asked: undefined })),
    resume: (saved, given) => {
      const { id, ...rest } = readState(saved)
      return chatOf(workFrom(kit, { ...given, id }, rest))
    },
    definition,
  }
}
