// Watches one request from its first byte to the end of its answer: id, headers that every answer has, counts, and one
// line in the log. Queries, headers and bodies are not logged.
import { clientOf } from "./client.ts"
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
  traffic.begin()
  // Also called if the client goes away first.
  outgoing.once("close", () => {
    traffic.end()
    finish(call, services, at)
  })
  await next()
  call.res.headers.set("x-request-id", call.get("id"))
  call.res.headers.set("x-content-type-options", "nosniff")
  if (!call.res.headers.has("cache-control")) call.res.headers.set("cache-control", "no-store")
}

function finish(call: Call, { metrics, log, now }: AppServices, at: number): void {
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
  log(answered)
}
