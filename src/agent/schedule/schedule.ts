// The schedule: the entries of `incipit.yaml` and those that the agent added, their due runs, and the claims on them.
// Several processes may use it at once, each with its own clock; exactly one of them claims a run, once.
import { digestOf } from "../../base/digest.ts"
import { byCodePoint } from "../../base/order.ts"
import type { Database } from "../../database/sqlite/database.ts"
import type { ConfiguredRun } from "../../sources/config/config-schema.ts"
import { cronProblem, nextAfter } from "../../sources/config/cron.ts"
import { type ScheduleBook, type ScheduleEntry, ToolFailure } from "../../tools/host.ts"
import { dueRuns, type Entry, type Firing, GRACE_MS } from "./due-runs.ts"

export interface OpenScheduleOptions {
  /** The agent's store. */
  readonly database: Database
  readonly agent: string
  /** For entries without a zone. */
  readonly timeZone: string
  readonly now: () => number
  /** The configured entries. */
  readonly entries: readonly ConfiguredRun[]
}

/** A run that was claimed. */
export interface TakenRun {
  readonly due: number
  readonly turn: string
  /** The state of its message in the queue; `taken` if the queue has none. */
  readonly state: string
}

export interface Schedule {
  entries(): readonly Entry[]
  /** For the agent's own tools. */
  book(): ScheduleBook
  /** Due runs that are not claimed, oldest first. An entry counts as existing from the first call of this. */
  due(): readonly Firing[]
  /**
   * Claims a run for a turn; false if it was claimed or skipped before, or its entry was removed. It is one statement,
   * so in the transaction that puts the message into the queue no crash can lose or repeat the run.
   */
  claim(run: Pick<Firing, "entry" | "due">, turn: string): boolean
  /** The first run after a time (default now); undefined if there is none. */
  next(after?: number): number | undefined
  last(entry: string): TakenRun | undefined
}

export function openSchedule(options: OpenScheduleOptions): Schedule {
  const { database, agent, now } = options
  const configured = configuredEntries(options)
  const entries = () => [...configured, ...writtenEntries(options)]
  const settledOf = (entry: Entry, at: number) =>
    Math.max(seenSince(options, entry.id, at), lastTaken(options, entry.id, at))
  let isTidy = false

  function due(): readonly Firing[] {
    const at = now()
    const all = entries()
    if (!isTidy) forget(options, all)
    isTidy = true
    return all
      .flatMap((entry) => dueRuns(entry, settledOf(entry, at), at))
      .sort((a, b) => a.due - b.due || byCodePoint(a.entry, b.entry))
  }

  return {
    entries,
    book: () => bookOf(options, entries),
    due,
    claim: ({ entry, due: time }, turn) => take(options, { entry, due: time, turn }),
    next(after = now()) {
      const times = entries().flatMap((entry) => {
        const { cron, zone } = entry
        return nextAfter(cron, zone, Math.max(after, settledOf(entry, after))) ?? []
      })
      return times.length === 0 ? undefined : Math.min(...times)
    },
    last(entry) {
      const row = database.get(
        `SELECT due, schedule_runs.turn_id AS turn, coalesce(inbox.state, 'taken') AS state
         FROM schedule_runs LEFT JOIN inbox ON inbox.turn_id = schedule_runs.turn_id
         WHERE agent = ? AND entry = ? ORDER BY due DESC LIMIT 1`,
        agent,
        entry,
      )
      return row && { due: Number(row.due), turn: String(row.turn), state: String(row.state) }
    },
  }
}

/** Entries are identified by their content: a changed entry is a new one, and duplicates are one. */
function configuredEntries({ entries, timeZone }: OpenScheduleOptions): readonly Entry[] {
  const byId = new Map<string, Entry>()
  for (const { cron, run, zone, missed = "once" } of entries) {
    // Starts with a letter, so that it never equals the number of an added entry.
    const id = `c${digestOf([cron, run, zone ?? ""]).slice("sha256:".length, 15)}`
    byId.set(id, { id, source: "configured", cron, run, zone: zone ?? timeZone, missed })
  }
  return [...byId.values()]
}

function writtenEntries({ database, agent, timeZone }: OpenScheduleOptions): readonly Entry[] {
  const rows = database.all("SELECT id, cron, run FROM schedule WHERE agent = ? ORDER BY id", agent)
  return rows.map(({ id, cron, run }) => ({
    id: String(id),
    source: "written",
    cron: String(cron),
    run: String(run),
    zone: timeZone,
    missed: "once",
  }))
}

