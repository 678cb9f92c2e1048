// The built-in acting tools, by name. Their definitions belong to the profile.
import type { Action } from "./action.ts"
import { delegateAction } from "./agent/delegate.ts"
import { instructionsWriteAction } from "./agent/instructions-write.ts"
import { notifyUserAction } from "./agent/notify-user.ts"
import { responsibilityRemoveAction } from "./agent/responsibility-remove.ts"
import { scheduleWriteAction } from "./agent/schedule-write.ts"
import { shellAction } from "./agent/shell.ts"
import { taskWriteAction } from "./agent/task-write.ts"
import { workflowAdvance } from "./agent/workflow.ts"
import { editAction } from "./files/edit.ts"
import { findAction } from "./files/find.ts"
import { grepAction } from "./files/grep.ts"
import { listAction } from "./files/list.ts"
import { readAction } from "./files/read.ts"
import { writeAction } from "./files/write.ts"

export const ACTIONS: readonly Action[] = [
  delegateAction,
  editAction,
  findAction,
  grepAction,
  instructionsWriteAction,
  listAction,
  notifyUserAction,
  readAction,
  responsibilityRemoveAction,
  scheduleWriteAction,
  shellAction,
  taskWriteAction,
  workflowAdvance,
  writeAction,
]
