// The server's request handler: checks in a fixed order, then the server's own pages or a surface. Nothing behind the
// checks sees a request that failed one.
import { Hono } from "hono"
import { ASSETS } from "../page/page-files.ts"
import { observe } from "./access-log.ts"
import { addCors, preflight } from "./cors.ts"
import { guard } from "./guard.ts"
import { logIn, logOut, showAsset, showLogin, showPage } from "./login.ts"
import { hostRefusal, originRefusal } from "./origin.ts"
import { BAD_PATH, BUSY, DRAINING, FAILED, type Refused, refusalResponse } from "./refuse.ts"
import type { AppServices, Call, Env } from "./services.ts"
import { surfaceFor } from "./surface-for.ts"

/** The handler for all requests. */
export function createApp(services: AppServices): Hono<Env> {
  // Matches what URL parsing makes of the path, as everything below does.
  const app = new Hono<Env>({ getPath: (request) => new URL(request.url).pathname })
  app.use((call, next) => observe(call, services, next))
  app.use(async (call, next) => {
    const refused = refusalOf(call, services)
    if (refused !== undefined) return refuse(call, refused)
    await next()
    addCors(call, services.allowed)
    return undefined
  })
  app.options("*", (call) => preflight(call, services.allowed))
  app.get("/healthz", (call) => call.text("ok\n"))
  app.get("/readyz", async (call) => {
    const isReady = !services.traffic.isDraining && (await services.isReady())
    return call.text(isReady ? "ready\n" : "not ready\n", isReady ? 200 : 503)
  })
  app.get("/login", showLogin)
  app.post("/login", (call) => logIn(call, services))
  app.post("/logout", (call) => logOut(call, services))
  app.get("/", (call) => showPage(call, services))
  app.get(`${ASSETS}*`, (call) => showAsset(call, services))
  app.get("/metrics", (call) =>
    guard(call, services, { prefix: "/metrics", scopes: ["operate"], handle: () => metricsOf(services) }),
  )
  app.all("*", (call) => guard(call, services, surfaceFor(call.get("path"), services.surfaces)))
  app.onError((error, call) => {
    call.set("answered", { ...call.get("answered"), error: String(error) })
    return refuse(call, FAILED)
  })
  return app
}

function refuse(call: Call, refused: Refused): Response {
  call.set("answered", { ...call.get("answered"), refused: refused.code })
  return refusalResponse(refused, undefined)
}

/** The checks that need no token. */
function refusalOf(call: Call, { allowed, traffic, limits }: AppServices): Refused | undefined {
  const { headers } = call.req.raw
  const client = call.get("client")
  const path = call.get("path")
  if (/\/\/|\\|%(?:2f|5c|[01][\da-f]|7f)/i.test(path)) return BAD_PATH
  const foreign = hostRefusal(client, allowed) ?? originRefusal(headers, client, allowed)
  if (foreign !== undefined) return foreign
  if (path === "/healthz" || path === "/readyz") return undefined
  if (traffic.isDraining) return DRAINING
  return traffic.inFlight > limits.concurrent ? BUSY : undefined
}

async function metricsOf({ metrics, agentMetrics, traffic }: AppServices): Promise<Response> {
  const text = `${metrics.text(traffic)}${await agentMetrics()}`
  return new Response(text, { headers: { "content-type": "text/plain; version=0.0.4" } })
}
