// The tasks of one person or room: kept in the agent's store and in the prompt while they are open. Ids count from 1
// per list and are never reused, since a conversation may still mention an old one.
import { atLeast, TRUSTS, type Trust } from "../../base/trust.ts"
import type { Database, DatabaseReader, Row, Value } from "../../database/sqlite/database.ts"
import {
  type TaskBoard,
  type TaskChange,
  type TaskRecord,
  type TaskStatus,
  type TaskStep,
  ToolFailure,
} from "../../tools/host.ts"
import type { Keeping } from "./who.ts"

export interface Tasks extends TaskBoard {
  /** The tasks for the turn: those that are open or in progress, and the session's own task whatever its status. */
  told(bound?: string): readonly TaskRecord[]
  /** Removes all tasks; their ids are not reused. */
  erase(): void
}

/** More would fill the turn and hide what matters. */
const MOST_OPEN = 50
const MOST_STEPS = 50
const LONGEST_LINE = 200
const LONGEST_DESCRIPTION = 2_000
const OPEN = "status IN ('open', 'working')"

export interface TaskKeeping extends Keeping {
  /** Tasks written at a higher trust are not visible. */
  readonly trust: Trust
  /** Who writes, in a list that several people share. */
  readonly by?: string
}

/** The tasks for the turn: those that are open or in progress, and the session's own task. Has no effects. */
export function readTasks(
  database: DatabaseReader,
  keeping: TaskKeeping,
  bound?: string,
): readonly TaskRecord[] {
  return tasksWhere(database, keeping, `(${OPEN} OR id = ?)`, bound ?? null)
}

function tasksWhere(
  database: DatabaseReader,
  { agent, who, trust }: TaskKeeping,
  which: string,
  ...values: readonly Value[]
): readonly TaskRecord[] {
  const visible = TRUSTS.filter((level) => atLeast(trust, level))
  const seen = `agent = ? AND who = ? AND trust IN (${visible.map(() => "?").join(", ")})`
  return database
    .all(`SELECT * FROM tasks WHERE ${seen} AND ${which} ORDER BY id`, agent, who, ...visible, ...values)
    .map(taskOf)
}

export function openTaskBoard(database: Database, keeping: TaskKeeping): Tasks {
  const { agent, who, now, trust, by } = keeping
  const select = (which: string, ...values: readonly Value[]) =>
    tasksWhere(database, keeping, which, ...values)
  const find = (id: string) => select("id = ?", id).find((task) => task.id === id)
  const save = ({ id, title, description, status, steps }: TaskRecord) =>
    database.run(
      `INSERT INTO tasks (agent, who, id, title, description, status, steps, created_at, updated_at, trust, author)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (agent, who, id) DO UPDATE SET title = excluded.title, description = excluded.description,
         status = excluded.status, steps = excluded.steps, updated_at = excluded.updated_at,
         trust = excluded.trust, author = excluded.author`,
      ...[agent, who, Number(id), title, description ?? null, status, JSON.stringify(steps), now(), now()],
      ...[trust, by ?? null],
    )
  const nextId = () =>
    String(
      database.get(
        `INSERT INTO task_ids (agent, who, last) VALUES (?, ?, 1)
         ON CONFLICT (agent, who) DO UPDATE SET last = last + 1 RETURNING last`,
        ...[agent, who],
      )?.last,
    )
  return {
    list: () => select("TRUE"),
    write: (change) =>
      database.transaction(() => {
        const task = changed(change, change.id === undefined ? undefined : known(find(change.id), change.id))
        if (isOpen(task) && select(`${OPEN} AND id <> ?`, task.id).length >= MOST_OPEN)
          throw new ToolFailure(`There are ${MOST_OPEN} open tasks already: finish or drop some first.`)
        const written = { ...task, id: change.id ?? nextId(), ...(by !== undefined && { by }) }
        save(written)
        return written
      }),
    told: (bound) => readTasks(database, keeping, bound),
    erase: () => {
      database.run("DELETE FROM tasks WHERE agent = ? AND who = ?", agent, who)
    },
  }
}

/** A task for people: its steps, marked done, next or open. */
export function taskText({ id, title, status, description, steps }: TaskRecord): string {
  const next = steps.findIndex(({ done }) => !done)
  const mark = (at: number, done: boolean) => (done ? "✓" : at === next ? "→" : "○")
  const lines = steps.map((step, at) => `   ${at + 1}. ${mark(at, step.done)} ${step.title}`)
  return [`${id}. ${title} (${status})`, ...(description ? [`   ${description}`] : []), ...lines].join("\n")
}

function isOpen({ status }: { readonly status: TaskStatus }): boolean {
  return status === "open" || status === "working"
}

function known(task: TaskRecord | undefined, id: string): TaskRecord {
  if (task === undefined) throw new ToolFailure(`There is no task ${id}.`)
  return task
}

/** Omitted fields stay as they were; an empty description removes the old one. */
function changed(change: TaskChange, old: TaskRecord | undefined): TaskRecord {
  const title = lineOf(change.title ?? old?.title ?? "", "The title")
  if (title === "") throw new ToolFailure("A task needs a title.")
  const description = (change.description ?? old?.description ?? "").trim()
  if (description.length > LONGEST_DESCRIPTION)
    throw new ToolFailure(`The description is longer than ${LONGEST_DESCRIPTION} characters.`)
  const steps = (change.steps ?? old?.steps ?? []).map(
    ({ title: step, done }): TaskStep => ({ title: lineOf(step, "A step"), done }),
  )
  if (steps.length > MOST_STEPS) throw new ToolFailure(`A task has at most ${MOST_STEPS} steps.`)
  if (steps.some((step) => step.title === "")) throw new ToolFailure("A step needs a title.")
  const status = change.status ?? old?.status ?? "open"
  return { id: old?.id ?? "", title, status, steps, ...(description !== "" && { description }) }
}

function lineOf(text: string, what: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim()
  if (line.length > LONGEST_LINE) throw new ToolFailure(`${what} is longer than ${LONGEST_LINE} characters.`)
  return line
}

function taskOf(row: Row): TaskRecord {
  return {
    id: String(row.id),
    title: String(row.title),
    // Only the code above writes both, from values of these types.
    status: row.status as TaskStatus,
    steps: JSON.parse(String(row.steps)) as readonly TaskStep[],
    ...(row.description !== null && { description: String(row.description) }),
    ...(typeof row.author === "string" && { by: row.author }),
  }
}
