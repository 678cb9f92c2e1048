// What `gather` read for one turn. All steps of the turn compile from it.
import type { View } from "../../../core/view/view.ts"
import type { PromptInput } from "../../../workspace/prompt-input.ts"

export interface GatheredTurn extends PromptInput {
  /** What this audience may see of both. Hooks see no more. */
  readonly seen: View
}
