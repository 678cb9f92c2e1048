// Keeps calls within the limits under `spending:`. Before a call, the most that it can cost is reserved in the store, in
// one transaction with the check, so that parallel turns and processes stay within a limit together; after it, what it
// has cost takes the place of that. If the longest answer would not fit, a shorter one is asked for.
import { atLeast, type Trust } from "../../base/trust.ts"
import type { CallCost, SpendingSum } from "../../database/contract/serve/spending.ts"
import { quietly } from "../../database/tolerate.ts"
import type { Scope } from "../../record/write/scope.ts"
import { ratesFor } from "../../render/cache/price.ts"
import type { Model } from "../models/model.ts"
import type { Services } from "../setup/services.ts"
import { ModelFailure } from "../turn/provider/call.ts"
import { exceededText, unpricedText } from "./limit-words.ts"
import { limitsFor, type Payer, type ScopedLimit, spendingZone } from "./limits.ts"

/** Who reads why a call was not made. */
export interface Paying extends Payer {
  readonly trust: Trust
  /** Nobody else reads the answer. */
  readonly isAlone: boolean
}

export interface PaidCall<T> {
  readonly payer: Paying
  readonly model: Model
  /** The input in the model's tokens, as estimated: rather too many than too few. */
  readonly input: number
  /** The lifetime for which the input may be written to the cache, if it is. */
  readonly ttl?: string
  /** The longest answer. */
  readonly output: number
  readonly at: number
  readonly signal: AbortSignal
  readonly scope: Scope
  /** Makes the call with an answer of at most `output` tokens. Undefined as the cost: the provider reported none. */
  readonly make: (output: number) => Promise<{ readonly result: T; readonly cost: CallCost | undefined }>
}

export type SpendingServices = Pick<Services, "store" | "workspace" | "clock">

/** Throws `ModelFailure` of the kind `stopped` if the call would pass a limit. */
export async function spendWithin<T>(services: SpendingServices, call: PaidCall<T>): Promise<T> {
  const limits = call.model.isOffline ? [] : limitsNow(services, call.payer)
  if (limits.length === 0) return (await call.make(call.output)).result
  const { store, clock } = services
  const id = clock.id()
  const output = await reserve(services, { call, limits, id })
  try {
    const { result, cost } = await call.make(output)
    // An answer must not be lost because its price was not: until its lease ends, the reservation counts instead.
    await quietly(() => store.spending.settle(id, cost ?? mostOf(call, output)))
    return result
  } catch (error) {
    const isPaid = error instanceof ModelFailure && hasCost(error)
    await quietly(() =>
      isPaid ? store.spending.settle(id, mostOf(call, output)) : store.spending.release(id),
    )
    throw error
  }
}

/** A further agent's own limits are about its calls alone; the workspace's are about all. */
export function limitsNow(
  { workspace, clock }: Pick<SpendingServices, "workspace" | "clock">,
  payer: Payer,
): readonly ScopedLimit[] {
  const { config, own, id } = workspace.current()
  const now = { at: clock.now(), zone: spendingZone(config, clock.timeZone) }
  return [
    ...limitsFor(config.spending, payer, now),
    ...limitsFor(own?.config.spending, payer, now, { agent: id }),
  ]
}

/** Longer than any call takes. */
const LEASE_MS = 900_000
/** Between tries while other calls hold what this one needs; they usually cost far less than they reserve. */
const WAITS_MS: readonly number[] = [1_000, 2_000, 4_000, 8_000, 15_000]
/** A shorter answer is not worth its input. */
const LEAST_OUTPUT = 1_000
/** Waiting for other calls is better than asking for less than this. */
const GOOD_OUTPUT = 8_000

interface Reservation {
  readonly call: PaidCall<unknown>
  readonly limits: readonly ScopedLimit[]
  readonly id: string
}

