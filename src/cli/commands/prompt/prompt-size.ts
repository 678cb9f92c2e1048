// How large a prompt is and what it costs: the figures that incipit.lock keeps, so that a later one can be compared.
import { type Terms, termsOf } from "../../../agent/models/terms.ts"
import { byCodePoint } from "../../../base/order.ts"
import type { Entry } from "../../../core/model/plan.ts"
import { isSeen } from "../../../core/model/plan.ts"
import { ttlOf } from "../../../render/cache/cache-rule.ts"
import { costOf, type Usage } from "../../../render/cache/price.ts"
import { cacheTtl } from "../../../sources/config/defaults.ts"
import type { Terminal } from "../../terminal.ts"
import type { Compiled } from "./resolve.ts"

export interface PromptSize {
  /** Null if none is named; then there are no prices. */
  readonly model: string | null
  /** In the model's tokens. */
  readonly tokens: { readonly tools: number; readonly prefix: number; readonly turn: number }
  /** Input of a call that writes the prefix, and of one that reads it from the cache. Null if the price is unknown. */
  readonly firstCallUsd: number | null
  readonly callUsd: number | null
  /** Counted tokens by file, tool or section. */
  readonly parts: Readonly<Record<string, number>>
  /** `TRUST:SITUATION path`, for what is sent where it must not be. */
  readonly leaks: readonly string[]
}

export async function promptSize(
  { prompt, input }: Compiled,
  leaks: readonly string[],
  terminal: Terminal,
): Promise<PromptSize> {
  const { config } = input.workspace
  const model = input.session.model ?? config.model
  const { tools, head, tail } = prompt.plan.budget
  const tokens = { tools, prefix: head.used, turn: tail.used }
  const terms = model === undefined ? undefined : await termsOf(model, config, terminal.now())
  const costs = (isFirst: boolean) =>
    terms === undefined
      ? null
      : costOf(usageOf(tokens, terms, { ttl: cacheTtl(config), isFirst }), terms.price)
  return {
    model: model ?? null,
    tokens,
    firstCallUsd: rounded(costs(true)),
    callUsd: rounded(costs(false)),
    parts: partsOf(prompt.plan.entries.filter(isSeen)),
    leaks,
  }
}

/** Enough for a difference of one cached token, without the noise of binary fractions in a file that is compared. */
function rounded(usd: number | null): number | null {
  return usd === null ? null : Number(usd.toFixed(8))
}

function usageOf(
  { tools, prefix, turn }: PromptSize["tokens"],
  { rule, price }: Terms,
  { ttl, isFirst }: { readonly ttl: string; readonly isFirst: boolean },
): Usage {
  const cached = tools + prefix
  const uncached: Usage = { uncached: cached + turn, read: 0, write: {}, output: 0 }
  if (rule.lookup === "none" || cached < rule.minimum) return uncached
  if (!isFirst) return { uncached: turn, read: cached, write: {}, output: 0 }
  const { name } = ttlOf(rule, ttl)
  // A provider without a price for writing counts what it writes as uncached.
  return price?.write?.[name] === undefined
    ? uncached
    : { uncached: turn, read: 0, write: { [name]: cached }, output: 0 }
}

/** A section's tokens go to its files, by length; what no file wrote goes to the section or tool itself. */
function partsOf(entries: readonly Entry[]): Readonly<Record<string, number>> {
  const parts = new Map<string, number>()
  for (const { id, kind, tokens, spans } of entries) {
    const length = spans.reduce((sum, { start, end }) => sum + end - start, 0)
    const own = kind === "tool" ? `tool ${id}` : id
    if (length === 0) parts.set(own, (parts.get(own) ?? 0) + tokens)
    for (const { start, end, from } of length === 0 ? [] : spans) {
      const key = from?.kind === "file" ? from.path : own
      parts.set(key, (parts.get(key) ?? 0) + (tokens * (end - start)) / length)
    }
  }
  return Object.fromEntries(
    [...parts]
      .map(([key, tokens]) => [key, Math.round(tokens)] as const)
      .sort(([a], [b]) => byCodePoint(a, b)),
  )
}
