// Copies what can still be read of a damaged store into its replacement, once and in one transaction: if the process
// dies, the next one does it. Skips rows that cannot be read or are invalid. Of a session's state it keeps only what
// the user set, since prompts are built again.
import { basename } from "node:path"
import type { Database, Row } from "../../database.ts"
import { isDamaged } from "../../failure.ts"
import { openDatabase } from "../../open-database.ts"
import { readableRows } from "../../readable-rows.ts"
import { salvageFiles } from "./copy-files.ts"
import { STORE_MIGRATIONS } from "./schema.ts"

/** Each table with its JSON columns. Sessions come first, since other tables refer to them. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  sessions: ["state"],
  inbox: ["message"],
  outbox: ["reply"],
  tool_runs: [],
  items: ["item"],
  kept_results: [],
  notices: [],
  tasks: ["steps"],
  task_ids: [],
  workflows: [],
  communication: ["profile"],
  bulletins: [],
  schedule: [],
  schedule_seen: [],
  schedule_runs: [],
  waits: [],
  branches: [],
  tokens: ["scopes"],
  pairings: [],
  channel_offsets: [],
  arrivals: [],
  deliveries: [],
  places: [],
  requests: [],
  spending: [],
  questions: [],
  file_uses: [],
}

export interface Salvaged {
  readonly conversations: number
  readonly rows: number
}

/** Returns undefined if it was done before. */
export function salvage(aside: string, into: Database, now: number): Salvaged | undefined {
  return into.transaction(() => {
    const name = basename(aside)
    const { changes } = into.run("INSERT OR IGNORE INTO salvaged VALUES (?, ?)", name, now)
    if (changes === 0) return undefined
    const from = openDamaged(aside)
    if (from === undefined) return { conversations: 0, rows: 0 }
    try {
      return copyAll(from, into)
    } finally {
      from.close()
    }
  })
}

function openDamaged(path: string): Database | undefined {
  try {
    return openDatabase(path, { migrations: STORE_MIGRATIONS, readOnly: true })
  } catch (error) {
    if (isDamaged(error)) return undefined
    throw error
  }
}

function copyAll(from: Database, into: Database): Salvaged {
  const there = new Set(from.all("SELECT name FROM sqlite_master").map(({ name }) => name))
  const sessions = new Set<unknown>()
  let rows = 0
  for (const [table, json] of Object.entries(TABLES)) {
    // An older schema may not have it.
    if (!there.has(table)) continue
    for (const found of readableRows(from, table).rows) {
      const row = table === "sessions" ? released(found) : numbered(table, found)
      const isOrphan = "session_id" in row && row.session_id !== null && !sessions.has(row.session_id)
      if (isOrphan || !json.every((column) => isJson(row[column])) || !put(into, table, row)) continue
      if (table === "sessions") sessions.add(row.id)
      rows += 1
    }
  }
  if (there.has("files")) rows += salvageFiles(from, into)
  into.run(COUNT_ON)
  return { conversations: sessions.size, rows }
}

/** New rows must not get the number of one that was copied, even if the session's own count was lost. */
const COUNT_ON = `UPDATE sessions SET
  last_item = max(last_item, coalesce((SELECT max(seq) FROM items WHERE session_id = sessions.id), 0)),
  last_message = max(last_message, coalesce((SELECT max(seq) FROM inbox WHERE session_id = sessions.id), 0))`

/** In an older schema, the order of a session's rows is that of their ids. */
function numbered(table: string, row: Row): Row {
  const isOrdered = table === "items" || table === "inbox"
  return isOrdered && row.seq === undefined ? { ...row, seq: row.id ?? 0 } : row
}

/** Its former owner works on another file, if at all. */
function released(row: Row): Row {
  return { ...row, state: keptState(row.state), owner: null, lease: null }
}

const KEPT = ["planMode", "activeTools"]

function keptState(state: Row[string] | undefined): string {
  if (typeof state !== "string" || !isJson(state)) return "{}"
  const entries = Object.entries(JSON.parse(state) ?? {}).filter(([name]) => KEPT.includes(name))
  return JSON.stringify(Object.fromEntries(entries))
}

function isJson(value: Row[string] | undefined): boolean {
  if (typeof value !== "string") return false
  try {
    JSON.parse(value)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** Returns false if the row exists, or breaks a constraint. The column names are those of our own schema. */
function put(into: Database, table: string, row: Row): boolean {
  const columns = Object.keys(row)
  const { changes } = into.run(
    `INSERT OR IGNORE INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    ...columns.map((name) => row[name] ?? null),
  )
  return changes === 1
}
