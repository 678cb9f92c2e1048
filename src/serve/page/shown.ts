// What the page shows, as plain data: the JSON that goes between the server and the browser. Types only, so that both
// sides read the same contract, and nothing of the server reaches the browser.
import type { Pace } from "../../base/pace.ts"
import type { Trust } from "../../base/trust.ts"
import type { CostGroup } from "../../capture/bill/bill.ts"
import type { Owner } from "../../capture/owner.ts"
import type { Report } from "../../core/read/report.ts"

/** Where calls are looked up: what our agent recorded, what was captured of other clients, one saved report, a folder. */
export const SOURCES = ["agent", "captures", "report", "folder"] as const
export type SourceId = (typeof SOURCES)[number]

/** What this server can show this caller. */
export interface PageInfo {
  /** The name of the agent, or of the file. */
  readonly title: string
  /** `inspect` is read-only and has no chat. */
  readonly mode: "serve" | "inspect"
  /** The first is shown first. */
  readonly sources: readonly { readonly id: SourceId; readonly title: string }[]
  readonly caller: {
    readonly user: string | null
    readonly situation: string
    readonly trust: Trust
    readonly scopes: readonly string[]
    /** Full trust and the scope `operate`: also sees what is withheld and why. */
    readonly isOperator: boolean
  }
  readonly agents: readonly string[]
  /** For operators, else empty: whom a prompt can be compiled for. */
  readonly people: readonly { readonly name: string; readonly trust: Trust; readonly isOwner: boolean }[]
  readonly situations: readonly { readonly name: string; readonly ceiling: Trust }[]
  /** Models that incipit.yaml names, the agent's first. */
  readonly models: readonly string[]
  readonly version: string
}

/** A conversation, in any source. */
export interface ShownSession {
  readonly id: string
  readonly title: string
  /** "incipit" for our own agent. */
  readonly client: string
  readonly who: string | null
  readonly calls: number
  readonly firstAt: number
  readonly lastAt: number
  readonly costUsd: number | null
}

export interface SessionPage {
  /** The most recently used first. */
  readonly sessions: readonly ShownSession[]
  readonly next: string | null
}

/** Tokens as the provider counted them. */
export interface ShownUsage {
  readonly uncached: number
  readonly read: number
  readonly written: number
  readonly output: number
}

/** Why a call read less from the cache than it could have. */
export interface ShownMiss {
  /** A `MissCause` kind of the record. */
  readonly cause: string
  readonly tokens: number
  readonly costUsd: number | null
  /** The whole explanation, for people. */
  readonly sentence: string
  readonly path: string | null
  readonly line: number | null
  readonly before: string | null
  readonly after: string | null
}

/** One call of the timeline. */
export interface CallRow {
  /** Unique in its source; such as "TURN.STEP". */
  readonly id: string
  readonly session: string
  readonly turn: string
  readonly step: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** Empty for a folder that names none. */
  readonly model: string
  readonly client: string
  /** Null if the provider did not say. */
  readonly usage: ShownUsage | null
  readonly costUsd: number | null
  /** The offline model answered: the call was free, and what it says of prices and of the cache is simulated. */
  readonly isSimulated: boolean
  readonly miss: ShownMiss | null
  readonly error: string | null
}

export interface CallPage {
  /** Oldest first. */
  readonly calls: readonly CallRow[]
  /** Pass it as `before` for the calls before these; null if there are none. */
  readonly earlier: string | null
}

/** A stretch of a part's text, and whose it is. */
export interface ShownSpan {
  /** UTF-16 offsets in the part's text. */
  readonly start: number
  readonly end: number
  /** The section of our own prompt that it belongs to; null for the text of others. */
  readonly section: string | null
  /** Null if it was made by the compiler, or is unknown. */
  readonly owner: Owner | null
}

/** A part of the request, in the order in which the provider reads it. */
export interface ShownPart {
  readonly tier: "tools" | "system" | "messages"
  readonly kind: "tool" | "system" | "text" | "reasoning" | "tool-call" | "tool-result" | "file"
  readonly role: string | null
  /** Of the tool: for its definition, its call and its result. */
  readonly tool: string | null
  readonly text: string
  /** As the model counts: the parts add up to the input of the call. */
  readonly tokens: number
  /** How often it changes, for our own prompts. */
  readonly pace: Pace | null
  /** The lifetime of the cache mark at its end. */
  readonly breakpoint: string | null
  /** What the provider did with its tokens; null if it did not say. */
  readonly cache: Pick<ShownUsage, "read" | "written" | "uncached"> | null
  readonly costUsd: number | null
  readonly spans: readonly ShownSpan[]
}

