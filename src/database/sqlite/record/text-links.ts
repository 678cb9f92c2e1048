// Which stored texts name others, by digest: `{"$text":"…"}` and `{"$json":"…"}`. Writers do not maintain this; before
// texts are removed, all new ones are scanned once. A text never changes, so neither does what it names.
import { unpackText } from "../../packed-text.ts"
import type { Database, Row } from "../database.ts"
import { factOf, setFact } from "./facts.ts"

const REF = /"\$(?:text|json)":"([\w-]{1,100})"/g

/** Scans some of the new texts; returns whether that was all. Call it in a transaction. */
export function linkTexts(database: Database, most: number): boolean {
  const linked = Number(factOf(database, "linked") ?? 0)
  const rows = database.all(
    "SELECT id, bytes, body FROM texts WHERE id > ? ORDER BY id LIMIT ?",
    linked,
    most,
  )
  for (const row of rows) {
    // An unreadable text names nothing that could still be read.
    for (const [, ref = ""] of (bodyText(row) ?? "").matchAll(REF))
      database.run(
        "INSERT OR IGNORE INTO text_refs SELECT ?, id FROM texts WHERE digest = ?",
        Number(row.id),
        Buffer.from(ref, "base64url"),
      )
  }
  const last = rows.at(-1)?.id
  if (last !== undefined) setFact(database, "linked", String(last))
  return rows.length < most
}

/** After the newest texts are removed, new ones reuse their ids. */
export function unlinkRemoved(database: Database): void {
  database.run(
    `UPDATE facts SET value = min(CAST(value AS INTEGER), (SELECT coalesce(max(id), 0) FROM texts)) WHERE name = 'linked'`,
  )
}

/** The text of a row. Returns undefined if it cannot be decompressed. */
export function bodyText({ bytes, body }: Row): string | undefined {
  return body instanceof Uint8Array ? unpackText({ bytes: Number(bytes), body }) : undefined
}
