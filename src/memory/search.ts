// Turns ranked units into hits: short texts with path, lines, heading, date and token count, within a limit and a
// budget. Shortens what does not fit, and counts what is left out; an answer is never silently empty.
import type { Counter } from "../core/model/counter.ts"
import type { Provenance } from "../core/view/authorship.ts"
import type { Database, Row } from "../database/sqlite/database.ts"
import { type Question, type Ranked, rank } from "./rank/rank.ts"
import { snippetOf } from "./rank/snippet.ts"
import { questionTerms } from "./rank/terms.ts"
import { keyOf, partOf, placeIn } from "./shelf/unit-id.ts"

export interface Hit {
  /** The store and the path inside it, such as "shared/people/carol.md". */
  readonly path: string
  /** First and last line of what is shown, from 1. */
  readonly lines: readonly [number, number]
  /** The headings above it, outermost first, joined with " > ". */
  readonly heading: string
  readonly date?: string
  readonly text: string
  /** The exact count for `text`. */
  readonly tokens: number
  readonly score: number
  /** Who wrote it, if it was written through `write`. */
  readonly provenance?: Provenance
}

/**
 * `empty`: nothing matches, and the index is in step with the files. `stale`: the index is behind, and more may be
 * found soon. `degraded`: the index could not be updated. `error`: there was nothing to search.
 */
export type SearchStatus = "ok" | "empty" | "stale" | "degraded" | "error"

/** The hits of a search, best first, within the budget. */
export interface SearchResult {
  readonly status: SearchStatus
  readonly reason?: string
  readonly hits: readonly Hit[]
  /** The sum of the hits' tokens. */
  readonly tokens: number
  /** Hits left out, and their token count. */
  readonly more?: { readonly count: number; readonly tokens: number }
}

export interface Fill {
  readonly database: Database
  readonly limit: number
  readonly budget: number
  readonly counter: Counter
  readonly redact: (text: string) => string
}

/** The limit for a hit, unless there is only one. */
const HIT_TOKENS = 160
/** A shorter text would be useless. */
const LEAST_TOKENS = 12
/** A unit below this share of the best score is not a hit. */
const LEAST_SHARE = 0.12

/** All matching units, best first, each text once. */
export function candidates(database: Database, question: Question): readonly Ranked[] {
  const ranked = rank(database, question)
  const least = (ranked[0]?.score ?? 0) * LEAST_SHARE
  return withoutRepeats(ranked.filter(({ score }) => score >= least))
}

/** The heading and date of a unit's part, and its file's path. */
export function partRow(database: Database, id: number): Row | undefined {
  return database.get(
    "SELECT part.heading AS heading, part.date AS date, file.path AS path FROM part, file WHERE part.id = ? AND file.id = part.file",
    partOf(keyOf(id)),
  )
}

/** A heading shows what is below it: it yields to units of its own part that rank higher, and replaces the others. */
function withoutRepeats(found: readonly Ranked[]): readonly Ranked[] {
  const texts = new Set<string>()
  const parts = new Map<number, Row | undefined>()
  return found.filter(({ id, row }) => {
    const key = keyOf(id)
    const part = partOf(key)
    const isHeading = placeIn(key) === 0
    const opening = parts.get(part)
    if (isHeading ? parts.has(part) : opening !== undefined && Number(row.last) <= Number(opening.last))
      return false
    if (isHeading) parts.set(part, row)
    else if (!parts.has(part)) parts.set(part, undefined)
    const text = String(row.digest)
    if (isHeading || !texts.has(text)) {
      texts.add(text)
      return true
    }
    return false
  })
}

export function fill(found: readonly Ranked[], question: string, options: Fill) {
  const { limit, counter, database, redact } = options
  const budget = Math.max(LEAST_TOKENS, options.budget)
  const terms = new Set(questionTerms(question))
  const hits: Hit[] = []
  let tokens = 0
  for (const candidate of found) {
    const room = budget - tokens
    const most = Math.min(found.length === 1 ? budget : HIT_TOKENS, room)
    if (hits.length >= limit || most < LEAST_TOKENS) break
    const hit = hitOf(candidate, partRow(database, candidate.id), { terms, most, counter, redact })
    hits.push(hit)
    tokens += hit.tokens
  }
  const left = found.slice(hits.length)
  const price = left.reduce((sum, { row }) => sum + Math.min(HIT_TOKENS, Number(row.tokens)), 0)
  return { hits, tokens, ...(left.length > 0 && { more: { count: left.length, tokens: price } }) }
}

interface Shown {
  readonly terms: ReadonlySet<string>
  readonly most: number
  readonly counter: Counter
  readonly redact: (text: string) => string
}

function hitOf({ row, score }: Ranked, part: Row | undefined, shown: Shown): Hit {
  const { text, tokens, skipped, lines } = snippetOf(shown.redact(String(row.text)), shown)
  const first = Number(row.first) + skipped
  const date = row.date ?? part?.date
  return {
    path: String(part?.path),
    lines: [first, Math.min(Number(row.last), first + lines - 1)],
    heading: shown.redact(String(part?.heading)),
    text,
    tokens,
    score,
    ...(typeof date === "string" && { date }),
    // Only `shelveFile` writes it, from a value of this type.
    ...(typeof row.provenance === "string" && { provenance: JSON.parse(row.provenance) as Provenance }),
  }
}
