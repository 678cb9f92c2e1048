// What owners cost as the page lists them. Pure.
import type { OwnerCost } from "../../../capture/bill/bill.ts"
import { identityOf } from "../../../capture/bill/owners/owner-identity.ts"
import type { Owner } from "../../../capture/owner.ts"
import type { CallPlace, ShownOwnerCost, ShownSums } from "../shown.ts"

/** Smaller ones are one row for each kind. */
export const MOST_OWNERS_SHOWN = 200

export function shownOwner(cost: OwnerCost, newest: CallPlace | null): ShownOwnerCost {
  const { kind, path, lines, name, server, input, match, group, others = 0 } = cost
  const owner: Owner = { kind, path, lines, name, server, input, match }
  return {
    key: `${group}\n${others > 0 ? `others ${kind}` : identityOf(owner)}`,
    title: titleOf(cost),
    ...{ group, owner, tokens: cost.tokens, carriedTokens: cost.carriedTokens, calls: cost.calls },
    ...{ carriedUsd: cost.carriedUsd, others, newest },
  }
}

function titleOf({ kind, path, name = "", server = "", input = "", others = 0 }: OwnerCost): string {
  if (others > 0) return `${others} more`
  switch (kind) {
    case "file":
      return path ?? "a file"
    case "field":
      return name === "" ? (path ?? "a file") : `${name} (${path ?? "a file"})`
    case "mcp-tool":
      return `${server} · ${name}`
    case "tool-result":
      return [name === "" ? "a tool" : name, input].filter((word) => word !== "").join(" ")
    case "conversation":
      return ROLES[name] ?? (name === "" ? "Conversation" : name)
    case "output":
      return "Answers, when they were written"
    case "envelope":
      return "Frames around files"
    case "client":
      return name === "" ? "Its own text" : name
    default:
      return name === "" ? kind : name
  }
}

const ROLES: Readonly<Record<string, string>> = {
  user: "User messages",
  assistant: "Answers, sent again",
  model: "Answers, sent again",
  system: "System messages in the conversation",
}

export const NO_SUMS: ShownSums = {
  ...{ calls: 0, costUsd: null, unpriced: 0 },
  usage: { uncached: 0, read: 0, written: 0, output: 0 },
}
