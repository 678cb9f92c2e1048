// Budgets: three limits, none of which sees a later input. Limits are in the model's tokens;
// texts are counted in the counter's, and one factor turns the totals of one into the other.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { IncipitError } from "../../base/error.ts"
import { DEFAULT_SHARES, type Shares } from "./fit.ts"

/** How the model's tokens relate to the counter's. */
export interface Ratio {
  readonly factor: number
  /** Whether the figures are exact, or an estimate. */
  readonly exact: boolean
}

export interface Budget {
  readonly window: number
  /** Kept free for the answer. */
  readonly reserve: number
  /** Default: a quarter of window - reserve - tools. */
  readonly head?: number
  readonly tail?: number
  readonly shares?: Shares
  readonly ratio?: Ratio
}

export interface BudgetReport {
  readonly window: number
  readonly reserve: number
  readonly tools: number
  readonly head: { readonly limit: number; readonly used: number }
  readonly tail: { readonly limit: number; readonly used: number }
  readonly conversation: number
  readonly counter: string
  readonly factor: number
  readonly exact: boolean
}

export const DEFAULT_BUDGET: Budget = { window: 200_000, reserve: 4_096 }
const DEFAULT_TAIL = 4_000
/** Below any real fraction of a token, above the error of a product such as 1.1 * 10. */
const ROUNDING_ERROR = 1e-6
const SAME: Ratio = { factor: 1, exact: true }

/** A budget with every default filled in and checked. */
export interface Limits {
  readonly window: number
  readonly reserve: number
  readonly tools: number
  readonly head: number
  /** Whether somebody set the head's limit, and it isn't the default. */
  readonly isHeadSet: boolean
  readonly tail: number
  /** How much head and tail may take together of what belongs to the head; nothing if the tail's limit is set. */
  readonly late: number
  readonly shares: Shares
  readonly ratio: Ratio
}

/** Where nobody states a budget. */
export function defaultBudget({ window = DEFAULT_BUDGET.window }: { readonly window?: number }): Budget {
  return { ...DEFAULT_BUDGET, window }
}

export function limitsOf(budget: Budget, toolTokens: number): Limits {
  const ratio = checkRatio(budget.ratio ?? SAME)
  const tools = inModelTokens(toolTokens, ratio)
  const { window, reserve } = budget
  check("window", window)
  check("reserve", reserve)
  if (reserve >= window)
    throw bad(`the reserve of ${reserve} tokens leaves nothing of the window of ${window}`)
  const room = Math.max(0, window - reserve - tools)
  const wanted = budget.head ?? Math.floor(room / 4)
  check("head", wanted)
  const head = Math.min(wanted, room)
  const tail = budget.tail ?? DEFAULT_TAIL
  check("tail", tail)
  const late = budget.tail === undefined ? head : 0
  const shares = checkShares(budget.shares ?? DEFAULT_SHARES)
  return { window, reserve, tools, head, isHeadSet: budget.head !== undefined, tail, late, shares, ratio }
}

/**
 * The least of its own limit and what the window still has. What text of the head wants that is told in the tail for now,
 * `lateTokens`, is added to its limit as far as the head has room.
 */
export function tailLimit(
  limits: Limits,
  headTokens: number,
  conversationTokens: number,
  lateTokens = 0,
): number {
  const head = inModelTokens(headTokens, limits.ratio)
  const late = Math.min(inModelTokens(lateTokens, limits.ratio), Math.max(0, limits.late - head))
  const left = limits.window - limits.reserve - limits.tools - head - conversationTokens
  return Math.max(0, Math.min(limits.tail + late, left))
}

/** A total in the model's tokens, rounded up once. */
export function inModelTokens(counted: number, { factor }: Ratio): number {
  return Math.max(0, Math.ceil(counted * factor - ROUNDING_ERROR))
}

/** How much may be counted so that the model's tokens stay within a limit. */
export function inCountedTokens(limit: number, ratio: Ratio): number {
  return Math.floor(limit / ratio.factor)
}

/** The finding that required text alone is more than a limit, in the model's tokens as the limit is. */
export function overBudget(
  fit: "head" | "tail",
  budget: number,
  counted: number | undefined,
  ratio: Ratio,
): readonly Diagnostic[] {
  if (counted === undefined) return []
  return [{ code: "required-over-budget", fit, budget, tokens: inModelTokens(counted, ratio) }]
}

export interface Usage {
  readonly headTokens: number
  readonly tailTokens: number
  readonly tailLimit: number
  readonly conversationTokens: number
  readonly counter: string
}

export function reportBudget(limits: Limits, usage: Usage): BudgetReport {
  const { window, reserve, tools, head, ratio } = limits
  return {
    window,
    reserve,
    tools,
    head: { limit: head, used: inModelTokens(usage.headTokens, ratio) },
    tail: { limit: usage.tailLimit, used: inModelTokens(usage.tailTokens, ratio) },
    conversation: usage.conversationTokens,
    counter: usage.counter,
    factor: ratio.factor,
    exact: ratio.exact,
  }
}

function check(name: string, tokens: number): void {
  if (!Number.isInteger(tokens) || tokens < 0)
    throw bad(`${name} is ${tokens}, but must be a whole number of tokens, 0 or more`)
}

function checkRatio(ratio: Ratio): Ratio {
  const { factor } = ratio
  if (!(factor > 0 && Number.isFinite(factor)))
    throw bad(`the factor is ${factor}, but must be a number above 0`)
  return ratio
}

function checkShares(shares: Shares): Shares {
  const { high, medium } = shares
  if (!(high >= 0 && medium >= 0 && high + medium <= 1)) {
    throw bad(`the shares high ${high} and medium ${medium} must be 0 or more and together at most 1`)
  }
  return shares
}

function bad(problem: string): IncipitError {
  return new IncipitError("bad-budget", `bad budget: ${problem}`)
}
