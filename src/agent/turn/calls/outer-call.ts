// The call in which a part of the work was delegated, as the part's turn sees it.
import type { TimeLimit } from "./time-limit.ts"

export interface OuterCall {
  /** Paused while the part asks the user. */
  readonly limit: TimeLimit
  /** Whether the delegating turn is in plan mode now. */
  readonly isPlanning: () => Promise<boolean>
}
