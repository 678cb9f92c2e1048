// The bytes of files that came with messages, in SQLite, within a transaction.
import type { Incoming } from "../../contract/inbox.ts"
import type { Item } from "../../contract/transcripts.ts"
import { type Apart, type BytesOf, itemApart, messageApart } from "../../rows/stored-files.ts"
import type { Database } from "../database.ts"
import type { StoreFile } from "./store-file.ts"

/** The message as JSON for the inbox. */
export function messageJson(file: StoreFile, session: string, message: Incoming): string {
  return storedApart(file, session, messageApart(message))
}

/** The item as JSON for the transcript. */
export function itemJson(file: StoreFile, session: string, item: Item): string {
  return storedApart(file, session, itemApart(item))
}

function storedApart({ database, now }: StoreFile, session: string, { json, files }: Apart): string {
  for (const { sha256, bytes } of files) {
    if (database.get("SELECT 1 FROM files WHERE sha256 = ?", sha256) === undefined)
      database.run("INSERT INTO files (sha256, bytes) VALUES (?, ?)", sha256, bytes)
    database.run(
      "INSERT OR REPLACE INTO file_uses (session_id, sha256, at) VALUES (?, ?, ?)",
      ...[session, sha256, now()],
    )
  }
  return json
}

export function bytesFor(database: Database, session: string): BytesOf {
  return (sha256) => {
    const row = database.get(
      "SELECT bytes FROM files JOIN file_uses USING (sha256) WHERE session_id = ? AND sha256 = ?",
      ...[session, sha256],
    )
    return row?.bytes instanceof Uint8Array ? row.bytes : undefined
  }
}
