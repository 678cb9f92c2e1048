// Divides room among texts of one priority: short ones stay whole and long ones are cut to the same length. For layouts
// of other systems, the first texts are served first. A text without a form that short gets its shortest one, at the
// cost of text of lower priority first, then of the others.
import type { Fittable } from "./fittable.ts"

type Form = { readonly tokens: number }

/** The form that each text gets. Texts not in the map found no room. */
export type Kept<F extends Form> = Map<Fittable<F>, F>

export interface DistributeOptions {
  readonly available: number
  /** Room that only a text which would otherwise be dropped may use. */
  readonly extra: number
  readonly by: "size" | "order"
}

export function distribute<F extends Form>(
  items: readonly Fittable<F>[],
  { available, extra, by }: DistributeOptions,
): Kept<F> {
  const partsOf = by === "size" ? evenLimits : limitsInOrder
  const parts = partsOf(items, available, NO_FLOORS)
  const kept = formsWithin(items, parts)
  if (kept.size === items.length) return kept
  const shortest = shortestForms(items, available + extra)
  const found = items.filter((item) => shortest.has(item))
  const lacking = items.reduce(
    (sum, item, at) => sum + Math.max(0, (shortest.get(item)?.tokens ?? 0) - (parts[at] ?? 0)),
    0,
  )
  const enough = Math.max(tokensOf(shortest), Math.min(available + lacking, available + extra))
  return new Map([...shortest, ...formsWithin(found, partsOf(found, enough, shortest))])
}

const NO_FLOORS: ReadonlyMap<unknown, Form> = new Map()

/** The limit of each text: at most what it needs, at least its floor, and otherwise equal. */
function evenLimits(
  items: readonly Fittable<Form>[],
  available: number,
  floors: ReadonlyMap<unknown, Form>,
): readonly number[] {
  const at = (level: number) =>
    items.map((item) => Math.min(item.whole.tokens, Math.max(level, floors.get(item)?.tokens ?? 0)))
  const total = (level: number) => at(level).reduce((sum, part) => sum + part, 0)
  let [low, high] = [0, Math.max(0, available)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (total(middle) <= available) low = middle
    else high = middle - 1
  }
  // The indivisible remainder goes to the first texts in order.
  let left = available - total(low)
  const more = at(low + 1)
  return at(low).map((part, index) => {
    const grows = left > 0 && (more[index] ?? part) > part
    if (grows) left -= 1
    return grows ? part + 1 : part
  })
}

/** The limit of each text: the first get all they need, as long as the floors of the others still fit. */
function limitsInOrder(
  items: readonly Fittable<Form>[],
  available: number,
  floors: ReadonlyMap<unknown, Form>,
): readonly number[] {
  const least = items.map((item) => floors.get(item)?.tokens ?? 0)
  let left = least.reduce((rest, floor) => rest - floor, available)
  return items.map(({ whole }, at) => {
    const floor = least[at] ?? 0
    const more = Math.max(0, Math.min(left, whole.tokens - floor))
    left -= more
    return floor + more
  })
}

function formsWithin<F extends Form>(items: readonly Fittable<F>[], limits: readonly number[]): Kept<F> {
  const kept: Kept<F> = new Map()
  for (const [at, item] of items.entries()) {
    const form = longestWithin(item, limits[at] ?? 0)
    if (form !== undefined) kept.set(item, form)
  }
  return kept
}

/** The shortest forms of the texts that fit, in order. */
function shortestForms<F extends Form>(items: readonly Fittable<F>[], available: number): Kept<F> {
  const kept: Kept<F> = new Map()
  let left = available
  for (const item of items) {
    const form = shortestWithin(item, left)
    if (form === undefined) continue
    kept.set(item, form)
    left -= form.tokens
  }
  return kept
}

export function longestWithin<F extends Form>({ whole, shorten }: Fittable<F>, limit: number): F | undefined {
  if (whole.tokens <= limit) return whole
  return limit > 0 ? shorten(limit) : undefined
}

/** The shortest form of a text, if it fits. */
function shortestWithin<F extends Form>(item: Fittable<F>, limit: number): F | undefined {
  let best = longestWithin(item, limit)
  let tooLittle = 0
  while (best !== undefined && best.tokens - tooLittle > 1) {
    const middle = (tooLittle + best.tokens) >> 1
    const form = item.shorten(middle)
    if (form === undefined) tooLittle = middle
    else best = form
  }
  return best
}

export function tokensOf(kept: ReadonlyMap<unknown, Form>): number {
  let total = 0
  for (const { tokens } of kept.values()) total += tokens
  return total
}
