// The agent's store for `incipit prune`: old conversations, and everything stored about one person.
import { existsSync } from "node:fs"
import {
  type EraseReport,
  eraseFrom,
  pruneStore,
  type StorePruneOptions,
  type StorePruneReport,
} from "../../../agent/store/retention.ts"
import { STORE_MIGRATIONS } from "../../../agent/store/schema.ts"
import type { Database } from "../../../database/sqlite/database.ts"
import { openDatabase } from "../../../database/sqlite/open-database.ts"
import { emptyLog, giveBackPages, writeAnew } from "../../../record/write/file-size.ts"
import { plural } from "../../views/figures.ts"

/** Returns undefined if no agent has run yet. */
async function withStore<T>(
  path: string | undefined,
  work: (database: Database) => T,
  tidy: (database: Database) => Promise<unknown>,
): Promise<T | undefined> {
  if (path === undefined || !existsSync(path)) return undefined
  const database = openDatabase(path, { migrations: STORE_MIGRATIONS })
  try {
    const done = work(database)
    await tidy(database)
    return done
  } finally {
    database.close()
  }
}

export function pruneConversations(store: string | undefined, options: StorePruneOptions) {
  const tidy = async (database: Database) => {
    await giveBackPages(database)
    await emptyLog(database)
  }
  return withStore(store, (database) => pruneStore(database, options), tidy)
}

/** `person` is a configured id. `owner` means the owner without an id, and a person of that id too. */
export function personKeys(person: string): readonly string[] {
  return [`person:${person}`, ...(person === "owner" ? ["owner"] : [])]
}

export function eraseConversations(
  store: string | undefined,
  person: string,
  options: Omit<StorePruneOptions, "olderThanMs">,
) {
  const tidy = options.isDry === true ? emptyLog : writeAnew
  return withStore(store, (database) => eraseFrom(database, personKeys(person), options), tidy)
}

export function erasedText({ sessions, turns, notices, tasks }: EraseReport): string {
  return `${plural(sessions, "conversation")}, ${plural(turns, "message")}, ${plural(notices, "notice")} and ${plural(tasks, "task")}`
}

export function conversationsText({ sessions, turns, notices }: StorePruneReport): string {
  return `${plural(sessions, "conversation")}, ${plural(turns, "message")} and ${plural(notices, "notice")}`
}
