// Tasks in SQLite.
import type { TaskStatus } from "../../../base/task-status.ts"
import { atLeast, TRUSTS } from "../../../base/trust.ts"
import type { StoredTasks, TaskChange, TaskList, TaskRecord, TaskStep } from "../../contract/tasks.ts"
import type { Database, Row, Value } from "../database.ts"
import type { StoreFile } from "./store-file.ts"

const OPEN = "status IN ('open', 'working')"

export function tasksIn({ database, now, read, write }: StoreFile): StoredTasks {
  return {
    list: (list) => read(() => tasksWhere(database, list, "TRUE")),
    open: (list, also) => read(() => tasksWhere(database, list, `(${OPEN} OR id = ?)`, also ?? null)),
    write: (list, change, mostOpen) =>
      write(() => {
        const { id } = change
        const old = id === undefined ? undefined : tasksWhere(database, list, "id = ?", id)
        const known = old?.find((task) => task.id === id)
        if (id !== undefined && known === undefined) return "no-such-task"
        const task = changed(change, known)
        const others = () => tasksWhere(database, list, `${OPEN} AND id <> ?`, task.id)
        if (isOpen(task) && others().length >= mostOpen) return "too-many-open"
        const { by } = list
        const written = { ...task, id: id ?? nextId(database, list), ...(by !== undefined && { by }) }
        saveTask(database, list, { task: written, at: now() })
        return written
      }),
    erase: ({ agent, who }) =>
      write(() => {
        database.run("DELETE FROM tasks WHERE agent = ? AND who = ?", agent, who)
      }),
  }
}

function tasksWhere(
  database: Database,
  { agent, who, trust }: TaskList,
  which: string,
  ...values: readonly Value[]
): readonly TaskRecord[] {
  const visible = TRUSTS.filter((level) => atLeast(trust, level))
  const seen = `agent = ? AND who = ? AND trust IN (${visible.map(() => "?").join(", ")})`
  return database
    .all(`SELECT * FROM tasks WHERE ${seen} AND ${which} ORDER BY id`, agent, who, ...visible, ...values)
    .map(taskOf)
}

function isOpen({ status }: TaskRecord): boolean {
  return status === "open" || status === "working"
}

function changed(change: TaskChange, old: TaskRecord | undefined): TaskRecord {
  const description = change.description ?? old?.description ?? ""
  return {
    id: old?.id ?? "",
    title: change.title ?? old?.title ?? "",
    status: change.status ?? old?.status ?? "open",
    steps: change.steps ?? old?.steps ?? [],
    ...(description !== "" && { description }),
  }
}

function nextId(database: Database, { agent, who }: TaskList): string {
  const row = database.get(
    `INSERT INTO task_ids (agent, who, last) VALUES (?, ?, 1)
     ON CONFLICT (agent, who) DO UPDATE SET last = last + 1 RETURNING last`,
    ...[agent, who],
  )
  return String(row?.last)
}

function saveTask(
  database: Database,
  { agent, who, trust, by }: TaskList,
  { task, at }: { readonly task: TaskRecord; readonly at: number },
): void {
  const { id, title, description, status, steps } = task
  database.run(
    `INSERT INTO tasks (agent, who, id, title, description, status, steps, created_at, updated_at, trust, author)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (agent, who, id) DO UPDATE SET title = excluded.title, description = excluded.description,
       status = excluded.status, steps = excluded.steps, updated_at = excluded.updated_at,
       trust = excluded.trust, author = excluded.author`,
    ...[agent, who, Number(id), title, description ?? null, status, JSON.stringify(steps), at, at],
    ...[trust, by ?? null],
  )
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
