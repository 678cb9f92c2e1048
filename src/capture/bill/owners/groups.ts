// Where the money went, as people group it: the costs of owners by group, with the most expensive of each by name. Pure.
import { byCodePoint } from "../../../base/order.ts"
import type { CostGroup, GroupCost, OwnerCost } from "../bill.ts"
import { skillOf } from "./owner-identity.ts"

const MOST_ITEMS = 5

/** Largest first. */
export function groupCosts(owners: readonly OwnerCost[]): readonly GroupCost[] {
  // What is free is compared in tokens, like what has no known price.
  const isPriced = owners.some(({ carriedUsd }) => carriedUsd !== null && carriedUsd > 0)
  const weightOf = ({ carriedUsd, carriedTokens }: OwnerCost) =>
    isPriced ? (carriedUsd ?? 0) : carriedTokens
  const all = owners.reduce((sum, owner) => sum + weightOf(owner), 0)
  const groups = [...Map.groupBy(owners, ({ group }) => group)].map(([group, own]) => {
    const items = itemsOf(group, own)
    const weight = own.reduce((sum, owner) => sum + weightOf(owner), 0)
    return {
      group,
      costUsd: sumOf(own),
      share: all === 0 ? 0 : weight / all,
      items: shortNames(items).slice(0, MOST_ITEMS),
      count: items.length,
      ...((group === "mcp" || group === "skills") && { used: items.filter(({ isUsed }) => isUsed).length }),
    }
  })
  return groups.toSorted((one, other) => other.share - one.share || byCodePoint(one.group, other.group))
}

function sumOf(owners: readonly OwnerCost[]): number | null {
  const known = owners.flatMap(({ carriedUsd }) => carriedUsd ?? [])
  return known.length === 0 ? null : known.reduce((sum, dollars) => sum + dollars, 0)
}

interface Item {
  readonly name: string
  readonly costUsd: number | null
  readonly tokens: number
  readonly isUsed: boolean
}

/** Owners with one name, such as the tools of a server, are one item. Those without a name are none. */
function itemsOf(group: CostGroup, owners: readonly OwnerCost[]): readonly Item[] {
  const named = Map.groupBy(owners, (owner) => nameIn(group, owner))
  return [...named]
    .flatMap(([name, own]): readonly Item[] => {
      if (name === undefined) return []
      const tokens = own.reduce((sum, owner) => sum + owner.tokens, 0)
      return [{ name, costUsd: sumOf(own), tokens, isUsed: own.some(({ used = 0 }) => used > 0) }]
    })
    .toSorted(
      (one, other) =>
        (other.costUsd ?? -1) - (one.costUsd ?? -1) ||
        other.tokens - one.tokens ||
        byCodePoint(one.name, other.name),
    )
}

function nameIn(group: CostGroup, owner: OwnerCost): string | undefined {
  if (owner.others !== undefined) return undefined
  if (group === "mcp") return owner.server ?? owner.name
  if (group === "skills") return skillOf(owner)
  return group === "tool-results" ? owner.name : (owner.path ?? owner.name)
}

/** As much of the end of a path as tells it from the others. */
function shortNames(items: readonly Item[]): GroupCost["items"] {
  const endOf = (name: string, count: number) => name.split(/[\\/]/).slice(-count).join("/")
  const seen = new Map<string, number>()
  const ends = items.map(({ name }) => [1, 2, 3].map((count) => endOf(name, count)))
  for (const end of ends.flatMap((each) => [...new Set(each)])) seen.set(end, (seen.get(end) ?? 0) + 1)
  return items.map(({ name, costUsd, tokens }, at) => {
    const end = ends[at]?.find((one) => seen.get(one) === 1)
    return { name: end ?? name, costUsd, tokens }
  })
}
