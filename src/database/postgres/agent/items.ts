// Puts items into a transcript, in PostgreSQL, within a transaction.
import type { Item, StoredItem } from "../../contract/transcripts.ts"
import { itemApart } from "../../rows/stored-files.ts"
import type { Statements } from "../postgres.ts"
import { storeFiles } from "./files.ts"

export interface NewItem {
  readonly turn: string | undefined
  readonly item: Item
  /** Now, if undefined. */
  readonly at?: number
}

/** Numbers the items in their session, whose row is locked from then on. */
export async function insertItems(
  statements: Statements,
  session: string,
  items: readonly NewItem[],
): Promise<readonly StoredItem[]> {
  if (items.length === 0) return []
  const parts = items.map(({ item }) => itemApart(item))
  // Before anything that waits for it: statements that are sent meanwhile must find the row locked.
  const numbered = statements.get(
    "UPDATE sessions SET last_item = last_item + $2 WHERE id = $1 RETURNING last_item",
    ...[session, items.length],
  )
  const files = parts.flatMap((part) => part.files)
  const [row] = await Promise.all([numbered, storeFiles(statements, session, files)])
  const first = Number(row?.last_item ?? 0) - items.length + 1
  const rows = await statements.all(
    `INSERT INTO items (session_id, seq, turn_id, at, item)
    SELECT $1, $2::bigint + place - 1, turn, coalesce(given, now_ms()), item
    FROM unnest($3::text[], $4::bigint[], $5::text[]) WITH ORDINALITY AS new (turn, given, item, place)
    RETURNING seq, at`,
    ...[session, first],
    ...[items.map(({ turn }) => turn ?? null), items.map(({ at }) => at ?? null)],
    parts.map(({ json }) => json),
  )
  const times = new Map(rows.map(({ seq, at }) => [Number(seq), Number(at)]))
  return items.map(({ turn, item }, index) => {
    const seq = first + index
    return { seq, turn, at: times.get(seq) ?? 0, item }
  })
}