/**
 * From when an entry's runs count: since it was added, or first seen here. A time far in the future comes from a clock
 * that was wrong, and is corrected.
 */
function seenSince({ database, agent }: OpenScheduleOptions, entry: string, now: number): number {
  const seen = database.get("SELECT until FROM schedule_seen WHERE agent = ? AND entry = ?", agent, entry)
  if (seen !== undefined && Number(seen.until) <= now + GRACE_MS) return Number(seen.until)
  const row = database.get(
    `INSERT INTO schedule_seen (agent, entry, until)
     SELECT ?, ?, min(?, coalesce((SELECT created_at FROM schedule WHERE CAST(id AS TEXT) = ?), ?))
     WHERE true ON CONFLICT DO UPDATE SET until = min(until, excluded.until) RETURNING until`,
    ...[agent, entry, now, entry, now],
  )
  return Number(row?.until)
}

/** An entry removed from the configuration and added again later is a new one. */
function forget({ database, agent }: OpenScheduleOptions, entries: readonly Entry[]): void {
  database.run(
    "DELETE FROM schedule_seen WHERE agent = ? AND entry NOT IN (SELECT value FROM json_each(?))",
    agent,
    JSON.stringify(entries.map(({ id }) => id)),
  )
}

/** A run claimed under a clock that was far ahead does not block earlier ones. */
function lastTaken({ database, agent }: OpenScheduleOptions, entry: string, now: number): number {
  const row = database.get(
    "SELECT max(due) AS due FROM schedule_runs WHERE agent = ? AND entry = ? AND due <= ?",
    ...[agent, entry, now + GRACE_MS],
  )
  return typeof row?.due === "number" ? row.due : Number.NEGATIVE_INFINITY
}

/** Never claims a run before one that was claimed already: it counts as skipped. */
function take(
  { database, agent, now }: OpenScheduleOptions,
  { entry, due, turn }: { readonly entry: string; readonly due: number; readonly turn: string },
): boolean {
  const { changes } = database.run(
    `INSERT OR IGNORE INTO schedule_runs (agent, entry, due, turn_id)
     SELECT ?1, ?2, ?3, ?4
     WHERE NOT EXISTS (SELECT 1 FROM schedule_runs WHERE agent = ?1 AND entry = ?2 AND due BETWEEN ?3 AND ?5)
     AND (?2 LIKE 'c%' OR EXISTS (SELECT 1 FROM schedule WHERE agent = ?1 AND CAST(id AS TEXT) = ?2))`,
    ...[agent, entry, due, turn, now() + GRACE_MS],
  )
  return changes === 1
}

function bookOf(options: OpenScheduleOptions, entries: () => readonly Entry[]): ScheduleBook {
  const { database, agent, now } = options
  const shown = ({ id, cron, run, zone }: Entry): ScheduleEntry => ({
    id,
    cron,
    run,
    next: nextAfter(cron, zone, now()),
  })
  return {
    list: () => entries().map(shown),
    add(cron, run) {
      const problem = cronProblem(cron) ?? (run.trim() === "" ? "there is nothing to run" : undefined)
      if (problem !== undefined) throw new ToolFailure(`Not scheduled: ${problem}.`)
      const [line, text] = [cron.trim(), run.trim()]
      database.run(
        `INSERT INTO schedule (agent, cron, run, created_at) SELECT ?1, ?2, ?3, ?4
         WHERE NOT EXISTS (SELECT 1 FROM schedule WHERE agent = ?1 AND cron = ?2 AND run = ?3)`,
        ...[agent, line, text, now()],
      )
      const added = writtenEntries(options).find((entry) => entry.cron === line && entry.run === text)
      // Only if another process removed it right away.
      if (added === undefined) throw new ToolFailure("Not scheduled: it was removed again.")
      return shown(added)
    },
    remove(id) {
      if (configuredEntries(options).some((entry) => entry.id === id))
        throw new ToolFailure(`The entry ${id} stands in incipit.yaml and can only be removed there.`)
      return (
        database.run("DELETE FROM schedule WHERE agent = ? AND CAST(id AS TEXT) = ?", agent, id).changes > 0
      )
    },
  }
}
