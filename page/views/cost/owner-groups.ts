// Owners in the groups that people look for them in, with the sum of each. If nothing has a price, tokens are compared.
import type { Pace } from "../../../src/base/pace.ts"
import type { ShownOwnerCost } from "../../../src/serve/page/shown.ts"

export interface OwnerGroup {
  readonly name: GroupName
  readonly title: string
  /** How often its text changes, for its shade; null for what was said. */
  readonly pace: Pace | null
  readonly owners: readonly ShownOwnerCost[]
  readonly weight: number
  readonly tokens: number
  readonly costUsd: number | null
}

type GroupName = ShownOwnerCost["group"] | "tools"

const GROUPS: Readonly<Record<GroupName, { readonly title: string; readonly pace: Pace | null }>> = {
  "tool-results": { title: "Tool results", pace: null },
  conversation: { title: "Conversation", pace: null },
  output: { title: "Model output", pace: null },
  client: { title: "The agent's own text", pace: "stable" },
  tools: { title: "Tools", pace: "stable" },
  instructions: { title: "Instruction files", pace: "stable" },
  files: { title: "Other files", pace: "session" },
  mcp: { title: "MCP servers", pace: "stable" },
  skills: { title: "Skills", pace: "session" },
  hooks: { title: "Hooks", pace: "turn" },
  "not-recorded": { title: "Not recorded", pace: "turn" },
}

export interface GroupedOwners {
  /** Largest first. */
  readonly groups: readonly OwnerGroup[]
  /** Whether dollars are compared, and not tokens. */
  readonly isPriced: boolean
  readonly weight: number
}

export function groupOwners(owners: readonly ShownOwnerCost[]): GroupedOwners {
  const isPriced = owners.some(({ carriedUsd }) => carriedUsd !== null && carriedUsd > 0)
  const weightOf = (owner: ShownOwnerCost) => weightIn(owner, isPriced)
  const groups = [...Map.groupBy(owners, nameOf)].map(([name, own]): OwnerGroup => {
    const known = own.flatMap(({ carriedUsd }) => carriedUsd ?? [])
    return {
      ...{ name, ...GROUPS[name], owners: own },
      weight: own.reduce((sum, owner) => sum + weightOf(owner), 0),
      tokens: own.reduce((sum, owner) => sum + owner.carriedTokens, 0),
      costUsd: known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0),
    }
  })
  const sorted = groups.toSorted((one, other) => other.weight - one.weight)
  return { groups: sorted, isPriced, weight: sorted.reduce((sum, group) => sum + group.weight, 0) }
}

export function weightIn(owner: ShownOwnerCost, isPriced: boolean): number {
  return isPriced ? (owner.carriedUsd ?? 0) : owner.carriedTokens
}

/** Tools are text of their own, whoever brings them. */
function nameOf({ group, owner }: ShownOwnerCost): GroupName {
  return group === "client" && owner.kind === "tool" ? "tools" : group
}
