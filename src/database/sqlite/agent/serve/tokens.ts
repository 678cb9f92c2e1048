// Tokens in SQLite. They are read for every request, and written only when they change.
import type { Tokens } from "../../../contract/serve/tokens.ts"
import { tokenOf } from "../../../rows/serve-rows.ts"
import type { StoreFile } from "../store-file.ts"

const VALID = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)"

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
        const row = database.get(`SELECT * FROM tokens WHERE hash = ? AND ${VALID}`, hash, now())
        return row && tokenOf(row)
      }),
    isValid: (id) =>
      read(() => database.get(`SELECT 1 FROM tokens WHERE id = ? AND ${VALID}`, id, now()) !== undefined),
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
