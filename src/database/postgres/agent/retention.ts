// Shrinks the agent's store in PostgreSQL: removes finished conversations by age, and everything stored about one person.
// Keeps waiting messages, undelivered answers, everyone's current session, tasks and plans.
import { IncipitError } from "../../../base/error.ts"
import type { EraseReport, PruneReport, Upkeep } from "../../contract/upkeep.ts"
import { SWEPT_MS } from "../../keep-times.ts"
import type { Statements, Value } from "../postgres.ts"
import { eraseServe, pruneServe } from "./serve/retention.ts"
import { inLine, type StoreConnection } from "./store-connection.ts"

export function upkeepIn({ postgres, write }: StoreConnection): Upkeep {
  /** A dry run does the work and rolls it back, so that the report cannot differ. */
  const changing = async <T>(isDry: boolean, work: (statements: Statements) => Promise<T>): Promise<T> => {
    try {
      return await write(
        async (statements) => {
          const report = await work(statements)
          if (isDry) throw new Dry(report)
          return report
        },
        { isLong: true },
      )
    } catch (error) {
      // Thrown above, with the result of the work.
      if (error instanceof Dry) return error.report as T
      throw error
    }
  }
  return {
    sweep: () => write((statements) => pruneServe(statements, SWEPT_MS), { isLong: true }),
    prune: ({ olderThanMs, isDry = false }) =>
      changing(isDry, (statements) => prune(statements, Math.floor(olderThanMs))),
    erase: (whose, { isDry = false } = {}) => changing(isDry, (statements) => erase(statements, whose)),
    async shrink({ thoroughly = false } = {}) {
      // The server gives space back by itself. Only a table that is written anew has nothing left of what was removed.
      const tables = thoroughly ? PERSONAL : []
      for (const table of tables) await postgres.alone(`VACUUM (FULL) "${postgres.schema}".${table}`)
    },
  }
}

const PERSONAL = [
  ...["sessions", "baselines", "items", "inbox", "tool_runs", "kept_results", "outbox", "waits", "files"],
  ...["notices", "tasks", "workflows", "communication", "bulletins", "arrivals", "deliveries", "places"],
  ...["requests", "questions", "tokens", "pairings"],
]

class Dry<T> extends Error {
  readonly report: T

  constructor(report: T) {
    super("dry run: nothing was changed")
    this.report = report
  }
}

/**
 * Neither current nor in use, with nothing waiting or undelivered. Answers of delegated parts are never delivered. A
 * schedule entry may be gone, so its session is removed even without a newer one.
 */
const OVER = `used_at < now_ms() - $1::bigint AND coalesce(lease, 0) < now_ms()
  AND (entry IS NOT NULL OR EXISTS (SELECT 1 FROM sessions AS newer WHERE newer.key = sessions.key
    AND (newer.used_at, newer.id) > (sessions.used_at, sessions.id)))
  AND NOT EXISTS (SELECT 1 FROM inbox
    WHERE session_id = sessions.id AND state IN ('waiting', 'working', 'suspended'))
  AND (mode = 'subagent'
    OR NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.session_id = sessions.id AND sent_at IS NULL))
  AND NOT EXISTS (SELECT 1 FROM inbox JOIN deliveries ON deliveries.turn_id = inbox.turn_id
    WHERE inbox.session_id = sessions.id AND deliveries.state = 'waiting')`

/** Done, delivered, and not the last of its session, which tells what compaction is about. */
const DONE = `at < now_ms() - $1::bigint AND state NOT IN ('waiting', 'working', 'suspended')
  AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.turn_id = inbox.turn_id AND sent_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.turn_id = inbox.turn_id AND deliveries.state = 'waiting')
  AND EXISTS (SELECT 1 FROM inbox AS later WHERE later.session_id = inbox.session_id AND later.seq > inbox.seq)`

/** No message or item of the session names the file any more. */
const UNNAMED = `NOT EXISTS (SELECT 1 FROM items
    WHERE session_id = file_uses.session_id AND position(file_uses.sha256 IN item) > 0)
  AND NOT EXISTS (SELECT 1 FROM inbox
    WHERE session_id = file_uses.session_id AND position(file_uses.sha256 IN message) > 0)`

