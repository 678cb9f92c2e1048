// Which stored texts name others, by digest: `{"$text":"…"}` and `{"$json":"…"}`. Writers do not care; before texts are
// removed, all that came since the last time are looked at once. A text never changes, so what it names does not either.
import { zstdDecompressSync } from "node:zlib"
import type { Database, Row } from "../../database/sqlite/database.ts"
import { factOf, setFact } from "./facts.ts"

const REF = /"\$(?:text|json)":"([\w-]{1,100})"/g

/** Looks at some of the texts that were not looked at yet; whether that were all. In a transaction. */
export function linkTexts(database: Database, most: number): boolean {
  const linked = Number(factOf(database, "linked") ?? 0)
  const rows = database.all(
    "SELECT id, bytes, body FROM texts WHERE id > ? ORDER BY id LIMIT ?",
    linked,
    most,
  )
  for (const row of rows) {
    // One that cannot be read names nothing that could still be.
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

/** After the removal of the newest texts, others get their numbers. */
export function unlinkRemoved(database: Database): void {
  database.run(
    `UPDATE facts SET value = min(CAST(value AS INTEGER), (SELECT coalesce(max(id), 0) FROM texts)) WHERE name = 'linked'`,
  )
}

/** The text of a row. A body shorter than its text is packed; nothing if it cannot be unpacked. */
export function bodyText({ bytes, body }: Row): string | undefined {
  if (!(body instanceof Uint8Array)) return undefined
  if (body.length >= Number(bytes)) return Buffer.from(body).toString()
  try {
    return zstdDecompressSync(body, { maxOutputLength: Number(bytes) }).toString()
  } catch {
    // Whatever the decoder says of damaged bytes, the text is gone.
    return undefined
  }
}
