// Writes a receipt. Every text is stored once, by digest, and the conversation is a path in a tree: a step adds only
// what is new.
import type { NewReceipt, NodeName, TextTree } from "../../contract/record/receipts.ts"
import { packText } from "../../packed-text.ts"
import { type Ref, refOf, refsIn } from "../../text-ref.ts"
import type { Database } from "../database.ts"

// A receipt that replaces another gets a new id, so that ids follow the order of calls.
const INSERT = `INSERT OR REPLACE INTO receipts (turn_id, step, at, session_id, trust, model_id, frame, node, marks, plan)
VALUES (?, ?, ?, ?, ?, (SELECT id FROM models WHERE name = ?), ?, ?, ?, ?)`

/** Returns the nodes of its conversation. Call it in a transaction. */
export function putReceipt(database: Database, receipt: NewReceipt): readonly NodeName[] {
  const { turn, step, at, session, trust, model, frame, marks, plan, elements, known } = receipt
  const put = ({ stored, texts }: TextTree) => putTree(database, stored, texts)
  const nodes = known === undefined ? [] : stillThere(database, known)
  for (const element of elements.slice(nodes.length))
    nodes.push(putNode(database, nodes.at(-1) ?? 0, element))
  database.run("INSERT OR IGNORE INTO models (name) VALUES (?)", model)
  const node = nodes.at(-1) ?? 0
  database.run(INSERT, turn, step, at, session, trust, model, put(frame), node, put(marks), put(plan))
  return nodes
}

/** The nodes of the first, known elements, if the receipt that needs them is still in the file. */
function stillThere(
  database: Database,
  { turn, step, nodes, shared }: NonNullable<NewReceipt["known"]>,
): number[] {
  const ids = nodes.map(Number)
  const sql = "SELECT 1 FROM receipts WHERE turn_id = ? AND step = ? AND node = ?"
  return database.get(sql, turn, step, ids.at(-1) ?? 0) === undefined ? [] : ids.slice(0, shared)
}

/** The row of a text that may name others. If it is known, so are they: nothing is stored without what it names. */
function putTree(database: Database, text: string, texts: ReadonlyMap<Ref, string>): number {
  const digest = digestOf(refOf(text))
  const known = rowOf(database, digest)
  if (known !== undefined) return known
  const named = refsIn(text)
  for (const ref of named.parts) {
    const part = texts.get(ref)
    if (part !== undefined) putTree(database, part, texts)
  }
  for (const ref of named.texts) putText(database, texts.get(ref), ref)
  return insertText(database, text, digest)
}

/** `text` is undefined if user data contains what looks like a reference but names nothing. */
function putText(database: Database, text: string | undefined, ref: Ref): void {
  const digest = digestOf(ref)
  if (text !== undefined && rowOf(database, digest) === undefined) insertText(database, text, digest)
}

function rowOf(database: Database, digest: Uint8Array): number | undefined {
  const row = database.get("SELECT id FROM texts WHERE digest = ?", digest)
  return row && Number(row.id)
}

function insertText(database: Database, text: string, digest: Uint8Array): number {
  const { bytes, body } = packText(text)
  return database.run("INSERT INTO texts (digest, bytes, body) VALUES (?, ?, ?)", digest, bytes, body).id
}

const CHILD = `SELECT nodes.id FROM texts JOIN nodes ON nodes.text = texts.id
WHERE texts.digest = ? AND nodes.parent = ?`

function putNode(database: Database, parent: number, { stored, texts }: TextTree): number {
  const known = database.get(CHILD, digestOf(refOf(stored)), parent)
  if (known !== undefined) return Number(known.id)
  const text = putTree(database, stored, texts)
  return database.run("INSERT INTO nodes (parent, text) VALUES (?, ?)", parent, text).id
}

function digestOf(ref: Ref): Uint8Array {
  return Buffer.from(ref, "base64url")
}
