// State that came with a folder: shows what is in it, and adopts it. The user sees the contents first and then decides.
import { existsSync } from "node:fs"
import { IncipitError } from "../../base/error.ts"
import { unwritable } from "../../base/system-error.ts"
import { adoptStore, lookAtStore, type StoreContents } from "../../database/sqlite/agent/file/adopt-store.ts"
import { STORE_MIGRATIONS } from "../../database/sqlite/agent/file/schema.ts"
import type { Database } from "../../database/sqlite/database.ts"
import { readFound, withCopy } from "../../database/sqlite/foreign-copy.ts"
import type { Migration } from "../../database/sqlite/migrations.ts"
import { openDatabase } from "../../database/sqlite/open-database.ts"
import { adoptRecord, eventsIn } from "../../database/sqlite/record/adopt-record.ts"
import { RECORD_MIGRATIONS } from "../../database/sqlite/record/schema.ts"
import { type FoundState, foundState } from "../../files/found-state.ts"
import { makeOwnFolder } from "../../files/own-folder.ts"
import { stateFiles } from "../../files/paths.ts"
import { realPath } from "../../files/real-path.ts"
import { replaceFile } from "../../files/replace-file.ts"

export interface FoundContents {
  readonly found: FoundState
  /** Why it cannot be adopted. */
  readonly problem?: string
  readonly store?: StoreContents
  /** Number of events in a record; undefined if there are too many to count quickly. */
  readonly events?: number | undefined
  /** Number of lines in a chat history. */
  readonly lines?: number
}

/** `below`: a folder that only the user can access. */
export function lookAtFound(workspace: string, below: string): readonly FoundContents[] {
  makeOwnFolder(below)
  return foundState(workspace).map((found) => {
    try {
      if (found.kind === "store")
        return { found, store: withCopy(found.path, { below, migrations: STORE_MIGRATIONS }, lookAtStore) }
      if (found.kind === "record")
        return { found, events: withCopy(found.path, { below, migrations: RECORD_MIGRATIONS }, eventsIn) }
      return { found, lines: historyIn(found.path).length }
    } catch (error) {
      return { found, problem: problemOf(error) }
    }
  })
}

function problemOf(error: unknown): string {
  if (!(error instanceof Error)) throw error
  return error.message
}

export interface AdoptedState {
  readonly conversations: number
  readonly isRecordAdopted: boolean
  readonly historyLines: number
}

export interface AdoptStateOptions {
  /** The folder's state directory. */
  readonly state: string
  readonly now: number
  readonly withActing: boolean
}

/** Copies what can be read. The folder itself is not changed. */
export function adoptState(
  contents: readonly FoundContents[],
  { state, now, withActing }: AdoptStateOptions,
): AdoptedState {
  const sound = new Map(
    contents.flatMap(({ found, problem }) => (problem === undefined ? [[found.kind, found.path]] : [])),
  )
  const files = stateFiles(state)
  const [store, record, history] = [sound.get("store"), sound.get("record"), sound.get("history")]
  const copied = <T>(path: string, into: string, migrations: readonly Migration[], copy: Copy<T>): T =>
    withCopy(path, { below: state, migrations }, (from) =>
      writing(into, migrations, (target) => copy(from, target)),
    )
  return {
    conversations:
      store === undefined
        ? 0
        : copied(store, files.store, STORE_MIGRATIONS, (from, into) =>
            adoptStore(from, into, { now, withActing }),
          ),
    isRecordAdopted: record !== undefined && copied(record, files.record, RECORD_MIGRATIONS, adoptRecord),
    historyLines: history === undefined ? 0 : adoptHistory(history, files.history),
  }
}

type Copy<T> = (from: Database, into: Database) => T

function writing<T>(path: string, migrations: readonly Migration[], work: (database: Database) => T): T {
  const database = openDatabase(path, { migrations })
  try {
    return work(database)
  } finally {
    database.close()
  }
}

const MOST_HISTORY_BYTES = 1024 * 1024

/**
 * One JSON string per line. Shell commands are left out: a command planted by a stranger would be one key press away
 * from running.
 */
function historyIn(path: string): readonly string[] {
  return readFound(path, MOST_HISTORY_BYTES)
    .toString("utf8")
    .split("\n")
    .filter((line) => /^"(?!\s*!)[^\n]*"$/.test(line))
}

function adoptHistory(from: string, into: string): number {
  const lines = historyIn(from)
  if (lines.length === 0 || existsSync(into)) return 0
  const after = Buffer.from(lines.map((line) => `${line}\n`).join(""))
  try {
    replaceFile({ path: realPath(into), before: undefined, after, mode: 0o600 })
  } catch (error) {
    throw unwritable(into, error)
  }
  return lines.length
}

/** Throws if there is nothing to adopt. */
export function refuseNothing(contents: readonly FoundContents[], workspace: string): void {
  if (contents.some(({ problem }) => problem === undefined)) return
  const [first] = contents
  throw new IncipitError(
    "no-state",
    first === undefined
      ? `there is no state to adopt in ${workspace}`
      : `${first.found.shown} cannot be adopted: ${first.problem}`,
  )
}
