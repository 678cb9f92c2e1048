// The tables of the record, in an order in which every row comes after those that it refers to. In the file, texts and nodes
// have numbers; in PostgreSQL, they are named by digest.
import { oncePerObject } from "../../base/memo/once.ts"
import { EVENT_COLUMNS } from "../contract/record/event-row.ts"
import { storedWords } from "../postgres/record/words.ts"
import type { Row } from "../rows/row.ts"
import type { Database } from "../sqlite/database.ts"
import { type Ref, refOf } from "../text-ref.ts"
import { same, type TableMove } from "./table-move.ts"

const EVENTS: TableMove = {
  table: "record_events",
  from: "events",
  by: ["id"],
  columns: {
    ...same("id", ...EVENT_COLUMNS.filter((name) => name !== "timestamp")),
    ...{ at: "timestamp", words: "NULL" },
  },
  translated: () => (row) => ({
    ...row,
    at: Date.parse(String(row.at)),
    words: storedWords([textOf(row.error), textOf(row.metadata)]),
  }),
  rowsAtOnce: 1_000,
}

function textOf(value: Row[string] | undefined): string | null {
  return typeof value === "string" ? value : null
}

const TEXTS: TableMove = {
  table: "record_texts",
  from: "texts",
  by: ["id"],
  columns: same("digest", "bytes", "body"),
  translated: () => (row) => ({ ...row, digest: refIn(row.digest) }),
  rowsAtOnce: 100,
}

const TEXT_REFS: TableMove = {
  table: "record_text_refs",
  from: `text_refs JOIN texts AS naming ON naming.id = text_refs.text JOIN texts AS named ON named.id = text_refs.ref`,
  by: ["text_refs.text", "text_refs.ref"],
  columns: { text: "naming.digest", ref: "named.digest" },
  translated: () => (row) => ({ text: refIn(row.text), ref: refIn(row.ref) }),
}

const NODES: TableMove = {
  table: "record_nodes",
  from: "nodes JOIN texts ON texts.id = nodes.text",
  by: ["nodes.id"],
  columns: { name: "nodes.id", parent: "nodes.parent", text: "texts.digest" },
  translated: (source) => (row) => ({
    name: nodeName(source, row.name),
    parent: nodeName(source, row.parent),
    text: refIn(row.text),
  }),
}

const RECEIPTS: TableMove = {
  table: "record_receipts",
  from: `receipts JOIN models ON models.id = model_id JOIN texts AS frames ON frames.id = frame
    JOIN texts AS marked ON marked.id = marks JOIN texts AS plans ON plans.id = plan`,
  by: ["receipts.id"],
  columns: {
    ...{ id: "receipts.id", turn_id: "turn_id", step: "step", at: "at" },
    // As they are read: a receipt without trust needs all of it.
    ...{ session_id: "coalesce(session_id, '')", trust: "coalesce(trust, 'full')" },
    ...{ model: "models.name", frame: "frames.digest", node: "node" },
    ...{ marks: "marked.digest", plan: "plans.digest" },
  },
  translated: (source) => (row) => ({
    ...row,
    node: nodeName(source, row.node),
    ...{ frame: refIn(row.frame), marks: refIn(row.marks), plan: refIn(row.plan) },
  }),
}

const SUMS = ["unpriced", "fresh", "cache_read", "cache_write", "output", "cost_usd"]

const COSTS: readonly TableMove[] = [
  {
    table: "record_costs",
    from: "costs",
    by: ["quarter", "session_id", "user_id", "model"],
    columns: same("quarter", "session_id", "user_id", "model", "turns", "calls", ...SUMS),
  },
  {
    table: "record_turn_costs",
    from: "turn_costs",
    by: ["turn_id", "quarter"],
    columns: same("quarter", "turn_id", "calls", ...SUMS),
  },
  {
    table: "record_section_costs",
    from: "section_costs",
    by: ["quarter", "section", "path"],
    columns: same("quarter", "section", "path", ...SUMS),
  },
]

/** Others are about the file. */
const FACTS: TableMove = {
  table: "record_facts",
  from: "(SELECT name, value FROM facts WHERE name IN ('dropped', 'pruned'))",
  by: ["name"],
  columns: same("name", "value"),
}

export const RECORD_TABLES: readonly TableMove[] = [
  ...[TEXTS, TEXT_REFS, NODES, RECEIPTS, EVENTS],
  ...COSTS,
  FACTS,
]

function refIn(digest: Row[string] | undefined): Ref {
  return digest instanceof Uint8Array ? Buffer.from(digest).toString("base64url") : ""
}

/** The number 0 is before the first node. */
function nodeName(source: Database, id: Row[string] | undefined): string {
  return nodeNames(source).get(Number(id)) ?? ""
}

/** By what leads to them, as the record on PostgreSQL names them. A node has a greater number than its parent. */
const nodeNames = oncePerObject((source: Database): ReadonlyMap<number, string> => {
  const names = new Map<number, string>()
  const rows = source.each(
    "SELECT nodes.id, parent, digest FROM nodes JOIN texts ON texts.id = nodes.text ORDER BY nodes.id",
  )
  for (const { id, parent, digest } of rows) {
    const before = names.get(Number(parent)) ?? ""
    names.set(Number(id), refOf(`${before} ${refIn(digest)}`))
  }
  return names
})
