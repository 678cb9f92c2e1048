// What a person reads when a limit stops a turn: which limit, what was spent, and when it resets. What others have spent
// is only for the operator, so the sum of all people is shown with full trust alone, and nobody's own sum in a room.

import type { CallCost, SpendingSum } from "../../database/contract/serve/spending.ts"
import { clockText } from "../../profiles/parts.ts"
import { dollars } from "../../record/ask/log.ts"
import type { ScopedLimit } from "./limits.ts"

export interface Reader {
  readonly mayKnow: boolean
  /** Nobody else reads the answer. */
  readonly isAlone: boolean
}

export interface Exceeded {
  readonly limit: ScopedLimit
  readonly used: SpendingSum
  /** The call that is not made, at the least. */
  readonly call: CallCost
  readonly zone: string
}

const NAMES = {
  turn: "the spending limit for one turn",
  day: "the agent's spending limit for today",
  person_day: "your spending limit for today",
} as const

export function exceededText({ limit, used, call, zone }: Exceeded, { mayKnow, isAlone }: Reader): string {
  const { scope, resetsAt } = limit
  const shows = mayKnow || (isAlone && scope !== "day")
  const needed = amountText(limit, call)
  const isUsed = `${limit.mostUsd === undefined ? "are" : "is"} used${used.open > 0 ? " or reserved by calls under way" : ""}`
  const figures = shows
    ? `: ${usedText(limit, used)} ${isUsed}, and the next call needs at least ${needed}`
    : ""
  const next =
    resetsAt === undefined ? "send another message to continue" : `it resets on ${clockText(resetsAt, zone)}`
  return `${NAMES[scope]} is reached${figures}; ${next}`
}

/** "$0.02 of $1.00", or "2,000 of 10,000 tokens". */
export function usedText(limit: ScopedLimit, used: CallCost): string {
  const { mostUsd, mostTokens = 0 } = limit
  return mostUsd === undefined
    ? `${tokensText(used.tokens).replace(" tokens", "")} of ${tokensText(mostTokens)}`
    : `${dollars(used.costUsd ?? 0)} of ${dollars(mostUsd)}`
}

/** In the unit of the limit. */
function amountText({ mostUsd }: ScopedLimit, { costUsd, tokens }: CallCost): string {
  return mostUsd === undefined ? tokensText(tokens) : dollars(costUsd ?? 0)
}

function tokensText(tokens: number): string {
  return `${String(Math.round(tokens)).replaceAll(/\B(?=(?:\d{3})+$)/g, ",")} tokens`
}

export function unpricedText(model: string, { mayKnow }: Reader): string {
  if (!mayKnow) return "a spending limit cannot be checked for this model"
  return `the price of ${model} is unknown, so the spending limit in dollars cannot be kept; set its price under prices in incipit.yaml, or a limit in tokens`
}
