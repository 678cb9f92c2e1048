// Budgets: three limits, none of which depends on a later input. Limits are in the model's tokens, and texts are
// counted in the counter's; one factor converts totals between the two.

import { defined } from "../../base/defined.ts"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { IncipitError } from "../../base/error.ts"
import { DEFAULT_SHARES, type Shares } from "./fit.ts"

/** The relation between the model's tokens and the counter's. */
export interface Ratio {
  readonly factor: number
  /** True if the figures are exact, false if they are estimates. */
  readonly exact: boolean
}

/** How many tokens a prompt may take, in the model's own tokens. */
export interface Budget {
  /** The model's context window. */
  readonly window: number
  /** Tokens kept free for the answer. */
  readonly reserve: number
  /**
   * The most that head and tail take together, without the tools. The head gets at most three quarters of it, or all if
   * the profile's order is declared; the tail gets what the head leaves.
   */
  readonly total?: number
  /** Default: a share of `total`, or a quarter of window - reserve - tools. */
  readonly head?: number
  /** Default: what the head leaves of `total`, or 4,000. */
  readonly tail?: number
  readonly shares?: Shares
  readonly ratio?: Ratio
}

/** What a caller may pass: a number is the `total`, and what is left out gets its default. */
export type GivenBudget = number | Partial<Budget>

/** The limits of a prompt and how much of each is used, in the model's tokens. */
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

/** The budget of a caller who specifies none. */
export const DEFAULT_BUDGET: Budget = { window: 200_000, reserve: 4_096 }
const DEFAULT_TAIL = 4_000
/** Smaller than any real fraction of a token, larger than the error of a product such as 1.1 * 10. */
const ROUNDING_ERROR = 1e-6
const SAME: Ratio = { factor: 1, exact: true }

/** A checked budget with every default filled in. */
export interface BudgetLimits {
  readonly window: number
  readonly reserve: number
  readonly tools: number
  readonly head: number
  /** Whether the head's limit was set explicitly. */
  readonly isHeadSet: boolean
  readonly tail: number
  readonly total: number | undefined
  /** How much head and tail together may take for text that belongs to the head. Zero if the tail's limit is set. */
  readonly late: number
  readonly shares: Shares
  readonly ratio: Ratio
}

/** For callers that don't specify a budget. */
export function defaultBudget({ window = DEFAULT_BUDGET.window }: { readonly window?: number }): Budget {
  return { ...DEFAULT_BUDGET, window }
}

const KEYS = ["window", "reserve", "total", "head", "tail", "shares", "ratio"]

/** The budget with its defaults. `headShare`: how much of a total the head may take in this layout. */
export function fullBudget(
  given: GivenBudget,
  { window: usual, headShare }: { readonly window?: number | undefined; readonly headShare: number },
): Budget {
  checkGiven(given)
  const budget = typeof given === "number" ? { total: given } : given
  const { window = usual ?? DEFAULT_BUDGET.window, total, ...rest } = budget
  // The usual reserve could fill a small window.
  const reserve = Math.min(DEFAULT_BUDGET.reserve, Math.floor(window / 2))
  if (total === undefined) return { reserve, ...defined(rest), window }
  check(typeof given === "number" ? "it" : "total", total)
  return { reserve, head: Math.floor(total * headShare), ...defined(rest), window, total }
}

/** Throws if no prompt could be compiled with it. */
export function checkBudget(given: unknown): void {
  // Both check what they get.
  limitsOf(fullBudget(given as GivenBudget, { headShare: 1 }), 0)
}

/** A caller in JavaScript may pass anything. */
function checkGiven(given: unknown): void {
  if (typeof given === "number") return
  if (typeof given !== "object" || given === null)
    throw badBudget(`it is ${JSON.stringify(given)}, but must be a number of tokens or an object`)
  const odd = Object.keys(given).find((key) => !KEYS.includes(key))
  if (odd !== undefined) throw badBudget(`it has an unknown key "${odd}"; use ${KEYS.join(", ")}`)
}

