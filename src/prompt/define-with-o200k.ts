// `definePrompt` with the bundled counter. A file of its own, so that a bundle with another counter has no token table.
import type { Counter } from "../core/model/counter.ts"
import { o200k } from "../tokens/o200k.ts"
import { type DefinedPrompt, definePrompt as defineWith, type PromptOptions } from "./define-prompt.ts"
import type { PromptSections, SessionInputs, TurnInputs } from "./prompt-inputs.ts"

/**
 * Defines a prompt by its sections, and opens chats with it. The functions of the sections say what `open` and `say`
 * take.
 */
export function definePrompt<const Sections extends PromptSections>(
  options: PromptOptions<Sections> & {
    /** Counts tokens. Default: `o200k`. */
    readonly counter?: Counter | undefined
  },
): DefinedPrompt<SessionInputs<Sections>, TurnInputs<Sections>> {
  // A program in JavaScript may pass nothing at all, which is refused there.
  const counter = (options as Partial<typeof options> | undefined)?.counter ?? o200k
  return defineWith({ ...options, counter })
}
