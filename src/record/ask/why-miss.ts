// Explains why a call read less from the provider's cache than the previous call had left there: what changed or what
// else happened, the tokens and money lost, and what the provider reports.
import { thousands } from "../../base/text/figures.ts"
import type { RecordStore } from "../../database/contract/record/record-store.ts"
import { type CacheRule, ttlOf } from "../../render/cache/cache-rule.ts"
import { inputOf, type Price, type Usage } from "../../render/cache/price.ts"
import { blocksBack, lifetimesOf } from "../write/mark-places.ts"
import { keptBy, priceOfLoss } from "./cache-loss.ts"
import { type Change, firstChange } from "./first-change.ts"
import { bare } from "./log.ts"
import { findReceipt, type Receipt, receiptOf, receiptsOf, replayOf, ruleOf } from "./replay.ts"
import type { StepName } from "./turn-diff.ts"

/** Why a call did not read from the cache what it could have read. */
export type MissCause =
  /** Everything that could be read was read. */
  | { readonly kind: "hit" }
  | { readonly kind: "first-call" }
  | { readonly kind: "not-cached"; readonly rule: string }
  | { readonly kind: "model-changed"; readonly before: string; readonly after: string }
  | { readonly kind: "expired"; readonly idleSeconds: number; readonly lifetimeSeconds: number }
  | { readonly kind: "changed"; readonly change: Change }
  | { readonly kind: "below-minimum"; readonly tokens: number; readonly minimum: number }
  | { readonly kind: "beyond-look-back"; readonly blocks: number; readonly lookBack: number }
  /** The previous call left nothing to read. */
  | { readonly kind: "nothing-kept" }
  /** Same prefix, in time: the provider evicted it, or routed the call elsewhere. */
  | { readonly kind: "evicted" }

/** What the provider reported about the miss, in its own words. Its token counts are estimates. */
export interface ProviderReason {
  readonly reason: string
  readonly tokens?: number
}

/** A cache miss and its cause. */
export interface WhyMiss extends StepName {
  readonly session: string
  readonly model: string
  readonly previous: StepName | undefined
  readonly cause: MissCause
  /** Causes that would have been sufficient, too. */
  readonly also: readonly MissCause[]
  /** Tokens that the previous call left, and tokens read. Undefined if no usage was recorded. */
  readonly expected: number | undefined
  readonly read: number | undefined
  readonly lostTokens: number | undefined
  /** The extra cost compared to reading them; null if the price is unknown. */
  readonly lostUsd: number | null
  readonly provider: ProviderReason | undefined
  /** The whole explanation for people. */
  readonly sentence: string
}

/**
 * Says why a call missed the cache, and what that cost. Without a step, the one of the turn that lost most. Returns
 * undefined if there is no receipt.
 */
export async function whyMiss(store: RecordStore, turn: string, step?: number): Promise<WhyMiss | undefined> {
  if (step !== undefined) {
    const receipt = await findReceipt(store, turn, step)
    return receipt && explain(store, receipt)
  }
  let most: WhyMiss | undefined
  for (const receipt of await receiptsOf(store, turn)) {
    const one = await explain(store, receipt)
    if (most === undefined || (one.lostTokens ?? 0) > (most.lostTokens ?? 0)) most = one
  }
  return most
}

async function explain(store: RecordStore, receipt: Receipt): Promise<WhyMiss> {
  const { turn, step, session, model } = receipt
  const call = await callOf(store, receipt)
  const previous = await previousOf(store, receipt)
  const rule = await ruleOf(store, receipt)
  const left = previous && (await callOf(store, previous))?.usage
  const expected = left && call && Math.min(keptBy(left, rule), inputOf(call.usage))
  const read = call?.usage.read
  const lostTokens = expected === undefined || read === undefined ? undefined : Math.max(0, expected - read)
  const causes = previous
    ? await causesOf({ store, before: previous, after: receipt, rule, usage: call?.usage })
    : []
  const [cause, ...also] = decide({ previous, rule, expected, read, lostTokens }, causes)
  const lostUsd = call && lostTokens !== undefined ? priceOfLoss(lostTokens, call.usage, call.price) : null
  const facts = {
    turn,
    step,
    session,
    model,
    previous: previous && { turn: previous.turn, step: previous.step },
    cause: cause ?? { kind: "evicted" },
    also,
    expected,
    read,
    lostTokens,
    lostUsd,
    provider: call?.provider,
  } as const
  return { ...facts, sentence: sentenceOf(facts) }
}

