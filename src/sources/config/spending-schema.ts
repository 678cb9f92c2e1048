// `spending:` in incipit.yaml: the most that calls may cost, in dollars, tokens or both.
import { z } from "zod"

/** One of the two is set. */
export interface Amount {
  readonly usd?: number
  readonly tokens?: number
}

const DOLLARS = /^\$? ?(\d+(?:\.\d+)?)$/
const TOKENS = /^(\d+(?:\.\d+)?) ?([kM]?) ?tokens$/
const MULTIPLES: Readonly<Record<string, number>> = { "": 1, k: 1_000, M: 1_000_000 }

/** Returns undefined if it is not an amount. */
export function amountOf(value: string | number): Amount | undefined {
  if (typeof value === "number") return Number.isFinite(value) && value >= 0 ? { usd: value } : undefined
  const dollars = DOLLARS.exec(value.trim())
  if (dollars !== null) return { usd: Number(dollars[1]) }
  const tokens = TOKENS.exec(value.trim())
  return tokens === null ? undefined : { tokens: Number(tokens[1]) * (MULTIPLES[tokens[2] ?? ""] ?? 1) }
}

const amount = z
  .union([z.string(), z.number()])
  .refine((value) => amountOf(value) !== undefined, "is not an amount such as $0.50 or 200k tokens")

const amounts = z.union([amount, z.array(amount).min(1).max(2)])

export const SPENDING_SCOPES = ["turn", "day", "person_day"] as const
export type SpendingScope = (typeof SPENDING_SCOPES)[number]

export const spendingSchema = z.object({
  turn: amounts.optional().describe("one turn, with the work that it delegates"),
  day: amounts.optional().describe("all people together, from midnight to midnight"),
  person_day: amounts.optional().describe("each person, from midnight to midnight"),
})

export type SpendingConfig = z.infer<typeof spendingSchema>
