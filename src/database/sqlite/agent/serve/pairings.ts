// Pairing codes and paired senders in SQLite. A sender has one row: open, paired or denied.
import type { ChannelSender, NewPairing, PairingAsked, Pairings } from "../../../contract/serve/pairings.ts"
import { openPairingOf, pairedOf } from "../../../rows/serve-rows.ts"
import type { Row } from "../../database.ts"
import type { StoreFile } from "../store-file.ts"

const SENDER = "channel = ? AND sender = ?"

export function pairingsIn(file: StoreFile): Pairings {
  const { database, now, read, write } = file
  return {
    ask: (pairing) => write(() => ask(file, pairing)),
    open: () =>
      read(() =>
        database
          .all(
            "SELECT * FROM pairings WHERE state = 'open' AND expires_at > ? ORDER BY at, channel, sender",
            now(),
          )
          .map(openPairingOf),
      ),
    confirm: ({ hash, user, mostWrong }) =>
      write(() => {
        const row = database.get(
          `UPDATE pairings SET state = 'paired', hash = NULL, expires_at = NULL, user = ?, at = ?
          WHERE state = 'open' AND hash = ? AND expires_at > ? RETURNING *`,
          ...[user, now(), hash, now()],
        )
        if (row !== undefined) return pairedOf(row)
        database.run("UPDATE pairings SET wrong = wrong + 1 WHERE state = 'open'")
        database.run("DELETE FROM pairings WHERE state = 'open' AND wrong >= ?", mostWrong)
        return undefined
      }),
    deny: ({ channel, sender }) =>
      write(() => {
        const denied = `UPDATE pairings SET state = 'denied', hash = NULL, expires_at = NULL, at = ?
          WHERE ${SENDER} AND state = 'open' AND expires_at > ?`
        return database.run(denied, now(), channel, sender, now()).changes === 1
      }),
    find: (who) =>
      read(() => {
        const row = rowOf(file, who)
        return row?.state === "paired" ? pairedOf(row) : undefined
      }),
    paired: () =>
      read(() =>
        database
          .all("SELECT * FROM pairings WHERE state = 'paired' ORDER BY at, channel, sender")
          .map(pairedOf),
      ),
    forget: ({ channel, sender }) =>
      write(() => {
        const forgotten = `DELETE FROM pairings WHERE ${SENDER} AND state <> 'open'`
        return database.run(forgotten, channel, sender).changes === 1
      }),
  }
}

/** Within a transaction. */
function ask(file: StoreFile, pairing: NewPairing): PairingAsked {
  const { database, now } = file
  const { channel, sender, hash, label, expiresInMs, mostOpen, replaces = false } = pairing
  const at = now()
  database.run("DELETE FROM pairings WHERE state = 'open' AND expires_at <= ?", at)
  const known = rowOf(file, pairing)
  // Only this file writes the column.
  if (known !== undefined && known.state !== "open") return known.state as "denied" | "paired"
  if (known !== undefined && !replaces) return "pending"
  const open = database.all("SELECT channel, sender, hash FROM pairings WHERE state = 'open'")
  const others = open.filter((row) => row.channel === channel && row.sender !== sender)
  if (others.length >= mostOpen) return "too-many"
  if (open.some((row) => row.hash === hash)) return "code-taken"
  database.run(
    `INSERT OR REPLACE INTO pairings (channel, sender, state, label, hash, at, expires_at)
    VALUES (?, ?, 'open', ?, ?, ?, ?)`,
    ...[channel, sender, label ?? null, hash, at, at + expiresInMs],
  )
  return "opened"
}

function rowOf({ database }: StoreFile, { channel, sender }: ChannelSender): Row | undefined {
  return database.get(`SELECT * FROM pairings WHERE ${SENDER}`, channel, sender)
}
