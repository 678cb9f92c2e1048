// The second pass over all files: what each call sent, whose it was, and what was paid for twice. Goes call by call; of
// each conversation it keeps only the last one.
import type { Counter } from "../../core/model/counter.ts"
import { inputOf } from "../../render/cache/price.ts"
import { type Calibration, calibrate, calibratedFactor } from "../../tokens/calibrate.ts"
import { factorFor } from "../../tokens/factor.ts"
import type { CapturedCall } from "../call.ts"
import { createWhatIf, type WhatIf } from "./advice/what-if.ts"
import type { ThreadCall } from "./misses/find-miss.ts"
import { sharedParts } from "./misses/first-difference.ts"
import { createMissList, type MissList } from "./misses/miss-list.ts"
import { createThreads, threadKey } from "./misses/threads.ts"
import { chargeCall } from "./owners/charge-call.ts"
import { type Coverages, createCoverages } from "./owners/estimated.ts"
import { createOwnerLedger, type OwnerLedger } from "./owners/owner-ledger.ts"
import { createToolUse, type ToolUse } from "./owners/tool-use.ts"
import { createPrepare, missBetween, nextOf, readied, ruleOf } from "./prepare-call.ts"
import { readFiles } from "./read-files.ts"
import { createIdTable, type IdTable } from "./usage/id-table.ts"
import { COUNTED, DETAILED, type PassOptions } from "./usage/sum-usage.ts"

export interface Details {
  readonly ledger: OwnerLedger
  readonly misses: MissList
  readonly whatIf: WhatIf
  readonly coverages: Coverages
  readonly toolUse: ToolUse
  /** What the calls of this pass cost and sent: calls that were counted before and are not here are missing in it. */
  readonly costUsd: number
  readonly calls: number
  readonly tokens: number
}

export interface DetailOptions extends PassOptions {
  /** The calls of the first pass. */
  readonly ids: IdTable
  readonly counter: Counter
}

/** Owners that are told apart while reading. */
const MOST_OWNERS = 20_000

export async function readDetails(options: DetailOptions): Promise<Details> {
  const { question, found, ids, onNote } = options
  const ledger = createOwnerLedger(MOST_OWNERS)
  const [misses, whatIf] = [createMissList(), createWhatIf()]
  const [coverages, toolUse] = [createCoverages(), createToolUse()]
  const prepare = createPrepare({ ...options, home: question.machine.home })
  const charge = createCharge(ledger, toolUse)
  const threads = createThreads()
  const sum = { costUsd: 0, calls: 0, tokens: 0 }
  const all = readFiles<CapturedCall>({
    phase: "details",
    found,
    open: ({ reader, file }) => reader.calls(file),
    onProgress: question.onProgress,
    signal: question.signal,
    onNote,
  })
  for await (const call of all) {
    const key = threadKey(call)
    const last = threads.get(key)
    const next = nextOf(call, last)
    threads.set(key, next)
    // What is not asked for is only compared with.
    if (ids.marksOf(call.id) !== COUNTED) continue
    ids.mark(call.id, DETAILED)
    const after = await readied(next, prepare)
    const before = last && (await readied(last, prepare))
    const rule = ruleOf(call.model)
    const miss = missBetween(before, after)
    if (miss !== undefined) misses.add(miss)
    whatIf.add({ before, after, rule, miss, firstInput: next.firstInput })
    coverages.add(call)
    charge(after, before)
    sum.costUsd += after.priced.costUsd ?? 0
    sum.calls += 1
    sum.tokens += inputOf(call.usage) + call.usage.output
  }
  return { ledger, misses, whatIf, coverages, toolUse, ...sum }
}

/** Charges the owners of a call, with the model's factor as far as it has been learned from exact calls. */
function createCharge(ledger: OwnerLedger, toolUse: ToolUse) {
  const seen = createIdTable()
  const learned = new Map<string, Calibration>()
  return (after: ThreadCall, before: ThreadCall | undefined) => {
    const { call, parts, owned } = after
    const shared = before === undefined ? 0 : sharedParts(before, after)
    const news = new Set<object>()
    for (const [at, part] of parts.entries()) {
      if (at < shared || seen.mark(part.digest, 1) !== 0) continue
      news.add(part)
      toolUse.add(call.client, part, owned[at] ?? [])
    }
    if (call.coverage === "exact") {
      const counted = parts.reduce((sum, { tokens }) => sum + tokens, 0)
      learned.set(call.model, calibrate(learned.get(call.model), { counted, actual: inputOf(call.usage) }))
    }
    const { factor } = calibratedFactor(factorFor(call.model), learned.get(call.model))
    chargeCall(ledger, after, { factor, isNew: (part) => news.has(part) })
  }
}
