// Copies an agent's store that came with a folder into the user's own store: rows, not the file.
// Only known data is copied unchanged. The compiler's own state is rebuilt, claims and leases are released, and rows
// that would act on their own (queue, answers, schedule) come along only if the user agreed.
import type { Database, Row, Value } from "../../database.ts"
import { rowsOf } from "../../foreign-copy.ts"
import { adoptFiles } from "./copy-files.ts"

export interface StoreContents {
  readonly conversations: number
  readonly messages: number
  readonly tasks: number
  /** Messages that wait for an answer. The next process that opens the store answers them. */
  readonly queue: readonly QueuedMessage[]
  /** Answers that were not delivered yet. */
  readonly answers: number
  readonly schedule: readonly ScheduledRun[]
}

export interface QueuedMessage {
  readonly at: number
  /** On whose behalf it runs. */
  readonly who: string
  readonly text: string
}

export interface ScheduledRun {
  readonly agent: string
  readonly cron: string
  readonly run: string
}

/** The most rows to look at before the user has agreed to anything. */
const MOST_LOOKED_AT = 200_000

export function lookAtStore(database: Database): StoreContents {
  const rows = (table: string) => [...rowsOf(database, table, MOST_LOOKED_AT)]
  const sessions = new Map(rows("sessions").map(({ id, who }) => [String(id), String(who)]))
  return {
    conversations: sessions.size,
    messages: countOf(rowsOf(database, "items", MOST_LOOKED_AT)),
    tasks: countOf(rowsOf(database, "tasks", MOST_LOOKED_AT)),
    queue: rows("inbox")
      .filter(isOpen)
      .map(({ at, session_id, message }) => ({
        at: Number(at),
        who: sessions.get(String(session_id)) ?? "unknown",
        text: storedText(message),
      })),
    answers: rows("outbox").filter(({ sent_at }) => sent_at === null).length,
    schedule: rows("schedule").map(({ agent, cron, run }) => ({
      agent: String(agent),
      cron: String(cron),
      run: String(run),
    })),
  }
}

function countOf(rows: Iterable<Row>): number {
  let count = 0
  for (const _row of rows) count += 1
  return count
}

function isOpen({ state }: Row): boolean {
  return state === "waiting" || state === "working" || state === "suspended"
}

function storedText(message: Value | undefined): string {
  const parsed = objectIn(message)
  return typeof parsed?.text === "string" ? parsed.text : ""
}

export interface AdoptOptions {
  readonly now: number
  /** Copies waiting messages, undelivered answers and the schedule too. */
  readonly withActing: boolean
}

/** Leaves sessions that exist already as they are. Returns how many were copied. */
export function adoptStore(from: Database, into: Database, { now, withActing }: AdoptOptions): number {
  return into.transaction(() => {
    const known = new Set(into.all("SELECT id FROM sessions").map(({ id }) => id))
    const sessions = new Set<Value>()
    for (const row of rowsOf(from, "sessions")) {
      if (typeof row.id !== "string" || known.has(row.id)) continue
      sessions.add(row.id)
      put(into, "sessions", { ...row, state: "{}", owner: null, lease: null })
    }
    const open = copyMessages(from, into, { sessions, withActing })
    copyTranscripts(from, into, sessions, withActing ? new Set() : open)
    copyKept(from, into, sessions)
    adoptFiles(from, into, sessions)
    if (withActing) copySchedule(from, into, now)
    return sessions.size
  })
}

/** Returns the unfinished turns. */
function copyMessages(
  from: Database,
  into: Database,
  { sessions, withActing }: { readonly sessions: ReadonlySet<Value>; readonly withActing: boolean },
): ReadonlySet<Value> {
  const open = new Set<Value>()
  for (const { id: _place, ...row } of rowsOf(from, "inbox")) {
    if (!sessions.has(row.session_id ?? null) || objectIn(row.message) === undefined) continue
    if (isOpen(row)) open.add(row.turn_id ?? null)
    if (isOpen(row) && !withActing) continue
    // The process that claimed it is on another machine, or gone.
    const state = isOpen(row) ? "waiting" : (row.state ?? null)
    put(into, "inbox", {
      ...row,
      state,
      taken_by: "",
      steers: 0,
      into_turn: isOpen(row) ? null : (row.into_turn ?? null),
      attempts: 0,
      not_before: isOpen(row) ? 1 : 0,
      asked: null,
    })
  }
  for (const { id: _place, ...row } of rowsOf(from, "outbox")) {
    if (!sessions.has(row.session_id ?? null) || objectIn(row.reply) === undefined) continue
    put(into, "outbox", {
      ...row,
      sent_at: withActing ? (row.sent_at ?? null) : (row.sent_at ?? row.at ?? 0),
    })
  }
  for (const row of rowsOf(from, "tool_runs"))
    if (row.result === null || objectIn(row.result) !== undefined) put(into, "tool_runs", row)
  return open
}

const KINDS = ["message", "custom", "shell", "summary", "branch"]

/** Skips the items of unfinished turns: a turn that is not resumed would leave calls without results. */
function copyTranscripts(
  from: Database,
  into: Database,
  sessions: ReadonlySet<Value>,
  without: ReadonlySet<Value>,
): void {
  for (const { id: _place, ...row } of rowsOf(from, "items")) {
    if (!sessions.has(row.session_id ?? null) || without.has(row.turn_id ?? null)) continue
    if (KINDS.includes(String(objectIn(row.item)?.kind))) put(into, "items", row)
  }
}

function copyKept(from: Database, into: Database, sessions: ReadonlySet<Value>): void {
  for (const { id: _place, ...row } of rowsOf(from, "notices"))
    if (row.session_id === null || sessions.has(row.session_id ?? null)) put(into, "notices", row)
  for (const row of rowsOf(from, "tasks")) if (isJson(row.steps)) put(into, "tasks", row)
  for (const row of rowsOf(from, "task_ids")) put(into, "task_ids", row)
  for (const row of rowsOf(from, "workflows")) put(into, "workflows", row)
  for (const row of rowsOf(from, "communication"))
    if (objectIn(row.profile) !== undefined) put(into, "communication", row)
}

/** Runs start from now; missed runs are not made up for. */
function copySchedule(from: Database, into: Database, now: number): void {
  for (const { agent = null, cron = null, run = null } of rowsOf(from, "schedule"))
    into.run(
      `INSERT INTO schedule (agent, cron, run, created_at) SELECT ?1, ?2, ?3, ?4
       WHERE NOT EXISTS (SELECT 1 FROM schedule WHERE agent = ?1 AND cron = ?2 AND run = ?3)`,
      ...[agent, cron, run, now],
    )
}

/** The columns are those of our own schema; the source's schema has been compared with it. */
export function put(into: Database, table: string, row: Row): void {
  const columns = Object.keys(row)
  const places = columns.map(() => "?").join(", ")
  into.run(
    `INSERT OR IGNORE INTO ${table} (${columns.join(", ")}) VALUES (${places})`,
    ...columns.map((name) => row[name] ?? null),
  )
}

function isJson(value: Value | undefined): boolean {
  return parsedJson(value) !== undefined
}

function objectIn(value: Value | undefined): Readonly<Record<string, unknown>> | undefined {
  const parsed = parsedJson(value)
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined
  // Any object has strings for keys.
  return parsed as Readonly<Record<string, unknown>>
}

function parsedJson(value: Value | undefined): unknown {
  if (typeof value !== "string") return undefined
  try {
    return JSON.parse(value)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
