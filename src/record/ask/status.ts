// The current status: channels, sessions, recent errors, and the record itself. A caller with limited sight gets only
// its own session. Sizes and totals are for the owner, because other people's events affect them.
import type { ChannelFacts, SessionFacts, Sight } from "../../database/contract/record/event-log.ts"
import type { RecordStore } from "../../database/contract/record/record-store.ts"
import { PRICE_OVERRIDES } from "../prices/price-overrides.ts"
import type { StoredEvent } from "../write/event.ts"
import type { Health } from "../write/record.ts"
import { mayReadReasons, seenEvents } from "./visibility.ts"

/** Errors are those within the window. */
export type ChannelStatus = ChannelFacts

/** Events are those within the window. */
export type SessionStatus = SessionFacts

export interface PriceAge {
  readonly source: string
  readonly rows: number
  /** The date of its oldest row. */
  readonly date: string
  readonly ageDays: number
}

/** How an agent is doing: its channels, sessions, errors and record. */
export interface Status {
  readonly windowMs: number
  readonly channels: readonly ChannelStatus[]
  /** Latest first. */
  readonly sessions: readonly SessionStatus[]
  /** Latest first. */
  readonly errors: readonly StoredEvent[]
  readonly prices: readonly PriceAge[]
  readonly record:
    | {
        readonly health: Health
        readonly bytes: number
        readonly logBytes: number
        readonly oldestAt: number | undefined
      }
    | undefined
}

/** The moment to report on. */
export interface StatusOptions {
  readonly now: number
  readonly health: Health
  readonly sight?: Sight | undefined
  /** The time within which a session counts as active and channel errors are counted. */
  readonly windowMs?: number
}

const DAY_MS = 86_400_000
const MOST_ERRORS = 10

/** Says how an agent is doing, from its record. */
export async function statusOf(store: RecordStore, options: StatusOptions): Promise<Status> {
  const { now, health, sight, windowMs = DAY_MS } = options
  const since = now - windowMs
  const channels = await store.events.channels(since, sight)
  return {
    windowMs,
    channels: mayReadReasons(sight) ? channels : channels.map(withoutReason),
    sessions: await store.events.sessions(since, sight),
    errors: await seenEvents(store, { level: "error", sight, order: "newest", limit: MOST_ERRORS }),
    prices: priceAges(now),
    record:
      sight === undefined
        ? { health, ...(await store.upkeep.sizes()), oldestAt: await store.events.oldest() }
        : undefined,
  }
}

function withoutReason(channel: ChannelStatus): ChannelStatus {
  return { ...channel, lastError: undefined }
}

function priceAges(now: number): readonly PriceAge[] {
  const sources = Map.groupBy(PRICE_OVERRIDES, ({ source }) => source)
  return [...sources].map(([source, rows]) => {
    const date = rows.map((row) => row.date).reduce((one, other) => (one < other ? one : other))
    return { source, rows: rows.length, date, ageDays: Math.floor((now - Date.parse(date)) / DAY_MS) }
  })
}
