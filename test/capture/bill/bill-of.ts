// A bill of calls that are already there, for tests.
import type { Bill } from "../../../src/capture/bill/bill.ts"
import { makeBill } from "../../../src/capture/bill/make-bill.ts"
import type { BillQuestion } from "../../../src/capture/bill/question.ts"
import type { CapturedCall } from "../../../src/capture/call.ts"
import { priceOf, readerOf } from "./conversation.ts"

export function billOf(
  calls: readonly CapturedCall[] | Readonly<Record<string, readonly CapturedCall[]>>,
  question: Partial<BillQuestion> = {},
): Promise<Bill> {
  // A list or a table of lists, which the type cannot tell apart.
  const files = (Array.isArray(calls) ? { "/calls.jsonl": calls } : calls) as Parameters<typeof readerOf>[0]
  return makeBill({
    machine: { home: "/home/ada", variables: {} },
    readers: [readerOf(files)],
    timeZone: "UTC",
    priceOf,
    ...question,
  })
}
