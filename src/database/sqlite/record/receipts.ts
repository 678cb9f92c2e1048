// Questions about the receipts in a record's file.
import type {
  AnsweredReceipt,
  NodeName,
  ReceiptPage,
  ReceiptRow,
  Receipts,
} from "../../contract/record/receipts.ts"
import type { Ref } from "../../text-ref.ts"
import type { Database, Row, Value } from "../database.ts"
import type { RecordFile } from "./record-file.ts"
import { bodyText } from "./text-links.ts"

const ANSWERED = `SELECT receipts.*, max(events.id), events.tokens_out AS output FROM receipts_by_model AS receipts
JOIN events ON events.turn_id = receipts.turn_id AND events.step = receipts.step
  AND events.event_type = 'api_call' AND events.fresh IS NOT NULL
WHERE at >= ? AND at < ? AND (? IS NULL OR receipts.session_id = ?) GROUP BY receipts.id ORDER BY at, receipts.id`

const TURNS = "SELECT turn_id FROM receipts WHERE session_id = ? GROUP BY turn_id ORDER BY min(id)"

export function receiptsIn(file: RecordFile): Receipts {
  return {
    find: (turn, step) => file.ask((database) => find(database, turn, step)),
    ofTurn: (turn) =>
      file.ask((database) =>
        database
          .all("SELECT * FROM receipts_by_model WHERE turn_id = ? ORDER BY step", turn)
          .map((row) => receiptRow(database, row)),
      ),
    before: ({ session, id }) => file.ask((database) => before(database, session, id)),
    page: (page) => file.ask((database) => pageOf(database, page)),
    counts: (sessions, options) => file.ask((database) => countsOf(database, sessions, options)),
    turns: (session) =>
      file.ask((database) => database.all(TURNS, session).map(({ turn_id: turn }) => String(turn))),
    answered: ({ since, until, session = null }) =>
      file.ask((database) =>
        database
          .all(ANSWERED, since, until, session, session)
          .map((row): AnsweredReceipt => ({ ...receiptRow(database, row), output: Number(row.output) })),
      ),
    elements: (node) => file.ask((database) => elements(database, node)),
    texts: (refs) => file.ask((database) => textsBy(database, refs)),
  }
}

function find(database: Database, turn: string, step: number | undefined): ReceiptRow | undefined {
  const row =
    step === undefined
      ? database.get("SELECT * FROM receipts_by_model WHERE turn_id = ? ORDER BY step DESC LIMIT 1", turn)
      : database.get("SELECT * FROM receipts_by_model WHERE turn_id = ? AND step = ?", turn, step)
  return row && receiptRow(database, row)
}

const EARLIER = "SELECT * FROM receipts_by_model AS receipts WHERE session_id = ? AND id < ?"
const IS_ANSWERED = `AND EXISTS (SELECT 1 FROM events WHERE events.turn_id = receipts.turn_id
  AND events.step = receipts.step AND events.event_type = 'api_call')`
const NEWEST = "ORDER BY id DESC LIMIT 1"

function before(database: Database, session: string, id: number): ReceiptRow | undefined {
  const row =
    database.get(`${EARLIER} ${IS_ANSWERED} ${NEWEST}`, session, id) ??
    database.get(`${EARLIER} ${NEWEST}`, session, id)
  return row && receiptRow(database, row)
}

/** An aside is named after the turn that it belongs to, and what it is for. */
const IS_MAIN = "AND instr(turn_id, '.') = 0"

function pageOf(
  database: Database,
  { session, before: from = Number.MAX_SAFE_INTEGER, limit, withAsides }: ReceiptPage,
): readonly ReceiptRow[] {
  const whose = session === undefined ? [] : [session]
  const where = `${session === undefined ? "" : "session_id = ? AND"} receipts.id < ?`
  const sql = `SELECT * FROM receipts_by_model AS receipts WHERE ${where} ${withAsides ? "" : IS_MAIN}
    ORDER BY id DESC LIMIT ?`
  return database.all(sql, ...whose, from, limit).map((row) => receiptRow(database, row))
}

function countsOf(
  database: Database,
  sessions: readonly string[],
  { withAsides }: Pick<ReceiptPage, "withAsides">,
): ReadonlyMap<string, number> {
  const sql = `SELECT count(*) AS calls FROM receipts WHERE session_id = ? ${withAsides ? "" : IS_MAIN}`
  const counts = sessions.map((session) => [session, Number(database.get(sql, session)?.calls)] as const)
  return new Map(counts.filter(([, calls]) => calls > 0))
}

function receiptRow(database: Database, row: Row): ReceiptRow {
  return {
    id: Number(row.id),
    turn: String(row.turn_id),
    step: Number(row.step),
    at: Number(row.at),
    session: String(row.session_id ?? ""),
    trust: typeof row.trust === "string" ? row.trust : null,
    model: String(row.model ?? ""),
    frame: refOfRow(database, row.frame),
    marks: refOfRow(database, row.marks),
    plan: refOfRow(database, row.plan),
    node: Number(row.node),
  }
}

function refOfRow(database: Database, id: Value | undefined): Ref {
  const digest = database.get("SELECT digest FROM texts WHERE id = ?", Number(id))?.digest
  return refFrom(digest, id)
}

function refFrom(digest: Value | undefined, id: Value | undefined): Ref {
  return digest instanceof Uint8Array ? Buffer.from(digest).toString("base64url") : `row ${Number(id)}`
}

const PATH = `WITH RECURSIVE up(id, parent, text, depth) AS (
  SELECT id, parent, text, 0 FROM nodes WHERE id = ?
  UNION ALL SELECT nodes.id, nodes.parent, nodes.text, depth + 1 FROM nodes JOIN up ON nodes.id = up.parent
) SELECT up.text, texts.digest FROM up LEFT JOIN texts ON texts.id = up.text ORDER BY depth DESC`

function elements(database: Database, node: NodeName): readonly Ref[] {
  return database.all(PATH, Number(node)).map(({ text, digest }) => refFrom(digest, text))
}

function textsBy(database: Database, refs: readonly Ref[]): ReadonlyMap<Ref, string> {
  const found = new Map<Ref, string>()
  for (const ref of refs) {
    const digest = Buffer.from(ref, "base64url")
    const row = database.get("SELECT bytes, body FROM texts WHERE digest = ?", digest)
    const text = row && bodyText(row)
    if (text !== undefined) found.set(ref, text)
  }
  return found
}
