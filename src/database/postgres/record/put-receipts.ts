// Writes the receipts of a batch. Every text is stored once, by digest, and the conversation is a path in a tree whose
// nodes are named by what leads to them, so that all of a batch is written by a few statements.
import type { NewReceipt, NodeName, TextTree } from "../../contract/record/receipts.ts"
import { packText } from "../../packed-text.ts"
import { type Ref, refOf, refsIn } from "../../text-ref.ts"
import type { Statements } from "../postgres.ts"
import { lockRecord } from "./days.ts"

/** Returns the nodes of each conversation, in the order of the receipts. */
export async function putReceipts(
  statements: Statements,
  receipts: readonly NewReceipt[],
): Promise<readonly (readonly NodeName[])[]> {
  // So that nothing that is found now is removed before it is named.
  const [, stored] = await Promise.all([
    lockRecord(statements, "texts", true),
    storedSteps(statements, receipts),
  ])
  const paths = receipts.map((receipt) => pathOf(receipt, stored))
  await putTexts(statements, receipts, paths)
  await putNodes(
    statements,
    paths.flatMap(({ added }) => added),
  )
  await replace(statements, receipts, paths)
  return paths.map(({ nodes }) => nodes)
}

interface Node {
  readonly name: string
  readonly parent: string
  readonly element: TextTree
  readonly text: Ref
}

interface Path {
  readonly nodes: readonly string[]
  readonly added: readonly Node[]
}

const STORED = `SELECT receipts.turn_id, receipts.step, node FROM record_receipts AS receipts
JOIN unnest($1::text[], $2::float8[]) AS known(turn, step) ON known.turn = receipts.turn_id AND known.step = receipts.step`

/** The ends of the conversations that receipts continue, by step, as far as they are still stored. */
async function storedSteps(
  statements: Statements,
  receipts: readonly NewReceipt[],
): Promise<ReadonlyMap<string, string>> {
  const known = receipts.flatMap((receipt) => receipt.known ?? [])
  if (known.length === 0) return new Map()
  const rows = await statements.all(
    STORED,
    known.map(({ turn }) => turn),
    known.map(({ step }) => step),
  )
  return new Map(
    rows.map(({ turn_id, step, node }) => [stepKey(String(turn_id), Number(step)), String(node)]),
  )
}

function stepKey(turn: string, step: number): string {
  return `${step} ${turn}`
}

function pathOf({ elements, known }: NewReceipt, stored: ReadonlyMap<string, string>): Path {
  const isStored = known !== undefined && stored.get(stepKey(known.turn, known.step)) === known.nodes.at(-1)
  const nodes = isStored ? known.nodes.slice(0, known.shared).map(String) : []
  const added: Node[] = []
  for (const element of elements.slice(nodes.length)) {
    const parent = nodes.at(-1) ?? ""
    const text = refOf(element.stored)
    const name = refOf(`${parent} ${text}`)
    nodes.push(name)
    added.push({ name, parent, element, text })
  }
  return { nodes, added }
}

async function putTexts(
  statements: Statements,
  receipts: readonly NewReceipt[],
  paths: readonly Path[],
): Promise<void> {
  const trees = [
    ...receipts.flatMap(({ frame, marks, plan }) => [frame, marks, plan]),
    ...paths.flatMap(({ added }) => added.map(({ element }) => element)),
  ]
  const texts = new Map<Ref, string>()
  for (const tree of trees) collect(tree, texts)
  const rows = await statements.all("SELECT digest FROM record_texts WHERE digest = ANY($1::text[])", [
    ...texts.keys(),
  ])
  for (const { digest } of rows) texts.delete(String(digest))
  if (texts.size === 0) return
  // In one order, so that two processes with the same texts don't wait for each other.
  const added = [...texts].toSorted(([one], [other]) => (one < other ? -1 : 1))
  await insertTexts(statements, added)
  await linkTexts(statements, added)
}

/** A text and all that it names. If data looks like a reference but names nothing, there is no text for it. */
function collect({ stored, texts }: TextTree, found: Map<Ref, string>): void {
  const open = [stored]
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    const digest = refOf(text)
    if (found.has(digest)) continue
    found.set(digest, text)
    const named = refsIn(text)
    open.push(...named.parts.flatMap((ref) => texts.get(ref) ?? []))
    for (const ref of named.texts) {
      const part = texts.get(ref)
      if (part !== undefined) found.set(ref, part)
    }
  }
}

const INSERT_TEXTS = `INSERT INTO record_texts (digest, bytes, body)
SELECT digest, bytes, decode(body, 'base64') FROM unnest($1::text[], $2::bigint[], $3::text[]) AS given(digest, bytes, body)
ON CONFLICT DO NOTHING`

