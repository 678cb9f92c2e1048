// Writes files into the index: a whole shelf, or one file of a live shelf. Call each function inside a transaction.
import process from "node:process"
import { digest } from "../../base/digest.ts"
import type { Counter } from "../../core/model/counter.ts"
import { jointProvenance } from "../../core/view/authorship.ts"
import type { Database } from "../../database/sqlite/database.ts"
import { dateTerms, saysWhen } from "../rank/dates.ts"
import { termsOf } from "../rank/terms.ts"
import { memoryTable, termsTable } from "./schema.ts"
import type { Listed, StorePart } from "./store.ts"
import { readInside } from "./store.ts"
import { idsOfPart, unitId } from "./unit-id.ts"
import { endsWithQuestion, type Part, type Unit, unitsOf } from "./units.ts"

/** How much of the text below a heading is shown for a hit on the heading itself. */
const OPENING_CHARACTERS = 600
/** Some file systems store mtime with a resolution of two seconds. */
const RACY_MS = 2_000
/** ctime has the resolution of the kernel's tick. */
const TICK_MS = 20
/** Marks a term of a label, so that it counts separately from the text. */
const LABEL_MARK = "¬"

export function addShelf(database: Database, { key, folder }: StorePart, counter: Counter): number {
  const { id } = database.run(
    "INSERT INTO shelf (store, folder, counter, builder, live) VALUES (?, ?, ?, ?, 0)",
    ...[key, folder, counter.name, process.pid],
  )
  database.run(memoryTable(termsTable(id)) ?? "")
  return id
}

export function removeShelf(database: Database, shelf: number): void {
  for (const { id } of database.all("SELECT id FROM file WHERE shelf = ?", shelf))
    removeRows(database, Number(id))
  database.run("DELETE FROM file WHERE shelf = ?", shelf)
  database.run("DELETE FROM shelf WHERE id = ?", shelf)
  database.run(`DROP TABLE IF EXISTS ${termsTable(shelf)}`)
}

/** Everything read inside is consistent, so that no shelf disappears midway. */
export function snapshot<T>(database: Database, read: () => T): T {
  database.run("BEGIN")
  try {
    return read()
  } finally {
    database.run("COMMIT")
  }
}

/** The shelf that readers use. Returns undefined if it was made for another folder or counts other tokens. */
export function liveShelf(
  database: Database,
  { key, folder }: Pick<StorePart, "key" | "folder">,
  counter: Counter,
): number | undefined {
  const row = database.get(
    "SELECT id FROM shelf WHERE store = ? AND folder = ? AND counter = ? AND live = 1",
    ...[key, folder, counter.name],
  )
  return row === undefined ? undefined : Number(row.id)
}

/** Readers see the new shelf once the transaction ends, and the old one until then. */
export function makeLive(database: Database, { key }: StorePart, shelf: number): void {
  const old = database.all("SELECT id FROM shelf WHERE store = ? AND live = 1", key)
  for (const { id } of old) removeShelf(database, Number(id))
  database.run("UPDATE shelf SET live = 1 WHERE id = ?", shelf)
}

export interface ShelfFile {
  readonly shelf: number
  readonly listed: Listed
  readonly counter: Counter
}

/** Reads a file and replaces its units on the shelf. Removes a file that is gone. */
export function shelveFile(database: Database, { shelf, listed, counter }: ShelfFile): void {
  const text = readInside(listed.full)
  const known = database.get("SELECT id, digest FROM file WHERE shelf = ? AND path = ?", shelf, listed.path)
  if (text === undefined) {
    if (known !== undefined) unshelveFile(database, shelf, Number(known.id))
    return
  }
  const found = digest(text)
  const { mtimeMs, size, inode, path } = listed
  const ctimeMs = settled(listed)
  if (known !== undefined && known.digest === found) {
    database.run(
      "UPDATE file SET mtime = ?, ctime = ?, size = ?, inode = ? WHERE id = ?",
      mtimeMs,
      ctimeMs,
      size,
      inode,
      Number(known.id),
    )
    return
  }
  if (known !== undefined) unshelveFile(database, shelf, Number(known.id))
  const { id } = database.run(
    "INSERT INTO file (shelf, path, mtime, ctime, size, inode, digest, tokens, units, length) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0)",
    ...[shelf, path, mtimeMs, ctimeMs, size, inode, found, counter.count(text)],
  )
  const sums = shelveParts(database, { shelf, file: id, path, text, counter })
  database.run("UPDATE file SET units = ?, length = ? WHERE id = ?", sums.units, sums.length, id)
}

/** A file changed a moment ago could change again with the same times and size: compare its digest next time. */
function settled({ mtimeMs, ctimeMs }: Listed): number {
  const now = Date.now()
  return Math.abs(now - mtimeMs) < RACY_MS || Math.abs(now - ctimeMs) < TICK_MS ? 0 : ctimeMs
}

