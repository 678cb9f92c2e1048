// Fits by tiers, as some older systems do: each priority gets a part of the room, in order, and room is never offered
// twice. What a tier leaves over goes only to the lowest one.
import { PRIORITIES, type Priority } from "../model/priority.ts"
import type { Fit, Fits, Shares } from "./fit.ts"
import type { Fittable } from "./fittable.ts"

export interface TierOptions<I> {
  readonly available: number
  readonly shares: Shares
  /** Whether a text doesn't count towards the room. */
  readonly isFree: (item: I) => boolean
}

export function fitTiers<I extends Fittable<F>, F extends { readonly tokens: number }>(
  items: readonly I[],
  { available, shares, isFree }: TierOptions<I>,
): Fits<F> {
  const fits: Fit<F>[] = items.map(({ whole }) => ({ form: undefined, overBy: whole.tokens }))
  let left = available
  for (const priority of PRIORITIES) {
    let share =
      priority === "required"
        ? Number.POSITIVE_INFINITY
        : Math.min(Math.max(0, left), shareOf(priority, available, shares))
    for (const [at, item] of items.entries()) {
      if (item.priority !== priority) continue
      const form = item.whole.tokens <= share ? item.whole : share > 0 ? item.shorten(share) : undefined
      fits[at] = { form, overBy: form === item.whole ? 0 : item.whole.tokens - share }
      if (isFree(item)) continue
      share -= form?.tokens ?? 0
      left -= form?.tokens ?? 0
    }
  }
  return {
    fits,
    used: fits.reduce((sum, { form }) => sum + (form?.tokens ?? 0), 0),
    requiredTokens: undefined,
  }
}

function shareOf(priority: Priority, available: number, { high, medium }: Shares): number {
  if (priority === "high") return Math.round(available * high)
  return priority === "medium" ? Math.round(available * medium) : Number.POSITIVE_INFINITY
}
