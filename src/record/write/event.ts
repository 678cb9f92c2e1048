// Events: what happened, one row each. The types are in `src/base/event-types.ts`.
import type { EventType, Level } from "../../base/event-types.ts"
import type { Trust } from "../../base/trust.ts"
import type { Message, MessagePart } from "../../core/model/message.ts"
import type { Price, Usage } from "../../render/cache/price.ts"

/**
 * Whose event it is: agent, session, user, channel, turn, trace. Passed explicitly through the code; nothing is
 * global.
 */
export interface Origin {
  readonly session?: string
  readonly agent?: string
  readonly user?: string
  readonly channel?: string
  /** The session's trust: callers with less do not see the event. */
  readonly trust?: Trust
  readonly trace?: string
  readonly turn?: string
  readonly step?: number
}

/** Something that happened, as it is recorded. */
export interface RecordEvent extends Origin {
  readonly type: EventType
  /** When it ended, in milliseconds since 1970; `startOf` gives the beginning. */
  readonly at: number
  readonly level?: Level
  /** The event's own span in its trace, and its parent. */
  readonly span?: string
  readonly parent?: string
  readonly durationMs?: number
  readonly model?: string
  readonly usage?: Usage
  /** What the call cost; null if the price is unknown. */
  readonly costUsd?: number | null
  /** The price row used for it. */
  readonly price?: Price | null
  readonly error?: string
  /** Anything else, as JSON. */
  readonly data?: Readonly<Record<string, unknown>>
  /** For an exporter only: the record has receipts and the store has transcripts, so neither stores it again. */
  readonly exchange?: Exchange
}

/** The content of a model or tool call. */
export interface Exchange {
  /** The id of the tool call. */
  readonly call?: string
  /** The provider's ids of its answer and of the model that gave it. */
  readonly response?: { readonly id?: string; readonly model?: string }
  /** Exported only if content is enabled. */
  readonly content?: ExchangeContent
}

export interface ExchangeContent {
  readonly system?: readonly string[]
  readonly input?: readonly Message[]
  readonly output?: readonly MessagePart[]
  readonly arguments?: unknown
  readonly result?: string
}

/** A tool's duration excludes the wait for a person's approval, but the call began before that. */
export function startOf({ at, durationMs = 0, data }: RecordEvent): number {
  const asked = typeof data?.askedMs === "number" ? data.askedMs : 0
  return at - durationMs - asked
}

/** An event as stored. */
export interface StoredEvent extends RecordEvent {
  readonly id: number
  readonly level: Level
  readonly category: string
}
