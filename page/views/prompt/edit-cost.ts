// What editing a text would cost: everything after it that is cached now would be written again. An estimate, from what
// the parts of the call cost.
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

/** The price of a token: of parts that were only read, or only written; else by the provider's multiples. */
function ratesOf({ parts, cacheRates }: CallDetail): Rates | null {
  if (cacheRates === null) return null
  const [read, written, uncached] = (["read", "written", "uncached"] as const).map((kind) =>
    rateOf(parts, kind),
  )
  const byRead = read === undefined || cacheRates.read === 0 ? undefined : read / cacheRates.read
  const unit = uncached ?? byRead ?? (written === undefined ? undefined : written / cacheRates.written)
  if (unit === undefined) return null
  return { read: read ?? unit * cacheRates.read, write: written ?? unit * cacheRates.written }
}

/** Of all parts that the cache treated in one way. */
function rateOf(parts: CallDetail["parts"], kind: "read" | "written" | "uncached"): number | undefined {
  let [tokens, cost] = [0, 0]
  for (const { cache, costUsd } of parts) {
    if (cache === null || costUsd === null) continue
    const { read, written, uncached } = cache
    if (cache[kind] === 0 || read + written + uncached !== cache[kind]) continue
    tokens += cache[kind]
    cost += costUsd
  }
  return tokens === 0 ? undefined : cost / tokens
}
