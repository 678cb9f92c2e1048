// Routes as a surface below /api: finds the route of a request, checks its scope, and answers in JSON.
import { hasScope } from "../auth/authenticate.ts"
import { noScope } from "../http/refuse.ts"
import type { Surface, SurfaceCall } from "../http/surface.ts"
import { SurfaceError } from "../talk/surface-error.ts"
import { notFound } from "./not-found.ts"
import { paramsIn, type Route } from "./route.ts"

/** `callFor` adds what they need to what every surface gets. */
export function surfaceOf<Call extends Pick<SurfaceCall, "caller">>(
  routes: readonly Route<Call>[],
  callFor: (call: SurfaceCall) => Call,
): Surface {
  return {
    prefix: "/api",
    // Each route has its own scopes.
    scopes: ["talk", "read", "operate"],
    async handle(request, call) {
      try {
        return await answer(request, routes, callFor(call))
      } catch (error) {
        if (error instanceof SurfaceError) return failure(error)
        throw error
      }
    },
  }
}

async function answer<Call extends Pick<SurfaceCall, "caller">>(
  request: Request,
  routes: readonly Route<Call>[],
  call: Call,
): Promise<Response> {
  const { pathname } = new URL(request.url)
  const here = routes.flatMap((route) => {
    const params = paramsIn(route.path, pathname)
    return params === undefined ? [] : [{ route, params }]
  })
  if (here.length === 0) throw notFound()
  const found = here.find(({ route }) => route.method === request.method)
  if (found === undefined) return wrongMethod(here.map(({ route }) => route.method))
  const { route, params } = found
  if (!hasScope(call.caller, route.scopes)) {
    const { code, message } = noScope(route.scopes)
    throw new SurfaceError(403, code, message)
  }
  const result = await route.run(request, params, call)
  return result instanceof Response ? result : json(result)
}

function wrongMethod(allowed: readonly string[]): Response {
  const list = allowed.join(", ")
  const body = { error: { code: "wrong-method", message: `This path takes ${list}.` } }
  return json(body, { status: 405, headers: { allow: list } })
}

function failure({ status, code, message, param }: SurfaceError): Response {
  return json({ error: { code, message, ...(param !== undefined && { field: param }) } }, { status })
}

function json(value: unknown, init: ResponseInit = {}): Response {
  const headers = { "content-type": "application/json", ...init.headers }
  return new Response(`${JSON.stringify(value)}\n`, { ...init, headers })
}
