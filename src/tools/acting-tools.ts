// The built-in tools that act: on files, and for the user.
import { delegateTool } from "./agent/delegate.ts"
import { instructionsWriteTool } from "./agent/instructions-write.ts"
import { notifyUserTool } from "./agent/notify-user.ts"
import { responsibilityRemoveTool } from "./agent/responsibility-remove.ts"
import { scheduleWriteTool } from "./agent/schedule-write.ts"
import { shellTool } from "./agent/shell.ts"
import { taskWriteTool } from "./agent/task-write.ts"
import { workflowAdvanceTool } from "./agent/workflow.ts"
import type { RunnableTool } from "./define-tool.ts"
import { editTool } from "./files/edit.ts"
import { findTool } from "./files/find.ts"
import { grepTool } from "./files/grep.ts"
import { listTool } from "./files/list.ts"
import { readTool } from "./files/read.ts"
import { writeTool } from "./files/write.ts"

export const ACTING_TOOLS: readonly RunnableTool[] = [
  delegateTool,
  editTool,
  findTool,
  grepTool,
  instructionsWriteTool,
  listTool,
  notifyUserTool,
  readTool,
  responsibilityRemoveTool,
  scheduleWriteTool,
  shellTool,
  taskWriteTool,
  workflowAdvanceTool,
  writeTool,
]
