// The tools with which an agent asks about itself: what happened, why, what it was sent and what it cost.
import type { RunnableTool } from "../define-tool.ts"
import { costTool } from "./cost.ts"
import { explainTool } from "./explain.ts"
import { logsTool } from "./logs.ts"
import { statusTool } from "./status.ts"
import { traceTool } from "./trace.ts"

export const INTROSPECTION_TOOLS: readonly RunnableTool[] = [
  statusTool,
  logsTool,
  traceTool,
  explainTool,
  costTool,
]
