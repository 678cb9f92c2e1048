// What a change costs a running session: sent immediately, sent as its `onChange` says, or left for the next epoch,
// which writes everything again anyway. Simulated, like every cache figure before a paid call.
import type { Call, CallBlock } from "./call.ts"
import { inputOf, type Price } from "./price.ts"
import { type RehearseOptions, rehearse } from "./rehearse.ts"
import { evenScenario, type Scenario, type ScenarioTurn } from "./scenario.ts"
import { type SimulatedCall, simulate } from "./simulate.ts"

/** How much more a call costs than without the change; negative if less. */
export interface Extra {
  /** In units of one uncached token. Absent when two models are compared, because their tokens differ. */
  readonly units?: number
  readonly usd: number | null
}

/** What a change costs: in the call that first contains it, and in every call after that. */
export interface Impact {
  /** The first call after the change. */
  readonly now: Extra
  /** Every call after that. */
  readonly later: Extra
  /** Tokens that the first call sends uncached or writes. */
  readonly rewritten: number
}

/** What a change costs a running session, for three ways of sending it. */
export interface ChangePrice {
  /** How the session's own rules handle the change; `none` if not even a new epoch would send it. */
  readonly how: "none" | "append" | "wait" | "rebuild"
  readonly asSent: Impact
  readonly atOnce: Impact
  readonly nextEpoch: Impact
}

/** The change to price: the part of a turn that describes what changed before it. */
export type Change = Partial<Pick<ScenarioTurn, "edits" | "tools" | "skills">>

/** The session in which a change is priced. */
export interface ChangePriceOptions extends RehearseOptions {
  readonly price: Price | null
  /** Tokens of the conversation so far. */
  readonly conversation: number
}

/** Says what editing a file, or adding a tool or a skill, would cost a running session. Simulated. */
export function priceOfChange(change: Change, options: ChangePriceOptions): ChangePrice {
  const unchanged = simulateTurns(undefined, options)
  const sent = simulateTurns({ turn: 1, change }, options)
  const fromStart = simulateTurns({ turn: 0, change }, options)
  const nextEpoch = impact(unchanged, fromStart, 0)
  // A new epoch also drops old tails. The change didn't cause that, so later calls are compared without it.
  const rebased = (other: SimulatedTurns): Impact => ({
    ...impact(unchanged, other, 1),
    later: nextEpoch.later,
  })
  const how = isSame(unchanged.calls[0], fromStart.calls[0])
    ? "none"
    : howSent(unchanged.calls[1], sent.calls[1])
  return {
    how,
    asSent: how === "rebuild" ? rebased(sent) : impact(unchanged, sent, 1),
    atOnce: rebased(simulateTurns({ turn: 1, change }, { ...options, rebases: true })),
    nextEpoch,
  }
}

/**
 * Says what a switch to another model would cost a running session. Priced by that model's rule with a cold cache, in
 * dollars only.
 */
export function priceOfSwitch(
  options: ChangePriceOptions,
  next: Pick<ChangePriceOptions, "session" | "budget" | "rule" | "price">,
): Pick<ChangePrice, "atOnce" | "nextEpoch"> {
  const unchanged = simulateTurns(undefined, options)
  const calls = rehearse(scenarioOf(undefined, options), { ...options, ...next })
  const cold = (from: number) => simulate(calls.slice(from), { ...next, exact: true }).calls
  return {
    atOnce: inDollars(impact(unchanged, { calls, rows: [...unchanged.rows.slice(0, 1), ...cold(1)] }, 1)),
    nextEpoch: inDollars(impact(unchanged, { calls, rows: cold(0) }, 0)),
  }
}

function inDollars({ now, later, rewritten }: Impact): Impact {
  return { now: { usd: now.usd }, later: { usd: later.usd }, rewritten }
}

interface SimulatedTurns {
  readonly calls: readonly Call[]
  readonly rows: readonly SimulatedCall[]
}

function simulateTurns(
  changed: { readonly turn: number; readonly change: Change } | undefined,
  options: ChangePriceOptions,
): SimulatedTurns {
  const calls = rehearse(scenarioOf(changed, options), options)
  // Exact, because one call is multiplied by the calls of a whole day, and so are rounding errors.
  return { calls, rows: simulate(calls, { ...options, exact: true }).calls }
}

/** One turn as long as the conversation so far, and two more. */
function scenarioOf(
  changed: { readonly turn: number; readonly change: Change } | undefined,
  { conversation }: ChangePriceOptions,
): Scenario {
  const { turns } = evenScenario({ turns: 3, steps: 1 })
  return {
    turns: turns.map((turn, at) => ({
      ...turn,
      ...(at === 0 && { message: conversation }),
      ...(at === changed?.turn && changed.change),
    })),
  }
}

function impact(unchanged: SimulatedTurns, other: SimulatedTurns, at: number): Impact {
  const usage = other.rows[at]?.usage
  return {
    now: extra(unchanged.rows[at], other.rows[at]),
    later: extra(unchanged.rows[at + 1], other.rows[at + 1]),
    rewritten: usage === undefined ? 0 : Math.round(inputOf(usage) - usage.read),
  }
}

function extra(unchanged: SimulatedCall | undefined, other: SimulatedCall | undefined): Extra {
  if (unchanged === undefined || other === undefined) return { units: 0, usd: null }
  const [before, after] = [unchanged.inputUsd, other.inputUsd]
  return {
    units: other.units - unchanged.units,
    usd: before === null || after === null ? null : after - before,
  }
}

function howSent(unchanged: Call | undefined, sent: Call | undefined): ChangePrice["how"] {
  if (keysOf(headOf(unchanged)) !== keysOf(headOf(sent))) return "rebuild"
  return isSame(unchanged, sent) ? "wait" : "append"
}

function isSame(unchanged: Call | undefined, sent: Call | undefined): boolean {
  return keysOf(unchanged?.blocks) === keysOf(sent?.blocks)
}

/** What comes before the conversation. A system message within it is appended, not part of the head. */
function headOf(call: Call | undefined): readonly CallBlock[] {
  const blocks = call?.blocks ?? []
  const first = blocks.findIndex(({ tier }) => tier === "messages")
  return first === -1 ? blocks : blocks.slice(0, first)
}

function keysOf(blocks: readonly CallBlock[] = []): string {
  return blocks.flatMap(({ pieces }) => pieces.map(({ key }) => key)).join(" ")
}
