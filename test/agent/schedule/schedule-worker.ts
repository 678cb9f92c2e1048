// A process of its own for the test of several: told what time it is, it takes what is due, each run with its message in
// the same transaction, then answers.
import { openSchedule } from "../../../src/agent/schedule/schedule.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import type { ConfiguredRun } from "../../../src/sources/config/config-schema.ts"
import { claimer } from "./schedule-claim.ts"

const [, , path = "", timeZone = "", list = "[]"] = process.argv
let time = 0
const now = () => time
const store = await openStore(path, { now })
// The test writes the list.
const entries = JSON.parse(list) as readonly ConfiguredRun[]
const schedule = openSchedule({ store, agent: "main", timeZone, now, entries })
const claim = claimer(store, { agent: "main", takenBy: String(process.pid) })

process.on("message", async (told: number) => {
  time = told
  for (const firing of await schedule.due())
    await claim(firing, `${process.pid} ${firing.entry} ${firing.due}`)
  process.send?.("done")
})
process.send?.("ready")
