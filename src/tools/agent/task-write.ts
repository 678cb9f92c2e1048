// `task_write`: creates a task for the caller, or updates its progress.
import { z } from "zod"
import { TASK_STATUSES, type TaskRecord } from "../../database/contract/tasks.ts"
import { defineAction } from "../action.ts"
import { ToolFailure } from "../host.ts"

const input = z.strictObject({
  id: z.string().min(1).optional().describe("The task to change; a new one if absent."),
  title: z.string().min(1).max(300).optional().describe("What is to be done; a new task needs it."),
  description: z.string().max(4_000).optional().describe("What one has to know to do it."),
  status: z.enum(TASK_STATUSES).optional().describe("open if absent in a new task."),
  steps: z
    .array(z.strictObject({ title: z.string().min(1).max(300), done: z.boolean() }))
    .max(50)
    .optional()
    .describe("All steps in order; they replace those that were there."),
})

export const taskWriteAction = defineAction({
  name: "task_write",
  input,
  async run(change, { host }) {
    if (change.id === undefined && change.title === undefined)
      throw new ToolFailure("A new task needs a title; to change one, give its id.")
    return taskText(await host.tasks.write(change))
  },
})

function taskText({ id, title, status, steps }: TaskRecord): string {
  const done = steps.filter((step) => step.done).length
  const progress = steps.length === 0 ? "" : `, ${done} of ${steps.length} steps done`
  return `Task ${id} (${status}${progress}): ${title}`
}
