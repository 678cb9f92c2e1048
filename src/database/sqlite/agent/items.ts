// Puts items into a transcript, in SQLite, within a transaction.
import type { StoredItem } from "../../contract/transcripts.ts"
import { itemJson } from "./files.ts"
import type { StoreFile } from "./store-file.ts"

/** Numbers the items in their session. */
export function insertItems(
  file: StoreFile,
  session: string,
  items: readonly Omit<StoredItem, "seq">[],
): readonly StoredItem[] {
  if (items.length === 0) return []
  const { database } = file
  const row = database.get(
    "UPDATE sessions SET last_item = last_item + ? WHERE id = ? RETURNING last_item",
    ...[items.length, session],
  )
  const first = Number(row?.last_item) - items.length + 1
  return items.map(({ turn, item, at }, index) => {
    const seq = first + index
    database.run(
      "INSERT INTO items (session_id, seq, turn_id, at, item) VALUES (?, ?, ?, ?, ?)",
      ...[session, seq, turn ?? null, at, itemJson(file, session, item)],
    )
    return { seq, turn, at, item }
  })
}
