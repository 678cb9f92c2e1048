// Plan mode: only tools that read may run, whatever was approved.
import type { Sessions } from "../../../database/contract/sessions.ts"
import type { RunnableTool } from "../../../tools/define-tool.ts"
import type { Work } from "../work.ts"

interface PlanModeStore {
  readonly sessions: Pick<Sessions, "get">
}

/** The turn began in plan mode, the session was switched to it since, or the delegating turn was. */
export async function isPlanning(
  { sessions }: PlanModeStore,
  { turn, session, outerCall }: Pick<Work, "turn" | "session" | "outerCall">,
): Promise<boolean> {
  if (turn.planMode === true || (await outerCall?.isPlanning()) === true) return true
  return (await sessions.get(session.id))?.state.planMode === true
}

export async function mayRun(store: PlanModeStore, work: Work, tool: RunnableTool): Promise<boolean> {
  return tool.isReadOnly === true || !(await isPlanning(store, work))
}

export const PLAN_MODE_IS_ON =
  "Not run: plan mode is on, so only tools that read may run. Put this into the plan; it can be done once the plan is approved."
