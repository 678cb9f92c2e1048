// Tasks as the offline model writes them: in the form that the tool takes, and found by id, position or title.
import { argument, type Call } from "./script.ts"
import type { OfflineView } from "./view.ts"

export interface TaskWords {
  readonly id?: string
  readonly title?: string
  readonly status?: string
}

/** One call if the tool takes a list of tasks. */
export function taskCalls(tasks: readonly TaskWords[], view: OfflineView): readonly Call[] {
  const named = tasks.filter(({ id, title }) => id !== undefined || title !== "")
  if (argument(view, "task_write", ["title", "tasks"]) === "tasks")
    return [{ tool: "task_write", input: { tasks: named } }]
  return named.map((task) => ({ tool: "task_write", input: { ...task } }))
}

/** The id from the prompt's list; text that is not in the list is passed to the tool. */
export function taskId(which: string, { turn }: OfflineView): string {
  const listed = (turn.get("tasks") ?? "").split("\n").flatMap((line) => {
    const [, id, title = ""] = /^- (\S+): (.*)$/.exec(line) ?? []
    return id === undefined ? [] : [{ id, title: title.toLowerCase() }]
  })
  const wanted = which.toLowerCase()
  const found =
    listed.find(({ id }) => id === which) ??
    listed[Number(which) - 1] ??
    listed.find(({ title }) => title.includes(wanted))
  return found?.id ?? which
}
