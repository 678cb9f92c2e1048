// The bytes of files that came with messages, in PostgreSQL.
import type { Waiting } from "../../contract/inbox.ts"
import type { Row } from "../../rows/row.ts"
import { waitingOf } from "../../rows/session-rows.ts"
import { type BytesOf, digestsInMessage, type StoredBytes } from "../../rows/stored-files.ts"
import type { Statements } from "../postgres.ts"
import { besideLine } from "./store-connection.ts"

/** Within a transaction that has locked the row of the session, before what names them is written. */
export async function storeFiles(
  statements: Statements,
  session: string,
  files: readonly StoredBytes[],
): Promise<void> {
  if (files.length === 0) return
  // What nobody names is removed meanwhile, and the new use is not seen yet.
  await besideLine(statements, "files")
  for (const { sha256, bytes } of files) {
    const uses = statements.run(
      `INSERT INTO file_uses (session_id, sha256, at) VALUES ($1, $2, now_ms())
      ON CONFLICT (session_id, sha256) DO UPDATE SET at = excluded.at`,
      ...[session, sha256],
    )
    const known = statements.get("SELECT 1 FROM files WHERE sha256 = $1", sha256)
    const [, file] = await Promise.all([uses, known])
    if (file === undefined)
      await statements.run(
        "INSERT INTO files (sha256, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        ...[sha256, bytes],
      )
  }
}

/** Reads the files of a session that are named by these digests. */
export async function readFiles(
  statements: Statements,
  session: string,
  digests: readonly string[],
): Promise<BytesOf> {
  if (digests.length === 0) return () => undefined
  const rows = await statements.all(
    "SELECT sha256, bytes FROM files JOIN file_uses USING (sha256) WHERE session_id = $1 AND sha256 = ANY($2::text[])",
    ...[session, digests],
  )
  const found = new Map(rows.map(({ sha256, bytes }) => [sha256, bytes]))
  return (sha256) => {
    const bytes = found.get(sha256)
    return bytes instanceof Uint8Array ? bytes : undefined
  }
}

/** A row of the inbox, with the files of its message. */
export async function waitingIn(statements: Statements, row: Row): Promise<Waiting> {
  const digests = digestsInMessage(String(row.message))
  return waitingOf(row, await readFiles(statements, String(row.session_id), digests))
}
