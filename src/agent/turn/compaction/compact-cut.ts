// Splits a conversation into the part to summarise and the part to keep. A call is never separated from its result, and
// the message that opened the turn always stays.
import { answersNoCall } from "../../../core/model/message.ts"
import type { StoredItem } from "../../../database/contract/transcripts.ts"
import { messageOf } from "../../models/item-messages.ts"

export interface Split {
  readonly summed: readonly StoredItem[]
  readonly kept: readonly StoredItem[]
}

export interface SplitOptions {
  /** The running turn. */
  readonly turn: string
  /** How much may stay unchanged, in the model's tokens. */
  readonly most: number
  /** Counts items in the model's tokens. */
  readonly tokens: (items: readonly StoredItem[]) => number
}

/** `summed` is empty if a summary would gain nothing. */
export function splitItems(items: readonly StoredItem[], options: SplitOptions): Split {
  const begins = items.findIndex((item) => item.turn === options.turn && mayBegin(item))
  const isLong = begins !== -1 && tokensFrom(items, begins, options) > options.most
  const { summed, kept } = isLong ? withinTurn(items, begins, options) : beforeTurn(items, options)
  // Summarise a summary again only if it is too long, as one made for a larger window may be.
  const isShort = summed.every(isSummary) && tokensFrom(summed, 0, options) <= options.most
  return isShort ? { summed: [], kept: items } : { summed, kept }
}

/** Keeps as many of the newest finished turns as fit, at least the last one, and never all. */
function beforeTurn(items: readonly StoredItem[], options: SplitOptions): Split {
  if (!items.some(mayBegin)) return { summed: items, kept: [] }
  const begins = items.flatMap((item, at) => (at > 0 && mayBegin(item) ? [at] : []))
  const cut = begins.find((at) => tokensFrom(items, at, options) <= options.most) ?? begins.at(-1) ?? 0
  return { summed: items.slice(0, cut), kept: items.slice(cut) }
}

/**
 * For a turn that is too long on its own: keeps its message, and as many of its newest steps as fit, at least the last
 * one.
 */
function withinTurn(items: readonly StoredItem[], begins: number, options: SplitOptions): Split {
  const opening = items.slice(begins, begins + 1)
  const most = options.most - tokensFrom(opening, 0, options)
  const steps = items.flatMap((item, at) => (at > begins && isStep(item) ? [at] : []))
  const cut = steps.find((at) => tokensFrom(items, at, options) <= most) ?? steps.at(-1) ?? begins + 1
  return {
    summed: [...items.slice(0, begins), ...items.slice(begins + 1, cut)],
    kept: [...opening, ...items.slice(cut)],
  }
}

function tokensFrom(items: readonly StoredItem[], at: number, { tokens }: SplitOptions): number {
  return tokens(items.slice(at))
}

function mayBegin(stored: StoredItem): boolean {
  const message = isSummary(stored) ? undefined : messageOf(stored.item)
  return message !== undefined && answersNoCall(message)
}

function isSummary({ item }: StoredItem): boolean {
  return item.kind === "summary"
}

function isStep({ item }: StoredItem): boolean {
  return messageOf(item)?.role === "assistant"
}
