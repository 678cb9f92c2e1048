// A process of its own for the test of several: told what time it is, it takes what is due and leaves a notice of each
// run in the same transaction, then answers.
import { openSchedule } from "../../../src/agent/schedule/schedule.ts"
import { STORE_MIGRATIONS } from "../../../src/agent/store/schema.ts"
import { openDatabase } from "../../../src/database/sqlite/open-database.ts"
import type { ConfiguredRun } from "../../../src/sources/config/config-schema.ts"

const [, , path = "", zone = "", list = "[]"] = process.argv
const database = openDatabase(path, { migrations: STORE_MIGRATIONS, wait: 30_000 })
let now = 0
// The test writes the list.
const entries = JSON.parse(list) as readonly ConfiguredRun[]
const schedule = openSchedule({ database, agent: "main", timeZone: zone, now: () => now, entries })

process.on("message", (time: number) => {
  now = time
  for (const firing of schedule.due())
    database.transaction(() => {
      if (!schedule.claim(firing, `${process.pid} ${firing.entry} ${firing.due}`)) return
      const { run, due, missed } = firing
      database.run(
        "INSERT INTO notices (agent, who, at, text) VALUES ('main', ?, ?, ?)",
        ...[String(process.pid), due, `${run}: missed ${missed}`],
      )
    })
  process.send?.("done")
})
process.send?.("ready")