/** What a token costs, as multiples of an uncached one. */
export interface CacheRates {
  readonly read: number
  readonly written: number
}

/** One call as the model received it. */
export interface CallDetail {
  readonly call: CallRow
  /** The build report, for our own prompts: sections with outcome and reason, and for operators what was withheld. */
  readonly report: Report | null
  readonly parts: readonly ShownPart[]
  /** Null if the model has no prompt cache, or nothing was sent. */
  readonly cacheRates: CacheRates | null
  /** What was sent, as far as the caller may see it. */
  readonly request: unknown
  /** Whether `request` equals what was sent, byte for byte. */
  readonly isExact: boolean
  /** Of another client's call whose request is not known as it was sent: why, and what would make the next ones exact. */
  readonly incomplete?: { readonly why: string; readonly fix: string } | undefined
  readonly redacted: readonly string[]
  /** What the model answered, if it is known. */
  readonly answer: string | null
}

/** Every call that a line of a file rode in, and what that cost. */
export interface Carried {
  readonly path: string
  readonly lines: readonly [number, number]
  readonly calls: number
  readonly tokens: number
  readonly costUsd: number | null
  readonly firstAt: number | null
  readonly lastAt: number | null
  /** Ids of the calls, oldest first, at most 500: the newest ones. */
  readonly ids: readonly string[]
  /** Whether all calls were looked at, and not only the newest ones. */
  readonly isWhole: boolean
}

/** What money is put down to: whose text it was, when, where, for whom, and which model was called. */
export const COSTS_BY = ["owner", "day", "session", "person", "model", "client"] as const
export type CostsBy = (typeof COSTS_BY)[number]

/** Tokens and dollars of several calls. */
export interface ShownSums {
  /** Null if it is not known how many they were. */
  readonly calls: number | null
  readonly usage: ShownUsage
  /** Of the calls whose price is known; null if there is none. */
  readonly costUsd: number | null
  /** Calls without a known price: they are in no sum of dollars. */
  readonly unpriced: number
}

/** One row: a day, a session, a person, a model or a client. */
export interface ShownCost extends ShownSums {
  /** Unique among the rows. Of a session, its id. */
  readonly key: string
  readonly title: string
  /** Whose session it is; for operators. */
  readonly who: string | null
  /** The newest call of it, if one was looked for and found. */
  readonly newest: CallPlace | null
}

export interface CallPlace {
  readonly session: string
  readonly call: string
}

/** What the text of one owner cost: to write it, and every time it was sent again. */
export interface ShownOwnerCost {
  readonly key: string
  readonly title: string
  readonly group: CostGroup
  readonly owner: Owner
  /** Of its text, once; of what comes again with other text, all of it, each once. */
  readonly tokens: number
  /** In all calls together. */
  readonly carriedTokens: number
  readonly calls: number
  /** Null if no call that it was in has a price. */
  readonly carriedUsd: number | null
  /** For what stands for many small owners: how many. */
  readonly others: number
  readonly newest: CallPlace | null
}

/** Where the money of a source went. */
export interface ShownCosts {
  readonly by: CostsBy
  /** What this source can be summed by. */
  readonly ways: readonly CostsBy[]
  /** Most expensive first; days in their order. Empty if `by` is `owner`. */
  readonly rows: readonly ShownCost[]
  /** Most expensive first; only if `by` is `owner`. Their carried costs add up to the total. */
  readonly owners: readonly ShownOwnerCost[]
  readonly total: ShownSums
  /** What the figures leave out or stand for, in sentences. */
  readonly notes: readonly string[]
  /** False for a reader who may not see costs: they need full trust. */
  readonly isOpen: boolean
}

/** What the same calls would have cost in one other way: simulated, not measured. */
export interface SimulatedWay {
  readonly kind: "sent" | "ttl" | "layout" | "provider"
  readonly title: string
  readonly model: string
  /** Of all input, what was read from the cache: from 0 to 1. */
  readonly hitRatio: number
  readonly usage: ShownUsage
  /** Null if a price is unknown. */
  readonly costUsd: number | null
  /** Where the rule of the cache is published, and when it was read. */
  readonly rule: { readonly id: string; readonly source: string; readonly date: string }
}

/** The calls of a session, simulated. */
export interface Simulated {
  readonly session: string
  /** How many calls were simulated. */
  readonly calls: number
  /** The first is how they were sent. Empty if nothing can be simulated. */
  readonly ways: readonly SimulatedWay[]
  /** What the provider said these calls cost; null if a price is unknown or they were free. */
  readonly recordedUsd: number | null
  /** Why nothing can be simulated; else null. */
  readonly why: string | null
  /** What was left out, in sentences. */
  readonly notes: readonly string[]
}
