// The calls of one session: what each used, and why it was paid for twice; and, for those that are asked for, what each
// sent and whose it was. Goes through the files of the session and keeps no request.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { BillMiss } from "../bill/bill.ts"
import type { FoundFile } from "../bill/found-files.ts"
import { createThreads, threadKey } from "../bill/misses/threads.ts"
import type { OwnedCall } from "../bill/owners/charge-call.ts"
import { createPrepare, missBetween, nextOf, type PrepareOptions, readied } from "../bill/prepare-call.ts"
import { readFiles } from "../bill/read-files.ts"
import { priceCall } from "../bill/usage/sum-usage.ts"
import type { PricedCall } from "../bill/usage/sums.ts"
import type { CapturedCall } from "../call.ts"
import type { IndexedSession, SessionIndex } from "./session-index.ts"

export interface SessionOptions extends PrepareOptions {
  readonly session: IndexedSession
  readonly counts: SessionIndex["counts"]
  readonly onNote: (diagnostic: Diagnostic) => void
}

/** A call of a session, without what it sent. */
export interface SessionCall {
  readonly call: CapturedCall
  readonly priced: PricedCall
  readonly miss: BillMiss | undefined
}

/** A call with what it sent. */
export interface SentCall extends OwnedCall {
  /** As it was read. */
  readonly sent: CapturedCall
}

/** In the order of time, whatever order the files have. */
export async function readSessionCalls(options: SessionOptions): Promise<readonly SessionCall[]> {
  const prepare = createPrepare(options)
  const threads = createThreads()
  const calls: SessionCall[] = []
  for await (const call of callsOf(options)) {
    const key = threadKey(call)
    const last = threads.get(key)
    const next = nextOf(call, last)
    threads.set(key, next)
    const after = await readied(next, prepare)
    const before = last && (await readied(last, prepare))
    calls.push({ call: after.call, priced: after.priced, miss: missBetween(before, after) })
  }
  return calls.toSorted((one, other) => one.call.at - other.call.at)
}

/** The calls with these ids, in the order of the files. */
export async function* readSentCalls(
  options: SessionOptions,
  ids: ReadonlySet<string>,
): AsyncGenerator<SentCall> {
  const prepare = createPrepare(options)
  let left = ids.size
  for await (const sent of callsOf(options)) {
    if (!ids.has(sent.id)) continue
    const { call: _bare, ...owned } = await prepare(nextOf(sent, undefined))
    yield { ...owned, call: sent, sent, priced: priceCall(sent, options.priceOf) }
    left -= 1
    if (left === 0) return
  }
}

/** A call that several files have is read once. */
async function* callsOf({ session, counts, onNote }: SessionOptions): AsyncGenerator<CapturedCall> {
  const { client, name, files } = session
  const seen = new Set<string>()
  let file: FoundFile | undefined
  const calls = readFiles<CapturedCall>({
    ...{ phase: "details", onProgress: undefined, onNote },
    found: { files, bytes: 0, skipped: 0, clients: [] },
    open(one) {
      file = one
      return one.reader.calls(one.file)
    },
  })
  for await (const call of calls) {
    if (file === undefined || call.client !== client || call.session !== name || seen.has(call.id)) continue
    if (!counts(file, call)) continue
    seen.add(call.id)
    yield call
  }
}
