// Restores a step: the request exactly as it was sent, and the plan behind it. Checks every text against its digest.
// Damaged or redacted texts are reported by place and never made up.
import { isTrust, type Trust } from "../../base/trust.ts"
import type { Report } from "../../core/read/report.ts"
import type { Database, Row } from "../../database/sqlite/database.ts"
import { putTogether, putValue } from "../write/put-together.ts"
import type { StoredPlan } from "../write/receipt-cache.ts"
import type { Json } from "../write/request-marks.ts"
import { type Ref, refOf } from "../write/request-parts.ts"
import { bodyText } from "../write/text-refs.ts"
import { planFrom } from "./stored-plan.ts"

export interface Receipt {
  readonly id: number
  readonly turn: string
  readonly step: number
  readonly at: number
  readonly session: string
  readonly trust: Trust
  readonly model: string
  /** Row ids of texts, and the end of the conversation in the tree. */
  readonly frame: number
  readonly node: number
  readonly marks: number
  readonly plan: number
}

/** A text that does not match its digest, and its place. */
export interface Damage {
  readonly pointer: string
  readonly digest: string
}

/** A request as it was sent, put together from the record. */
export interface Replay extends Omit<Receipt, "frame" | "node" | "marks" | "plan" | "id"> {
  /** Equal to the body that was sent, key by key, if `exact`. Damaged texts are `null`. */
  readonly request: Json
  readonly exact: boolean
  /** JSON pointers to values stored without a secret. */
  readonly redacted: readonly string[]
  /** JSON pointers to numbers, in a body sent as text, that a JavaScript number cannot hold. */
  readonly rounded: readonly string[]
  readonly damaged: readonly Damage[]
}

export interface StoredReport {
  readonly report: Report
  readonly plan: StoredPlan
  readonly damaged: readonly Damage[]
}

/**
 * Puts a request together again, byte for byte, from its receipt. Without a step, the last one of the turn. Returns
 * undefined if there is no receipt.
 */
export function replay(database: Database, turn: string, step?: number): Replay | undefined {
  const receipt = findReceipt(database, turn, step)
  return receipt && replayOf(database, receipt)
}

/** Callers that restore many steps pass the shared texts. */
export function replayOf(database: Database, receipt: Receipt, texts: Texts = textsOf(database)): Replay {
  const { id, frame, node, marks, plan, ...facts } = receipt
  const marksText = texts.ofRow(marks)
  const { value, redacted, rounded, damaged } = putTogether(
    {
      frame: texts.ofRow(frame) ?? texts.missing(frame),
      elements: elementsOf(database, node).map((row) => texts.ofRow(row) ?? texts.missing(row)),
      marks: marksText ?? "[]",
    },
    texts,
  )
  const lost: readonly Damage[] = [
    ...damaged.map(({ pointer, ref }) => ({ pointer, digest: digestOf(ref) })),
    ...(marksText === undefined ? [{ pointer: "", digest: digestOf(texts.refOfRow(marks)) }] : []),
  ]
  const exact = [redacted, rounded, lost].every(({ length }) => length === 0)
  return { ...facts, request: value, exact, redacted, rounded, damaged: lost }
}

/** The report of a stored prompt. Returns undefined if the structure of the plan is damaged. */
export function reportOf(database: Database, { plan }: Receipt): StoredReport | undefined {
  const texts = textsOf(database)
  const text = texts.ofRow(plan)
  if (text === undefined) return undefined
  const { value, damaged } = putValue(text, texts)
  const stored = planFrom(value)
  if (stored === undefined) return undefined
  return {
    plan: stored,
    report: reportOfPlan(stored),
    damaged: damaged.map(({ pointer, ref }) => ({ pointer, digest: digestOf(ref) })),
  }
}

export function reportOfPlan({ budget, report: { runs, blocks, ...rest } }: StoredPlan): Report {
  // The text of a block may be damaged.
  const whole = blocks.map((block) => ({ ...block, text: block.text ?? "" }))
  return { ...rest, budget, sections: runs.flat(), blocks: whole }
}

export function findReceipt(database: Database, turn: string, step?: number): Receipt | undefined {
  const row =
    step === undefined
      ? database.get("SELECT * FROM receipts_by_model WHERE turn_id = ? ORDER BY step DESC LIMIT 1", turn)
      : database.get("SELECT * FROM receipts_by_model WHERE turn_id = ? AND step = ?", turn, step)
  return row && receiptOf(row)
}

/** The receipts of a turn, one for each step. */
export function receiptsOf(database: Database, turn: string): readonly Receipt[] {
  return database.all("SELECT * FROM receipts_by_model WHERE turn_id = ? ORDER BY step", turn).map(receiptOf)
}

export function receiptOf(row: Row): Receipt {
  const { trust } = row
  return {
    id: Number(row.id),
    turn: String(row.turn_id),
    step: Number(row.step),
    at: Number(row.at),
    session: String(row.session_id ?? ""),
    // An unreadable trust fails closed.
    trust: isTrust(trust) ? trust : "full",
    model: String(row.model ?? ""),
    frame: Number(row.frame),
    node: Number(row.node),
    marks: Number(row.marks),
    plan: Number(row.plan),
  }
}

const PATH = `WITH RECURSIVE up(id, parent, text, depth) AS (
  SELECT id, parent, text, 0 FROM nodes WHERE id = ?
  UNION ALL SELECT nodes.id, nodes.parent, nodes.text, depth + 1 FROM nodes JOIN up ON nodes.id = up.parent
) SELECT text FROM up ORDER BY depth DESC`

/** The rows of the conversation's items, first to last. */
export function elementsOf(database: Database, node: number): readonly number[] {
  return database.all(PATH, node).map(({ text }) => Number(text))
}

export interface Texts {
  /** Returns undefined if the text is missing or does not match its digest. */
  readonly text: (ref: Ref) => string | undefined
  readonly ofRow: (row: number) => string | undefined
  readonly refOfRow: (row: number) => Ref
  /** A part that names a missing text, so that its place is reported. */
  readonly missing: (row: number) => string
}

/** Reads each text once. */
export function textsOf(database: Database): Texts {
  const known = new Map<Ref, string | undefined>()
  const refs = new Map<number, Ref>()
  const take = (row: Row | undefined, ref: Ref): string | undefined => {
    const text = row && bodyText(row)
    const checked = text !== undefined && refOf(text) === ref ? text : undefined
    known.set(ref, checked)
    return checked
  }
  const refOfRow = (id: number): Ref => {
    const ref = refs.get(id)
    if (ref !== undefined) return ref
    const found = database.get("SELECT digest FROM texts WHERE id = ?", id)?.digest
    const made = found instanceof Uint8Array ? Buffer.from(found).toString("base64url") : `row ${id}`
    refs.set(id, made)
    return made
  }
  const text = (ref: Ref): string | undefined => {
    if (known.has(ref)) return known.get(ref)
    const digest = Buffer.from(ref, "base64url")
    return take(database.get("SELECT bytes, body FROM texts WHERE digest = ?", digest), ref)
  }
  return {
    text,
    refOfRow,
    ofRow: (id) => text(refOfRow(id)),
    missing: (id) => JSON.stringify({ $json: refOfRow(id) }),
  }
}

function digestOf(ref: Ref): string {
  return `sha256:${Buffer.from(ref, "base64url").toString("hex")}`
}
