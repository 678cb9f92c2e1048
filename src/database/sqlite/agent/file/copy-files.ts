// Copies the bytes of files from another store: a damaged one, or one that came with a folder. Only bytes that have the
// digest that they are stored under, so that nothing passes for another file.

import { sha256Of } from "../../../rows/stored-files.ts"
import type { Database, Row, Value } from "../../database.ts"
import { isDamaged } from "../../failure.ts"
import { rowsOf } from "../../foreign-copy.ts"
import { readableRows } from "../../readable-rows.ts"

/** One at a time: together they may not fit into memory. Returns how many there were. */
export function salvageFiles(from: Database, into: Database): number {
  let count = 0
  for (const { id = null } of readableRows(from, "files", "id").rows)
    if (copyFile(into, readableFile(from, id))) count += 1
  return count
}

function readableFile(from: Database, id: Value): Row | undefined {
  try {
    return from.get("SELECT sha256, bytes FROM files WHERE id = ?", id)
  } catch (error) {
    if (isDamaged(error)) return undefined
    throw error
  }
}

/** Those of the sessions that were copied. */
export function adoptFiles(from: Database, into: Database, sessions: ReadonlySet<Value>): void {
  const uses = [...rowsOf(from, "file_uses")].filter((use) => sessions.has(use.session_id ?? null))
  const named = new Set(uses.map(({ sha256 }) => sha256))
  const copied = new Set<Value | undefined>()
  for (const row of rowsOf(from, "files"))
    if (named.has(row.sha256 ?? null) && copyFile(into, row)) copied.add(row.sha256)
  for (const { session_id = null, sha256 = null, at = null } of uses)
    if (copied.has(sha256))
      into.run(
        "INSERT OR IGNORE INTO file_uses (session_id, sha256, at) VALUES (?, ?, ?)",
        ...[session_id, sha256, at],
      )
}

/** Returns false if the bytes are not those of the digest. */
function copyFile(into: Database, row: Row | undefined): boolean {
  const { sha256, bytes } = row ?? {}
  if (!(bytes instanceof Uint8Array) || typeof sha256 !== "string" || sha256Of(bytes) !== sha256) return false
  into.run("INSERT OR IGNORE INTO files (sha256, bytes) VALUES (?, ?)", sha256, bytes)
  return true
}
