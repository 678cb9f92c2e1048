// Questions about the receipts on PostgreSQL.
import type { AnsweredReceipt, ReceiptPage, ReceiptRow, Receipts } from "../../contract/record/receipts.ts"
import { unpackText } from "../../packed-text.ts"
import type { Row } from "../../rows/row.ts"
import type { Ref } from "../../text-ref.ts"
import type { Postgres, Statements } from "../postgres.ts"

const OF_TURN = "SELECT * FROM record_receipts WHERE turn_id = $1"
const TURNS = "SELECT turn_id FROM record_receipts WHERE session_id = $1 GROUP BY turn_id ORDER BY min(id)"

export function receiptsOn(postgres: Postgres): Receipts {
  return {
    find: async (turn, step) =>
      optional(
        step === undefined
          ? await postgres.get(`${OF_TURN} ORDER BY step DESC LIMIT 1`, turn)
          : await postgres.get(`${OF_TURN} AND step = $2`, turn, step),
      ),
    ofTurn: async (turn) => (await postgres.all(`${OF_TURN} ORDER BY step`, turn)).map(receiptRow),
    before: ({ session, id }) => before(postgres, session, id),
    page: (page) => pageOf(postgres, page),
    counts: (sessions, options) => countsOf(postgres, sessions, options),
    turns: async (session) => (await postgres.all(TURNS, session)).map(({ turn_id: turn }) => String(turn)),
    answered: async ({ since, until, session = null }) =>
      (await postgres.all(ANSWERED, since, until, session)).map(
        (row): AnsweredReceipt => ({ ...receiptRow(row), output: Number(row.output) }),
      ),
    elements: async (node) => (await postgres.all(PATH, String(node))).map(({ text }) => String(text)),
    texts: (refs) => textsBy(postgres, refs),
  }
}

const ANSWERED = `SELECT DISTINCT ON (receipts.at, receipts.id) receipts.*, events.tokens_out AS output
FROM record_receipts AS receipts JOIN record_events AS events
  ON events.turn_id = receipts.turn_id AND events.step = receipts.step
  AND events.event_type = 'api_call' AND events.fresh IS NOT NULL
WHERE receipts.at >= $1 AND receipts.at < $2 AND ($3::text IS NULL OR receipts.session_id = $3)
ORDER BY receipts.at, receipts.id, events.id DESC`

const EARLIER = "SELECT * FROM record_receipts AS receipts WHERE session_id = $1 AND id < $2"
const IS_ANSWERED = `AND EXISTS (SELECT FROM record_events AS events WHERE events.turn_id = receipts.turn_id
  AND events.step = receipts.step AND events.event_type = 'api_call')`
const NEWEST = "ORDER BY id DESC LIMIT 1"

async function before(statements: Statements, session: string, id: number): Promise<ReceiptRow | undefined> {
  const row =
    (await statements.get(`${EARLIER} ${IS_ANSWERED} ${NEWEST}`, session, id)) ??
    (await statements.get(`${EARLIER} ${NEWEST}`, session, id))
  return optional(row)
}

/** An aside is named after the turn that it belongs to, and what it is for. */
const IS_MAIN = "AND strpos(turn_id, '.') = 0"

async function pageOf(
  statements: Statements,
  { session, before: from = Number.MAX_SAFE_INTEGER, limit, withAsides }: ReceiptPage,
): Promise<readonly ReceiptRow[]> {
  const whose = session === undefined ? [] : [session]
  const where = `${session === undefined ? "" : "session_id = $3 AND"} id < $1`
  const sql = `SELECT * FROM record_receipts WHERE ${where} ${withAsides ? "" : IS_MAIN} ORDER BY id DESC LIMIT $2`
  return (await statements.all(sql, from, limit, ...whose)).map(receiptRow)
}

async function countsOf(
  statements: Statements,
  sessions: readonly string[],
  { withAsides }: Pick<ReceiptPage, "withAsides">,
): Promise<ReadonlyMap<string, number>> {
  const sql = `SELECT session_id, count(*) AS calls FROM record_receipts
    WHERE session_id = ANY($1::text[]) ${withAsides ? "" : IS_MAIN} GROUP BY session_id`
  const rows = await statements.all(sql, sessions)
  return new Map(rows.map(({ session_id: session, calls }) => [String(session), Number(calls)]))
}

function optional(row: Row | undefined): ReceiptRow | undefined {
  return row && receiptRow(row)
}

function receiptRow(row: Row): ReceiptRow {
  return {
    id: Number(row.id),
    turn: String(row.turn_id),
    step: Number(row.step),
    at: Number(row.at),
    session: String(row.session_id),
    trust: String(row.trust),
    model: String(row.model),
    frame: String(row.frame),
    marks: String(row.marks),
    plan: String(row.plan),
    node: String(row.node),
  }
}

const PATH = `WITH RECURSIVE up(name, parent, text, depth) AS (
  SELECT name, parent, text, 0 FROM record_nodes WHERE name = $1
  UNION ALL SELECT nodes.name, nodes.parent, nodes.text, depth + 1 FROM record_nodes AS nodes JOIN up ON nodes.name = up.parent
) SELECT text FROM up ORDER BY depth DESC`

async function textsBy(statements: Statements, refs: readonly Ref[]): Promise<ReadonlyMap<Ref, string>> {
  const sql = "SELECT digest, bytes, body FROM record_texts WHERE digest = ANY($1::text[])"
  const found = new Map<Ref, string>()
  for (const { digest, bytes, body } of await statements.all(sql, refs)) {
    const text = body instanceof Uint8Array ? unpackText({ bytes: Number(bytes), body }) : undefined
    if (text !== undefined) found.set(String(digest), text)
  }
  return found
}
