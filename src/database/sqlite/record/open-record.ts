// Opens the record in a SQLite file: events, receipts and costs of one agent. Several processes may have it open.
import { statSync } from "node:fs"
import { IncipitError } from "../../../base/error.ts"
import type { RecordStore } from "../../contract/record/record-store.ts"
import { appendTo } from "./append.ts"
import { costsIn, sessionCostsIn } from "./costs.ts"
import { eventLogIn } from "./event-log.ts"
import { factOf } from "./facts.ts"
import { receiptsIn } from "./receipts.ts"
import { type RecordFileOptions, recordFile } from "./record-file.ts"
import { forget, prune } from "./retention.ts"

/** The file is opened, and created if it is missing, by the first call that needs it. */
export function openRecordFile(path: string, options: RecordFileOptions = {}): RecordStore {
  const file = recordFile(path, options)
  return {
    path,
    events: eventLogIn(file),
    receipts: receiptsIn(file),
    costs: (question) => file.ask((database) => costsIn(database, question)),
    sessionCosts: (sessions) => file.ask((database) => sessionCostsIn(database, sessions)),
    facts: () =>
      file.ask((database) => ({
        dropped: Number(factOf(database, "dropped") ?? 0),
        damaged: factOf(database, "damaged"),
        pruned: factOf(database, "pruned"),
      })),
    append: appendTo(file),
    upkeep: {
      prune: async (asked) => prune(await file.ask((database) => database), asked),
      forget: async (sessions) => forget(await file.ask((database) => database), sessions),
      sizes: async () => ({ bytes: bytesOf(path), logBytes: bytesOf(`${path}-wal`) }),
    },
    close: async () => file.letGo(),
  }
}

/** Throws if the file is not a record: an empty file, or the database of another program. */
export async function checkRecordFile(path: string): Promise<void> {
  const file = recordFile(path, { readOnly: true })
  try {
    const sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'events'"
    const found = await file.ask((database) => database.get(sql))
    if (found === undefined) throw new IncipitError("no-record", `${path} is not a record`)
  } finally {
    file.letGo()
  }
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
