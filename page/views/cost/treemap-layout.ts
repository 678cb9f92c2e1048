// Where each area of the treemap lies: groups side by side, and in each of them its owners, below a line for its title. The
// areas are squarified (Bruls, Huizing and van Wijk): strips along the shorter side, filled as long as their areas get
// nearer to the wanted form.
import type { ShownOwnerCost } from "../../../src/serve/page/shown.ts"
import { type GroupedOwners, type OwnerGroup, weightIn } from "./owner-groups.ts"

export interface Box {
  readonly x0: number
  readonly x1: number
  readonly y0: number
  readonly y1: number
}

export interface OwnerArea {
  readonly owner: ShownOwnerCost
  readonly box: Box
}

export interface GroupArea {
  readonly group: OwnerGroup
  readonly value: number
  readonly box: Box
  readonly owners: readonly OwnerArea[]
}

const HEAD = 20
const GAP = 2
/** How much longer than wide an area may well be. */
const RATIO = 1.6

interface Weighed<T> {
  readonly of: T
  readonly value: number
}

export function laidOut(
  { groups, isPriced }: GroupedOwners,
  { width, height }: { readonly width: number; readonly height: number },
): readonly GroupArea[] {
  const weighed = groups.map((group) => {
    const owners = group.owners.map((owner) => ({ of: owner, value: weightIn(owner, isPriced) }))
    return { of: { group, owners }, value: sumOf(owners) }
  })
  return divided(weighed, { x0: 0, x1: width, y0: 0, y1: height }).map(({ of, value, box }) => {
    const outer = rounded(box)
    const inner = { ...outer, y0: Math.min(outer.y0 + HEAD, outer.y1) }
    const owners = divided(of.owners, inner).map((one) => ({ owner: one.of, box: rounded(one.box) }))
    return { group: of.group, value, box: outer, owners }
  })
}

function sumOf(parts: readonly { readonly value: number }[]): number {
  return parts.reduce((sum, { value }) => sum + value, 0)
}

/** Whole pixels, so that edges are sharp. */
function rounded({ x0, x1, y0, y1 }: Box): Box {
  return { x0: Math.round(x0), x1: Math.round(x1), y0: Math.round(y0), y1: Math.round(y1) }
}

/** The largest first, each with its share of the area and a gap to the next one. */
function divided<T>(
  parts: readonly Weighed<T>[],
  area: Box,
): readonly (Weighed<T> & { readonly box: Box })[] {
  // Half a gap around all of it, which the parts give back.
  const half = GAP / 2
  let { x0, y0 } = { x0: area.x0 - half, y0: area.y0 - half }
  const [x1, y1] = [area.x1 + half, area.y1 + half]
  const rest = parts.toSorted((one, other) => other.value - one.value)
  let remaining = sumOf(rest)
  const made: (Weighed<T> & { readonly box: Box })[] = []
  while (rest.length > 0) {
    const isColumn = x1 - x0 >= y1 - y0
    const strip = stripOf(rest, { sum: remaining, width: x1 - x0, height: y1 - y0 })
    const sum = sumOf(strip)
    const share = remaining === 0 ? 0 : sum / remaining
    const [endX, endY] = isColumn ? [x0 + (x1 - x0) * share, y1] : [x1, y0 + (y1 - y0) * share]
    let [x, y] = [x0, y0]
    for (const part of strip) {
      const own = sum === 0 ? 0 : part.value / sum
      const [toX, toY] = isColumn ? [endX, y + (y1 - y0) * own] : [x + (x1 - x0) * own, endY]
      const [left, top] = [Math.min(x + half, area.x1), Math.min(y + half, area.y1)]
      const box = { x0: left, y0: top, x1: Math.max(left, toX - half), y1: Math.max(top, toY - half) }
      made.push({ ...part, box })
      ;[x, y] = isColumn ? [x, toY] : [toX, y]
    }
    ;[x0, y0] = isColumn ? [endX, y0] : [x0, endY]
    remaining -= sum
  }
  return made
}

/** Takes the parts of the next strip away from those that are left. */
function stripOf<T>(
  rest: Weighed<T>[],
  { sum: all, width, height }: { readonly sum: number; readonly width: number; readonly height: number },
): readonly Weighed<T>[] {
  const largest = rest[0]?.value ?? 0
  const alpha = Math.max(height / width, width / height) / (all * RATIO)
  const worst = (sum: number, smallest: number) => {
    const beta = sum * sum * alpha
    return Math.max(largest / beta, beta / smallest)
  }
  let [count, sum] = [1, largest]
  for (const { value } of rest.slice(1)) {
    if (worst(sum + value, value) > worst(sum, rest[count - 1]?.value ?? 0)) break
    sum += value
    count += 1
  }
  return rest.splice(0, count)
}
