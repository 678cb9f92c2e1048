// The second pass over all files: what each call sent, whose it was, and what was paid for twice. Goes call by call; of
// each conversation it keeps only the last one.
import { oncePerText } from "../../base/memo/once.ts"
import type { Counter } from "../../core/model/counter.ts"
import type { CacheRule } from "../../render/cache/cache-rule.ts"
import { ruleFor } from "../../render/cache/cache-rules.ts"
import { inputOf } from "../../render/cache/price.ts"
import { type Calibration, calibrate, calibratedFactor } from "../../tokens/calibrate.ts"
import { factorFor } from "../../tokens/factor.ts"
import { createSourceMap } from "../attribute/source-map.ts"
import type { CapturedCall } from "../call.ts"
import { createSplitter, type SplitCall } from "../split/splitter.ts"
import { createWhatIf, type WhatIf } from "./advice/what-if.ts"
import { findMiss, type ThreadCall } from "./misses/find-miss.ts"
import { sharedParts } from "./misses/first-difference.ts"
import { createMissList, type MissList } from "./misses/miss-list.ts"
import { bareCall, createThreads, type LastCall, threadKey } from "./misses/threads.ts"
import { chargeCall } from "./owners/charge-call.ts"
import { type Coverages, createCoverages } from "./owners/estimated.ts"
import { createOwnerLedger, type OwnerLedger } from "./owners/owner-ledger.ts"
import { createToolUse, type ToolUse } from "./owners/tool-use.ts"
import { readFiles } from "./read-files.ts"
import { createIdTable, type IdTable } from "./usage/id-table.ts"
import { COUNTED, DETAILED, type PassOptions, priceCall } from "./usage/sum-usage.ts"

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
  const prepare = createPrepare(options)
  const charge = createCharge(ledger, toolUse)
  const threads = createThreads()
  const sum = { costUsd: 0, calls: 0, tokens: 0 }
  const all = readFiles<CapturedCall>({
    phase: "details",
    found,
    open: ({ reader, file }) => reader.calls(file),
    onProgress: question.onProgress,
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
    const miss = before && isLater(before, after) ? findMiss(before, after, rule) : undefined
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

function isLater(before: ThreadCall, after: ThreadCall): boolean {
  return after.call.at >= before.call.at
}

function nextOf(call: CapturedCall, last: LastCall | undefined): LastCall {
  const written = Object.keys(call.usage.write).filter((ttl) => (call.usage.write[ttl] ?? 0) > 0)
  const isKnown = last !== undefined && written.every((ttl) => last.lifetimes.has(ttl))
  const lifetimes = isKnown ? last.lifetimes : new Set([...(last?.lifetimes ?? []), ...written])
  const firstInput = last?.firstInput ?? inputOf(call.usage)
  return { call, ready: undefined, firstInput, lifetimes, parts: last?.ready?.parts.length ?? 0 }
}

type Prepare = (last: LastCall) => Promise<ThreadCall>

async function readied(last: LastCall, prepare: Prepare): Promise<ThreadCall> {
  const ready = last.ready ?? (await prepare(last))
  last.ready = ready
  // The request is not needed any more.
  last.call = ready.call
  return ready
}

const NO_SPLIT: SplitCall = { parts: [], settings: {} }

/** Parts that are remembered; with more, what is known of them is forgotten with the end of a session. */
const MOST_PARTS = 10_000

function createPrepare({ question, counter, priceOf }: DetailOptions): Prepare {
  const open = () => ({
    split: createSplitter({ counter }),
    sources: createSourceMap({ home: question.machine.home, counter }),
  })
  let known = open()
  let newParts = 0
  let session = ""
  return async ({ call, lifetimes, parts: before }) => {
    const { request, format, coverage } = call
    if (newParts > MOST_PARTS && call.session !== session) {
      known = open()
      newParts = 0
    }
    session = call.session
    const split = request === undefined || coverage === "none" ? NO_SPLIT : known.split(request, format)
    newParts += Math.max(0, split.parts.length - before)
    const owned = split.parts.length === 0 ? [] : await known.sources.owners(call, split)
    return { call: bareCall(call), priced: priceCall(call, priceOf), ...split, owned, lifetimes }
  }
}

/** More than there are models on one machine. */
const MOST_MODELS = 1_000

/** Finding a rule takes some expressions, and calls are many. */
const ruleOf = oncePerText(MOST_MODELS, (model): CacheRule => ruleFor(model))

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
