// Removes what is no longer referenced: receipts of turns without events, then what only they named. What may be loose is
// noted in tables, so that the work is proportional to what was removed and nothing is forgotten by a crash. A few rows
// at a time under the lock of texts, so that no writer gets between check and removal.
import type { Postgres, Statements } from "../postgres.ts"
import { lockRecord } from "./days.ts"
import { loosen } from "./put-receipts.ts"

const STEP = 500

/** A receipt at or after `before` may belong to a turn whose events are not written yet. */
export async function sweep(
  postgres: Postgres,
  before: number,
): Promise<{ readonly receipts: number; readonly texts: number }> {
  const receipts = await untilDone(postgres, (statements) => sweepReceipts(statements, before))
  await untilDone(postgres, sweepNodes)
  const texts = await untilDone(postgres, sweepTexts)
  return { receipts, texts }
}

interface Swept {
  readonly removed: number
  readonly isDone: boolean
}

async function untilDone(
  postgres: Postgres,
  step: (statements: Statements) => Promise<Swept>,
): Promise<number> {
  let removed = 0
  for (let isDone = false; !isDone; ) {
    const swept = await postgres.transaction(async (statements) => {
      await lockRecord(statements, "texts")
      return step(statements)
    })
    removed += swept.removed
    isDone = swept.isDone
  }
  return removed
}

const OLD_RECEIPTS = `DELETE FROM record_receipts WHERE id IN (SELECT id FROM record_receipts AS old WHERE at < $1
  AND NOT EXISTS (SELECT FROM record_events WHERE record_events.turn_id = old.turn_id) ORDER BY id LIMIT ${STEP})
RETURNING frame, node, marks, plan`

async function sweepReceipts(statements: Statements, before: number): Promise<Swept> {
  const rows = await statements.all(OLD_RECEIPTS, before)
  await loosen(
    statements,
    rows.map(({ frame, node, marks, plan }) => ({
      ...{ frame: String(frame), node: String(node), marks: String(marks), plan: String(plan) },
    })),
  )
  return { removed: rows.length, isDone: rows.length < STEP }
}

const TAKE_NODES = `DELETE FROM record_loose_nodes WHERE name IN (SELECT name FROM record_loose_nodes LIMIT ${STEP})
RETURNING name`

const REMOVE_NODES = `DELETE FROM record_nodes AS nodes WHERE name = ANY($1::text[])
AND NOT EXISTS (SELECT FROM record_receipts WHERE node = nodes.name)
AND NOT EXISTS (SELECT FROM record_nodes AS child WHERE child.parent = nodes.name) RETURNING parent, text`

async function sweepNodes(statements: Statements): Promise<Swept> {
  const names = (await statements.all(TAKE_NODES)).map(({ name }) => String(name))
  const gone = await statements.all(REMOVE_NODES, names)
  await Promise.all([
    statements.run(
      "INSERT INTO record_loose_nodes SELECT DISTINCT unnest($1::text[]) ON CONFLICT DO NOTHING",
      gone.map(({ parent }) => String(parent)).filter((parent) => parent !== ""),
    ),
    statements.run(
      "INSERT INTO record_loose_texts SELECT DISTINCT unnest($1::text[]) ON CONFLICT DO NOTHING",
      gone.map(({ text }) => String(text)),
    ),
  ])
  return { removed: gone.length, isDone: names.length === 0 }
}

const TAKE_TEXTS = `DELETE FROM record_loose_texts WHERE digest IN (SELECT digest FROM record_loose_texts LIMIT ${STEP})
RETURNING digest`

const UNNAMED = `SELECT digest FROM record_texts AS texts WHERE digest = ANY($1::text[])
AND NOT EXISTS (SELECT FROM record_receipts WHERE frame = texts.digest)
AND NOT EXISTS (SELECT FROM record_receipts WHERE marks = texts.digest)
AND NOT EXISTS (SELECT FROM record_receipts WHERE plan = texts.digest)
AND NOT EXISTS (SELECT FROM record_nodes WHERE text = texts.digest)
AND NOT EXISTS (SELECT FROM record_text_refs WHERE ref = texts.digest)`

async function sweepTexts(statements: Statements): Promise<Swept> {
  const taken = (await statements.all(TAKE_TEXTS)).map(({ digest }) => String(digest))
  const unnamed = (await statements.all(UNNAMED, taken)).map(({ digest }) => String(digest))
  await statements.run(
    `INSERT INTO record_loose_texts SELECT DISTINCT ref FROM record_text_refs WHERE text = ANY($1::text[])
    ON CONFLICT DO NOTHING`,
    unnamed,
  )
  const removed = await statements.run("DELETE FROM record_texts WHERE digest = ANY($1::text[])", unnamed)
  return { removed, isDone: taken.length === 0 }
}
