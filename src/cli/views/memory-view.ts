// Memory's answers, for people.
import { bytesText } from "../../base/data-size.ts"
import { plural, thousands } from "../../base/text/figures.ts"
import type { Trust } from "../../base/trust.ts"
import type { MemoryStatus } from "../../memory/memory.ts"
import { wordsOf } from "../../memory/rank/terms.ts"
import type { Hit, SearchResult } from "../../memory/search.ts"
import type { Why } from "../../memory/why-not.ts"
import { painter } from "./colour.ts"
import type { Page } from "./page.ts"
import { cells, fitCell } from "./widths.ts"

/** Each store with what the index has of it, and the size of the index. */
export function storesView({ stores, bytes }: MemoryStatus, page: Pick<Page, "colour">): readonly string[] {
  const heads = ["store", "needs", "files", "entries", "tokens", "state"]
  const rows = stores.map(({ name, trust, files, units, tokens, fresh, changed }) => [
    name,
    trust,
    thousands(files),
    thousands(units),
    thousands(tokens),
    fresh ? "up to date" : `${thousands(changed)} changed`,
  ])
  const widths = heads.map((_, at) => Math.max(...[heads, ...rows].map((row) => cells(row[at] ?? ""))))
  const line = (row: readonly string[]) =>
    row
      .map((text, at) => fitCell(text, widths[at] ?? 0, at >= 2 && at <= 4 ? "right" : "left"))
      .join("  ")
      .trimEnd()
  return [
    painter(page)("dim", line(heads)),
    ...rows.map(line),
    ...(bytes === undefined ? [] : [`the index takes ${bytesText(bytes)}`]),
  ]
}

export function searchView(
  { hits, tokens, more }: SearchResult,
  trust: Trust,
  page: Pick<Page, "colour">,
): readonly string[] {
  const paint = painter(page)
  const sum = `${plural(hits.length, "hit")}, ${plural(tokens, "token")}, at ${trust} trust`
  const left =
    more === undefined ? "" : `; ${thousands(more.count)} more for about ${thousands(more.tokens)} tokens`
  return [
    ...hits.flatMap((hit) => [
      `${paint("bold", hitPlace(hit))}  ${paint("dim", factsOf(hit))}`,
      ...hit.text.split("\n").map((line) => `  ${line}`.trimEnd()),
    ]),
    paint("dim", sum + left),
  ]
}

function factsOf({ date, tokens, heading, provenance }: Hit): string {
  return [
    ...(date === undefined ? [] : [date]),
    plural(tokens, "token"),
    ...(heading === "" ? [] : [heading]),
    ...(provenance === undefined ? [] : [`by ${provenance.by}`]),
  ].join(", ")
}

export function hitPlace({ path, lines: [first, last] }: Pick<Hit, "path" | "lines">): string {
  return `${path}:${first === last ? first : `${first}-${last}`}`
}

/** How many hits a search with the same limits shows, and the query. */
export interface SearchFacts {
  readonly query: string
  readonly shown: number
}

export function whyView(why: Why, wanted: string, { query, shown }: SearchFacts): string {
  if (why.kind === "unknown") return `Nothing in memory is or says "${wanted}".`
  if (why.kind === "withheld")
    return `Withheld: ${why.path} needs ${why.needs} trust, and this audience has ${why.has}.`
  if (why.kind === "no-match")
    return `No hit: ${hitPlace(why)} has too few of the search words (${termsText(why.asked, query)}).`
  const score = `score ${why.score.toFixed(2)}, the best has ${why.best.toFixed(2)}`
  const shared = `shares ${termsText(why.shared, query)}`
  if (why.rank <= shown)
    return `Found: ${hitPlace(why)} is hit ${why.rank} of ${why.of} (${score}; ${shared}).`
  return `Left out: ${hitPlace(why)} is hit ${why.rank} of ${why.of}, and ${thousands(shown)} fit the limit and the budget (${score}; ${shared}).`
}

/** Shows the words of the query: index terms such as stems are not readable. */
function termsText(terms: readonly string[], query: string): string {
  const words = wordsOf(query)
  const written = terms.map((term) => {
    const word = words.find((one) => one.term === term)
    return word === undefined ? term : query.slice(word.at, word.end)
  })
  return written.length === 0 ? "no word of its own" : [...new Set(written)].join(", ")
}
