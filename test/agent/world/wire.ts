// What went over the wire of a conversation, compared: which bytes stayed from request to request, what the record can
// show again, what it says of tokens and money.
import type { EventRow } from "../../../src/database/contract/record/event-row.ts"
import type { RecordStore } from "../../../src/database/contract/record/record-store.ts"
import { receiptsOf, replayOf } from "../../../src/record/ask/replay.ts"
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
export async function recordedRequests(store: RecordStore): Promise<readonly Recorded[]> {
  const sessions = await store.events.sessions(0)
  const turns = (await Promise.all(sessions.map(({ session }) => store.receipts.turns(session)))).flat()
  const receipts = (await Promise.all(turns.map((turn) => receiptsOf(store, turn)))).flat()
  const found: Recorded[] = []
  for (const receipt of receipts.toSorted((one, other) => one.id - other.id)) {
    const { turn, step, request, exact } = await replayOf(store, receipt)
    found.push({ turn, step, body: JSON.stringify(request), isExact: exact })
  }
  return found
}

type CallRow = Pick<EventRow, "fresh" | "cache_read" | "tokens_in" | "tokens_out" | "cost_usd">

/** What the record says of every call. */
export async function recordedCalls(store: RecordStore): Promise<readonly CallRow[]> {
  const range = { after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: 10_000 }
  const rows = await store.events.written({ types: ["api_call"] }, range)
  return rows.map(({ fresh, cache_read, tokens_in, tokens_out, cost_usd }) => ({
    ...{ fresh, cache_read, tokens_in, tokens_out, cost_usd },
  }))
}

/** The same of what the provider reported. */
export function reportedCall({ usage }: Exchange, price: Price | null): CallRow {
  return {
    fresh: usage.uncached,
    cache_read: usage.read,
    tokens_in: inputOf(usage),
    tokens_out: usage.output,
    cost_usd: costOf(usage, price),
  }
}
