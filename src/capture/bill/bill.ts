// What the calls of a client cost and why: the whole answer of `incipit bill`, as data. `bill --json` prints it.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Client, Coverage } from "../call.ts"
import type { Owner } from "../owner.ts"

export interface BillTokens {
  readonly uncached: number
  readonly read: number
  readonly written: number
  readonly output: number
}

/** Sums of some calls. */
export interface BillSum {
  readonly calls: number
  readonly sessions: number
  readonly tokens: BillTokens
  /** Of the calls whose cost is known; null if there is none. With `unpriced` above 0 it is a lower bound. */
  readonly costUsd: number | null
  /** Calls whose cost is unknown: they are in no sum of dollars, and never free. */
  readonly unpriced: number
  /** Calls of models without a known price, for which the client's own figure is taken. */
  readonly reported: number
}

export interface KeyedSum extends BillSum {
  /** A day as `2026-11-15`, a client, or a model. */
  readonly key: string
}

export interface SessionSum extends KeyedSum {
  readonly client: Client
  /** The folder that the client worked in, if it says so. */
  readonly project: string | undefined
  readonly from: number
  readonly to: number
}

/** What one owner cost: to write, and every time it was sent again. */
export interface OwnerCost extends Owner {
  readonly group: CostGroup
  /**
   * Of its text, once. For what comes again with other text (results of a tool, the conversation, output), all of it,
   * each once.
   */
  readonly tokens: number
  /** Tokens in all calls together, as the model counts them. */
  readonly carriedTokens: number
  /** Calls that it was part of. */
  readonly calls: number
  /** The carried costs of all owners add up to the cost of all calls. Null if no call that it was in has a price. */
  readonly carriedUsd: number | null
  /** For results of a tool: how often it ran, and how often its results were sent, each counted in every call. */
  readonly times?: number | undefined
  readonly sent?: number | undefined
  /** For tools and skills: how often the model called it. */
  readonly used?: number | undefined
  /** For what stands for many small owners: how many. */
  readonly others?: number | undefined
}

/** The name of the client's owner that stands for the input of calls whose request is not recorded. */
export const NOT_RECORDED = "request not recorded"
/** The name of the client's owner that stands for what a partly recorded request does not hold. */
export const REST_NOT_RECORDED = "rest of the request, not recorded"

/** Where the money went, as people group it. `files`: in a request, but neither instructions nor results of a tool. */
export const COST_GROUPS = [
  "tool-results",
  "output",
  "conversation",
  "client",
  "instructions",
  "files",
  "mcp",
  "skills",
  "hooks",
  "not-recorded",
] as const
export type CostGroup = (typeof COST_GROUPS)[number]

export interface GroupCost {
  readonly group: CostGroup
  readonly costUsd: number | null
  /** Of all costs, from 0 to 1; of all tokens if no price is known. */
  readonly share: number
  /** Files, servers, skills, tools or commands: the most expensive ones, at most five. */
  readonly items: readonly {
    readonly name: string
    readonly costUsd: number | null
    readonly tokens: number
  }[]
  /** How many there are, and, for servers and skills, how many of them the model used. */
  readonly count: number
  readonly used?: number | undefined
}

export const MISS_CAUSES = [
  "text-changed",
  "tools-changed",
  "messages-changed",
  "settings-changed",
  "model-changed",
  "expired",
  "compacted",
  /** More blocks were appended after the last mark than the provider looks back. */
  "look-back",
  /** Nothing changed and nothing had expired: the provider dropped it or did not find it. */
  "evicted",
  /** The requests are not known well enough. */
  "unknown",
] as const
export type BillMissCause = (typeof MISS_CAUSES)[number]

