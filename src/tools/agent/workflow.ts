// `workflow_advance`: moves on to the next step of the caller's workflow. The call names the completed step, so that a
// repeated call advances only once.
import { WORKFLOW_ADVANCE } from "../../profiles/incipit/tools/agent.ts"
import { acting } from "../acting.ts"
import { defineTool } from "../define-tool.ts"
import { ToolFailure, type WorkflowBoard, type WorkflowPlace } from "../host.ts"

export const workflowAdvanceTool = defineTool({
  ...WORKFLOW_ADVANCE,
  run: ({ done }, context) => advance(done, acting(context).host.workflow),
})

async function advance(done: number, board: WorkflowBoard): Promise<string> {
  const place = await board.current()
  if (place === undefined) throw new ToolFailure("No workflow is in progress.")
  if (place.current === done + 1) return `Step ${done} is already done. ${now(place)}`
  if (place.current !== done) throw new ToolFailure(`Step ${done} is not the current one. ${now(place)}`)
  const next = await board.advance()
  if (next === undefined) throw new ToolFailure("No workflow is in progress.")
  return next.isFinished ? `That was the last step of "${next.title}": it is finished.` : now(next)
}

function now({ title, current, of, step, notes }: WorkflowPlace): string {
  const line = `Now at step ${current} of ${of} of "${title}": ${step}`
  return [line, ...notes.map((note) => `   ${note}`)].join("\n")
}
