// What memory has to say about a message, as text for the turn. Each hit carries a mark with its place, by which it is
// known as recalled: such text is never written back as something new.
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

/** The place of a hit: path, lines and date. */
function markOf({ path, lines: [first, last], date }: Hit): string {
  const lines = first === last ? `${first}` : `${first}-${last}`
  return `[memory ${path.replaceAll("]", ")")}:${lines}${date === undefined ? "" : ` (${date})`}]`
}

/** The best hits whose marked text fits into the budget as a whole. */
export function recallText(result: SearchResult, budget: number, counter: Counter): Recall {
  const { status, reason } = result
  const hits: Hit[] = []
  let [text, tokens] = ["", 0]
  for (const hit of result.hits) {
    const longer = `${text}${markOf(hit)} ${hit.text}\n`
    const price = counter.count(longer)
    if (price > budget) continue
    text = longer
    tokens = price
    hits.push(hit)
  }
  return { status, text, tokens, hits, ...(reason !== undefined && { reason }) }
}
