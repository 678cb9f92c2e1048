// Transcripts in PostgreSQL.
import { inOrder } from "../../contract/in-order.ts"
import type { Item, StepChange, StoredItem, Transcripts } from "../../contract/transcripts.ts"
import { createRecentlyUsed } from "../../recently-used.ts"
import { itemIn } from "../../rows/readable.ts"
import type { Row } from "../../rows/row.ts"
import { itemOf } from "../../rows/session-rows.ts"
import { bytesIn, digestsInItem, itemApart, itemWithBytes } from "../../rows/stored-files.ts"
import type { Statements } from "../postgres.ts"
import { branchesIn } from "./branches.ts"
import { readFiles, storeFiles } from "./files.ts"
import { insertItems } from "./items.ts"
import { saveState } from "./sessions.ts"
import { join } from "./steering-input.ts"
import type { StoreConnection } from "./store-connection.ts"

export function transcriptsIn(connection: StoreConnection): Transcripts {
  const { postgres, write, writeAsHolder } = connection
  const present = createReader()
  return {
    read: async (session) => inOrder(await present(postgres, session)),
    change: (lease, change) =>
      writeAsHolder(lease, async (statements, held) =>
        applyChange(statements, lease.session, { change, held: await held }),
      ),
    compact: (lease, { known: summarised, items, state }) =>
      writeAsHolder(lease, async (statements, held) => {
        const { session } = lease
        const row = await held
        const meanwhile = (await present(statements, session)).filter(({ seq }) => !summarised.includes(seq))
        await statements.run(
          "UPDATE items SET is_past = true, past_since = $2 WHERE session_id = $1 AND NOT is_past",
          ...[session, Number(row.last_item) + 1],
        )
        await saveState(statements, session, { row, change: state })
        const kept = meanwhile.map((one) => ({ ...one, turn: undefined }))
        const stored = await insertItems(statements, session, [...items, ...kept])
        return stored.slice(0, items.length)
      }),
    add: (session, ...items) =>
      write(async (statements) => {
        await insertItems(
          ...[statements, session],
          items.map((item) => ({ turn: undefined, item })),
        )
      }),
    async begins(session, turn) {
      const first = "SELECT min(seq) AS seq FROM items WHERE session_id = $1 AND turn_id = $2"
      const { seq } = (await postgres.get(first, session, turn)) ?? {}
      return typeof seq === "number" ? seq : undefined
    },
    ...branchesIn(connection),
  }
}

interface AppliedChange {
  readonly change: StepChange
  /** The row of the session, which is locked. */
  readonly held: Row
}

/** Within a transaction of the session's holder. Returns the appended items. */
export async function applyChange(
  statements: Statements,
  session: string,
  { change, held }: AppliedChange,
): Promise<readonly StoredItem[]> {
  const { turn, append = [], replace = [], past = [], joined = [], state, baseline } = change
  const replaced = replace.map(async ({ seq, item }) => {
    const { json, files } = itemApart(item)
    await storeFiles(statements, session, files)
    await statements.run(
      `UPDATE items SET item = $3, revision = revision + 1 WHERE session_id = $1 AND NOT is_past AND seq = $2`,
      ...[session, seq, json],
    )
  })
  const ended =
    past.length > 0 &&
    statements.run(
      "UPDATE items SET is_past = true WHERE session_id = $1 AND NOT is_past AND seq = ANY($2::bigint[])",
      ...[session, past],
    )
  const based =
    baseline &&
    statements.run(
      `INSERT INTO baselines (session_id, baseline) VALUES ($1, $2)
      ON CONFLICT (session_id) DO UPDATE SET baseline = excluded.baseline`,
      ...[session, JSON.stringify(baseline)],
    )
  const saved = state && saveState(statements, session, { row: held, change: state })
  const appended = insertItems(
    ...[statements, session],
    append.map((item) => ({ turn, item })),
  )
  const others = Promise.all([...replaced, ended, join(statements, turn, joined), based, saved])
  const [items] = await Promise.all([appended, others])
  return items
}

/** In characters, together with what is made of an item: some thousand messages of usual length. */
const MOST_KNOWN = 8_000_000
/** What an item takes in addition to its JSON. */
const OVERHEAD = 1_000

interface KnownItem {
  readonly revision: number
  readonly at: number
  readonly item: Item
  readonly size: number
}

type Known = ReadonlyMap<number, KnownItem>

/**
 * Reads a transcript, asking only for what was not read before. An item that has not changed is the same object, so that
 * its message is neither counted nor rendered again.
 */
function createReader() {
  const sessions = createRecentlyUsed<string, Known>(MOST_KNOWN)
  return async (statements: Statements, session: string): Promise<readonly StoredItem[]> => {
    const before: Known = sessions.get(session) ?? new Map()
    const rows = await statements.all(
      `SELECT items.seq, turn_id, items.at, items.revision, CASE WHEN known.seq IS NULL THEN item END AS item
      FROM items LEFT JOIN unnest($2::bigint[], $3::integer[], $4::bigint[]) AS known (seq, revision, at)
        ON known.seq = items.seq AND known.revision = items.revision AND known.at = items.at
      WHERE session_id = $1 AND NOT is_past ORDER BY items.seq`,
      ...[session, [...before.keys()], ...columnsOf([...before.values()])],
    )
    const read = await readItems(statements, session, rows)
    const now = new Map(
      rows.map((row) => {
        const seq = Number(row.seq)
        const item = read.get(seq) ?? before.get(seq)
        if (item === undefined) throw new Error(`the item ${seq} of ${session} was not read`)
        return [seq, item]
      }),
    )
    const size = [...now.values()].reduce((sum, one) => sum + one.size, 0)
    sessions.set(session, now, size)
    return rows.flatMap((row) => {
      const known = now.get(Number(row.seq))
      return known === undefined ? [] : [itemOf(row, known.item)]
    })
  }
}

function columnsOf(known: readonly KnownItem[]): readonly (readonly number[])[] {
  return [known.map(({ revision }) => revision), known.map(({ at }) => at)]
}

async function readItems(statements: Statements, session: string, rows: readonly Row[]): Promise<Known> {
  const parsed = rows.flatMap((row) =>
    typeof row.item === "string" ? [{ row, json: row.item, item: itemIn(row.item) }] : [],
  )
  const digests = parsed.flatMap(({ item }) => digestsInItem(item))
  const bytesOf = await readFiles(statements, session, digests)
  return new Map(
    parsed.map(({ row, json, item }) => {
      const whole = itemWithBytes(item, bytesOf)
      const size = 2 * json.length + bytesIn(whole) + OVERHEAD
      return [Number(row.seq), { revision: Number(row.revision), at: Number(row.at), item: whole, size }]
    }),
  )
}