/** A call that paid again for what an earlier one had left in the cache. */
export interface BillMiss {
  readonly at: number
  readonly client: Client
  readonly session: string
  readonly call: string
  readonly cause: BillMissCause
  /** Where the first change is; the line is of the later version, `lineBefore` of the earlier one. */
  readonly owner?:
    | (Owner & { readonly line?: number | undefined; readonly lineBefore?: number | undefined })
    | undefined
  /** What happened there. `moved`: it is there in both, at another place. */
  readonly how?: "came" | "went" | "changed" | "moved" | undefined
  /** The line before and after, shortened. */
  readonly before?: string | undefined
  readonly after?: string | undefined
  /** For `settings-changed`: its name in the request. */
  readonly setting?: string | undefined
  /** For `expired`: how long nothing was sent, and how long the cache lives. */
  readonly idleMs?: number | undefined
  readonly ttlMs?: number | undefined
  /** For `model-changed`. */
  readonly models?: readonly [string, string] | undefined
  /** Tokens that were paid for again, and the extra cost compared with reading them. */
  readonly tokens: number
  readonly costUsd: number | null
}

/** All misses with one cause, also those that `misses` leaves out. */
export interface MissGroup {
  readonly cause: BillMissCause
  readonly count: number
  readonly tokens: number
  readonly costUsd: number | null
  readonly costliest: BillMiss
  /** What changed, by name: the most expensive ones, at most three. */
  readonly names: readonly string[]
}

export const ADVICE_KINDS = [
  "ttl",
  "model",
  "trim-results",
  "large-file",
  "mcp-server",
  "skills",
  "instructions",
  "pauses",
  "edits",
  "no-cache",
] as const
export type AdviceKind = (typeof ADVICE_KINDS)[number]

/** Something worth changing, or not: computed on these calls, each alone. */
export interface Advice {
  readonly kind: AdviceKind
  /** One or two sentences, without the figure. */
  readonly text: string
  /** What to type, or a line of settings. */
  readonly command?: string | undefined
  /** 0 or less: not worth it. */
  readonly savesUsd: number
  readonly simulated: true
}

/** Calls whose request is not known as it was sent, why, and what would make the next ones exact. */
export interface Estimated {
  readonly client: Client
  readonly coverage: Exclude<Coverage, "exact">
  readonly calls: number
  readonly why: string
  /** One line: a command or a setting. */
  readonly fix: string
}

/** Where the price of a model comes from. */
export interface ModelPrice {
  readonly model: string
  readonly calls: number
  /** `list`: a published price. `similar`: that of another id of the model. `client`: what the client says. */
  readonly kind: "list" | "similar" | "client" | "unknown"
  readonly source?: string | undefined
  readonly date?: string | undefined
}

/** What was read, and what was not. */
export interface BillReading {
  readonly files: number
  readonly bytes: number
  /** Files that have not changed since before the period. */
  readonly skippedFiles: number
  readonly usageMs: number
  readonly detailMs: number
  /** Calls that were found in more than one place, and counted once. */
  readonly duplicates: number
  /** Clients that were looked for, with the folders that exist. */
  readonly clients: readonly {
    readonly client: Client
    readonly title: string
    readonly folders: readonly string[]
    readonly files: number
  }[]
}

export interface Bill extends BillSum {
  /** First and last call. */
  readonly from: number | undefined
  readonly to: number | undefined
  /** The period that was asked for. */
  readonly since: number | undefined
  readonly until: number | undefined
  readonly timeZone: string
  /** Whether every call is exact. */
  readonly exact: boolean
  /** Calls whose request is not known as sent. */
  readonly estimatedCalls: number
  readonly estimated: readonly Estimated[]
  readonly prices: readonly ModelPrice[]
  /** Days in order, everything else by cost. */
  readonly byDay: readonly KeyedSum[]
  readonly bySession: readonly SessionSum[]
  readonly byClient: readonly KeyedSum[]
  readonly byModel: readonly KeyedSum[]
  /** Largest first. */
  readonly groups: readonly GroupCost[]
  /** Most expensive first; what there is no room for is in owners with `others`, one for each kind and group. */
  readonly owners: readonly OwnerCost[]
  /** What was paid for twice, in all. */
  readonly missedUsd: number | null
  readonly missGroups: readonly MissGroup[]
  /** Most expensive first; at most the thousand most expensive. */
  readonly misses: readonly BillMiss[]
  /** At most five that save, by saving, and one that does not. */
  readonly advice: readonly Advice[]
  readonly reading: BillReading
  readonly diagnostics: readonly Diagnostic[]
}
