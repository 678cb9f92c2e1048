// A refusal as a response, in the shape of the surface that was asked.
import type { Scope } from "../auth/caller.ts"
import type { OpenSurface, Refusal, Surface } from "./surface.ts"

/** A refusal, with the seconds after which a new try makes sense. */
export interface Refused extends Refusal {
  readonly retryAfter?: number
}

export function refusalResponse(refused: Refused, surface: Surface | OpenSurface | undefined): Response {
  const { status, code, message, retryAfter } = refused
  const body = surface?.refuse?.(refused) ?? { error: { code, message } }
  const headers = new Headers({ "content-type": "application/json" })
  if (retryAfter !== undefined) headers.set("retry-after", String(retryAfter))
  if (status === 401) headers.set("www-authenticate", 'Bearer realm="incipit"')
  // What is left of the body is not read, so the connection cannot be used again.
  if (status === 408 || status === 413 || status === 503) headers.set("connection", "close")
  return new Response(`${JSON.stringify(body)}\n`, { status, headers })
}

export function tooOften(seconds: number): Refused {
  const message = `Too many requests. Try again in ${seconds} s.`
  return { status: 429, code: "too-many-requests", message, retryAfter: seconds }
}

export const DRAINING: Refused = {
  status: 503,
  code: "stopping",
  message: "The server is stopping. Try again in a few seconds.",
  retryAfter: 5,
}

export const BUSY: Refused = {
  status: 503,
  code: "busy",
  message: "The server is answering as many requests as it can. Try again in a few seconds.",
  retryAfter: 2,
}

export const TOO_MANY_OPEN: Refused = {
  status: 429,
  code: "too-many-open",
  message:
    "Too many requests of yours are being answered at the same time. Wait for one to end. `serve.limits.concurrent_each` in incipit.yaml sets the limit.",
  retryAfter: 2,
}

export const NOT_FOUND: Refused = {
  status: 404,
  code: "not-found",
  message: "Nothing found here: it was never there, was removed, or is not for this token.",
}

export const BAD_PATH: Refused = {
  status: 400,
  code: "bad-path",
  message: "The path has empty segments, or encoded slashes or control characters.",
}

/** For a token that has none of `scopes`. */
export function noScope(scopes: readonly Scope[]): Refused {
  const message = `This needs a token with the scope ${scopes.join(" or ")}. To make one, run \`incipit token add --scopes ${scopes[0]}\`.`
  return { status: 403, code: "no-scope", message }
}

export const FAILED: Refused = {
  status: 500,
  code: "failed",
  message: "The request failed on the server. The record has the reason under the id in `x-request-id`.",
}
