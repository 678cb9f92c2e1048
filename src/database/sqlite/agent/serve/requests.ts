// Requests with an idempotency key, in SQLite.
import type { NewRequest, RequestBegun, Requests } from "../../../contract/serve/requests.ts"
import type { StoreFile } from "../store-file.ts"

const KEY = "caller = ? AND key = ?"

export function requestsIn(file: StoreFile): Requests {
  const { database, write } = file
  return {
    begin: (request) => write(() => begin(file, request)),
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
    return { kind: "begun", turn }
  }
  if (row.digest !== digest) return { kind: "differs" }
  const first = String(row.turn_id)
  if (typeof row.answer === "string") return { kind: "answered", turn: first, answer: row.answer }
  if (Number(row.lease) > at) return { kind: "running", turn: first }
  database.run(`UPDATE requests SET lease = ? WHERE ${KEY}`, at + leaseMs, caller, key)
  return { kind: "begun", turn: first }
}
