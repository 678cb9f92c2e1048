// Pairing codes and paired senders in PostgreSQL. A sender has one row: open, paired or denied.
import type { NewPairing, PairingAsked, Pairings } from "../../../contract/serve/pairings.ts"
import { openPairingOf, pairedOf } from "../../../rows/serve-rows.ts"
import type { Statements } from "../../postgres.ts"
import { inLine, type StoreConnection } from "../store-connection.ts"

const SENDER = "channel = $1 AND sender = $2"

export function pairingsIn({ postgres, write }: StoreConnection): Pairings {
  return {
    ask: (pairing) => write((statements) => ask(statements, pairing)),
    open: async () =>
      (
        await postgres.all(
          "SELECT * FROM pairings WHERE state = 'open' AND expires_at > now_ms() ORDER BY at, channel, sender",
        )
      ).map(openPairingOf),
    confirm: ({ hash, user, mostWrong }) =>
      write(async (statements) => {
        await inLine(statements, "pairings")
        const row = await statements.get(
          `UPDATE pairings SET state = 'paired', hash = NULL, expires_at = NULL, "user" = $2, at = now_ms()
          WHERE state = 'open' AND hash = $1 AND expires_at > now_ms() RETURNING *`,
          ...[hash, user],
        )
        if (row !== undefined) return pairedOf(row)
        await statements.run("UPDATE pairings SET wrong = wrong + 1 WHERE state = 'open'")
        await statements.run("DELETE FROM pairings WHERE state = 'open' AND wrong >= $1", mostWrong)
        return undefined
      }),
    deny: ({ channel, sender }) =>
      write(async (statements) => {
        const denied = `UPDATE pairings SET state = 'denied', hash = NULL, expires_at = NULL, at = now_ms()
          WHERE ${SENDER} AND state = 'open' AND expires_at > now_ms()`
        return (await statements.run(denied, channel, sender)) === 1
      }),
    async find({ channel, sender }) {
      const row = await postgres.get(
        `SELECT * FROM pairings WHERE ${SENDER} AND state = 'paired'`,
        ...[channel, sender],
      )
      return row && pairedOf(row)
    },
    paired: async () =>
      (await postgres.all("SELECT * FROM pairings WHERE state = 'paired' ORDER BY at, channel, sender")).map(
        pairedOf,
      ),
    forget: ({ channel, sender }) =>
      write(async (statements) => {
        const forgotten = `DELETE FROM pairings WHERE ${SENDER} AND state <> 'open'`
        return (await statements.run(forgotten, channel, sender)) === 1
      }),
  }
}

async function ask(statements: Statements, pairing: NewPairing): Promise<PairingAsked> {
  const { channel, sender, hash, label, expiresInMs, mostOpen, replaces = false } = pairing
  await inLine(statements, "pairings")
  await statements.run("DELETE FROM pairings WHERE state = 'open' AND expires_at <= now_ms()")
  const known = await statements.get(`SELECT state FROM pairings WHERE ${SENDER}`, channel, sender)
  // Only this file writes the column.
  if (known !== undefined && known.state !== "open") return known.state as "denied" | "paired"
  if (known !== undefined && !replaces) return "pending"
  const open = await statements.all("SELECT channel, sender, hash FROM pairings WHERE state = 'open'")
  const others = open.filter((row) => row.channel === channel && row.sender !== sender)
  if (others.length >= mostOpen) return "too-many"
  if (open.some((row) => row.hash === hash)) return "code-taken"
  await statements.run(
    `INSERT INTO pairings (channel, sender, state, label, hash, at, expires_at)
    VALUES ($1, $2, 'open', $3, $4, now_ms(), now_ms() + $5::bigint)
    ON CONFLICT (channel, sender) DO UPDATE SET state = 'open', label = excluded.label, hash = excluded.hash,
      at = excluded.at, expires_at = excluded.expires_at, wrong = 0, "user" = NULL`,
    ...[channel, sender, label ?? null, hash, expiresInMs],
  )
  return "opened"
}
