// What the calls of a client cost and why: the whole answer of `incipit bill`, as data. `bill --json` prints it.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Client } from "../call.ts"
import type { Owner } from "../owner.ts"

export interface BillTokens {
  readonly uncached: number
  readonly read: number
  readonly written: number
  readonly output: number
}

/** Sums of some calls. `costUsd` is null if a price is unknown; `unpriced` says for how many. */
export interface BillSum {
  readonly calls: number
  readonly sessions: number
  readonly tokens: BillTokens
  readonly costUsd: number | null
  readonly unpriced: number
}

export interface KeyedSum extends BillSum {
  readonly key: string
}

/** What one owner cost: to write, and every time it was sent again. */
export interface OwnerCost extends Owner {
  /** Of its text, once. */
  readonly tokens: number
  /** Calls that it was part of. */
  readonly calls: number
  readonly carriedUsd: number | null
  /** For tools: how often the model called it. */
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
  "evicted",
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
  readonly before?: string | undefined
  readonly after?: string | undefined
  /** For `expired`: how long nothing was sent, and how long the cache lives. */
  readonly idleMs?: number | undefined
  readonly ttlMs?: number | undefined
  /** For `model-changed`. */
  readonly models?: readonly [string, string] | undefined
  /** Tokens that were paid for again, and the extra cost compared with reading them. */
  readonly tokens: number
  readonly costUsd: number | null
}

/** Something worth changing, or not: computed on these calls. */
export interface Advice {
  readonly kind: string
  readonly text: string
  /** Negative: it would have cost more. */
  readonly savesUsd: number
  readonly simulated: true
}

/** What was read, and what was not. */
export interface BillReading {
  readonly files: number
  readonly bytes: number
  readonly usageMs: number
  readonly detailMs: number
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
  /** Whether every call is exact. */
  readonly exact: boolean
  /** Calls whose request is not known as sent. */
  readonly estimatedCalls: number
  readonly byDay: readonly KeyedSum[]
  readonly bySession: readonly KeyedSum[]
  readonly byClient: readonly KeyedSum[]
  readonly byModel: readonly KeyedSum[]
  readonly owners: readonly OwnerCost[]
  readonly misses: readonly BillMiss[]
  readonly advice: readonly Advice[]
  readonly reading: BillReading
  readonly diagnostics: readonly Diagnostic[]
}
