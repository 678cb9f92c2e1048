// Claims a session for a worker, unless another worker that may still be alive holds it.
import type { Database } from "../../database/sqlite/database.ts"
import type { ClaimOptions, Held } from "./stored.ts"

/** Returns false if another worker holds it. */
export function claimSession(
  database: Database,
  { session, owner }: Held,
  { now, leaseMs, mayBeAlive }: ClaimOptions,
): boolean {
  return database.transaction(() => {
    const row = database.get("SELECT owner, lease FROM sessions WHERE id = ?", session)
    const holder = typeof row?.owner === "string" ? row.owner : undefined
    const isHeld = holder !== undefined && holder !== owner && Number(row?.lease) > now && mayBeAlive(holder)
    if (row === undefined || isHeld) return false
    database.run("UPDATE sessions SET owner = ?, lease = ? WHERE id = ?", owner, now + leaseMs, session)
    return true
  })
}
