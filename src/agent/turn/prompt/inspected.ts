// A prompt with everything that it was made from.
import type { Turn } from "../../../core/model/inputs.ts"
import type { Profile } from "../../../core/model/profile.ts"
import type { Prompt } from "../../../core/model/prompt.ts"
import type { Workspace } from "../../../sources/workspace.ts"
import type { PromptInput } from "../../../workspace/prompt-input.ts"

/** The prompt of a preview and its input, hidden files included: for the operator, and for questions about a change. */
export interface Inspected extends PromptInput {
  readonly prompt: Prompt
  readonly turn: Turn
  readonly profile: Profile
  readonly workspace: Workspace
}