async function insertTexts(
  statements: Statements,
  texts: readonly (readonly [Ref, string])[],
): Promise<void> {
  const packed = texts.map(([, text]) => packText(text))
  await statements.run(
    INSERT_TEXTS,
    texts.map(([digest]) => digest),
    packed.map(({ bytes }) => bytes),
    packed.map(({ body }) => Buffer.from(body).toString("base64")),
  )
}

const LINK_TEXTS = `INSERT INTO record_text_refs (text, ref) SELECT DISTINCT text, ref
FROM unnest($1::text[], $2::text[]) AS given(text, ref) JOIN record_texts ON digest = ref ON CONFLICT DO NOTHING`

/** Also what only looks like a name, if there is such a text: what stays is no mistake. */
async function linkTexts(statements: Statements, texts: readonly (readonly [Ref, string])[]): Promise<void> {
  const links = texts.flatMap(([digest, text]) => {
    const named = refsIn(text)
    return [...named.parts, ...named.texts].map((ref) => ({ digest, ref }))
  })
  if (links.length === 0) return
  await statements.run(
    LINK_TEXTS,
    links.map(({ digest }) => digest),
    links.map(({ ref }) => ref),
  )
}

async function putNodes(statements: Statements, nodes: readonly Node[]): Promise<void> {
  if (nodes.length === 0) return
  const sorted = nodes.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  await statements.run(
    `INSERT INTO record_nodes (name, parent, text) SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
    ON CONFLICT DO NOTHING`,
    sorted.map(({ name }) => name),
    sorted.map(({ parent }) => parent),
    sorted.map(({ text }) => text),
  )
}

const REMOVE = `DELETE FROM record_receipts AS receipts USING unnest($1::text[], $2::float8[]) AS given(turn, step)
WHERE receipts.turn_id = given.turn AND receipts.step = given.step RETURNING frame, node, marks, plan`

const INSERT = `INSERT INTO record_receipts (turn_id, step, at, session_id, trust, model, frame, node, marks, plan)
SELECT turn, step, at, session, trust, model, frame, node, marks, plan FROM unnest($1::text[], $2::float8[],
  $3::float8[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[]) WITH ORDINALITY
  AS given(turn, step, at, session, trust, model, frame, node, marks, plan, place) ORDER BY place`

/** A receipt that replaces another gets a new id, so that ids follow the order of calls. */
async function replace(
  statements: Statements,
  receipts: readonly NewReceipt[],
  paths: readonly Path[],
): Promise<void> {
  const made = receipts.map((receipt, at) => ({
    ...receipt,
    frame: refOf(receipt.frame.stored),
    marks: refOf(receipt.marks.stored),
    plan: refOf(receipt.plan.stored),
    node: paths[at]?.nodes.at(-1) ?? "",
  }))
  const last = new Map(made.map((receipt) => [stepKey(receipt.turn, receipt.step), receipt]))
  const kept = made.filter((receipt) => last.get(stepKey(receipt.turn, receipt.step)) === receipt)
  const of = <K extends keyof (typeof made)[number]>(name: K) => kept.map((receipt) => receipt[name])
  const removed = await statements.all(REMOVE, of("turn"), of("step"))
  await loosen(statements, [
    ...removed.map(({ frame, node, marks, plan }) => ({
      ...{ frame: String(frame), node: String(node), marks: String(marks), plan: String(plan) },
    })),
    ...made.filter((receipt) => !kept.includes(receipt)),
  ])
  await statements.run(
    INSERT,
    ...[of("turn"), of("step"), of("at"), of("session"), of("trust"), of("model")],
    ...[of("frame"), of("node"), of("marks"), of("plan")],
  )
}

interface Named {
  readonly frame: Ref
  readonly node: string
  readonly marks: Ref
  readonly plan: Ref
}

/** Notes what receipts named that are no longer there, for the next sweep. */
export async function loosen(statements: Statements, receipts: readonly Named[]): Promise<void> {
  if (receipts.length === 0) return
  await Promise.all([
    statements.run(
      "INSERT INTO record_loose_nodes SELECT DISTINCT unnest($1::text[]) ORDER BY 1 ON CONFLICT DO NOTHING",
      receipts.map(({ node }) => node),
    ),
    statements.run(
      "INSERT INTO record_loose_texts SELECT DISTINCT unnest($1::text[]) ORDER BY 1 ON CONFLICT DO NOTHING",
      receipts.flatMap(({ frame, marks, plan }) => [frame, marks, plan]),
    ),
  ])
}