/** Returns the longest answer that fits. */
async function reserve(services: SpendingServices, { call, limits, id }: Reservation): Promise<number> {
  const { store } = services
  const { agent, who, turn } = call.payer
  refuseUnpriced(call, limits)
  const waits = [...WAITS_MS]
  for (let { output } = call; ; ) {
    const cost = mostOf(call, output)
    const found = await store.spending.reserve({ id, agent, who, turn, ...cost, leaseMs: LEASE_MS }, limits)
    if (found.kind === "reserved") return output
    // The store names one of the limits that it was given.
    const limit = limits[found.limit] as ScopedLimit
    const fits = Math.min(output, outputWithin(call, limit, found.used))
    const wait = found.used.open > 0 && fits < Math.min(output, GOOD_OUTPUT) ? waits.shift() : undefined
    if (wait !== undefined) {
      await pause(services, wait, call.signal)
      output = call.output
    } else if (fits >= Math.min(LEAST_OUTPUT, call.output) && fits < output) output = fits
    else throw stopped(services, call, { limit, used: found.used })
  }
}

async function pause(
  { clock }: Pick<SpendingServices, "clock">,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  await clock.wait(ms, signal).catch(() => {
    throw new ModelFailure("stopped", "no answer was written yet")
  })
}

const MILLION = 1_000_000
/** Counts of the model's tokens are estimates. */
const MARGIN = 1.1

function mostOf(call: PaidCall<unknown>, output: number): CallCost {
  const input = Math.ceil(call.input * MARGIN)
  const rates = ratesOf(call)
  const costUsd = rates && (input * rates.input + output * rates.output) / MILLION
  return { costUsd: costUsd ?? null, tokens: input + output }
}

/** The input at its dearest: written to the cache, or not cached. */
function ratesOf({
  model,
  input,
  ttl,
  at,
}: PaidCall<unknown>): { input: number; output: number } | undefined {
  const price = model.price(at)
  if (price === null) return undefined
  const rates = ratesFor(price, input)
  const written = ttl === undefined ? undefined : rates.write?.[ttl]
  return { input: Math.max(rates.input, written ?? 0), output: rates.output }
}

/** How long the answer may be, so that the call stays within the limit. */
function outputWithin(call: PaidCall<unknown>, limit: ScopedLimit, used: SpendingSum): number {
  const { mostUsd = Infinity, mostTokens = Infinity } = limit
  const least = mostOf(call, 0)
  const rate = ratesOf(call)?.output ?? 0
  const left = mostUsd - used.costUsd - (least.costUsd ?? 0)
  const byPrice = rate === 0 ? (left < 0 ? 0 : Infinity) : Math.floor((left * MILLION) / rate)
  return Math.max(0, Math.min(byPrice, mostTokens - used.tokens - least.tokens))
}

/**
 * Whether a call that failed may have to be paid: providers charge for what they have read and written. How much that
 * was, nobody reports, and what arrived says little about it: reasoning is paid for, but often not sent.
 */
function hasCost({ kind, parts }: ModelFailure): boolean {
  return parts.length > 0 || kind === "timeout" || kind === "stopped"
}

function refuseUnpriced(
  { model, payer, scope, at }: PaidCall<unknown>,
  limits: readonly ScopedLimit[],
): void {
  if (!limits.some(({ mostUsd }) => mostUsd !== undefined)) return
  if (model.price(at) !== null) return
  report(scope, unpricedText(model.id, OPERATOR))
  throw new ModelFailure("stopped", unpricedText(model.id, readerOf(payer)), OVER)
}

function stopped(
  { workspace, clock }: Pick<SpendingServices, "workspace" | "clock">,
  call: PaidCall<unknown>,
  { limit, used }: { readonly limit: ScopedLimit; readonly used: SpendingSum },
): ModelFailure {
  const zone = spendingZone(workspace.current().config, clock.timeZone)
  const exceeded = { limit, used, call: mostOf(call, Math.min(LEAST_OUTPUT, call.output)), zone }
  report(call.scope, exceededText(exceeded, OPERATOR))
  return new ModelFailure("stopped", exceededText(exceeded, readerOf(call.payer)), OVER)
}

const OVER = { isOverLimit: true }
const OPERATOR = { mayKnow: true, isAlone: true }

function readerOf({ trust, isAlone }: Paying) {
  return { mayKnow: atLeast(trust, "full"), isAlone }
}

function report(scope: Scope, why: string): void {
  const text = `A call was not made: ${why}.`
  scope.with({ trust: "full" }).event("diagnostic", { level: "warn", data: { code: "spending-limit", text } })
}
