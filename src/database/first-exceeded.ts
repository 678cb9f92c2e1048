// Whether a call fits into limits of spending, for every driver.
import type { CallCost, Reserved, SpendingLimit, SpendingSum } from "./contract/serve/spending.ts"

/** Sums of fractions of a dollar are not exact; less than this is nothing. */
const NOTHING_USD = 1e-9

/** `used`: what counts against each limit already. */
export function firstExceeded(
  call: CallCost,
  limits: readonly SpendingLimit[],
  used: readonly SpendingSum[],
): Extract<Reserved, { readonly kind: "exceeds" }> | undefined {
  for (const [limit, { mostUsd = Infinity, mostTokens = Infinity }] of limits.entries()) {
    const sum = used[limit]
    if (sum === undefined) continue
    const usd = sum.costUsd + (call.costUsd ?? 0)
    if (usd > mostUsd + NOTHING_USD || sum.tokens + call.tokens > mostTokens)
      return { kind: "exceeds", limit, used: sum }
  }
  return undefined
}