interface ApiCall {
  readonly usage: Usage
  readonly price: Price | null
  readonly provider: ProviderReason | undefined
}

async function callOf(store: RecordStore, { turn, step }: Receipt): Promise<ApiCall | undefined> {
  const row = await store.events.answer(turn, step)
  if (row === undefined) return undefined
  return {
    usage: {
      uncached: Number(row.fresh),
      read: Number(row.cache_read),
      // `eventRow` made these columns from these types.
      write: (parseJson(row.cache_write) ?? {}) as Usage["write"],
      output: Number(row.tokens_out),
    },
    price: (parseJson(row.price) ?? null) as Price | null,
    provider: providerReason(parseJson(row.metadata)),
  }
}

/** A redactor may have made it invalid JSON. */
function parseJson(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

/** The formats of Anthropic and OpenAI; both compare requests, and do not report whether the cache was hit. */
function providerReason(metadata: unknown): ProviderReason | undefined {
  const anthropic = fieldOf(fieldOf(metadata, "diagnostics"), "cache_miss_reason")
  const openai = fieldOf(metadata, "prompt_cache_diagnostics")
  const reason = fieldOf(anthropic, "type") ?? fieldOf(openai, "reason") ?? fieldOf(openai, "type")
  const tokens = fieldOf(anthropic, "cache_missed_input_tokens") ?? fieldOf(openai, "cache_missed_tokens")
  if (typeof reason !== "string") return undefined
  return typeof tokens === "number" ? { reason, tokens } : { reason }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? // It has the field.
      (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}

/** The last answered call of the session: a failed one may have left nothing. */
async function previousOf(store: RecordStore, receipt: Receipt): Promise<Receipt | undefined> {
  const row = await store.receipts.before(receipt)
  return row && receiptOf(row)
}

interface Compared {
  readonly store: RecordStore
  readonly before: Receipt
  readonly after: Receipt
  readonly rule: CacheRule
  readonly usage: Usage | undefined
}

/** Everything that would explain a miss; sufficient causes come first. */
async function causesOf({ store, before, after, rule, usage }: Compared): Promise<readonly MissCause[]> {
  const causes: MissCause[] = []
  if (before.model !== after.model)
    causes.push({ kind: "model-changed", before: before.model, after: after.model })
  const was = (await replayOf(store, before)).request
  const lifetimes = lifetimesOf(was).map((ttl) => ttlOf(rule, ttl).seconds)
  const known = lifetimes.length > 0 ? lifetimes : [ttlOf(rule, undefined).seconds]
  const idleSeconds = Math.round((after.at - before.at) / 1000)
  const expired = (lifetimeSeconds: number): readonly MissCause[] =>
    idleSeconds > lifetimeSeconds ? [{ kind: "expired", idleSeconds, lifetimeSeconds }] : []
  const all = expired(Math.max(...known))
  causes.push(...all)
  const change = await firstChange(store, before, after, rule)
  if (change !== undefined) causes.push({ kind: "changed", change })
  const tokens = usage && inputOf(usage)
  if (tokens !== undefined && tokens < rule.minimum)
    causes.push({ kind: "below-minimum", tokens, minimum: rule.minimum })
  const blocks = blocksBack(was, (await replayOf(store, after)).request)
  if (rule.lookBack !== undefined && blocks !== undefined && blocks >= rule.lookBack)
    causes.push({ kind: "beyond-look-back", blocks, lookBack: rule.lookBack })
  // The head may live longer than the conversation.
  if (all.length === 0) causes.push(...expired(Math.min(...known)))
  return causes
}

interface Known extends Pick<WhyMiss, "expected" | "read" | "lostTokens"> {
  readonly previous: Receipt | undefined
  readonly rule: CacheRule
}

function decide(known: Known, causes: readonly MissCause[]): readonly MissCause[] {
  const { previous, rule, expected, read, lostTokens } = known
  if (previous === undefined) return [{ kind: "first-call" }]
  if (rule.lookup === "none") return [{ kind: "not-cached", rule: rule.id }, ...causes]
  if (expected === 0 && read === 0) {
    const short = causes.filter(({ kind }) => kind === "below-minimum")
    return short.length > 0 ? short : [{ kind: "nothing-kept" }, ...causes]
  }
  // An automatic prefix cache counts in steps.
  if (lostTokens !== undefined && lostTokens < rule.step) return [{ kind: "hit" }]
  return causes.length > 0 ? causes : [{ kind: "evicted" }]
}

/** The result first, then the reason, the extra cost and what the provider reports. */
function sentenceOf(facts: Omit<WhyMiss, "sentence">): string {
  const { lostUsd, provider } = facts
  return [
    resultText(facts),
    ...(facts.cause.kind === "hit" ? [] : [causeText(facts.cause)]),
    ...(lostUsd === null || lostUsd === 0 ? [] : [`It cost $${lostUsd.toFixed(4)} more than a hit.`]),
    ...(provider === undefined
      ? []
      : [`The provider reports ${JSON.stringify(provider.reason.slice(0, 80))}.`]),
  ].join(" ")
}

function resultText({ turn, step, expected, read, lostTokens, cause }: Omit<WhyMiss, "sentence">): string {
  const call = bare(`${turn}.${step}`)
  if (read === undefined) return `No token usage was recorded for call ${call}.`
  const isAll = expected === undefined || read >= expected
  const tokens = isAll
    ? `${thousands(read)} cached tokens`
    : `${thousands(read)} of ${thousands(expected)} cached tokens`
  if (cause.kind === "hit") return `No cache miss: call ${call} read ${isAll ? "all " : ""}${tokens}.`
  if (lostTokens !== undefined && lostTokens > 0) return `Cache miss: call ${call} read ${tokens}.`
  return `Call ${call} read ${tokens}.`
}

function causeText(cause: MissCause): string {
  if (cause.kind === "changed") return changeText(cause.change)
  if (cause.kind === "model-changed")
    return `The model changed from ${bare(cause.before)} to ${bare(cause.after)}.`
  if (cause.kind === "expired")
    return `The cache expired: ${spanText(cause.idleSeconds)} since the previous call, TTL ${spanText(cause.lifetimeSeconds)}.`
  if (cause.kind === "below-minimum")
    return `The request has ${thousands(cause.tokens)} tokens, and the provider caches ${thousands(cause.minimum)} or more.`
  if (cause.kind === "beyond-look-back")
    return `The previous call's last breakpoint is ${cause.blocks} blocks back, and the provider looks back ${cause.lookBack}.`
  return REASONS[cause.kind]
}

const REASONS = {
  hit: "",
  "first-call": "It is the first call of its session.",
  "not-cached": "No prompt cache is known for the model.",
  "nothing-kept": "The previous call left nothing in the cache.",
  evicted:
    "The prefix is unchanged and had not expired, so the provider evicted it or routed the call elsewhere.",
} as const

/** Minutes are rounded up, so that an idle time never equals the lifetime that it exceeds. */
function spanText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 120) return `${minutes} min`
  const rest = minutes % 60
  return `${Math.floor(minutes / 60)} h${rest === 0 ? "" : ` ${rest} min`}`
}

function changeText({ what, name, how, path, line, before, after }: Change): string {
  const where =
    path === undefined ? "" : ` (${JSON.stringify(path).slice(1, -1)}${line === undefined ? "" : `:${line}`})`
  const [was, is] = [before, after].map((text) => JSON.stringify((text ?? "").slice(0, 60)))
  const texts = {
    came: is,
    went: was,
    moved: `${was} before, ${is} now`,
    changed: `${was} before, ${is} now`,
  }[how]
  const said = before === undefined && after === undefined ? "" : `: ${texts}`
  const verb = { came: "is new", went: "was removed", moved: "moved", changed: "changed" }[how]
  return `The ${what} ${JSON.stringify(name)}${where} ${verb}${said}.`
}
