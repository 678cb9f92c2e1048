// The checks in front of a surface: token, origin of a cookie, rate, scope, body. In this order, so that somebody
// without a token learns nothing, not even which paths exist.
import { authenticate, hasScope } from "../auth/authenticate.ts"
import type { Caller } from "../auth/caller.ts"
import { refreshAgents } from "../auth/refresh-agents.ts"
import { type BodyLimits, readBody } from "./body.ts"
import { strangerShares, tokenShares } from "./limits.ts"
import { localeOf } from "./locale.ts"
import { cookieRefusal } from "./origin.ts"
import { NOT_FOUND, noScope, type Refused, refusalResponse, TOO_MANY_OPEN, tooOften } from "./refuse.ts"
import type { AnsweredRequest, AppServices, Call } from "./services.ts"
import type { OpenSurface, Surface } from "./surface.ts"

/** For callers that are checked only after their body was read. */
const OPEN_BODY_BYTES = 1_000_000

/** Passes the request on to the surface, or refuses it in the surface's shape. */
export async function guard(
  call: Call,
  services: AppServices,
  surface: Surface | OpenSurface | undefined,
): Promise<Response> {
  const refuse = (refused: Refused) => {
    note(call, { refused: refused.code })
    return refusalResponse(refused, surface)
  }
  if (surface !== undefined) note(call, { route: surface.prefix })
  if (surface?.scopes === "none") {
    const { address } = call.get("client")
    const early = surface.early?.(call.req.method, call.get("path"))
    if (early !== undefined) return early
    if (!call.get("held").open(strangerShares(address, services.limits))) return refuse(TOO_MANY_OPEN)
    const request = await wholeRequest(call, openLimits(services.limits))
    if ("refusal" in request) return refuse(request.refusal)
    const response = await surface.handle(request.whole, callOf(call, services))
    const seconds = response.status === 401 ? services.failures.take(address) : undefined
    return seconds === undefined ? response : refuse(tooOften(seconds))
  }
  const found = await identify(call, services)
  if ("refusal" in found) return refuse(found.refusal)
  if (surface === undefined) return refuse(NOT_FOUND)
  if (!hasScope(found.caller, surface.scopes)) return refuse(noScope(surface.scopes))
  const said = localeOf(call.req.raw.headers)
  if ("refusal" in said) return refuse(said.refusal)
  const request = await wholeRequest(call, services.limits)
  if ("refusal" in request) return refuse(request.refusal)
  // Elsewhere others read the prompt's facts, too.
  const locale = found.caller.situation === "dm" ? said.locale : undefined
  const caller = locale === undefined ? found.caller : { ...found.caller, locale }
  const isCurrent = async () => {
    const now = await authenticate(call.req.raw.headers, services.authentication)
    return !("refusal" in now) && now.caller.trust === caller.trust
  }
  // What the caller may read follows from the agents' configuration as well: a lowered trust counts there, too.
  await refreshAgents(services.agents)
  const response = await surface.handle(request.whole, { ...callOf(call, services), caller, isCurrent })
  // An answer may be sent for a long time.
  call.get("held").free()
  return response
}

/** Who is calling. Wrong tokens are limited by address, valid ones by token. */
export async function identify(
  call: Call,
  { authentication, failures, calls, limits }: AppServices,
): Promise<{ readonly caller: Caller } | { readonly refusal: Refused }> {
  const client = call.get("client")
  const { headers } = call.req.raw
  const found = await authenticate(headers, authentication)
  if ("refusal" in found) {
    // Valid tokens are not held up by wrong ones: behind a proxy, many people share an address.
    const seconds = failures.take(client.address)
    return seconds === undefined ? found : { refusal: tooOften(seconds) }
  }
  const { caller, isCookie } = found
  note(call, { token: caller.token, ...(caller.user !== undefined && { user: caller.user }) })
  const foreign = isCookie ? cookieRefusal(call.req.method, headers, client) : undefined
  if (foreign !== undefined) return { refusal: foreign }
  const seconds = calls.take(caller.token)
  if (seconds !== undefined) return { refusal: tooOften(seconds) }
  return call.get("held").open(tokenShares(caller.token, limits)) ? { caller } : { refusal: TOO_MANY_OPEN }
}

function openLimits({ bodyBytes, bodyMs }: BodyLimits): BodyLimits {
  return { bodyBytes: Math.min(bodyBytes, OPEN_BODY_BYTES), bodyMs }
}

/** Adds to the line of the access log. */
export function note(call: Call, facts: Partial<AnsweredRequest>): void {
  call.set("answered", { ...call.get("answered"), ...facts })
}

function callOf(call: Call, { agents, traffic }: AppServices) {
  return {
    agents,
    id: call.get("id"),
    signal: AbortSignal.any([call.req.raw.signal, traffic.signal]),
    failed: (error: unknown) => note(call, { error: String(error) }),
  }
}

/** The request with its body in memory. */
async function wholeRequest(
  call: Call,
  limits: BodyLimits,
): Promise<{ readonly whole: Request } | { readonly refusal: Refused }> {
  const { raw } = call.req
  const body = await readBody(raw, limits, call.get("held"))
  if ("refusal" in body) return body
  const { method, headers, url } = raw
  return { whole: new Request(url, { method, headers, ...(body.bytes && { body: body.bytes }) }) }
}
