// Converts the AI SDK's token usage of a call to ours: every token in exactly one kind.
import { type CacheRule, ttlOf } from "./cache-rule.ts"
import type { Usage } from "./price.ts"

/** What the SDK reports. */
export interface SdkUsage {
  /** With what was read and written. */
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
  readonly inputTokenDetails: {
    readonly cacheReadTokens: number | undefined
    readonly cacheWriteTokens: number | undefined
  }
  /** As the provider reported it. */
  readonly raw?: unknown
}

/** Returns undefined if nothing was reported. */
export function usageOf(usage: SdkUsage | undefined, rule: CacheRule): Usage | undefined {
  if (usage === undefined) return undefined
  const { inputTokens, outputTokens, inputTokenDetails: details, raw } = usage
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  const read = details.cacheReadTokens || countAt(raw, READ_ELSEWHERE)
  const written = details.cacheWriteTokens || countAt(raw, WRITTEN_ELSEWHERE)
  const total = inputTokens ?? 0
  // A total smaller than its parts did not include them.
  const uncached = total >= read + written ? total - read - written : total
  return { uncached, read, write: byLifetime(written, raw, rule), output: outputTokens ?? 0 }
}

export function addUsage(a: Usage, b: Usage): Usage {
  const write: Record<string, number> = { ...a.write }
  for (const [ttl, tokens] of Object.entries(b.write)) write[ttl] = (write[ttl] ?? 0) + tokens
  return { uncached: a.uncached + b.uncached, read: a.read + b.read, write, output: a.output + b.output }
}

/** Fields in reports of compatible servers that the SDK ignores. */
const READ_ELSEWHERE = ["prompt_cache_hit_tokens"]
const WRITTEN_ELSEWHERE = ["prompt_tokens_details", "cache_write_tokens"]

/** Where providers report the lifetime of what was written. */
const LIFETIMES: readonly { readonly ttl: string; readonly at: readonly string[] }[] = [
  { ttl: "5m", at: ["cache_creation", "ephemeral_5m_input_tokens"] },
  { ttl: "1h", at: ["cache_creation", "ephemeral_1h_input_tokens"] },
  { ttl: "30m", at: ["input_tokens_details", "cache_write_tokens_details", "ttl_30m_tokens"] },
  { ttl: "12h", at: ["input_tokens_details", "cache_write_tokens_details", "ttl_12h_tokens"] },
]

/** Tokens without a reported lifetime get the default one. */
function byLifetime(written: number, raw: unknown, rule: CacheRule): Usage["write"] {
  if (written === 0) return {}
  const named = [...LIFETIMES.map(({ ttl, at }) => ({ ttl, tokens: countAt(raw, at) })), ...cacheDetails(raw)]
  const write: Record<string, number> = {}
  let rest = written
  for (const { ttl, tokens } of named) {
    const part = Math.min(tokens, rest)
    if (part > 0) write[ttl] = (write[ttl] ?? 0) + part
    rest -= part
  }
  const { name } = ttlOf(rule, undefined)
  return rest > 0 ? { ...write, [name]: (write[name] ?? 0) + rest } : write
}

/** Bedrock's list. */
function cacheDetails(raw: unknown): readonly { readonly ttl: string; readonly tokens: number }[] {
  const list = valueAt(raw, ["cacheDetails"])
  if (!Array.isArray(list)) return []
  return list.map((item: unknown) => ({
    ttl: String(valueAt(item, ["ttl"])),
    tokens: countAt(item, ["inputTokens"]),
  }))
}

function countAt(raw: unknown, keys: readonly string[]): number {
  const value = valueAt(raw, keys)
  return typeof value === "number" ? value : 0
}

function valueAt(raw: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null
        ? Object.entries(value).find(([name]) => name === key)?.[1]
        : undefined,
    raw,
  )
}
