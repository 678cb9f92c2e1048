// Turns without an answer, and failures of the agent, as errors for the client.
import type { Reply } from "../../agent/turn/live-event.ts"
import { IncipitError } from "../../base/error.ts"
import type { LimitHit } from "./limit-text.ts"
import { SurfaceError } from "./surface-error.ts"

/** Throws for a turn without an answer. */
export function checkReply({ state, text, isOverLimit }: Reply, hit: LimitHit | undefined): void {
  if (state === "answered" || state === "silent" || state === "waiting") return
  if (state === "stopped" && hit !== undefined) return
  if (state === "queued") throw new SurfaceError(503, "queued", text)
  if (isOverLimit) throw new SurfaceError(429, "spending_limit", text)
  if (state === "stopped")
    throw new SurfaceError(503, "stopped", "the answer was stopped before it was complete")
  throw new SurfaceError(502, "model_failed", text)
}

/** Messages of failures in our own parts may name paths and hosts, so only those about the request are passed on. */
export function surfaceError(error: unknown): unknown {
  if (!(error instanceof IncipitError)) return error
  const { code, message } = error
  if (code === "no-session") return new SurfaceError(404, "session_not_found", message, "x-incipit-session")
  if (code === "not-waiting") return new SurfaceError(400, "tool_calls_unknown", message)
  if (code === "no-text" || code === "bad-option" || code === "bad-tool-results")
    return new SurfaceError(400, "invalid_value", message)
  if (code === "agent-closed")
    return new SurfaceError(503, "shutting_down", "the server is shutting down; try again later")
  return error
}
