// Pages of listed origins may call the server with a token. Cookies are never shared with them.
import type { Allowed } from "./origin.ts"
import type { Call } from "./services.ts"

const METHODS = "GET, POST, PUT, PATCH, DELETE"
const EXPOSED = "x-request-id, x-incipit-session, x-incipit-turn, retry-after"
const CACHED_SECONDS = "600"

/** Lets a page of a listed origin read the answer. */
export function addCors(call: Call, allowed: Allowed): void {
  const origin = call.req.header("origin")
  if (origin === undefined || !allowed.origins.includes(origin)) return
  call.res.headers.set("access-control-allow-origin", origin)
  call.res.headers.set("access-control-expose-headers", EXPOSED)
  call.res.headers.append("vary", "origin")
}

/** The question that browsers ask before a page's request. Unlisted origins were refused before. */
export function preflight(call: Call, allowed: Allowed): Response {
  const origin = call.req.header("origin")
  if (origin === undefined || !allowed.origins.includes(origin)) return new Response(null, { status: 204 })
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": METHODS,
      // The SDKs send headers of their own; what they contain is checked where it is used.
      "access-control-allow-headers": call.req.header("access-control-request-headers") ?? "",
      "access-control-max-age": CACHED_SECONDS,
    },
  })
}
