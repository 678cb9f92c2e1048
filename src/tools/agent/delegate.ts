// `delegate`: gives a part of the work to another agent and returns its report.
import { DELEGATE } from "../../profiles/incipit/tools/agent.ts"
import { acting } from "../acting.ts"
import { defineTool } from "../define-tool.ts"

export const delegateTool = defineTool({
  ...DELEGATE,
  run: (work, context) => acting(context).host.delegate(work),
})
