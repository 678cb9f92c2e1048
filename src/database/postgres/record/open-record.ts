// The record on PostgreSQL: events, receipts and costs of all processes that use the database.
import type { RecordStore } from "../../contract/record/record-store.ts"
import { requireSchema } from "../migrations.ts"
import { openPostgres, type PostgresOptions } from "../open-postgres.ts"
import type { Postgres } from "../postgres.ts"
import { appendTo } from "./append.ts"
import { costsIn, sessionCostsIn } from "./costs.ts"
import { daysIn } from "./days.ts"
import { eventLogOn } from "./event-log.ts"
import { receiptsOn } from "./receipts.ts"
import { forget, prune, totalBytes } from "./retention.ts"
import { RECORD_SCHEMA } from "./schema.ts"

/** Makes its tables if there are none. */
export async function openPostgresRecord(url: string, options: PostgresOptions = {}): Promise<RecordStore> {
  const postgres = await openPostgres(url, options)
  try {
    await requireSchema(postgres, RECORD_SCHEMA)
    return recordOn(postgres)
  } catch (error) {
    await postgres.close()
    throw error
  }
}

function recordOn(postgres: Postgres): RecordStore {
  return {
    path: postgres.shown,
    events: eventLogOn(postgres),
    receipts: receiptsOn(postgres),
    costs: (question) => postgres.transaction((statements) => costsIn(statements, question)),
    sessionCosts: (sessions) => sessionCostsIn(postgres, sessions),
    async facts() {
      const rows = await postgres.all("SELECT name, value FROM record_facts")
      const values = new Map(rows.map(({ name, value }) => [String(name), String(value)]))
      return { dropped: Number(values.get("dropped") ?? 0), damaged: undefined, pruned: values.get("pruned") }
    },
    append: appendTo(postgres, daysIn(postgres)),
    upkeep: {
      prune: (options) => prune(postgres, options),
      forget: (sessions) => forget(postgres, sessions),
      sizes: async () => ({ bytes: await totalBytes(postgres), logBytes: 0 }),
    },
    close: () => postgres.close(),
  }
}
