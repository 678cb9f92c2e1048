// The form of a cache rule: what has to be known of a provider's prompt cache to plan for it and to simulate it.

export const TIERS = ["tools", "system", "messages"] as const
/** In the order in which a request becomes one prefix. */
export type Tier = (typeof TIERS)[number]

/** How long a written prefix lives, and what a token of it costs as a multiple of a fresh one. */
export interface Ttl {
  readonly name: string
  readonly seconds: number
  readonly write: number
}

/** Dotted paths in the provider's own usage report. */
export interface UsageFields {
  readonly read: string
  readonly write?: string
  /** What was neither read nor written, where that is reported by itself. */
  readonly fresh?: string
  /** All input, cached tokens among it, where that is what is reported. */
  readonly total?: string
}

export interface CacheRule {
  readonly id: string
  /** A regular expression, tried on `provider/model` in lower case. */
  readonly models: string
  /**
   * `breakpoint`: a read lands only where an earlier call wrote a breakpoint. `prefix`: the longest prefix that
   * was sent before is found by itself. `none`: nothing is cached.
   */
  readonly lookup: "breakpoint" | "prefix" | "none"
  /** Fewer tokens than this are not cached, and no error says so. */
  readonly minimum: number
  /** A prefix that is found by itself counts in steps of so many tokens. */
  readonly step: number
  /** How many breakpoints a request may hold, the provider's own among them. */
  readonly breakpoints: number
  /** Whether the provider sets one of them itself, at the end of the request. */
  readonly implicit: boolean
  /** Which parts of a request can carry a breakpoint. */
  readonly markable: readonly Tier[]
  /** What becomes of breakpoints beyond those: the request is refused, or they count for nothing and the last ones do. */
  readonly surplus: "refused" | "ignored"
  /** A breakpoint finds an earlier one at most so many blocks before itself. */
  readonly lookBack: number | undefined
  /** The first is the default. */
  readonly ttls: readonly Ttl[]
  /** What a token that is read costs, as a multiple of a fresh one. */
  readonly read: number
  /** What else than text voids the cache, from which tier on. */
  readonly invalidates: Readonly<Record<string, Tier>>
  readonly usage: UsageFields
  /**
   * Whether a system message may stand in the conversation. `after-user`: only between a message of the user's and
   * the answer to it. `unproven`: nothing is published, so `verify` lets it pass and tails are not sent that way. A
   * call does not say who speaks, so `verify` takes all but `refused` for allowed.
   */
  readonly lateSystem: "refused" | "unproven" | "after-user" | "allowed"
  readonly source: string
  readonly date: string
}

/** The named lifetime, or the rule's default where it has none of that name. */
export function ttlOf(rule: CacheRule, name: string | undefined): Ttl {
  const found = rule.ttls.find((ttl) => ttl.name === name) ?? rule.ttls[0]
  if (found === undefined) throw new Error(`the cache rule ${rule.id} has no ttl`)
  return found
}
