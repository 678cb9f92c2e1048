// Requests with an idempotency key, in SQLite.
import type { NewRequest, RequestBegun, Requests } from "../../../contract/serve/requests.ts"
import type { Row } from "../../database.ts"
import type { StoreFile } from "../store-file.ts"

const KEY = "caller = ? AND key = ?"

export function requestsIn(file: StoreFile): Requests {
  const { database, write } = file
  return {
    begin: (request) => write(() => begin(file, request)),
    place: ({ caller, key }, session) =>
      write(() => {
        const row = database.get(
          `UPDATE requests SET session_id = coalesce(session_id, ?) WHERE ${KEY} RETURNING session_id`,
          ...[session, caller, key],
        )
        return sessionIn(row) ?? session
      }),
    answer: ({ caller, key }, answer) =>
      write(() => {
        database.run(`UPDATE requests SET answer = ? WHERE ${KEY} AND answer IS NULL`, answer, caller, key)
      }),
    release: ({ caller, key }) =>
      write(() => {
        database.run(`UPDATE requests SET lease = 0 WHERE ${KEY} AND answer IS NULL`, caller, key)
      }),
  }
}

/** Within a transaction. */
function begin({ database, now }: StoreFile, request: NewRequest): RequestBegun {
  const { caller, key, digest, turn, leaseMs, expiresInMs } = request
  const at = now()
  database.run(`DELETE FROM requests WHERE ${KEY} AND expires_at <= ?`, caller, key, at)
  const row = database.get(`SELECT * FROM requests WHERE ${KEY}`, caller, key)
  if (row === undefined) {
    database.run(
      "INSERT INTO requests (caller, key, digest, turn_id, lease, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
      ...[caller, key, digest, turn, at + leaseMs, at + expiresInMs],
    )
    return { kind: "begun", turn, session: undefined }
  }
  if (row.digest !== digest) return { kind: "differs" }
  const first = { turn: String(row.turn_id), session: sessionIn(row) }
  if (typeof row.answer === "string") return { kind: "answered", ...first, answer: row.answer }
  if (Number(row.lease) > at) return { kind: "running", ...first }
  database.run(`UPDATE requests SET lease = ? WHERE ${KEY}`, at + leaseMs, caller, key)
  return { kind: "begun", ...first }
}

function sessionIn(row: Row | undefined): string | undefined {
  return typeof row?.session_id === "string" ? row.session_id : undefined
}
