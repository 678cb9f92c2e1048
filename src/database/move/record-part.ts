// The record, as a part of a move.
import { daysIn } from "../postgres/record/days.ts"
import { RECORD_SCHEMA } from "../postgres/record/schema.ts"
import { RECORD_MIGRATIONS } from "../sqlite/record/schema.ts"
import { linkTexts } from "../sqlite/record/text-links.ts"
import type { MovePart } from "./move-part.ts"
import { RECORD_TABLES } from "./record-tables.ts"

const TEXTS_AT_ONCE = 1_000

/** New events are numbered behind those that were copied. */
const COUNT_ON = "UPDATE record_last SET last = greatest(last, (SELECT max(id) FROM record_events))"

/** On SQLite, what nothing names is found by looking at everything; here it has to be noted. */
const LOOSE_NODES = `INSERT INTO record_loose_nodes SELECT name FROM record_nodes AS nodes
WHERE NOT EXISTS (SELECT FROM record_receipts WHERE node = nodes.name)
AND NOT EXISTS (SELECT FROM record_nodes AS child WHERE child.parent = nodes.name) ON CONFLICT DO NOTHING`

const LOOSE_TEXTS = `INSERT INTO record_loose_texts SELECT digest FROM record_texts AS texts
WHERE NOT EXISTS (SELECT FROM record_receipts WHERE frame = texts.digest)
AND NOT EXISTS (SELECT FROM record_receipts WHERE marks = texts.digest)
AND NOT EXISTS (SELECT FROM record_receipts WHERE plan = texts.digest)
AND NOT EXISTS (SELECT FROM record_nodes WHERE text = texts.digest)
AND NOT EXISTS (SELECT FROM record_text_refs WHERE ref = texts.digest) ON CONFLICT DO NOTHING`

export const RECORD_PART: MovePart = {
  migrations: RECORD_MIGRATIONS,
  schema: RECORD_SCHEMA,
  tables: RECORD_TABLES,
  // Writers leave it for the next time that texts are removed.
  complete(source) {
    while (!linkTexts(source, TEXTS_AT_ONCE));
  },
  makeRoom(postgres) {
    const days = daysIn(postgres)
    return async (table, rows) => {
      if (table === "record_events") await days.prepare(rows.map(({ at }) => Number(at)))
    }
  },
  async conclude(statements) {
    for (const sql of [COUNT_ON, LOOSE_NODES, LOOSE_TEXTS]) await statements.run(sql)
  },
}
