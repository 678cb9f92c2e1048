// The newest entries of memory: dated text, by the day it was written or is about. Undated text is never recent.
import { byCodePoint } from "../base/order.ts"
import type { Provenance } from "../core/view/authorship.ts"
import type { Database } from "../database/sqlite/database.ts"
import type { SearchStatus } from "./search.ts"

export interface RecentEntry {
  readonly path: string
  /** "2026-06-14", or "2026-06" if no day is given. */
  readonly date: string
  readonly text: string
  /** The same for texts that differ only in markup, case and spaces. */
  readonly digest: string
  /** Who wrote it, if it was written through `write`. */
  readonly provenance?: Provenance
}

export interface RecentResult {
  readonly status: SearchStatus
  readonly reason?: string
  readonly entries: readonly RecentEntry[]
}

export interface RecentOptions {
  /** The last day to include: future dates are not recent. */
  readonly until: string
  readonly limit: number
}

/**
 * Newest first; within a day, text further down in a file is newer. The openings of parts, which repeat what is below
 * them, have no digest.
 */
const QUESTION = `
  SELECT unit.text AS text, unit.digest AS digest, unit.provenance AS provenance, file.path AS path,
    coalesce(substr(json_extract(unit.provenance, '$.at'), 1, 10), unit.date, part.date) AS day
  FROM file
    JOIN part ON part.file = file.id
    JOIN unit ON unit.id BETWEEN part.id * 4194304 AND part.id * 4194304 + 4194303
  WHERE file.shelf = ? AND unit.digest <> '' AND day <= ?
  ORDER BY day DESC, file.path, unit.id DESC LIMIT ?`

export function recentIn(
  database: Database,
  shelves: readonly number[],
  { until, limit }: RecentOptions,
): readonly RecentEntry[] {
  const rows = shelves.flatMap((shelf) => database.all(QUESTION, shelf, until, limit))
  return rows
    .map(({ path, day, text, digest, provenance }) => ({
      path: String(path),
      date: String(day),
      text: String(text),
      digest: String(digest),
      // Only `shelveFile` writes it, from a value of this type.
      ...(typeof provenance === "string" && { provenance: JSON.parse(provenance) as Provenance }),
    }))
    .toSorted((a, b) => byCodePoint(b.date, a.date) || byCodePoint(a.path, b.path))
    .slice(0, limit)
}
