// What memory has to say about a message, as text for the turn. Each hit carries a mark with its place, by which it is
// known as recalled: such text is never written back as something new.
import { authoredLine, authorText } from "../core/authorship.ts"
import type { Counter } from "../core/counter.ts"
import type { Hit, SearchResult } from "./search.ts"

export interface Recall {
  readonly status: SearchResult["status"]
  readonly reason?: string
  readonly text: string
  /** Of `text`, exactly. */
  readonly tokens: number
  readonly hits: readonly Hit[]
}

const MARK = /\[memory [^\]\n]{1,400}:\d+(?:-\d+)?(?: \([^\]\n]{0,40}\))?\]/

export function isRecalled(text: string): boolean {
  return MARK.test(text)
}

/** Who wrote a hit, if that is known, and its place: path, lines and date. The author comes first, before any file's name. */
function markOf({ path, lines: [first, last], date, provenance }: Hit): string {
  const lines = first === last ? `${first}` : `${first}-${last}`
  const by = provenance === undefined ? "" : `by ${authorText(provenance)}, `
  return `[memory ${by}${path.replaceAll("]", ")")}:${lines}${date === undefined ? "" : ` (${date})`}]`
}

/** A bracket that begins what could be read as a mark. */
const FORGED = /\[(?=[\s\p{Cf}]*m[\p{Cf}]*e[\p{Cf}]*m[\p{Cf}]*o[\p{Cf}]*r[\p{Cf}]*y)/giu

/** The text of a hit, which cannot pass for the mark of another. */
function unmarked(text: string): string {
  return text.replaceAll(FORGED, "(").split("\n").map(authoredLine).join("\n")
}

/** The best hits whose marked text fits into the budget as a whole. */
export function recallText(result: SearchResult, budget: number, counter: Counter): Recall {
  const { status, reason } = result
  const hits: Hit[] = []
  let [text, tokens] = ["", 0]
  for (const hit of result.hits) {
    const longer = `${text}${markOf(hit)} ${unmarked(hit.text)}\n`
    const price = counter.count(longer)
    if (price > budget) continue
    text = longer
    tokens = price
    hits.push(hit)
  }
  return { status, text, tokens, hits, ...(reason !== undefined && { reason }) }
}
