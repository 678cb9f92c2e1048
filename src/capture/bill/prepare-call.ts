// Makes a call ready to be compared with the next one of its conversation: its parts, whose they are, and its price. What
// is known of a text is kept for all calls, as long as there is not too much of it.
import { oncePerText } from "../../base/memo/once.ts"
import type { Counter } from "../../core/model/counter.ts"
import type { CacheRule } from "../../render/cache/cache-rule.ts"
import { ruleFor } from "../../render/cache/cache-rules.ts"
import { inputOf } from "../../render/cache/price.ts"
import { createSourceMap } from "../attribute/source-map.ts"
import type { CapturedCall } from "../call.ts"
import { createSplitter, type SplitCall } from "../split/splitter.ts"
import type { BillMiss } from "./bill.ts"
import { findMiss, type ThreadCall } from "./misses/find-miss.ts"
import { bareCall, type LastCall } from "./misses/threads.ts"
import type { BillQuestion } from "./question.ts"
import { priceCall } from "./usage/sum-usage.ts"

export interface PrepareOptions {
  /** The home folder of the person who used the client. */
  readonly home: string
  readonly counter: Counter
  readonly priceOf: BillQuestion["priceOf"]
}

export type Prepare = (last: LastCall) => Promise<ThreadCall>

const NO_SPLIT: SplitCall = { parts: [], settings: {} }

/** Parts that are remembered; with more, what is known of them is forgotten with the end of a session. */
const MOST_PARTS = 10_000

export function createPrepare({ home, counter, priceOf }: PrepareOptions): Prepare {
  const open = () => ({
    split: createSplitter({ counter }),
    sources: createSourceMap({ home, counter }),
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

/** The call as the last one of its conversation. */
export function nextOf(call: CapturedCall, last: LastCall | undefined): LastCall {
  const written = Object.keys(call.usage.write).filter((ttl) => (call.usage.write[ttl] ?? 0) > 0)
  const isKnown = last !== undefined && written.every((ttl) => last.lifetimes.has(ttl))
  const lifetimes = isKnown ? last.lifetimes : new Set([...(last?.lifetimes ?? []), ...written])
  const firstInput = last?.firstInput ?? inputOf(call.usage)
  return { call, ready: undefined, firstInput, lifetimes, parts: last?.ready?.parts.length ?? 0 }
}

export async function readied(last: LastCall, prepare: Prepare): Promise<ThreadCall> {
  const ready = last.ready ?? (await prepare(last))
  last.ready = ready
  // The request is not needed any more.
  last.call = ready.call
  return ready
}

/** What a call paid again for. A file may hold calls out of their order: an earlier one is not compared. */
export function missBetween(before: ThreadCall | undefined, after: ThreadCall): BillMiss | undefined {
  if (before === undefined || after.call.at < before.call.at) return undefined
  return findMiss(before, after, ruleOf(after.call.model))
}

/** More than there are models on one machine. */
const MOST_MODELS = 1_000

/** Finding a rule takes some expressions, and calls are many. */
export const ruleOf = oncePerText(MOST_MODELS, (model): CacheRule => ruleFor(model))
