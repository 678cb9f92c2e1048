// The record of a workspace, for the commands that ask it something.
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { IncipitError } from "../core/error.ts"
import { RECORD_MIGRATIONS } from "../record/schema.ts"
import { parseSince } from "../record/since.ts"
import { loadConfig } from "../sources/config.ts"
import type { Config } from "../sources/config-schema.ts"
import { realFolder } from "../sources/workspace.ts"
import { type Database, openDatabase } from "../sqlite/database.ts"
import { isFromDatabase } from "../sqlite/failure.ts"
import type { FlagValues } from "./command.ts"
import { workspaceFolder } from "./flag-text.ts"
import type { Terminal } from "./terminal.ts"

export interface RecordFile {
  /** The workspace. */
  readonly root: string
  readonly path: string
  readonly config: Config
}

/** Where the record is: as a flag says, else in the workspace. */
export function recordFile(flags: FlagValues, terminal: Terminal): RecordFile {
  const root = workspaceFolder(flags, terminal)
  realFolder(root, "the workspace")
  const { config } = loadConfig(join(root, "incipit.yaml"), "incipit.yaml")
  const path =
    typeof flags.record === "string"
      ? resolve(terminal.cwd, flags.record)
      : join(root, ".incipit", "record.db")
  return { root, path, config }
}

/** Opens the record, asks, and closes it again, whatever happens. */
export async function withRecord<T>(
  flags: FlagValues,
  terminal: Terminal,
  ask: (database: Database, file: RecordFile) => T | Promise<T>,
  { readOnly = true }: { readonly readOnly?: boolean } = {},
): Promise<T> {
  const file = recordFile(flags, terminal)
  if (!existsSync(file.path)) throw new IncipitError("no-record", `there is no record at ${file.path}`)
  await asking(file.path, { readOnly: true, ask: checkRecord })
  return asking(file.path, { readOnly, ask: (database) => ask(database, file) })
}

async function asking<T>(
  path: string,
  { readOnly, ask }: { readonly readOnly: boolean; readonly ask: (database: Database) => T | Promise<T> },
): Promise<T> {
  const database = openDatabase(path, { migrations: RECORD_MIGRATIONS, readOnly })
  try {
    return await ask(database)
  } catch (error) {
    if (error instanceof IncipitError || !isFromDatabase(error)) throw error
    throw new IncipitError("unusable-database", `can not use ${path}: ${error.message}`, { cause: error })
  } finally {
    database.close()
  }
}

/** An empty file, or a database of something else, is no record, and no command makes one of it. */
function checkRecord(database: Database): void {
  if (database.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'events'") === undefined)
    throw new IncipitError("no-record", `${database.path} is no record`)
}

/** The range that `--since` and `--until` name, in the user's time zone. */
export function rangeOf(flags: FlagValues, terminal: Terminal) {
  const since = timeOf("since", flags, terminal)
  const until = timeOf("until", flags, terminal)
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) }
}

function timeOf(name: "since" | "until", flags: FlagValues, terminal: Terminal): number | undefined {
  const text = flags[name]
  if (typeof text !== "string") return undefined
  const time = parseSince(text, terminal.now(), terminal.timeZone)
  if (time !== undefined) return time
  throw new IncipitError(
    "bad-argument",
    `--${name} is "${text}", which is not a time such as 1h, today, yesterday or 2026-11-15`,
  )
}

export function latestTurn(database: Database): string {
  const row = database.get("SELECT turn_id FROM events WHERE turn_id IS NOT NULL ORDER BY id DESC LIMIT 1")
  if (row === undefined) throw new IncipitError("not-recorded", "no turn is recorded yet")
  return String(row.turn_id)
}
