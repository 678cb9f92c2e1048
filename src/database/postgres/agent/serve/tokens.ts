// Tokens in PostgreSQL. They are read for every request, and written only when they change.
import type { Tokens } from "../../../contract/serve/tokens.ts"
import { tokenOf } from "../../../rows/serve-rows.ts"
import type { StoreConnection } from "../store-connection.ts"

const VALID = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now_ms())"

export function tokensIn({ postgres, write }: StoreConnection): Tokens {
  return {
    add: ({ id, hash, user, situation, scopes, name, expiresInMs }) =>
      write(async (statements) => {
        const row = await statements.get(
          `INSERT INTO tokens (id, hash, "user", situation, scopes, name, created_at, expires_at)
          VALUES ($1, $2, $3, $4, $5, $6, now_ms(), now_ms() + $7::bigint) ON CONFLICT DO NOTHING RETURNING *`,
          ...[id, hash, user, situation, JSON.stringify(scopes), name, expiresInMs ?? null],
        )
        return row && tokenOf(row)
      }),
    async valid(hash) {
      const row = await postgres.get(`SELECT * FROM tokens WHERE hash = $1 AND ${VALID}`, hash)
      return row && tokenOf(row)
    },
    isValid: async (id) =>
      (await postgres.get(`SELECT 1 FROM tokens WHERE id = $1 AND ${VALID}`, id)) !== undefined,
    list: async () => (await postgres.all("SELECT * FROM tokens ORDER BY number")).map(tokenOf),
    revoke: (id) =>
      write(async (statements) => {
        const revoked = "UPDATE tokens SET revoked_at = now_ms() WHERE id = $1 AND revoked_at IS NULL"
        return (await statements.run(revoked, id)) === 1
      }),
    async markUsed(id, everyMs) {
      await postgres.run(
        `UPDATE tokens SET used_at = now_ms()
        WHERE id = $1 AND (used_at IS NULL OR used_at <= now_ms() - $2::bigint)`,
        ...[id, everyMs],
      )
    },
  }
}
