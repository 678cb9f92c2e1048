// Requests with an idempotency key, in PostgreSQL.
import type { NewRequest, RequestBegun, Requests } from "../../../contract/serve/requests.ts"
import type { Statements } from "../../postgres.ts"
import { inLine, type StoreConnection } from "../store-connection.ts"

const KEY = "caller = $1 AND key = $2"

export function requestsIn({ postgres, write }: StoreConnection): Requests {
  return {
    begin: (request) => write((statements) => begin(statements, request)),
    async answer({ caller, key }, answer) {
      await postgres.run(
        `UPDATE requests SET answer = $3 WHERE ${KEY} AND answer IS NULL`,
        caller,
        key,
        answer,
      )
    },
    async release({ caller, key }) {
      await postgres.run(`UPDATE requests SET lease = 0 WHERE ${KEY} AND answer IS NULL`, caller, key)
    },
  }
}

async function begin(statements: Statements, request: NewRequest): Promise<RequestBegun> {
  const { caller, key, digest, turn, leaseMs, expiresInMs } = request
  const [, , row] = await Promise.all([
    inLine(statements, "request", caller, key),
    statements.run(`DELETE FROM requests WHERE ${KEY} AND expires_at <= now_ms()`, caller, key),
    statements.get(`SELECT *, lease > now_ms() AS is_held FROM requests WHERE ${KEY}`, caller, key),
  ])
  if (row === undefined) {
    await statements.run(
      `INSERT INTO requests (caller, key, digest, turn_id, lease, expires_at)
      VALUES ($1, $2, $3, $4, now_ms() + $5::bigint, now_ms() + $6::bigint)`,
      ...[caller, key, digest, turn, leaseMs, expiresInMs],
    )
    return { kind: "begun", turn }
  }
  if (row.digest !== digest) return { kind: "differs" }
  const first = String(row.turn_id)
  if (typeof row.answer === "string") return { kind: "answered", turn: first, answer: row.answer }
  if (row.is_held === true) return { kind: "running", turn: first }
  await statements.run(`UPDATE requests SET lease = now_ms() + $3::bigint WHERE ${KEY}`, caller, key, leaseMs)
  return { kind: "begun", turn: first }
}
