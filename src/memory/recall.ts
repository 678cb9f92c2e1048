// What memory knows about a message, as text for the turn. Each hit carries a mark with its location, which identifies
// it as recalled: such text is never written back as something new.
import { readAfter } from "../base/text/lenient-tags.ts"
import type { Counter } from "../core/model/counter.ts"
import { authoredLine, authorText } from "../core/view/authorship.ts"
import type { Hit, SearchResult } from "./search.ts"

/** What memory holds about a message, as one text that is ready for a prompt. */
export interface Recall {
  readonly status: SearchResult["status"]
  readonly reason?: string
  readonly text: string
  /** The exact count for `text`. */
  readonly tokens: number
  readonly hits: readonly Hit[]
}

/** How much of a prompt's tail it may take. */
export const RECALL_TOKENS = 300

const MARK = /\[memory [^\]\n]{1,400}:\d+(?:-\d+)?(?: \([^\]\n]{0,40}\))?\]/

export function isRecalled(text: string): boolean {
  return MARK.test(text)
}

/**
 * The author of a hit, if known, and its location: path, lines and date. The author comes first, before any file name.
 */
function markOf({ path, lines: [first, last], date, provenance }: Hit): string {
  const lines = first === last ? `${first}` : `${first}-${last}`
  const by = provenance === undefined ? "" : `by ${authorText(provenance)}, `
  return `[memory ${by}${path.replaceAll("]", ")")}:${lines}${date === undefined ? "" : ` (${date})`}]`
}

/** The bracket itself, its full-width form, and brackets that look like it. */
const BRACKETS = /[[\uFF3B\u2045\u2772\u27E6\u3010\u3014\u3016\u301A\uFE5D]/g
const WORD = "memory"

/** The text of a hit, changed so that it cannot imitate the mark of another. */
function unmarked(text: string): string {
  const plain = text.replaceAll(BRACKETS, (bracket, at: number) =>
    readAfter(text, at + 1, WORD.length) === WORD ? "(" : bracket,
  )
  return plain.split("\n").map(authoredLine).join("\n")
}

/** The best hits whose marked text fits into the budget. */
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
