// Tasks as the offline model writes them: in the form that the tool takes, and found by id, place or title.
import { argument, type Call } from "./script.ts"
import type { OfflineView } from "./view.ts"

export interface TaskWords {
  readonly id?: string
  readonly title?: string
  readonly status?: string
}

/** A tool that takes the tasks as a list gets them in one call. */
export function taskCalls(tasks: readonly TaskWords[], view: OfflineView): readonly Call[] {
  const named = tasks.filter(({ id, title }) => id !== undefined || title !== "")
  if (argument(view, "task_write", ["title", "tasks"]) === "tasks")
    return [{ tool: "task_write", input: { tasks: named } }]
  return named.map((task) => ({ tool: "task_write", input: { ...task } }))
}

/** As the prompt lists them; what it does not list is left to the tool. */
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