export function limitsOf(budget: Budget, toolTokens: number): BudgetLimits {
  const ratio = checkRatio(budget.ratio ?? SAME)
  const tools = inModelTokens(toolTokens, ratio)
  const { window, reserve } = budget
  check("window", window)
  check("reserve", reserve)
  if (reserve >= window)
    throw badBudget(`the reserve of ${reserve} tokens leaves no room in the window of ${window}`)
  const available = Math.max(0, window - reserve - tools)
  const wanted = budget.head ?? Math.floor(available / 4)
  check("head", wanted)
  const { total } = budget
  const head = Math.min(wanted, available, total ?? available)
  const tail = budget.tail ?? total ?? DEFAULT_TAIL
  check("tail", tail)
  const late = budget.tail === undefined ? head : 0
  const shares = checkShares(budget.shares ?? DEFAULT_SHARES)
  const isHeadSet = budget.head !== undefined
  return { window, reserve, tools, head, isHeadSet, tail, total, late, shares, ratio }
}

export interface TailLimitInput {
  readonly headTokens: number
  readonly conversationTokens: number
  /** Head text that the tail contains for now: it raises the limit as far as the head has room. */
  readonly lateTokens?: number
}

/** The smallest of the tail's own limit, what the head leaves of the total, and what is left of the window. */
export function tailLimit(
  limits: BudgetLimits,
  { headTokens, conversationTokens, lateTokens = 0 }: TailLimitInput,
): number {
  const head = inModelTokens(headTokens, limits.ratio)
  const late = Math.min(inModelTokens(lateTokens, limits.ratio), Math.max(0, limits.late - head))
  const left = limits.window - limits.reserve - limits.tools - head - conversationTokens
  const ofTotal = limits.total === undefined ? left : limits.total - head
  return Math.max(0, Math.min(limits.tail + late, ofTotal, left))
}

/** Converts counted tokens into the model's tokens, with the factor of a budget or a report. Rounded up once, here. */
export function inModelTokens(counted: number, { factor }: Ratio): number {
  return Math.max(0, Math.ceil(counted * factor - ROUNDING_ERROR))
}

/** How many counted tokens fit within a limit in the model's tokens. */
export function inCountedTokens(limit: number, ratio: Ratio): number {
  return Math.floor(limit / ratio.factor)
}

export interface RequiredText {
  /** Counted tokens, if required text alone exceeds the limit. */
  readonly required: number | undefined
  /** Like the diagnostic, in the model's tokens. */
  readonly limit: number
  readonly ratio: Ratio
}

/** The diagnostic that required text alone exceeds a limit. */
export function overBudget(
  fit: "head" | "tail",
  { required, limit, ratio }: RequiredText,
): readonly Diagnostic[] {
  if (required === undefined) return []
  return [{ code: "required-over-budget", fit, budget: limit, tokens: inModelTokens(required, ratio) }]
}

export interface BudgetUsage {
  readonly headTokens: number
  readonly tailTokens: number
  readonly tailLimit: number
  readonly conversationTokens: number
  readonly counter: string
}

export function reportBudget(limits: BudgetLimits, usage: BudgetUsage): BudgetReport {
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
    throw badBudget(`${name} is ${tokens}, but must be a whole number of tokens, 0 or more`)
}

function checkRatio(ratio: Ratio): Ratio {
  const { factor } = ratio
  if (!(factor > 0 && Number.isFinite(factor)))
    throw badBudget(`the factor is ${factor}, but must be a number above 0`)
  return ratio
}

function checkShares(shares: Shares): Shares {
  const { high, medium } = shares
  if (!(high >= 0 && medium >= 0 && high + medium <= 1)) {
    throw badBudget(`the shares high ${high} and medium ${medium} must be 0 or more and together at most 1`)
  }
  return shares
}

function badBudget(problem: string): IncipitError {
  return new IncipitError("bad-budget", `bad budget: ${problem}`)
}
