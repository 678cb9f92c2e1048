// Transcripts in SQLite.

import { inOrder } from "../../contract/in-order.ts"
import type { Item, StepChange, StoredItem, Transcripts } from "../../contract/transcripts.ts"
import { createRecentlyUsed } from "../../recently-used.ts"
import { itemIn } from "../../rows/readable.ts"
import { itemOf } from "../../rows/session-rows.ts"
import { bytesIn, itemWithBytes } from "../../rows/stored-files.ts"
import { branchesIn } from "./branches.ts"
import { bytesFor, itemJson } from "./files.ts"
import { insertItems } from "./items.ts"
import { saveState } from "./sessions.ts"
import { join } from "./steering-input.ts"
import type { StoreFile } from "./store-file.ts"

/** In characters, together with what is made of an item: some thousand messages of usual length. */
const MOST_KNOWN = 8_000_000
/** What an item takes in addition to its JSON. */
const OVERHEAD = 1_000

/** A row that was read before gives the same item object, so that its message is neither counted nor rendered again. */
interface KnownItem {
  readonly json: string
  readonly item: Item
}

export function transcriptsIn(file: StoreFile): Transcripts {
  const { database, now, read, write, writeAsHolder } = file
  const known = createRecentlyUsed<number, KnownItem>(MOST_KNOWN)
  const readItem = (session: string, id: number, json: string): Item => {
    const before = known.get(id)
    if (before?.json === json) return before.item
    const item = itemWithBytes(itemIn(json), bytesFor(database, session))
    known.set(id, { json, item }, 2 * json.length + bytesIn(item) + OVERHEAD)
    return item
  }
  const present = (session: string): readonly StoredItem[] =>
    database
      .all("SELECT * FROM items WHERE session_id = ? AND is_past = 0 ORDER BY seq", session)
      .map((row) => itemOf(row, readItem(session, Number(row.id), String(row.item))))
  return {
    read: (session) => read(() => inOrder(present(session))),
    change: (lease, change) => writeAsHolder(lease, () => applyChange(file, lease.session, change)),
    compact: (lease, { known: summarised, items, state }) =>
      writeAsHolder(lease, () => {
        const { session } = lease
        const at = now()
        const meanwhile = present(session).filter(({ seq }) => !summarised.includes(seq))
        database.run(
          `UPDATE items SET is_past = 1, past_since = (SELECT last_item + 1 FROM sessions WHERE id = session_id)
          WHERE session_id = ? AND is_past = 0`,
          session,
        )
        saveState(database, session, state)
        const kept = meanwhile.map((one) => ({ ...one, turn: undefined }))
        return insertItems(file, session, [...items.map((one) => ({ ...one, at })), ...kept]).slice(
          0,
          items.length,
        )
      }),
    add: (session, ...items) =>
      write(() => {
        const at = now()
        insertItems(
          file,
          session,
          items.map((item) => ({ turn: undefined, item, at })),
        )
      }),
    begins: (session, turn) =>
      read(() => {
        const first = "SELECT min(seq) AS seq FROM items WHERE session_id = ? AND turn_id = ?"
        const { seq } = database.get(first, session, turn) ?? {}
        return typeof seq === "number" ? seq : undefined
      }),
    ...branchesIn(file),
  }
}

/** Within a transaction of the session's holder. Returns the appended items. */
export function applyChange(file: StoreFile, session: string, change: StepChange): readonly StoredItem[] {
  const { database } = file
  const { turn, append = [], replace = [], past = [], joined = [], state, baseline } = change
  const at = file.now()
  for (const { seq, item } of replace)
    database.run(
      "UPDATE items SET item = ? WHERE session_id = ? AND is_past = 0 AND seq = ?",
      ...[itemJson(file, session, item), session, seq],
    )
  for (const seq of past)
    database.run(
      "UPDATE items SET is_past = 1 WHERE session_id = ? AND is_past = 0 AND seq = ?",
      ...[session, seq],
    )
  join(file, turn, joined)
  if (state !== undefined) saveState(database, session, state)
  if (baseline !== undefined)
    database.run("INSERT OR REPLACE INTO baselines VALUES (?, ?)", session, JSON.stringify(baseline))
  return insertItems(
    file,
    session,
    append.map((item) => ({ turn, item, at })),
  )
}
