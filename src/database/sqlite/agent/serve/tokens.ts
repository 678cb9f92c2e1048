// Tokens in SQLite. They are read for every request, and written only when they change.
import type { StoredToken, TokenScope, Tokens } from "../../../contract/serve/tokens.ts"
import type { Row } from "../../database.ts"
import type { StoreFile } from "../store-file.ts"

export function tokensIn({ database, now, read, write }: StoreFile): Tokens {
  return {
    add: ({ id, hash, user, situation, scopes, name, expiresInMs }) =>
      write(() => {
        const at = now()
        const row = database.get(
          `INSERT OR IGNORE INTO tokens (id, hash, user, situation, scopes, name, created_at, expires_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
          ...[id, hash, user, situation, JSON.stringify(scopes), name, at],
          expiresInMs === undefined ? null : at + expiresInMs,
        )
        return row && tokenOf(row)
      }),
    valid: (hash) =>
      read(() => {
        const row = database.get(
          "SELECT * FROM tokens WHERE hash = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)",
          ...[hash, now()],
        )
        return row && tokenOf(row)
      }),
    list: () => read(() => database.all("SELECT * FROM tokens ORDER BY number").map(tokenOf)),
    revoke: (id) =>
      write(() => {
        const revoked = "UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL"
        return database.run(revoked, now(), id).changes === 1
      }),
    async markUsed(id, everyMs) {
      const stale = "id = ? AND (used_at IS NULL OR used_at <= ?)"
      const isStale = () => database.get(`SELECT 1 FROM tokens WHERE ${stale}`, id, now() - everyMs)
      // Looks first without the lock: most requests write nothing.
      if ((await read(isStale)) === undefined) return
      await write(() => {
        database.run(`UPDATE tokens SET used_at = ? WHERE ${stale}`, now(), id, now() - everyMs)
      })
    },
  }
}

function tokenOf(row: Row): StoredToken {
  return {
    id: String(row.id),
    hash: String(row.hash),
    user: String(row.user),
    situation: String(row.situation),
    // Only `add` writes the column, from values of this type.
    scopes: JSON.parse(String(row.scopes)) as readonly TokenScope[],
    name: String(row.name),
    createdAt: Number(row.created_at),
    expiresAt: timeIn(row.expires_at),
    revokedAt: timeIn(row.revoked_at),
    lastUsedAt: timeIn(row.used_at),
  }
}

function timeIn(value: Row[string] | undefined): number | undefined {
  return typeof value === "number" ? value : undefined
}
