// `task_write`: creates a task for the caller, or updates its progress.
import type { TaskRecord } from "../../database/contract/tasks.ts"
import { TASK_WRITE } from "../../profiles/incipit/tools/agent.ts"
import { acting } from "../acting.ts"
import { defineTool } from "../define-tool.ts"
import { ToolFailure } from "../host.ts"

export const taskWriteTool = defineTool({
  ...TASK_WRITE,
  async run(change, context) {
    if (change.id === undefined && change.title === undefined)
      throw new ToolFailure("A new task needs a title; to change one, give its id.")
    return taskText(await acting(context).host.tasks.write(change))
  },
})

function taskText({ id, title, status, steps }: TaskRecord): string {
  const done = steps.filter((step) => step.done).length
  const progress = steps.length === 0 ? "" : `, ${done} of ${steps.length} steps done`
  return `Task ${id} (${status}${progress}): ${title}`
}
