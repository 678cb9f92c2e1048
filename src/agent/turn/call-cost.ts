// What a call costs: as the provider reports it, or as simulated for the offline model. Also what the provider's cache
// had before the call.
import { parseDuration } from "../../base/duration.ts"
import { inModelTokens } from "../../core/fit/budget.ts"
import { type Prompt, prefixBlocks, prefixOf } from "../../core/model/prompt.ts"
import type { StepCost } from "../../database/contract/reply.ts"
import type { CallCost as Paid } from "../../database/contract/serve/spending.ts"
import type { LastCall } from "../../database/contract/sessions.ts"
import { planBreakpoints } from "../../render/cache/breakpoints.ts"
import type { Call } from "../../render/cache/call.ts"
import { costOf, inputOf, type Price, type Usage } from "../../render/cache/price.ts"
import { callOf } from "../../render/cache/prompt-call.ts"
import { usageOf } from "../../render/cache/sdk-usage.ts"
import { o200k } from "../../tokens/o200k.ts"
import type { Model } from "../models/model.ts"
import type { Services, SimulatedCache } from "../setup/services.ts"
import type { CompiledStep } from "./prompt/compile.ts"
import type { ModelAnswer } from "./provider/call.ts"
import type { Work } from "./work.ts"

/** One call of a step; a retry is another. */
export interface Attempt {
  readonly step: CompiledStep
  readonly model: Model
  readonly at: number
}

export interface CallCost {
  /** Undefined if the provider reported none. */
  readonly usage: Usage | undefined
  readonly price: Price | null
  readonly step: StepCost
}

export function costOfCall(
  simulated: SimulatedCache,
  work: Work,
  { step, model, at }: Attempt,
  answer: ModelAnswer,
): CallCost {
  const price = model.price(at)
  if (!model.isOffline) {
    const usage = usageOf(answer.usage, model.rule)
    const shown = usage ?? { uncached: 0, read: 0, write: {}, output: 0 }
    return {
      usage,
      price,
      step: { usage: shown, costUsd: usage ? costOf(usage, price) : null, isSimulated: false },
    }
  }
  const output = answer.usage.outputTokens ?? 0
  warmUp(simulated, work, step, model)
  const { usage } = simulated.simulate(cacheCall(simulated, step, model, { at, output }), {
    rule: model.rule,
  })
  return { usage, price, step: { usage, costUsd: 0, isSimulated: true } }
}

/** For the limits of spending; undefined if the provider reported no usage. */
export function paidFor({ usage, step }: Pick<CallCost, "usage" | "step">): Paid | undefined {
  return usage && { costUsd: step.costUsd, tokens: inputOf(usage) + usage.output }
}

function cacheCall(
  { measured }: SimulatedCache,
  { prompt, messages }: CompiledStep,
  { rule }: Model,
  more: { at: number; output: number },
): Call {
  const breakpoints = planBreakpoints(prompt, messages, { rule })
  return callOf(prompt, messages, { counter: o200k, measured, breakpoints, rule, ...more })
}

/** Restores the simulated cache as the previous call left it, in a process that takes over a session. */
function warmUp(simulated: SimulatedCache, { session, state }: Work, step: CompiledStep, model: Model): void {
  const before = simulated.sessions.has(session.id) ? undefined : callBefore(step, state.lastCall)
  if (before !== undefined) {
    const at = state.lastCall?.at ?? 0
    simulated.simulate(cacheCall(simulated, before, model, { at, output: 0 }), { rule: model.rule })
  }
  simulated.sessions.add(session.id)
}

/** The part of the previous call that this one begins with: all of it, or the unchanged blocks of the head. */
function callBefore(step: CompiledStep, last: LastCall | undefined): CompiledStep | undefined {
  if (last === undefined) return undefined
  const { prompt, messages } = step
  const answered = messages.findLastIndex(({ role }) => role === "assistant")
  if (last.prefix === prefixOf(prompt))
    return answered > 0 ? { prompt, messages: messages.slice(0, answered) } : undefined
  const shared = sharedBlocks(prompt, last)
  return shared > 0 ? { prompt: { ...prompt, head: prompt.head.slice(0, shared) }, messages: [] } : undefined
}

/**
 * The tokens that the previous call left in the provider's cache and this one begins with. If the head has changed,
 * they end at the last breakpoint before the change.
 */
export function cachedBefore(
  { state: { lastCall }, gathered }: Work,
  { prompt }: CompiledStep,
  clock: Pick<Services["clock"], "now">,
): number {
  if (lastCall === undefined || clock.now() - lastCall.at > (parseDuration(gathered.ttl) ?? 0)) return 0
  if (lastCall.prefix === prefixOf(prompt)) return lastCall.kept
  const same = prompt.head.slice(0, sharedBlocks(prompt, lastCall))
  const cached = same.slice(0, same.findLastIndex(({ breakpoint }) => breakpoint !== undefined) + 1)
  if (cached.length === 0) return 0
  const { budget } = prompt.plan
  const counted = cached.reduce((sum, block) => sum + block.tokens, 0)
  return Math.min(budget.tools + inModelTokens(counted, budget), lastCall.kept)
}

/** How many blocks of the head are unchanged, provided that the tools before them are. */
function sharedBlocks(prompt: Prompt, { blocks = [] }: LastCall): number {
  const now = prefixBlocks(prompt)
  const first = now.findIndex((digest, at) => digest !== blocks[at])
  return Math.max(0, (first === -1 ? now.length : first) - 1)
}
