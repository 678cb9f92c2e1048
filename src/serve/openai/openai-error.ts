// Errors in the shape of OpenAI's API, from which its SDKs make their error classes.
import type { Refusal, RefusalBody } from "../http/surface.ts"
import { failureHeaders, SurfaceError } from "../talk/surface-error.ts"

interface OpenAiError {
  readonly error: {
    readonly message: string
    readonly type: string
    readonly param: string | null
    readonly code: string | null
  }
}

export function openAiError(error: unknown): { readonly status: number; readonly body: OpenAiError } {
  const { status, code, message, param } = error instanceof SurfaceError ? error : UNKNOWN
  return { status, body: { error: { message, type: typeOf(status), param: param ?? null, code } } }
}

/** What went wrong in our own parts is in the record, and not for clients. */
const UNKNOWN = new SurfaceError(500, "internal_error", "the server failed to answer; its log has the reason")

function typeOf(status: number): string {
  if (status === 401) return "authentication_error"
  if (status === 403) return "permission_error"
  if (status === 429) return "rate_limit_error"
  return status < 500 ? "invalid_request_error" : "server_error"
}

export function openAiFailure(error: unknown): Response {
  const { status, body } = openAiError(error)
  return Response.json(body, { status, headers: failureHeaders(error, status) })
}

export function openAiRefusal({ status, code, message }: Refusal): RefusalBody {
  return { error: { message, type: typeOf(status), param: null, code } }
}
