// What `gather` read for one turn. All steps of the turn compile from it.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Budget } from "../../core/fit/budget.ts"
import type { Agent, Session } from "../../core/model/scope.ts"
import type { View } from "../../core/view/view.ts"

export interface GatheredTurn {
  readonly agent: Agent
  readonly session: Session
  /** What this audience may see of both. Hooks see no more. */
  readonly seen: View
  readonly budget: Budget
  readonly ttl: string
  readonly diagnostics: readonly Diagnostic[]
}
