// The first pass over all files: what was used. Reads no requests, counts each call once, and keeps only sums and the
// marks of ids.
import type { Diagnostic } from "../../../base/diagnostic.ts"
import type { CalledUsage } from "../../call.ts"
import { createTwins } from "../../twins.ts"
import type { FoundFiles } from "../found-files.ts"
import type { BillQuestion } from "../question.ts"
import { readFiles } from "../read-files.ts"
import { createIdTable, type IdTable } from "./id-table.ts"
import { createSums, type PricedCall, pricedCall, type Sums } from "./sums.ts"

/** Marks of a call's id. */
export const COUNTED = 1
export const DETAILED = 2

export interface UsageSums {
  readonly sums: Sums
  readonly ids: IdTable
  readonly duplicates: number
}

export interface PassOptions {
  readonly question: BillQuestion
  readonly found: FoundFiles
  readonly priceOf: BillQuestion["priceOf"]
  readonly onNote: (diagnostic: Diagnostic) => void
}

export async function sumUsage(options: PassOptions): Promise<UsageSums> {
  const { question, found, priceOf, onNote } = options
  const sums = createSums(question.timeZone)
  const ids = createIdTable()
  const twins = createTwins()
  let duplicates = 0
  const calls = readFiles<CalledUsage>({
    phase: "usage",
    found,
    open: ({ reader, file }) => reader.usage(file),
    onProgress: question.onProgress,
    signal: question.signal,
    onNote,
  })
  for await (const call of calls) {
    if (!isAsked(call, question)) continue
    const isTwin = twins.take(call)
    if (ids.marksOf(call.id) !== 0 || isTwin) {
      duplicates += 1
      continue
    }
    ids.mark(call.id, COUNTED)
    twins.add(call)
    sums.add(call, priceCall(call, priceOf))
  }
  return { sums, ids, duplicates }
}

export function priceCall(call: CalledUsage, priceOf: BillQuestion["priceOf"]): PricedCall {
  return pricedCall(call, priceOf(call.model, call.at))
}

/** Whether a call is of the period, the client and the session of the question. */
function isAsked(call: CalledUsage, question: BillQuestion): boolean {
  const {
    since = Number.NEGATIVE_INFINITY,
    until = Number.POSITIVE_INFINITY,
    client = call.client,
  } = question
  const { session = "", isAsked: isWanted = () => true } = question
  if (!isWanted(call)) return false
  return call.at >= since && call.at < until && call.client === client && call.session.startsWith(session)
}