async function prune(statements: Statements, olderThanMs: number): Promise<PruneReport> {
  // A message that arrives meanwhile finds its session locked, and then gone; its sender tries again.
  const over = await idsOf(
    statements,
    `SELECT id FROM sessions WHERE ${OVER} FOR UPDATE SKIP LOCKED`,
    olderThanMs,
  )
  const gone = await removeSessions(statements, over)
  const done = await idsOf(statements, `SELECT turn_id AS id FROM inbox WHERE ${DONE}`, olderThanMs)
  const run = (sql: string) => statements.run(sql, olderThanMs)
  const old = "at < now_ms() - $1::bigint"
  await run(`DELETE FROM kept_results WHERE ${old}`)
  await pruneServe(statements, olderThanMs)
  const turns = gone.turns + (await removeTurns(statements, done))
  const items = gone.items + (await run(`DELETE FROM items WHERE is_past AND ${old}`))
  const notices = await run(`DELETE FROM notices WHERE seen_at IS NOT NULL AND ${old}`)
  await run(`DELETE FROM file_uses WHERE ${old} AND ${UNNAMED}`)
  await removeUnusedFiles(statements)
  return { sessions: over.length, turns, items, notices }
}

async function erase(statements: Statements, whose: readonly string[]): Promise<EraseReport> {
  const theirs = "who = ANY($1::text[])"
  const sessions = await statements.all(
    `SELECT id, coalesce(lease, 0) >= now_ms() AS is_held FROM sessions WHERE ${theirs} ORDER BY id FOR UPDATE`,
    whose,
  )
  if (sessions.some(({ is_held: isHeld }) => isHeld === true))
    throw new IncipitError("session-lost", "a process is working on one of their conversations right now")
  await eraseServe(statements, whose)
  const ids = sessions.map(({ id }) => String(id))
  const { turns, items } = await removeSessions(statements, ids)
  const remove = (table: string) => statements.run(`DELETE FROM ${table} WHERE ${theirs}`, whose)
  const notices = await remove("notices")
  const tasks = await remove("tasks")
  for (const table of ["task_ids", "workflows", "communication", "bulletins"]) await remove(table)
  await removeUnusedFiles(statements)
  const rooms = await idsOf(statements, "SELECT id FROM sessions WHERE who LIKE 'room:%'")
  return { sessions: ids.length, turns, items, notices, ids, tasks, rooms: rooms.length }
}

const SESSION_TABLES = [
  ...["baselines", "kept_results", "waits", "branches", "places", "file_uses", "questions"],
]

async function removeSessions(statements: Statements, sessions: readonly string[]) {
  const these = "session_id = ANY($1::text[])"
  const turnIds = await idsOf(statements, `SELECT turn_id AS id FROM inbox WHERE ${these}`, sessions)
  const turns = await removeTurns(statements, turnIds)
  const items = await statements.run(`DELETE FROM items WHERE ${these}`, sessions)
  for (const table of SESSION_TABLES) await statements.run(`DELETE FROM ${table} WHERE ${these}`, sessions)
  // The task list of a delegated part is removed with its session.
  const parts = sessions.map((id) => `part:${id}`)
  for (const table of ["tasks", "task_ids"])
    await statements.run(`DELETE FROM ${table} WHERE who = ANY($1::text[])`, parts)
  await statements.run("DELETE FROM sessions WHERE id = ANY($1::text[])", sessions)
  return { turns, items }
}

async function removeTurns(statements: Statements, turns: readonly string[]): Promise<number> {
  const these = "turn_id = ANY($1::text[])"
  // Which arrivals were taken must stay known; where they came from need not.
  await statements.run(`UPDATE arrivals SET reply_to = NULL WHERE ${these}`, turns)
  for (const table of ["tool_runs", "outbox", "inbox", "deliveries", "requests"])
    await statements.run(`DELETE FROM ${table} WHERE ${these}`, turns)
  return turns.length
}

/** Last in a transaction: who stores a file meanwhile waits for its end. */
async function removeUnusedFiles(statements: Statements): Promise<void> {
  await inLine(statements, "files")
  await statements.run(
    "DELETE FROM files WHERE NOT EXISTS (SELECT 1 FROM file_uses WHERE file_uses.sha256 = files.sha256)",
  )
}

async function idsOf(
  statements: Statements,
  sql: string,
  ...values: readonly Value[]
): Promise<readonly string[]> {
  return (await statements.all(sql, ...values)).map(({ id }) => String(id))
}
