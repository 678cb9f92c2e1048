// For the operator: explains why a file or a line is not among the hits of a question. Looks at every store, so a
// session must never see the answer.
import { atLeast, type Trust } from "../base/trust.ts"
import type { Counter } from "../core/model/counter.ts"
import type { Database, Row } from "../database/sqlite/database.ts"
import { questionTerms, termsOf } from "./rank/terms.ts"
import { candidates, partRow } from "./search.ts"
import { liveShelf } from "./shelf/shelf.ts"
import { type Stores, visibleParts } from "./shelf/store.ts"
import { idsOfPart, keyOf, partOf } from "./shelf/unit-id.ts"

/** Why a text was or was not found. */
export type Why =
  | { readonly kind: "unknown" }
  | { readonly kind: "withheld"; readonly path: string; readonly needs: Trust; readonly has: Trust }
  /** No word in common, not even in the text around it. */
  | {
      readonly kind: "no-match"
      readonly path: string
      readonly lines: readonly [number, number]
      readonly asked: readonly string[]
    }
  /** It is a hit: its rank, and the words it shares with the question. */
  | {
      readonly kind: "ranked"
      readonly path: string
      readonly lines: readonly [number, number]
      readonly rank: number
      readonly of: number
      readonly score: number
      readonly best: number
      readonly shared: readonly string[]
    }

export interface WhyOptions {
  readonly database: Database
  readonly stores: Stores
  readonly counter: Counter
  readonly trust: Trust
}

/** The best of the units that the path or the text names. */
export function whyNot(
  wanted: string,
  question: string,
  { database, stores, counter, trust }: WhyOptions,
): Why {
  const units = unitsNamed(database, wanted)
  const parts = visibleParts(stores, "full")
  const seen = units.filter(({ store }) =>
    parts.some(({ key, trust: needs }) => key === store && atLeast(trust, needs)),
  )
  const [hidden] = units
  if (hidden === undefined) return { kind: "unknown" }
  if (seen.length === 0) {
    const needs = parts.find(({ key }) => key === hidden.store)?.trust ?? "full"
    return { kind: "withheld", path: String(hidden.path), needs, has: trust }
  }
  const shelves = visibleParts(stores, trust).flatMap((part) => liveShelf(database, part, counter) ?? [])
  const found = candidates(database, { text: question, shelves })
  const ids = new Set(seen.map(({ id }) => Number(id)))
  const at = found.findIndex(({ id, row }) => ids.has(id) || seen.some((unit) => covers(id, row, unit)))
  const asked = questionTerms(question)
  const hit = found[at]
  const shown = hit?.row ?? narrowest(seen) ?? hidden
  const path = hit === undefined ? shown.path : partRow(database, hit.id)?.path
  const place = { path: String(path), lines: [Number(shown.first), Number(shown.last)] as const }
  if (hit === undefined) return { kind: "no-match", ...place, asked }
  const own = new Set(termsOf(String(hit.row.text)))
  const shared = asked.filter((term) => own.has(term))
  return {
    kind: "ranked",
    ...place,
    rank: at + 1,
    of: found.length,
    score: hit.score,
    best: found[0]?.score ?? 0,
    shared,
  }
}

/** The text shown for a heading includes the lines of its units; the single line is more specific. */
function narrowest(units: readonly Row[]): Row | undefined {
  const span = ({ first, last }: Row) => Number(last) - Number(first)
  return units.toSorted((a, b) => span(a) - span(b))[0]
}

/** A hit on a heading shows the beginning of its part. */
function covers(id: number, row: Row, unit: Row): boolean {
  return (
    partOf(keyOf(id)) === partOf(keyOf(Number(unit.id))) &&
    Number(row.first) <= Number(unit.first) &&
    Number(row.last) >= Number(unit.last)
  )
}

function unitsNamed(database: Database, wanted: string): readonly Row[] {
  const files = database.all(
    "SELECT file.id AS file, file.path AS path, shelf.store AS store FROM file, shelf WHERE shelf.id = file.shelf AND live = 1 AND file.path = ?",
    wanted,
  )
  const rows = files.length > 0 ? files : filesSaying(database, wanted)
  return rows.flatMap((file) =>
    unitsOfFile(database, Number(file.file))
      .filter(({ text }) => files.length > 0 || String(text).includes(wanted))
      .map((unit) => ({ ...unit, path: file.path ?? null, store: file.store ?? null })),
  )
}

function filesSaying(database: Database, text: string): readonly Row[] {
  const units = database.all("SELECT id FROM unit WHERE instr(text, ?) > 0 LIMIT 200", text)
  const parts = [...new Set(units.map(({ id }) => partOf(keyOf(Number(id)))))]
  const found = parts.flatMap((part) =>
    database.all(
      "SELECT file.id AS file, file.path AS path, shelf.store AS store FROM part, file, shelf WHERE part.id = ? AND file.id = part.file AND shelf.id = file.shelf AND live = 1",
      part,
    ),
  )
  return [...new Map(found.map((row) => [row.file, row])).values()]
}

function unitsOfFile(database: Database, file: number): readonly Row[] {
  return database
    .all("SELECT id FROM part WHERE file = ?", file)
    .flatMap(({ id }) =>
      database.all("SELECT * FROM unit WHERE id BETWEEN ? AND ?", ...idsOfPart(Number(id))),
    )
}
