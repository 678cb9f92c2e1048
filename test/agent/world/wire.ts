// What went over the wire of a conversation, compared: which bytes stayed from request to request, what the record can
// show again, what it says of tokens and money.
import type { Database, Row } from "../../../src/database/sqlite/database.ts"
import { replayOf } from "../../../src/record/ask/replay.ts"
import { namedReceipt } from "../../../src/record/ask/turn-diff.ts"
import { costOf, inputOf, type Price, type Usage } from "../../../src/render/cache/price.ts"
import type { Exchange } from "./reporting-server.ts"

/** Marks move along with the conversation; they are not part of what the model reads. */
const MARKS = ["cache_control", "prompt_cache_breakpoint"]

/** Bytes as they were sent, without marks. */
function bytes(value: unknown): string {
  return JSON.stringify(value, (key, item) => (MARKS.includes(key) ? undefined : plain(key, item))) ?? ""
}

/** The SDK's provider for OpenAI writes results and system text as a list of one text if marked, else as the text. */
function plain(key: string, item: unknown): unknown {
  const isMarked = ["output", "content"].includes(key) && Array.isArray(item) && item.length === 1
  return isMarked && item[0]?.type === "input_text" ? item[0].text : item
}

const CONVERSATIONS = ["messages", "input"]

/** Where a request does not begin with all of the one before it: the number of the request, and the field. */
export function movedAt(exchanges: readonly Exchange[]): readonly string[] {
  return exchanges.flatMap(({ sent: body }, at) => {
    const before = exchanges[at - 1]?.sent
    if (before === undefined) return []
    return Object.keys({ ...before, ...body }).flatMap((field) => {
      const [was, is] = [before[field], body[field]]
      const now = CONVERSATIONS.includes(field) ? is.slice(0, was.length) : is
      return bytes(now) === bytes(was) ? [] : [`${at + 1} ${field}`]
    })
  })
}

export function hitRatio(exchanges: readonly Exchange[]): number {
  const sum = (of: (usage: Usage) => number) => exchanges.reduce((total, { usage }) => total + of(usage), 0)
  return sum(({ read }) => read) / sum(inputOf)
}

export interface Recorded {
  readonly turn: string
  readonly step: number
  readonly body: string
  readonly isExact: boolean
}

/** Every request that the record has, in the order in which they were made. */
export function recordedRequests(database: Database): readonly Recorded[] {
  return database.all("SELECT turn_id, step FROM receipts ORDER BY id").flatMap((row: Row) => {
    const [turn, step] = [String(row.turn_id), Number(row.step)]
    const receipt = namedReceipt(database, `${turn}.${step}`)
    if (receipt === undefined) return []
    const { request, exact } = replayOf(database, receipt)
    return [{ turn, step, body: JSON.stringify(request), isExact: exact }]
  })
}

/** What the record says of every call. */
export function recordedCalls(database: Database): readonly Row[] {
  return database.all(
    `SELECT fresh, cache_read, tokens_in, tokens_out, cost_usd FROM events WHERE event_type = 'api_call' ORDER BY id`,
  )
}

/** The same of what the provider reported. */
export function reportedCall({ usage }: Exchange, price: Price | null): Row {
  return {
    fresh: usage.uncached,
    cache_read: usage.read,
    tokens_in: inputOf(usage),
    tokens_out: usage.output,
    cost_usd: costOf(usage, price),
  }
}
