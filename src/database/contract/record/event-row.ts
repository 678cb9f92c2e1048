// A row of the event log, in plain values. The names are those under which `incipit export` writes them.

/** An event to be stored. */
export interface NewEventRow {
  /** When it ended: an ISO date with milliseconds, in UTC. */
  readonly timestamp: string
  readonly level: string
  readonly category: string
  readonly session_id: string | null
  readonly agent_id: string | null
  readonly user_id: string | null
  readonly channel: string | null
  readonly event_type: string
  readonly duration_ms: number | null
  readonly tokens_in: number | null
  readonly tokens_out: number | null
  readonly cost_usd: number | null
  readonly error: string | null
  /** JSON, unless a redaction broke it. */
  readonly metadata: string | null
  readonly trust: string | null
  readonly trace_id: string | null
  readonly span_id: string | null
  readonly parent_id: string | null
  readonly turn_id: string | null
  readonly step: number | null
  readonly model: string | null
  /** Tokens that no cache was involved in; null if the usage is unknown. */
  readonly fresh: number | null
  readonly cache_read: number | null
  /** JSON: tokens by lifetime. */
  readonly cache_write: string | null
  /** JSON: the price used. */
  readonly price: string | null
}

/** A stored event. Ids follow the order of writing. */
export interface EventRow extends NewEventRow {
  readonly id: number
}

/** In the order of the columns. */
export const EVENT_COLUMNS = [
  "timestamp",
  "level",
  "category",
  "session_id",
  "agent_id",
  "user_id",
  "channel",
  "event_type",
  "duration_ms",
  "tokens_in",
  "tokens_out",
  "cost_usd",
  "error",
  "metadata",
  "trust",
  "trace_id",
  "span_id",
  "parent_id",
  "turn_id",
  "step",
  "model",
  "fresh",
  "cache_read",
  "cache_write",
  "price",
] as const satisfies readonly (keyof NewEventRow)[]
