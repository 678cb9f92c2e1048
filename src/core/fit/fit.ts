// Fits texts into a budget by priority. Required text is always whole. Each other priority has a share, and what it
// doesn't use goes to the next, from high to low. No text is dropped while one of lower priority could make room for it.
import { PRIORITIES, type Priority } from "../model/priority.ts"
import { distribute, type Kept, longestWithin, tokensOf } from "./distribute.ts"
import type { Fittable } from "./fittable.ts"

export interface Shares {
  readonly high: number
  readonly medium: number
}

export const DEFAULT_SHARES: Shares = { high: 0.4, medium: 0.3 }

export interface Fit<F> {
  /** The form that is kept. Undefined if none fits. */
  readonly form: F | undefined
  /** By how many tokens the whole text exceeds the room it was offered last. */
  readonly overBy: number
}

export interface Fits<F> {
  readonly fits: readonly Fit<F>[]
  readonly used: number
  /** The size of required text, if it alone exceeds the budget. */
  readonly requiredTokens: number | undefined
}

/** The priorities that yield, from the last to yield to the first. */
const YIELDING = PRIORITIES.filter((priority) => priority !== "required")

/** How texts of one priority share room, and how much more there is. */
export interface Sharing {
  /** `size`: long texts are cut to the same length. `order`: the first are served first. Default: `size`. */
  readonly by?: "size" | "order"
  /** Room beyond the budget that only a text which would otherwise be dropped may use. */
  readonly extra?: number
}

export interface FitOptions extends Sharing {
  readonly budget: number
  readonly shares: Shares
}

export function fit<F extends { readonly tokens: number }>(
  items: readonly Fittable<F>[],
  { budget, shares, by = "size", extra = 0 }: FitOptions,
): Fits<F> {
  const groups = new Map(
    PRIORITIES.map((priority) => [priority, items.filter((item) => item.priority === priority)]),
  )
  const required = wholeTokens(groups.get("required") ?? [])
  const available = Math.max(0, budget - required)
  const forms: Kept<F> = new Map(groups.get("required")?.map((item) => [item, item.whole]))
  let spare = Math.max(0, budget + extra - required)
  let promised = promiseShares(groups, { budget, shares, available })
  for (const priority of YIELDING) {
    const own = promised.get(priority) ?? 0
    promised = new Map([...promised].filter(([other]) => other !== priority))
    // A text that would otherwise be dropped may use unpromised room and the room of less needed text.
    const kept = distribute(groups.get(priority) ?? [], { available: own, extra: spare - own, by })
    for (const [item, form] of kept) forms.set(item, form)
    spare -= tokensOf(kept)
    promised = whatStillFits(promised, spare)
  }
  spare = Math.max(0, spare - extra)
  for (const priority of YIELDING) spare = offerLeftover(groups.get(priority) ?? [], forms, spare)
  const fits = items.map((item): Fit<F> => {
    const form = forms.get(item)
    const limit = spare + (form?.tokens ?? 0)
    return { form, overBy: item.priority === "required" ? 0 : Math.max(0, item.whole.tokens - limit) }
  })
  return { fits, used: tokensOf(forms), requiredTokens: required > budget ? required : undefined }
}

type Promised = ReadonlyMap<Priority, number>

/** The room of each priority: its share if it wants that much, then what is left over, from high to low. */
function promiseShares(
  groups: ReadonlyMap<Priority, readonly Fittable<{ readonly tokens: number }>[]>,
  {
    budget,
    shares,
    available,
  }: { readonly budget: number; readonly shares: Shares; readonly available: number },
): Promised {
  const wants = new Map(YIELDING.map((priority) => [priority, wholeTokens(groups.get(priority) ?? [])]))
  const given = new Map<Priority, number>()
  let left = available
  for (const limit of [
    (priority: Priority) => Math.floor(budget * shareOf(priority, shares)),
    () => available,
  ]) {
    for (const [priority, wanted] of wants) {
      const had = given.get(priority) ?? 0
      const more = Math.min(left, Math.max(0, Math.min(wanted, limit(priority)) - had))
      given.set(priority, had + more)
      left -= more
    }
  }
  return given
}

/** Low text gets what the other shares leave, so that it cannot take their leftovers before they do. */
function shareOf(priority: Priority, { high, medium }: Shares): number {
  if (priority === "high") return high
  return priority === "medium" ? medium : 1 - high - medium
}

/** The promises that still fit: the least needed text gives up its room first. */
function whatStillFits(promised: Promised, available: number): Promised {
  let left = available
  return new Map(
    [...promised].map(([priority, tokens]) => {
      const kept = Math.min(tokens, left)
      left -= kept
      return [priority, kept]
    }),
  )
}

/** Offers leftover room in declared order, to dropped texts before cut ones. Returns the rest. */
function offerLeftover<F extends { readonly tokens: number }>(
  items: readonly Fittable<F>[],
  forms: Kept<F>,
  available: number,
): number {
  let left = available
  const out = items.filter((item) => !forms.has(item))
  const cut = items.filter((item) => forms.has(item) && forms.get(item) !== item.whole)
  for (const item of left > 0 ? [...out, ...cut] : []) {
    const had = forms.get(item)?.tokens ?? 0
    const limit = left + had
    const form = longestWithin(item, limit)
    if (form === undefined || form.tokens <= had) continue
    forms.set(item, form)
    left -= form.tokens - had
  }
  return left
}

function wholeTokens(items: readonly Fittable<{ readonly tokens: number }>[]): number {
  return items.reduce((sum, { whole }) => sum + whole.tokens, 0)
}
