// Shrinks the agent's store: removes finished conversations by age, and everything stored about one person. Keeps
// waiting messages, undelivered answers, everyone's current session, tasks and plans.
import { IncipitError } from "../../../base/error.ts"
import type { EraseReport, PruneOptions, PruneReport, Upkeep } from "../../contract/upkeep.ts"
import { SWEPT_MS } from "../../keep-times.ts"
import type { Database, Value } from "../database.ts"
import { emptyLog, giveBackPages, writeAnew } from "../file-size.ts"
import { eraseServe, pruneServe } from "./serve/retention.ts"
import type { StoreFile } from "./store-file.ts"

export function upkeepIn({ database, now, write }: StoreFile): Upkeep {
  /** A dry run does the work and rolls it back, so that the report cannot differ. */
  const changing = async <T>(isDry: boolean, work: () => T): Promise<T> => {
    try {
      return await write(() => {
        const report = work()
        if (isDry) throw new Dry(report)
        return report
      })
    } catch (error) {
      // Thrown above, with the result of the work.
      if (error instanceof Dry) return error.report as T
      throw error
    }
  }
  return {
    sweep: () => write(() => pruneServe(database, { now: now(), before: now() - SWEPT_MS })),
    prune: ({ olderThanMs, isDry = false }) =>
      changing(isDry, () => pruneAt(database, { now: now(), olderThanMs })),
    erase: (whose, { isDry = false } = {}) => changing(isDry, () => eraseAt(database, whose, now())),
    async shrink({ thoroughly = false } = {}) {
      if (thoroughly) return writeAnew(database)
      await giveBackPages(database)
      await emptyLog(database)
    },
  }
}

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
const OVER = `used_at < ? AND coalesce(lease, 0) < ?
  AND (entry IS NOT NULL OR EXISTS (SELECT 1 FROM sessions AS newer WHERE newer.key = sessions.key
    AND (newer.used_at, newer.id) > (sessions.used_at, sessions.id)))
  AND NOT EXISTS (SELECT 1 FROM inbox
    WHERE session_id = sessions.id AND state IN ('waiting', 'working', 'suspended'))
  AND (mode = 'subagent'
    OR NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.session_id = sessions.id AND sent_at IS NULL))
  AND NOT EXISTS (SELECT 1 FROM inbox JOIN deliveries ON deliveries.turn_id = inbox.turn_id
    WHERE inbox.session_id = sessions.id AND deliveries.state = 'waiting')`

/** Done, delivered, and not the last of its session, which tells what compaction is about. */
const DONE = `at < ? AND state NOT IN ('waiting', 'working', 'suspended')
  AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.turn_id = inbox.turn_id AND sent_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.turn_id = inbox.turn_id AND deliveries.state = 'waiting')
  AND EXISTS (SELECT 1 FROM inbox AS later WHERE later.session_id = inbox.session_id AND later.id > inbox.id)`

/** No message or item of the session names the file any more. */
const UNNAMED = `NOT EXISTS (SELECT 1 FROM items WHERE session_id = file_uses.session_id AND instr(item, sha256) > 0)
  AND NOT EXISTS (SELECT 1 FROM inbox WHERE session_id = file_uses.session_id AND instr(message, sha256) > 0)`

function removeUnusedFiles(database: Database): void {
  database.run(
    "DELETE FROM files WHERE NOT EXISTS (SELECT 1 FROM file_uses WHERE file_uses.sha256 = files.sha256)",
  )
}

function pruneAt(
  database: Database,
  { now, olderThanMs }: Pick<PruneOptions, "olderThanMs"> & { readonly now: number },
): PruneReport {
  const before = now - olderThanMs
  const over = idsOf(database, `SELECT id FROM sessions WHERE ${OVER}`, before, now)
  const gone = removeSessions(database, over)
  const done = idsOf(database, `SELECT turn_id AS id FROM inbox WHERE ${DONE}`, before)
  const run = (sql: string) => database.run(sql, before).changes
  run("DELETE FROM kept_results WHERE at < ?")
  pruneServe(database, { now, before })
  const report = {
    sessions: over.length,
    turns: gone.turns + removeTurns(database, done),
    items: gone.items + run("DELETE FROM items WHERE is_past = 1 AND at < ?"),
    notices: run("DELETE FROM notices WHERE seen_at IS NOT NULL AND at < ?"),
  }
  run(`DELETE FROM file_uses WHERE at < ? AND ${UNNAMED}`)
  removeUnusedFiles(database)
  return report
}

function eraseAt(database: Database, whose: readonly string[], now: number): EraseReport {
  const who = JSON.stringify(whose)
  const theirs = "who IN (SELECT value FROM json_each(?))"
  const working = database.get(
    `SELECT 1 FROM sessions WHERE ${theirs} AND coalesce(lease, 0) >= ?`,
    ...[who, now],
  )
  if (working !== undefined)
    throw new IncipitError("session-lost", "a process is working on one of their conversations right now")
  eraseServe(database, whose)
  const ids = idsOf(database, `SELECT id FROM sessions WHERE ${theirs}`, who)
  const { turns, items } = removeSessions(database, ids)
  const notices = database.run(`DELETE FROM notices WHERE ${theirs}`, who).changes
  const tasks = database.run(`DELETE FROM tasks WHERE ${theirs}`, who).changes
  for (const table of ["task_ids", "workflows", "communication", "bulletins"])
    database.run(`DELETE FROM ${table} WHERE ${theirs}`, who)
  const rooms = idsOf(database, "SELECT id FROM sessions WHERE who LIKE 'room:%'").length
  return { sessions: ids.length, turns, items, notices, ids, tasks, rooms }
}

function removeSessions(database: Database, sessions: readonly string[]) {
  const list = JSON.stringify(sessions)
  const these = "session_id IN (SELECT value FROM json_each(?))"
  const turns = removeTurns(database, idsOf(database, `SELECT turn_id AS id FROM inbox WHERE ${these}`, list))
  const items = database.run(`DELETE FROM items WHERE ${these}`, list).changes
  for (const table of ["baselines", "kept_results", "waits", "branches", "places", "file_uses", "questions"])
    database.run(`DELETE FROM ${table} WHERE ${these}`, list)
  // The task list of a delegated part is removed with its session.
  for (const table of ["tasks", "task_ids"])
    database.run(`DELETE FROM ${table} WHERE who IN (SELECT 'part:' || value FROM json_each(?))`, list)
  database.run("DELETE FROM sessions WHERE id IN (SELECT value FROM json_each(?))", list)
  removeUnusedFiles(database)
  return { turns, items }
}

function removeTurns(database: Database, turns: readonly string[]): number {
  const list = JSON.stringify(turns)
  // Which arrivals were taken must stay known; where they came from need not.
  database.run("UPDATE arrivals SET reply_to = NULL WHERE turn_id IN (SELECT value FROM json_each(?))", list)
  for (const table of ["tool_runs", "outbox", "inbox", "deliveries", "requests"])
    database.run(`DELETE FROM ${table} WHERE turn_id IN (SELECT value FROM json_each(?))`, list)
  return turns.length
}

function idsOf(database: Database, sql: string, ...values: readonly Value[]): readonly string[] {
  return database.all(sql, ...values).map(({ id }) => String(id))
}
