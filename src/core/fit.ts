// Fits texts into a budget by need. Required text is always whole; the others get their share first,
// then what is left over is offered again, from high to low.
import { NEEDS, type Need } from "./need.ts"

export interface Shares {
  readonly high: number
  readonly medium: number
}

export const DEFAULT_SHARES: Shares = { high: 0.4, medium: 0.3 }

/** A text that wants room. `shorten` gives its longest form within a limit, if there is one. */
export interface Fittable<F extends { readonly tokens: number }> {
  readonly need: Need
  readonly whole: F
  readonly shorten: (limit: number) => F | undefined
}

export interface Fit<F> {
  /** What is kept; `undefined` if nothing fits. */
  readonly form: F | undefined
  /** By how much the whole is too long for the room that was there at last. */
  readonly overBy: number
}

export interface Fitted<F> {
  readonly fits: readonly Fit<F>[]
  readonly used: number
  /** What required text takes, if that alone is more than the budget. */
  readonly requiredTokens: number | undefined
}

export function fit<F extends { readonly tokens: number }>(
  items: readonly Fittable<F>[],
  budget: number,
  shares: Shares,
): Fitted<F> {
  const fits: Fit<F>[] = items.map(({ need, whole }) =>
    need === "required" ? { form: whole, overBy: 0 } : { form: undefined, overBy: whole.tokens },
  )
  const required = sum(fits)
  let room = Math.max(0, budget - required)
  for (const need of NEEDS.slice(1)) {
    let share = Math.min(room, Math.floor(budget * shareOf(need, shares)))
    offer(
      items,
      need,
      fits,
      () => share,
      (taken) => {
        share -= taken
        room -= taken
      },
    )
  }
  for (const need of NEEDS.slice(1))
    offer(
      items,
      need,
      fits,
      () => room,
      (taken) => (room -= taken),
    )
  return { fits, used: sum(fits), requiredTokens: required > budget ? required : undefined }
}

/** Low text gets what the others' shares leave, so that it can not take their left-overs before them. */
function shareOf(need: Need, { high, medium }: Shares): number {
  if (need === "high") return high
  return need === "medium" ? medium : 1 - high - medium
}

/** Gives each text of one need, in order, the longest form that the room and what it already has allow. */
function offer<F extends { readonly tokens: number }>(
  items: readonly Fittable<F>[],
  need: Need,
  fits: Fit<F>[],
  room: () => number,
  take: (tokens: number) => void,
): void {
  for (const [at, item] of items.entries()) {
    if (item.need !== need) continue
    const had = fits[at]?.form
    if (had === item.whole) continue
    const limit = room() + (had?.tokens ?? 0)
    const form = item.whole.tokens <= limit ? item.whole : limit > 0 ? item.shorten(limit) : undefined
    if (form === undefined || form.tokens <= (had?.tokens ?? 0)) {
      fits[at] = { form: had, overBy: Math.max(0, item.whole.tokens - limit) }
      continue
    }
    fits[at] = { form, overBy: Math.max(0, item.whole.tokens - limit) }
    take(form.tokens - (had?.tokens ?? 0))
  }
}

function sum<F extends { readonly tokens: number }>(fits: readonly Fit<F>[]): number {
  return fits.reduce((total, { form }) => total + (form?.tokens ?? 0), 0)
}
