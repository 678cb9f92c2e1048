// What editing a text would cost: everything after it that is cached now would be written again. An estimate, from what
// the call itself cost and from the provider's published multiples for reading and writing.
import { ttlOf } from "../../../src/render/cache/cache-rule.ts"
import { ruleFor } from "../../../src/render/cache/cache-rules.ts"
import type { CallDetail } from "../../../src/serve/page/shown.ts"

export interface EditCost {
  /** Tokens that are written again. */
  readonly tokens: number
  /** What that costs more than reading them; null if the price is unknown. */
  readonly nowUsd: number | null
  /** What writing the text itself costs, at a time when everything is written anyway. */
  readonly laterUsd: number | null
}

/** Undefined if the call says nothing about its cache. */
export function editCost(detail: CallDetail, [from, to]: readonly [number, number]): EditCost | undefined {
  const { usage } = detail.call
  if (usage === null) return undefined
  const tokens = Math.max(0, Math.round(usage.read + usage.written - from))
  const rates = ratesOf(detail)
  return {
    tokens,
    nowUsd: rates === null ? null : tokens * Math.max(0, rates.write - rates.read),
    laterUsd: rates === null ? null : (to - from) * rates.write,
  }
}

interface Rates {
  /** Dollars for a token. */
  readonly read: number
  readonly write: number
}

/** The price of a token, from what the parts of the call cost together. */
function ratesOf({ call, parts }: CallDetail): Rates | null {
  const rule = ruleFor(call.model)
  if (rule.lookup === "none") return null
  const mark = parts.findLast(({ breakpoint }) => breakpoint !== null)?.breakpoint
  const { write } = ttlOf(rule, mark ?? undefined)
  let [cost, units] = [0, 0]
  for (const { cache, costUsd } of parts) {
    if (cache === null || costUsd === null) return null
    cost += costUsd
    units += cache.uncached + cache.read * rule.read + cache.written * write
  }
  if (units === 0) return null
  return { read: (cost / units) * rule.read, write: (cost / units) * write }
}
