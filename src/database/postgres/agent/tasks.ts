// Tasks in PostgreSQL.
import { atLeast, TRUSTS } from "../../../base/trust.ts"
import type { StoredTasks, TaskList, TaskRecord } from "../../contract/tasks.ts"
import { changedTask, isOpenTask, taskOf } from "../../rows/personal-rows.ts"
import type { Statements, Value } from "../postgres.ts"
import { inLine, type StoreConnection } from "./store-connection.ts"

const OPEN = "status IN ('open', 'working')"

export function tasksIn({ postgres, write }: StoreConnection): StoredTasks {
  return {
    list: (list) => tasksWhere(postgres, list, "TRUE"),
    open: (list, also) => tasksWhere(postgres, list, `(${OPEN} OR id::text = $4)`, also ?? null),
    write: (list, change, mostOpen) =>
      write(async (statements) => {
        const { id } = change
        await inLine(statements, "tasks", list.agent, list.who)
        const known =
          id === undefined ? undefined : (await tasksWhere(statements, list, "id::text = $4", id)).at(0)
        if (id !== undefined && known === undefined) return "no-such-task"
        const task = changedTask(change, known)
        const others = () => tasksWhere(statements, list, `${OPEN} AND id::text <> $4`, task.id)
        if (isOpenTask(task) && (await others()).length >= mostOpen) return "too-many-open"
        const { by } = list
        const written = {
          ...task,
          id: id ?? (await nextId(statements, list)),
          ...(by !== undefined && { by }),
        }
        await saveTask(statements, list, written)
        return written
      }),
    async erase({ agent, who }) {
      await postgres.run("DELETE FROM tasks WHERE agent = $1 AND who = $2", agent, who)
    },
  }
}

async function tasksWhere(
  statements: Statements,
  { agent, who, trust }: TaskList,
  which: string,
  ...values: readonly Value[]
): Promise<readonly TaskRecord[]> {
  const visible = TRUSTS.filter((level) => atLeast(trust, level))
  const rows = await statements.all(
    `SELECT * FROM tasks WHERE agent = $1 AND who = $2 AND trust = ANY($3::text[]) AND ${which} ORDER BY id`,
    ...[agent, who, visible, ...values],
  )
  return rows.map(taskOf)
}

async function nextId(statements: Statements, { agent, who }: TaskList): Promise<string> {
  const row = await statements.get(
    `INSERT INTO task_ids (agent, who, last) VALUES ($1, $2, 1)
    ON CONFLICT (who, agent) DO UPDATE SET last = task_ids.last + 1 RETURNING last`,
    ...[agent, who],
  )
  return String(row?.last)
}

async function saveTask(
  statements: Statements,
  { agent, who, trust, by }: TaskList,
  { id, title, description, status, steps }: TaskRecord,
): Promise<void> {
  await statements.run(
    `INSERT INTO tasks (agent, who, id, title, description, status, steps, created_at, updated_at, trust, author)
    VALUES ($1, $2, $3, $4, $5, $6, $7, now_ms(), now_ms(), $8, $9)
    ON CONFLICT (who, agent, id) DO UPDATE SET title = excluded.title, description = excluded.description,
      status = excluded.status, steps = excluded.steps, updated_at = excluded.updated_at,
      trust = excluded.trust, author = excluded.author`,
    ...[agent, who, Number(id), title, description ?? null, status, JSON.stringify(steps), trust, by ?? null],
  )
}
