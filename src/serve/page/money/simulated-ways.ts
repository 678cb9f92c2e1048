// The same calls in other ways: with another lifetime of the cache, with other marks, at another provider. Each way is
// simulated by the published rule of the provider's cache, the way that they were sent too, so that all can be compared.
import { setImmediate as letOthersRun } from "node:timers/promises"
import type { Terms } from "../../../agent/models/terms.ts"
import type { CacheRule } from "../../../render/cache/cache-rule.ts"
import { type Call, type CallBlock, timesFactor, withTtl } from "../../../render/cache/call.ts"
import { simulate } from "../../../render/cache/simulate.ts"
import { factorFor } from "../../../tokens/factor.ts"
import type { SimulatedWay } from "../shown.ts"

/** One model of each provider whose price and cache rule are known. */
const COMPARED = [
  "anthropic/claude-sonnet-5-5",
  "openai/gpt-5.6-sol",
  "google/gemini-2.5-pro",
  "deepseek/deepseek-chat",
  "xai/grok-4",
]

export interface WaysOptions {
  /** Not empty. Counted, without a model's factor. */
  readonly calls: readonly Call[]
  readonly model: string
  readonly termsFor: (model: string) => Promise<Terms>
  /** Further models to compare with. */
  readonly models: readonly string[]
  /** False once it has taken too long. */
  readonly hasTime: () => boolean
}

interface Way {
  readonly kind: SimulatedWay["kind"]
  readonly title: string
  readonly calls: readonly Call[]
  readonly terms: Terms
}

export interface FoundWays {
  readonly ways: readonly SimulatedWay[]
  /** Titles of those that there was no time for. */
  readonly leftOut: readonly string[]
}

export async function simulatedWays(options: WaysOptions): Promise<FoundWays> {
  const { calls, model, termsFor, models, hasTime } = options
  const terms = await termsFor(model)
  const all: readonly Way[] = [
    { kind: "sent", title: "As sent", calls, terms },
    ...otherTtls(calls, terms),
    ...otherMarks(calls, terms),
    ...(await otherProviders(calls, terms, { termsFor, models: [...models, ...COMPARED] })),
  ]
  const ways: SimulatedWay[] = []
  const leftOut: string[] = []
  for (const way of all) {
    if (ways.length > 0 && !hasTime()) leftOut.push(way.title)
    else ways.push(simulated(way))
    // Each takes some time, and others wait.
    await letOthersRun()
  }
  return { ways, leftOut }
}

function simulated({ kind, title, calls, terms: { model, rule, price } }: Way): SimulatedWay {
  const { usage, hitRatio, costUsd } = simulate(timesFactor(calls, factorFor(model).factor), { rule, price })
  const { id, source, date } = rule
  const written = Object.values(usage.write).reduce((sum, tokens) => sum + tokens, 0)
  const { uncached, read, output } = usage
  const shown = {
    uncached: Math.round(uncached),
    read: Math.round(read),
    written: Math.round(written),
    output,
  }
  return { kind, title, model, hitRatio, usage: shown, costUsd, rule: { id, source, date } }
}

/** As `cache.ttl` of incipit.yaml: for tools and system text, not for the conversation. */
function otherTtls(calls: readonly Call[], terms: Terms): readonly Way[] {
  const { rule } = terms
  if (rule.lookup !== "breakpoint" || rule.ttls.length < 2) return []
  return rule.ttls.flatMap(({ name }): readonly Way[] => {
    const changed = withTtl(calls, name)
    const isSame = JSON.stringify(changed) === JSON.stringify(calls)
    return isSame ? [] : [{ kind: "ttl", title: `Prompt cached for ${name}`, calls: changed, terms }]
  })
}

/** For providers that cache up to marks. */
function otherMarks(calls: readonly Call[], terms: Terms): readonly Way[] {
  if (terms.rule.lookup !== "breakpoint") return []
  const ttl = headTtl(calls)
  const layouts = [
    ["Marks after the prompt and the last message", ["system", "messages"]],
    ["One mark, after the prompt", ["system"]],
    ["No marks", []],
  ] as const
  return layouts.flatMap(([title, tiers]): readonly Way[] => {
    const changed = calls.map((call) => markedAt(call, tiers, ttl))
    const isSame = JSON.stringify(changed) === JSON.stringify(calls)
    return isSame ? [] : [{ kind: "layout", title, calls: changed, terms }]
  })
}

function headTtl(calls: readonly Call[]): string {
  const marked = calls.flatMap(({ blocks }) => blocks).find(({ breakpoint }) => breakpoint !== undefined)
  return marked?.breakpoint ?? "5m"
}

/** One mark at the end of each of these, and no others. */
function markedAt(call: Call, tiers: readonly CallBlock["tier"][], ttl: string): Call {
  const ends = new Set(tiers.map((tier) => call.blocks.findLastIndex((block) => block.tier === tier)))
  return {
    ...call,
    blocks: call.blocks.map(({ breakpoint: _, ...block }, at) =>
      ends.has(at) ? { ...block, breakpoint: ttl } : block,
    ),
  }
}

interface OtherModels extends Pick<WaysOptions, "termsFor"> {
  readonly models: readonly string[]
}

async function otherProviders(
  calls: readonly Call[],
  own: Terms,
  { termsFor, models }: OtherModels,
): Promise<readonly Way[]> {
  const ways: Way[] = []
  for (const model of new Set(models)) {
    if (isSameModel(model, own.model)) continue
    const terms = await termsFor(model)
    if (terms.price === null) continue
    // What a setting invalidates is known for the provider that it was made for.
    const moved = calls.map(({ settings: _, ...call }) => ({
      ...call,
      blocks: call.blocks.map((block) => withKnownTtl(block, terms.rule)),
    }))
    ways.push({ kind: "provider", title: model, calls: moved, terms })
  }
  return ways
}

function isSameModel(one: string, other: string): boolean {
  const name = (model: string) => model.toLowerCase().split("/").at(-1)
  return name(one) === name(other)
}

/** A lifetime that the provider does not sell becomes its usual one. */
function withKnownTtl(block: CallBlock, { ttls }: CacheRule): CallBlock {
  const { breakpoint, ...rest } = block
  if (breakpoint === undefined || ttls.some(({ name }) => name === breakpoint)) return block
  const [usual] = ttls
  return usual === undefined ? rest : { ...rest, breakpoint: usual.name }
}
