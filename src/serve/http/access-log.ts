// Watches one request from its first byte to the end of its answer: id, headers that every answer has, counts, and one
// line in the log. Queries, headers and bodies are not logged.
import { clientOf } from "./client.ts"
import { createRate } from "./rate.ts"
import type { AnsweredRequest, AppServices, Call } from "./services.ts"

const MOST_PATH = 200

/** Wraps everything that happens to a request. */
export async function observe(call: Call, services: AppServices, next: () => Promise<void>): Promise<void> {
  const { traffic, now, newId, isProxy } = services
  const { incoming, outgoing } = call.env
  const { remoteAddress, localAddress } = incoming.socket
  const isSecure = "encrypted" in incoming.socket
  const at = now()
  call.set("id", newId())
  call.set("path", new URL(call.req.url).pathname)
  call.set("client", clientOf(call.req.raw.headers, { remoteAddress, localAddress, isSecure }, isProxy))
  call.set("answered", {})
  const held = traffic.begin()
  call.set("held", held)
  // Also called if the client goes away first.
  outgoing.once("close", () => {
    held.end()
    finish(call, services, at)
  })
  await next()
  call.res.headers.set("x-request-id", call.get("id"))
  call.res.headers.set("x-content-type-options", "nosniff")
  // Other pages may ask with CORS, and embed nothing: without TLS, a browser doesn't say whose page it is.
  call.res.headers.set("cross-origin-resource-policy", "same-origin")
  if (!call.res.headers.has("cache-control")) call.res.headers.set("cache-control", "no-store")
}

function finish(call: Call, services: AppServices, at: number): void {
  const { metrics, log, now } = services
  const answered: AnsweredRequest = {
    id: call.get("id"),
    at,
    method: call.req.method,
    path: call.get("path").slice(0, MOST_PATH),
    route: "other",
    status: call.res.status,
    durationMs: Math.max(0, now() - at),
    address: call.get("client").address,
    ...call.get("answered"),
  }
  metrics.count(answered)
  if (isLogged(answered, services)) log(answered)
}

/** What anybody can cause is logged a few times a minute: else strangers could fill the record. All of it is counted. */
function isLogged(answered: AnsweredRequest, { surfaces, mayLog }: AppServices): boolean {
  const { path, status, token, error, route, address } = answered
  if (path === "/healthz" || path === "/readyz" || status === 429) return false
  // A channel has checked its caller, and a sign-in its code.
  const isChecked = status < 400 && (route === "/login" || surfaces.some(({ prefix }) => prefix === route))
  return token !== undefined || error !== undefined || isChecked || mayLog(address)
}

const LOGGED_EACH = 5
const LOGGED_IN_ALL = 300

/** By address, and for all together: one machine may have any number of addresses. */
export function logLimit(now: () => number): AppServices["mayLog"] {
  const each = createRate(LOGGED_EACH, now)
  const all = createRate(LOGGED_IN_ALL, now)
  return (address) => each.take(address) === undefined && all.take("") === undefined
}
