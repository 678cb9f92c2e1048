// Questions about recorded events. Whoever may not see everything gives a sight, and hidden events are neither read nor
// counted.
import type { Level } from "../../../base/event-types.ts"
import type { Trust } from "../../../base/trust.ts"
import type { EventRow } from "./event-row.ts"

/**
 * The caller that events are looked up for: only its own session, its own events or those without a user, at its trust
 * or below. If absent: the owner, who sees everything.
 */
export interface Sight {
  readonly session: string
  readonly user: string | undefined
  readonly trust: Trust
}

/** Which events are wanted: those that fit everything given. */
export interface EventFilter {
  readonly session?: string | undefined
  readonly user?: string | undefined
  readonly channel?: string | undefined
  readonly trace?: string | undefined
  readonly turn?: string | undefined
  /** This level or a more serious one. */
  readonly level?: Level | undefined
  /** The names under which they are stored. */
  readonly types?: readonly string[] | undefined
  /** Milliseconds since 1970; `since` is included, `until` is not. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  /** Each occurs in the error or the data, whole, whatever its case. */
  readonly words?: readonly string[] | undefined
  readonly sight?: Sight | undefined
}

export interface EventPage extends EventFilter {
  readonly order: "newest" | "oldest"
  /** Only what follows this event in the order. */
  readonly cursor?: number | undefined
  readonly limit: number
}

/** What a channel did: its last message, and its errors since a moment. Times are milliseconds since 1970. */
export interface ChannelFacts {
  readonly channel: string
  readonly lastMessageAt: number | undefined
  readonly errors: number
  /** The text of the last error. */
  readonly lastError: string | undefined
  readonly lastErrorAt: number | undefined
}

export interface SessionFacts {
  readonly session: string
  readonly lastAt: number
  readonly events: number
}

export interface EventLog {
  /** By time, then by id; with words, in the order of writing. */
  find(page: EventPage): Promise<readonly EventRow[]>
  /** How many there are, counted up to `limit`. */
  count(filter: EventFilter, limit: number): Promise<number>
  /** In the order of writing: after one event, up to another. */
  written(
    filter: EventFilter,
    range: { readonly after: number; readonly upTo: number; readonly limit: number },
  ): Promise<readonly EventRow[]>
  /** The id of the newest event, or 0. */
  lastId(): Promise<number>
  /** All events of the traces that the turn or trace of this name is in, oldest first, and how many there are. */
  trace(
    id: string,
    options: { readonly sight?: Sight | undefined; readonly limit: number },
  ): Promise<{ readonly rows: readonly EventRow[]; readonly count: number }>
  /** The turn that the newest event with a turn belongs to; `besides` is skipped. */
  latestTurn(asked: {
    readonly session?: string | undefined
    readonly sight?: Sight | undefined
    readonly besides?: string | undefined
  }): Promise<string | undefined>
  /** The newest event of a type in a session. */
  latest(session: string, type: string): Promise<EventRow | undefined>
  /** The last answer of a provider to a step. */
  answer(turn: string, step: number): Promise<EventRow | undefined>
  /** The calls of models in these turns, answered or failed; those of a turn in the order of writing. */
  calls(turns: readonly string[]): Promise<readonly EventRow[]>
  channels(since: number, sight?: Sight): Promise<readonly ChannelFacts[]>
  /** Sessions with events since a moment, latest first. */
  sessions(since: number, sight?: Sight): Promise<readonly SessionFacts[]>
  /** The time of the oldest event. */
  oldest(): Promise<number | undefined>
}
