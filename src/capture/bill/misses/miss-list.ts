// Collects misses: sums by cause of all of them, and the most expensive ones themselves.
import type { BillMiss, BillMissCause, MissGroup } from "../bill.ts"

export interface MissList {
  add(miss: BillMiss): void
  /** Null if no miss has a price, and there are some. */
  totalUsd(): number | null
  groups(): readonly MissGroup[]
  misses(): readonly BillMiss[]
}

interface Group {
  count: number
  tokens: number
  costUsd: number
  isPriced: boolean
  costliest: BillMiss
  readonly names: Map<string, number>
}

/** More are not worth reading; their sums are still whole. */
const MOST_MISSES = 1_000
const MOST_NAMES = 3
/** Names that are told apart within one cause. */
const MOST_NAMES_KEPT = 1_000

export function createMissList(): MissList {
  const groups = new Map<BillMissCause, Group>()
  let kept: BillMiss[] = []
  const sorted = () => kept.toSorted(mostExpensiveFirst).slice(0, MOST_MISSES)
  return {
    add(miss) {
      addToGroup(groups, miss)
      kept.push(miss)
      if (kept.length >= 2 * MOST_MISSES) kept = sorted()
    },
    totalUsd() {
      const all = [...groups.values()]
      if (all.length > 0 && !all.some(({ isPriced }) => isPriced)) return null
      return all.reduce((sum, { costUsd }) => sum + costUsd, 0)
    },
    groups: () =>
      [...groups]
        .map(([cause, { count, tokens, costUsd, isPriced, costliest, names }]) => ({
          ...{ cause, count, tokens, costUsd: isPriced ? costUsd : null, costliest },
          names: [...names]
            .toSorted(([, one], [, other]) => other - one)
            .slice(0, MOST_NAMES)
            .map(([name]) => name),
        }))
        .toSorted((one, other) => (other.costUsd ?? -1) - (one.costUsd ?? -1) || other.tokens - one.tokens),
    misses: sorted,
  }
}

function addToGroup(groups: Map<BillMissCause, Group>, miss: BillMiss): void {
  const empty = { count: 0, tokens: 0, costUsd: 0, isPriced: false, costliest: miss }
  const group = groups.get(miss.cause) ?? { ...empty, names: new Map() }
  groups.set(miss.cause, group)
  group.count += 1
  group.tokens += miss.tokens
  group.costUsd += miss.costUsd ?? 0
  group.isPriced ||= miss.costUsd !== null
  if (mostExpensiveFirst(miss, group.costliest) < 0) group.costliest = miss
  const name = nameOf(miss)
  if (name === undefined || (group.names.size >= MOST_NAMES_KEPT && !group.names.has(name))) return
  group.names.set(name, (group.names.get(name) ?? 0) + (miss.costUsd ?? 0))
}

function nameOf({ owner, setting }: BillMiss): string | undefined {
  const { kind, path, server, name } = owner ?? {}
  if (kind === "field" || kind === "tool-result") return name
  return setting ?? path?.split(/[\\/]/).at(-1) ?? server ?? name
}

function mostExpensiveFirst(one: BillMiss, other: BillMiss): number {
  return (other.costUsd ?? -1) - (one.costUsd ?? -1) || other.tokens - one.tokens || one.at - other.at
}
