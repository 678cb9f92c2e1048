// How long to wait after failures of a channel: longer each time, and at least as long as the service asked for.
import { ChannelFault } from "./channel.ts"

const FIRST_MS = 1_000
const LONGEST_MS = 300_000
/** A service that asks for more than that is asked again before. */
const MOST_ASKED_MS = 3_600_000

/** `attempt`: from 1. `random`: from 0 to 1, so that several waits don't end together. */
export function backOffMs(error: unknown, attempt: number, random: number): number {
  const own = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 20)) * (0.5 + random / 2)
  const asked = error instanceof ChannelFault ? (error.retryAfterMs ?? 0) : 0
  return Math.ceil(Math.max(own, Math.min(asked, MOST_ASKED_MS)))
}
