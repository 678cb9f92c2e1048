// The built-in tools that act, by name. Their definitions are the profile's.
import type { Action } from "./action.ts"
import { delegateAction } from "./delegate.ts"
import { editAction } from "./edit.ts"
import { findAction } from "./find.ts"
import { grepAction } from "./grep.ts"
import { instructionsWriteAction } from "./instructions-write.ts"
import { listAction } from "./list.ts"
import { notifyUserAction } from "./notify-user.ts"
import { readAction } from "./read.ts"
import { responsibilityRemoveAction } from "./responsibility-remove.ts"
import { scheduleWriteAction } from "./schedule-write.ts"
import { shellAction } from "./shell.ts"
import { taskWriteAction } from "./task-write.ts"
import { workflowAdvance } from "./workflow.ts"
import { writeAction } from "./write.ts"

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
