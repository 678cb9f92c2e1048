// How much of the limits of a day is used, for the operator and for `/cost`.
import type { Spending, SpendingSum } from "../../database/contract/serve/spending.ts"
import { usedText } from "./limit-words.ts"
import type { ScopedLimit } from "./limits.ts"

/** A limit, and what counts against it now. */
export interface SpendingUse {
  readonly scope: "day" | "person_day"
  /** The person, for a limit of one. */
  readonly who?: string
  /** The agent, for a limit of its own. */
  readonly agent?: string
  readonly usedUsd: number
  readonly usedTokens: number
  /** One of these two is set. */
  readonly mostUsd?: number
  readonly mostTokens?: number
  readonly resetsAt: number
  /** The same in words. */
  readonly text: string
}

/** Limits of a turn are left out: no turn is meant. */
export async function spendingUse(
  spending: Pick<Spending, "sum">,
  limits: readonly ScopedLimit[],
  zone: string,
): Promise<readonly SpendingUse[]> {
  const found: SpendingUse[] = []
  for (const limit of limits) {
    const { scope, resetsAt, mostUsd, mostTokens, ...filter } = limit
    if (scope === "turn" || resetsAt === undefined) continue
    const used = await spending.sum(filter)
    found.push({
      ...{ scope, usedUsd: used.costUsd, usedTokens: used.tokens, resetsAt },
      ...(limit.who !== undefined && { who: limit.who }),
      ...(limit.agent !== undefined && { agent: limit.agent }),
      ...(mostUsd !== undefined && { mostUsd }),
      ...(mostTokens !== undefined && { mostTokens }),
      text: useText(limit, used, zone),
    })
  }
  return found
}

function useText(limit: ScopedLimit, used: SpendingSum, zone: string): string {
  const { who, agent } = limit
  const whose = [who?.replace(/^person:/, ""), agent === undefined ? undefined : `agent ${agent}`]
  const name = ["limit for today", ...whose.filter((one) => one !== undefined)].join(", ")
  return `${name}: ${usedText(limit, used)} used, resets at midnight (${zone})`
}
