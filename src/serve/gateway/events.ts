// What a gateway writes to the record. All of it is for the operator alone.
import { defined } from "../../base/defined.ts"
import type { RecordEvent } from "../../record/write/event.ts"
import type { AnsweredRequest } from "../http/services.ts"

export function requestEvent({ at, durationMs, user, error, ...data }: AnsweredRequest): RecordEvent {
  const level = data.status >= 500 ? ("error" as const) : data.refused === undefined ? "info" : "warn"
  return {
    ...{ type: "request_answered", at: at + durationMs, durationMs, trust: "full", level, data },
    ...defined({ user, error }),
  }
}

export interface ChannelError {
  readonly channel: string
  readonly at: number
  readonly error: unknown
  /** Which delivery or arrival, how often it was tried, and when it is tried again. */
  readonly data: Readonly<Record<string, unknown>>
}

export function channelErrorEvent({ channel, at, error, data }: ChannelError): RecordEvent {
  const message = error instanceof Error ? error.message : String(error)
  const level = typeof data.retryInMs === "number" ? ("warn" as const) : "error"
  return { type: "channel_error", at, channel, trust: "full", level, error: message, data }
}
