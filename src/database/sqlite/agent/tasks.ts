// Tasks in SQLite.
import { atLeast, TRUSTS } from "../../../base/trust.ts"
import type { StoredTasks, TaskList, TaskRecord } from "../../contract/tasks.ts"
import { changedTask, isOpenTask, taskOf } from "../../rows/personal-rows.ts"
import type { Database, Value } from "../database.ts"
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
        const task = changedTask(change, known)
        const others = () => tasksWhere(database, list, `${OPEN} AND id <> ?`, task.id)
        if (isOpenTask(task) && others().length >= mostOpen) return "too-many-open"
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
