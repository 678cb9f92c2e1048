// The record of a workspace, for the commands that query it.
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { IncipitError } from "../../../base/error.ts"
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import { openRecordStore } from "../../../database/open-record-store.ts"
import { isFromDatabase } from "../../../database/sqlite/failure.ts"
import { checkRecordFile } from "../../../database/sqlite/record/open-record.ts"
import { foundState } from "../../../files/found-state.ts"
import type { StateFiles } from "../../../files/paths.ts"
import { parseSince } from "../../../record/ask/since.ts"
import { loadConfig } from "../../../sources/config/config.ts"
import type { Config } from "../../../sources/config/config-schema.ts"
import { realFolder } from "../../../sources/workspace.ts"
import { databaseOf } from "../../command-line/database-flag.ts"
import type { FlagsOf } from "../../command-line/invocation.ts"
import { workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { existingState } from "../agent/state-place.ts"
import { capturesPlace } from "../capture/captures-place.ts"

/** The flags that say where the record is; `diff` has no workspace. */
export type RecordFlags = Partial<
  Pick<FlagsOf<"logs">, "workspace" | "state" | "record" | "captures" | "database">
>

export interface RecordFile {
  /** The workspace. */
  readonly root: string
  /** The URL of the database that the record is in; undefined for a file. */
  readonly url: string | undefined
  /** Undefined while the workspace has no state. */
  readonly path: string | undefined
  /** The agent's store and other state; undefined while there is none. */
  readonly state: StateFiles | undefined
  readonly config: Config
}

/** Where the record is: from a flag, else in the workspace's state directory. */
export function recordFile(flags: RecordFlags, terminal: Terminal): RecordFile {
  if (flags.captures) return capturesRecord(terminal)
  const root = workspaceFolder(flags, terminal)
  realFolder(root, "the workspace")
  const { config } = loadConfig(join(root, "incipit.yaml"), "incipit.yaml")
  const state = existingState(flags, terminal)
  const path = flags.record !== undefined ? resolve(terminal.cwd, flags.record) : state?.record
  const url = flags.record === undefined ? databaseOf(flags, terminal) : undefined
  return { root, url, path, state, config }
}

/** It belongs to no workspace: no agent and no configuration come with it. */
function capturesRecord(terminal: Terminal): RecordFile {
  const { record } = capturesPlace(terminal)
  return { root: terminal.cwd, url: undefined, path: record, state: undefined, config: {} }
}

/** Whether there may be a record: a file, or a database, which is looked at when it is used. */
export function hasRecord({ url, path }: RecordFile): boolean {
  return url !== undefined || (path !== undefined && existsSync(path))
}

/** In one sentence, including unused state that came with the folder. */
export function noRecordText({ root, path }: Pick<RecordFile, "root" | "path">, flags: RecordFlags): string {
  if (flags.captures)
    return "no calls are captured yet (`incipit wrap`, `incipit proxy` and `incipit capture` capture some)"
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
  ask: (store: RecordStore, file: RecordFile) => Promise<T>,
  { readOnly = true }: { readonly readOnly?: boolean } = {},
): Promise<T> {
  const file = recordFile(flags, terminal)
  if (!hasRecord(file)) throw new IncipitError("no-record", noRecordText(file, flags))
  const store = await openRecorded(file, { readOnly })
  try {
    return await usable(file.path ?? "", () => ask(store, file))
  } finally {
    await store.close()
  }
}

/** The caller closes it. An empty file, or another program's database, isn't a record, and is left as it is. */
export async function openRecorded(
  { url, path = "" }: Pick<RecordFile, "url" | "path">,
  { readOnly }: { readonly readOnly: boolean },
): Promise<RecordStore> {
  if (url === undefined) await usable(path, () => checkRecordFile(path))
  return openRecordStore({ url, path }, { readOnly })
}

async function usable<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof IncipitError || !isFromDatabase(error)) throw error
    throw new IncipitError("unusable-database", `cannot use ${path}: ${error.message}`, { cause: error })
  }
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

export async function latestRecorded(store: RecordStore): Promise<string> {
  const turn = await store.events.latestTurn({})
  if (turn === undefined) throw new IncipitError("not-recorded", "no turns are recorded yet")
  return turn
}
