// Errors in the shape of Anthropic's API, from which its SDKs make their error classes.
import type { Refusal, RefusalBody } from "../http/surface.ts"
import { failureHeaders, SurfaceError } from "../talk/surface-error.ts"

export function anthropicError(error: unknown) {
  const { status, code, message } = error instanceof SurfaceError ? error : UNKNOWN
  // The SDK then sends the whole conversation.
  const details =
    code === "previous_response_not_found" ? { details: { error_code: "thread_not_found" } } : {}
  return { status, body: { type: "error", error: { type: typeOf(status), message, ...details } } }
}

/** What went wrong in our own parts is in the record, and not for clients. */
const UNKNOWN = new SurfaceError(500, "internal_error", "the server failed to answer; its log has the reason")

const TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  408: "timeout_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
}

function typeOf(status: number): string {
  return TYPES[status] ?? (status < 500 ? "invalid_request_error" : "api_error")
}

export function anthropicFailure(error: unknown): Response {
  const { status, body } = anthropicError(error)
  return Response.json(body, { status, headers: failureHeaders(error, status) })
}

export function anthropicRefusal({ status, message }: Refusal): RefusalBody {
  return { type: "error", error: { type: typeOf(status), message } }
}
