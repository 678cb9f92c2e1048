// A cache rule: what the planner and the simulator need to know about a provider's prompt cache.

export const TIERS = ["tools", "system", "messages"] as const
/** One part of a request, in the order in which the parts form its prefix. */
export type Tier = (typeof TIERS)[number]

/** How long a written prefix lives, and what writing a token costs as a multiple of a fresh one. */
export interface Ttl {
  readonly name: string
  readonly seconds: number
  readonly write: number
}

/** Dotted paths in the provider's usage report. */
export interface UsageFields {
  readonly read: string
  readonly write?: string
  /** Tokens neither read nor written, if the provider reports them separately. */
  readonly uncached?: string
  /** All input including cached tokens, if the provider reports that. */
  readonly total?: string
}

/** What is known about one provider's prompt cache, with the source and the date. */
export interface CacheRule {
  readonly id: string
  /** A regular expression, tested against `provider/model` in lower case. */
  readonly models: string
  /**
   * `breakpoint`: a read only hits where an earlier call wrote a breakpoint. `prefix`: the provider finds the longest
   * prefix that was sent before. `none`: nothing is cached.
   */
  readonly lookup: "breakpoint" | "prefix" | "none"
  /** Shorter prefixes aren't cached, and no error reports that. */
  readonly minimum: number
  /** With `prefix` lookup, the length of a hit is a multiple of this many tokens. */
  readonly step: number
  /** How many breakpoints a request may have, including the provider's own. */
  readonly breakpoints: number
  /** Whether the provider sets one of them itself, at the end of the request. */
  readonly implicit: boolean
  /** Which parts of a request can carry a breakpoint. */
  readonly markable: readonly Tier[]
  /** What happens to surplus breakpoints: the request is refused, or only the last ones count. */
  readonly surplus: "refused" | "ignored"
  /** How many blocks back a breakpoint finds an earlier one. */
  readonly lookBack: number | undefined
  /** The first is the default. */
  readonly ttls: readonly Ttl[]
  /** The price of reading a token, as a multiple of a fresh one. */
  readonly read: number
  /** What else invalidates the cache apart from text, and from which tier on. */
  readonly invalidates: Readonly<Record<string, Tier>>
  readonly usage: UsageFields
  /**
   * Whether system messages are allowed in the conversation. `after-user`: only between a user message and its answer.
   * `unproven`: nothing is published, so `verify` accepts them, but tails aren't sent that way. A call doesn't record
   * roles, so `verify` treats everything except `refused` as allowed.
   */
  readonly lateSystem: "refused" | "unproven" | "after-user" | "allowed"
  readonly source: string
  readonly date: string
}

/** The named lifetime, or the rule's default if it has none with that name. */
export function ttlOf(rule: CacheRule, name: string | undefined): Ttl {
  const found = rule.ttls.find((ttl) => ttl.name === name) ?? rule.ttls[0]
  if (found === undefined) throw new Error(`the cache rule ${rule.id} has no ttl`)
  return found
}
