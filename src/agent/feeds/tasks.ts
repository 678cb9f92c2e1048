// The tasks of one person or room: kept in the agent's store and in the prompt while they are open.
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { TaskChange, TaskList, TaskRecord, TaskStep } from "../../database/contract/tasks.ts"
import { type TaskBoard, ToolFailure } from "../../tools/host.ts"

export interface Tasks extends TaskBoard {
  /** The tasks for the turn: those that are open or in progress, and the session's own task whatever its status. */
  forPrompt(bound?: string): Promise<readonly TaskRecord[]>
  /** Removes all tasks; their ids are not reused. */
  erase(): Promise<void>
}

/** More would fill the turn and hide what matters. */
const MOST_OPEN = 50
const MOST_STEPS = 50
const LONGEST_LINE = 200
const LONGEST_DESCRIPTION = 2_000

export function openTaskBoard({ tasks }: Pick<AgentStore, "tasks">, list: TaskList): Tasks {
  return {
    list: () => tasks.list(list),
    async write(change) {
      const written = await tasks.write(list, checked(change), MOST_OPEN)
      if (written === "no-such-task") throw new ToolFailure(`There is no task ${change.id}.`)
      if (written === "too-many-open")
        throw new ToolFailure(`There are ${MOST_OPEN} open tasks already: finish or drop some first.`)
      return written
    },
    forPrompt: (bound) => tasks.open(list, bound),
    erase: () => tasks.erase(list),
  }
}

/** A task for people: its steps, marked done, next or open. */
export function taskText({ id, title, status, description, steps }: TaskRecord): string {
  const next = steps.findIndex(({ done }) => !done)
  const mark = (at: number, done: boolean) => (done ? "✓" : at === next ? "→" : "○")
  const lines = steps.map((step, at) => `   ${at + 1}. ${mark(at, step.done)} ${step.title}`)
  return [`${id}. ${title} (${status})`, ...(description ? [`   ${description}`] : []), ...lines].join("\n")
}

function checked(change: TaskChange): TaskChange {
  const { id, status } = change
  const title = change.title === undefined ? undefined : lineOf(change.title, "The title")
  if (title === "" || (title === undefined && id === undefined))
    throw new ToolFailure("A task needs a title.")
  const description = change.description?.trim()
  if (description !== undefined && description.length > LONGEST_DESCRIPTION)
    throw new ToolFailure(`The description is longer than ${LONGEST_DESCRIPTION} characters.`)
  const steps = change.steps?.map(
    ({ title: step, done }): TaskStep => ({ title: lineOf(step, "A step"), done }),
  )
  if (steps !== undefined && steps.length > MOST_STEPS)
    throw new ToolFailure(`A task has at most ${MOST_STEPS} steps.`)
  if (steps?.some((step) => step.title === "")) throw new ToolFailure("A step needs a title.")
  return { id, title, description, status, steps }
}

function lineOf(text: string, what: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim()
  if (line.length > LONGEST_LINE) throw new ToolFailure(`${what} is longer than ${LONGEST_LINE} characters.`)
  return line
}
