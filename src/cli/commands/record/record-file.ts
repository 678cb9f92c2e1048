// The record of a workspace, for the commands that query it.
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { IncipitError } from "../../../base/error.ts"
import type { Database } from "../../../database/sqlite/database.ts"
import { isFromDatabase } from "../../../database/sqlite/failure.ts"
import { openDatabase } from "../../../database/sqlite/open-database.ts"
import { foundState } from "../../../files/found-state.ts"
import type { StateFiles } from "../../../files/paths.ts"
import { parseSince } from "../../../record/ask/since.ts"
import { latestTurn } from "../../../record/ask/trace.ts"
import { RECORD_MIGRATIONS } from "../../../record/write/schema.ts"
import { loadConfig } from "../../../sources/config/config.ts"
import type { Config } from "../../../sources/config/config-schema.ts"
import { realFolder } from "../../../sources/workspace.ts"
import type { FlagsOf } from "../../command-line/invocation.ts"
import { workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { existingState } from "../agent/state-place.ts"

/** The flags that say where the record is; `diff` has no workspace. */
export type RecordFlags = Partial<Pick<FlagsOf<"logs">, "workspace" | "state" | "record">>

export interface RecordFile {
  /** The workspace. */
  readonly root: string
  /** Undefined while the workspace has no state. */
  readonly path: string | undefined
  /** The agent's store and other state; undefined while there is none. */
  readonly state: StateFiles | undefined
  readonly config: Config
}

/** Where the record is: from a flag, else in the workspace's state directory. */
export function recordFile(flags: RecordFlags, terminal: Terminal): RecordFile {
  const root = workspaceFolder(flags, terminal)
  realFolder(root, "the workspace")
  const { config } = loadConfig(join(root, "incipit.yaml"), "incipit.yaml")
  const state = existingState(flags, terminal)
  const path = flags.record !== undefined ? resolve(terminal.cwd, flags.record) : state?.record
  return { root, path, state, config }
}

/** In one sentence, including unused state that came with the folder. */
export function noRecordText({ root, path }: Pick<RecordFile, "root" | "path">, flags: RecordFlags): string {
  if (flags.record !== undefined) return `there is no record at ${path}`
  const found = foundState(root).find(({ kind }) => kind === "record")
  const more =
    found &&
    ` (${found.shown} came with it and is not used; to review and adopt it, run \`incipit state adopt\`)`
  return `${root} has no record yet${more ?? ""}`
}

/** Opens the record, queries it, and always closes it. */
export async function withRecord<T>(
  flags: RecordFlags,
  terminal: Terminal,
  ask: (database: Database, file: RecordFile) => T | Promise<T>,
  { readOnly = true }: { readonly readOnly?: boolean } = {},
): Promise<T> {
  const file = recordFile(flags, terminal)
  const { path } = file
  if (path === undefined || !existsSync(path)) throw new IncipitError("no-record", noRecordText(file, flags))
  await withDatabase(path, { readOnly: true, ask: checkRecord })
  return withDatabase(path, { readOnly, ask: (database) => ask(database, file) })
}

async function withDatabase<T>(
  path: string,
  { readOnly, ask }: { readonly readOnly: boolean; readonly ask: (database: Database) => T | Promise<T> },
): Promise<T> {
  const database = openDatabase(path, { migrations: RECORD_MIGRATIONS, readOnly })
  try {
    return await ask(database)
  } catch (error) {
    if (error instanceof IncipitError || !isFromDatabase(error)) throw error
    throw new IncipitError("unusable-database", `cannot use ${path}: ${error.message}`, { cause: error })
  } finally {
    database.close()
  }
}

/** An empty file, or another program's database, isn't a record, and no command turns it into one. */
function checkRecord(database: Database): void {
  if (database.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'events'") === undefined)
    throw new IncipitError("no-record", `${database.path} is not a record`)
}

/** The range of `--since` and `--until`, in the user's time zone. */
export function rangeOf({ since, until }: Pick<FlagsOf<"logs">, "since" | "until">, terminal: Terminal) {
  return { since: timeOf("since", since, terminal), until: timeOf("until", until, terminal) }
}

function timeOf(name: "since" | "until", text: string | undefined, terminal: Terminal): number | undefined {
  if (text === undefined) return undefined
  const time = parseSince(text, terminal.now(), terminal.timeZone)
  if (time !== undefined) return time
  throw new IncipitError(
    "bad-argument",
    `--${name} must be a time such as 1h, today, yesterday or 2026-11-15, not "${text}"`,
  )
}

export function latestRecorded(database: Database): string {
  const turn = latestTurn(database)
  if (turn === undefined) throw new IncipitError("not-recorded", "no turns are recorded yet")
  return turn
}
