// A process of its own that writes into a record on PostgreSQL until it is killed. Arguments: the URL and a name. Says
// what was flushed, one line each.
import process from "node:process"
import { openPostgresRecord } from "../../../src/database/postgres/record/open-record.ts"
import { recordInto } from "../../../src/record/write/record.ts"

const [url = "", name = ""] = process.argv.slice(2)
const record = recordInto(await openPostgresRecord(url))
const usage = { uncached: 1, read: 0, write: {}, output: 0 }
// Nobody is left to kill it.
process.stdin.on("end", () => process.exit(1)).resume()
for (let n = 0; ; n += 1) {
  const turn = `${name}-${n}`
  record.append({ type: "turn_started", at: Date.now(), trace: turn, turn, span: turn })
  record.append({ type: "api_call", at: Date.now(), trace: turn, turn, usage, costUsd: 0.5 })
  await record.flush()
  if (record.health().dropped > 0) throw new Error(record.health().lastError)
  console.log(turn)
}
