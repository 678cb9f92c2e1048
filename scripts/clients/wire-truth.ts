// What really happened between two calls of a session, from the requests as they crossed the wire: where the prefix
// broke, what was lost, and what that cost by the simulator.

import { priceFor } from "../../src/record/prices/prices.ts"
import type { Tier } from "../../src/render/cache/cache-rule.ts"
import { ruleFor } from "../../src/render/cache/cache-rules.ts"
import type { Call, CallBlock } from "../../src/render/cache/call.ts"
import { costOf, inputOf, type Usage } from "../../src/render/cache/price.ts"
import { createSimulator } from "../../src/render/cache/simulate.ts"
import { simulatedCall } from "./provider/cached-usage.ts"
import type { WireCall } from "./provider/fake-provider.ts"
import { type WireBlock, wireBlocks } from "./provider/wire-blocks.ts"

/** From one call of a session's main conversation to the next. */
export interface Step {
  readonly before: WireCall
  readonly after: WireCall
  /** Tokens that the earlier call left in the cache and the later one did not read; 0 below the rule's step. */
  readonly lost: number
  readonly lostUsd: number | null
  /** The first block that is not the same; undefined if the later request only appends. */
  readonly broke?:
    | { readonly tier: Tier; readonly was: WireBlock; readonly is: WireBlock | undefined }
    | undefined
  /** What is new behind the shared prefix. */
  readonly appended: readonly WireBlock[]
}

/** The calls of the conversation, without titles, summaries and other asides, which have no tools. */
export function mainCalls(calls: readonly WireCall[]): readonly WireCall[] {
  return calls.filter(({ body, format }) => wireBlocks(body, format).some(({ tier }) => tier === "tools"))
}

export function stepsOf(calls: readonly WireCall[]): readonly Step[] {
  const main = mainCalls(calls)
  return main.slice(1).map((after, at) => stepBetween(main[at] ?? after, after))
}

function stepBetween(before: WireCall, after: WireCall): Step {
  const [was, is] = [before, after].map(({ body, format }) => wireBlocks(body, format))
  const same = (was ?? []).findIndex(({ tier, key }, at) => is?.[at]?.tier !== tier || is[at]?.key !== key)
  const first = same === -1 ? undefined : was?.[same]
  const rule = ruleFor(after.model)
  const kept = Math.min(keptTokens(before.usage, before.model), inputOf(after.usage))
  const missing = Math.max(0, kept - after.usage.read)
  const lost = missing < Math.max(1, rule.step) ? 0 : missing
  return {
    before,
    after,
    lost,
    lostUsd: lost === 0 ? 0 : priceOfMiss(before, after, kept),
    broke: first && { tier: first.tier, was: first, is: is?.[same] },
    appended: (is ?? []).slice(same === -1 ? was?.length : same),
  }
}

/** What a call leaves for the next one. */
function keptTokens(usage: Usage, model: string): number {
  const { lookup, step, minimum } = ruleFor(model)
  if (lookup === "none") return 0
  if (lookup === "breakpoint") return inputOf(usage) - usage.uncached
  const whole = Math.floor(inputOf(usage) / Math.max(1, step)) * Math.max(1, step)
  return whole >= minimum ? whole : 0
}

/** The cost of the call, less the simulated cost of the same amount of input behind a prefix that was found. */
function priceOfMiss(before: WireCall, after: WireCall, kept: number): number | null {
  const rule = ruleFor(after.model)
  const price = priceFor(after.model, { at: after.at })
  const simulator = createSimulator({ rule, price })
  const { output } = after.usage
  const earlier = simulatedCall(before, before.usage.output)
  simulator({ ...earlier, at: 0 })
  const found = simulator({
    at: 1,
    output,
    blocks: hitBlocks(earlier, after, kept),
    settings: earlier.settings ?? {},
  })
  const paid = costOf(after.usage, price)
  return paid === null || found.costUsd === null ? null : paid - found.costUsd
}

function hitBlocks(earlier: Call, after: WireCall, kept: number): readonly CallBlock[] {
  const { usage } = after
  // A provider that finds prefixes itself also reads into a block.
  const most = ruleFor(after.model).lookup === "prefix" ? inputOf(usage) : kept
  const blocks: CallBlock[] = []
  let sum = 0
  for (const block of earlier.blocks) {
    const tokens = block.pieces.reduce((total, piece) => total + piece.tokens, 0)
    if (sum + tokens > most) break
    sum += tokens
    blocks.push(block)
  }
  const ttl = Object.keys(usage.write)[0]
  const rest = inputOf(usage) - sum
  const written = ttl === undefined ? 0 : Math.max(0, rest - usage.uncached)
  const filler = (key: string, tokens: number, breakpoint?: string): CallBlock => ({
    tier: "messages",
    pieces: [{ key, tokens }],
    ...(breakpoint !== undefined && { breakpoint }),
  })
  return [
    ...blocks,
    ...(written > 0 && ttl !== undefined ? [filler("written", written, ttl)] : []),
    ...(rest - written > 0 ? [filler("uncached", rest - written)] : []),
  ]
}