export function unshelveFile(database: Database, shelf: number, file: number): void {
  for (const { id } of database.all("SELECT id FROM part WHERE file = ?", file)) {
    const [first, last] = idsOfPart(Number(id))
    for (const row of database.all("SELECT id FROM unit WHERE id BETWEEN ? AND ?", first, last))
      database.run(`DELETE FROM ${termsTable(shelf)} WHERE rowid = ?`, Number(row.id))
  }
  removeRows(database, file)
  database.run("DELETE FROM file WHERE id = ?", file)
}

function removeRows(database: Database, file: number): void {
  for (const { id } of database.all("SELECT id FROM part WHERE file = ?", file))
    database.run("DELETE FROM unit WHERE id BETWEEN ? AND ?", ...idsOfPart(Number(id)))
  database.run("DELETE FROM part WHERE file = ?", file)
}

interface FileParts {
  readonly shelf: number
  readonly file: number
  readonly path: string
  readonly text: string
  readonly counter: Counter
}

function shelveParts(database: Database, { shelf, file, path, text, counter }: FileParts) {
  const lines = text.split("\n")
  let [units, length] = [0, 0]
  for (const part of unitsOf(text, path)) {
    const heading = part.heading.join(" > ")
    const { id } = database.run(
      "INSERT INTO part (file, heading, date) VALUES (?, ?, ?)",
      file,
      heading,
      part.date ?? null,
    )
    // The file's name describes everything in it.
    const words = [...termsOf(heading), ...termsOf(path.replace(/\.md$/, "").split("/").slice(1).join(" "))]
    const dates = part.date === undefined ? [] : dateTerms(part.date)
    const opening = openingOf(part, lines)
    insertUnit(database, { shelf, part: id, place: 0, unit: opening, terms: words, extra: dates, counter })
    for (const [at, unit] of part.units.entries()) {
      const terms = termsOf(unit.text)
      const label = unit.label === undefined ? [] : termsOf(unit.label).map(labelTerm)
      const extra = [...label, ...(unit.date === undefined ? [] : dateTerms(unit.date))]
      insertUnit(database, { shelf, part: id, place: at + 1, unit, terms, extra, counter })
      units += 1
      length += Math.min(terms.length, 255)
    }
  }
  return { units, length }
}

export function labelTerm(term: string): string {
  return LABEL_MARK + term
}

/** The heading with the text after it, which is shown for a hit on the heading. */
function openingOf({ headingLine, units }: Part, lines: readonly string[]): Unit {
  const first = headingLine ?? units[0]?.lines[0] ?? 1
  const room = units.findIndex(({ lines: [, last] }) => lengthOf(lines, first, last) > OPENING_CHARACTERS)
  const shown = room === -1 ? units : units.slice(0, room)
  const last = shown.at(-1)?.lines[1] ?? first
  const provenance = jointProvenance(shown.map((unit) => unit.provenance))
  return {
    lines: [first, last],
    text: lines.slice(first - 1, last).join("\n"),
    ...(provenance && { provenance }),
  }
}

function lengthOf(lines: readonly string[], first: number, last: number): number {
  return lines.slice(first - 1, last).reduce((sum, line) => sum + line.length + 1, 0)
}

interface UnitRow {
  readonly shelf: number
  readonly part: number
  readonly place: number
  readonly unit: Unit
  readonly terms: readonly string[]
  readonly extra: readonly string[]
  readonly counter: Counter
}

function insertUnit(database: Database, { shelf, part, place, unit, terms, extra, counter }: UnitRow): void {
  const asks = endsWithQuestion(unit.text)
  const id = unitId({ part, place, asks, saysWhen: saysWhen(unit.text), length: terms.length })
  database.run(
    "INSERT INTO unit (id, first, last, text, tokens, digest, date, provenance) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    ...[
      id,
      unit.lines[0],
      unit.lines[1],
      unit.text,
      counter.count(unit.text),
      place === 0 ? "" : unitDigest(unit.text),
    ],
    ...[unit.date ?? null, unit.provenance === undefined ? null : JSON.stringify(unit.provenance)],
  )
  const words = [...new Set([...terms, ...extra])].join(" ")
  database.run(`INSERT INTO ${termsTable(shelf)} (rowid, terms) VALUES (?, ?)`, id, words)
}

/** The same for texts that differ only in markup, case and spaces. */
export function unitDigest(text: string): string {
  return digest(termsOf(text).join(" ")).slice(7, 39)
}

/** Whether one of these shelves has the text, or each of its units. */
export function isShelved(database: Database, shelves: ReadonlySet<number>, text: string): boolean {
  const units = unitsOf(text, "").flatMap((part) => part.units)
  const isThere = (digest: string) =>
    database
      .all(
        `SELECT file.shelf AS shelf FROM unit, part, file
         WHERE unit.digest = ? AND part.id = unit.id / 4194304 AND file.id = part.file`,
        digest,
      )
      .some(({ shelf }) => shelves.has(Number(shelf)))
  return (
    isThere(unitDigest(text)) || (units.length > 0 && units.every((unit) => isThere(unitDigest(unit.text))))
  )
}
