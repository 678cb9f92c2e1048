// Where OpenCode keeps messages: a database, or, before there was one, a file for each message and each part.
import { basename, dirname, join } from "node:path"
import type { Row } from "../../../database/sqlite/database.ts"
import type { ForeignDatabase } from "../../../database/sqlite/foreign-copy.ts"
import { namesIn } from "../../../files/names-in.ts"
import type { JsonObject } from "../../../record/write/request-marks.ts"
import { readingDatabase } from "../client-database.ts"
import { jsonDocument, parsedRow, type Skipped } from "../json-rows.ts"
import type { CaptureFile, Place } from "../reader.ts"
import { textAt } from "../row-fields.ts"
import type { OpencodeSession } from "./opencode-message.ts"

export interface StoredMessage {
  readonly id: string
  readonly message: JsonObject
  readonly session: OpencodeSession
  /** Its number in the order in which messages began. */
  readonly place: Place
}

export interface MessageWithParts extends StoredMessage {
  readonly parts: readonly JsonObject[]
}

/** In the order in which they began, from a place on. */
export function messagesIn(file: CaptureFile, from: Place, skipped: Skipped): Iterable<StoredMessage> {
  if (!isDatabase(file)) return filedMessages(file, skipped).filter(({ place }) => place > from)
  return readingDatabase(file, skipped, (database) => storedMessages(database, from, skipped))
}

/** The messages of one session after the other, each with its parts. */
export function* sessionsIn(file: CaptureFile, skipped: Skipped): Iterable<readonly MessageWithParts[]> {
  if (isDatabase(file)) yield* readingDatabase(file, skipped, (database) => storedSessions(database, skipped))
  else
    yield filedMessages(file, skipped).map((stored) => ({
      ...stored,
      parts: filedParts(file, stored.id, skipped),
    }))
}

function isDatabase({ path }: CaptureFile): boolean {
  return path.endsWith(".db")
}

const COLUMNS =
  "message.rowid AS place, message.id AS id, message.session_id AS session, message.data AS data, session.directory AS folder, session.version AS version"
const MESSAGES = `SELECT ${COLUMNS} FROM message JOIN session ON session.id = message.session_id`

function* storedMessages(database: ForeignDatabase, from: Place, skipped: Skipped): Iterable<StoredMessage> {
  if (!isKnown(database, skipped)) return
  for (const row of database.each(`${MESSAGES} WHERE message.rowid > ? ORDER BY message.rowid`, from)) {
    const found = storedMessage(row, skipped)
    if (found !== undefined) yield found
  }
}

function* storedSessions(database: ForeignDatabase, skipped: Skipped): Iterable<readonly MessageWithParts[]> {
  if (!isKnown(database, skipped)) return
  const sessions = [...database.each("SELECT id FROM session ORDER BY time_created, id")]
  for (const { id } of sessions) {
    const parts = new Map<string, JsonObject[]>()
    for (const { message, data } of database.each(
      "SELECT message_id AS message, data FROM part WHERE session_id = ? ORDER BY id",
      String(id),
    )) {
      const part = parsedRow(String(data), skipped)
      if (part === undefined) continue
      const known = parts.get(String(message))
      if (known === undefined) parts.set(String(message), [part])
      else known.push(part)
    }
    yield [
      ...database.each(`${MESSAGES} WHERE message.session_id = ? ORDER BY message.rowid`, String(id)),
    ].flatMap((row) => {
      const found = storedMessage(row, skipped)
      return found === undefined ? [] : [{ ...found, parts: parts.get(found.id) ?? [] }]
    })
  }
}

function isKnown(database: ForeignDatabase, skipped: Skipped): boolean {
  if (["session", "message", "part"].every((table) => database.has(table))) return true
  skipped.fail("its tables are not those of a version that is known")
  return false
}

function storedMessage(row: Row, skipped: Skipped): StoredMessage | undefined {
  const message = parsedRow(String(row.data), skipped)
  if (message === undefined) return undefined
  const folder = row.folder === null ? undefined : String(row.folder)
  const session = { id: String(row.session), folder, version: String(row.version) }
  return { id: String(row.id), message, session, place: Number(row.place) }
}

/** `storage/session/<project>/<session>.json` beside `storage/message/<session>/<message>.json`. */
function filedMessages(file: CaptureFile, skipped: Skipped): readonly StoredMessage[] {
  const head = jsonDocument(file, skipped)
  if (head === undefined) return []
  const id = basename(file.path, ".json")
  const session = { id, folder: textAt(head, "directory"), version: textAt(head, "version") }
  return documentsIn(join(storageOf(file), "message", id), skipped).map(([name, message], at) => ({
    ...{ id: name, message, session },
    place: at + 1,
  }))
}

function filedParts(file: CaptureFile, message: string, skipped: Skipped): readonly JsonObject[] {
  return documentsIn(join(storageOf(file), "part", message), skipped).map(([, part]) => part)
}

function storageOf({ path }: CaptureFile): string {
  return dirname(dirname(dirname(path)))
}

function documentsIn(folder: string, skipped: Skipped): readonly (readonly [string, JsonObject])[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => {
      const value = jsonDocument({ path: join(folder, name) }, skipped)
      return value === undefined ? [] : [[basename(name, ".json"), value] as const]
    })
}
