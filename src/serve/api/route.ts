// One route of the API: its path, who may call it, what it takes and what it answers, as data. The server dispatches
// by it, and the OpenAPI document is made from it.
import type { z } from "zod"
import type { Scope } from "../auth/caller.ts"
import type { ApiCall } from "./api-call.ts"
import { checkedInput, readJsonBody, readQuery } from "./read-input.ts"

/** What a route gets: each part is checked against its schema. */
export interface Asked<Body, Query> {
  /** The parts of the path in braces. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  readonly headers: Headers
}

export interface RouteSpec<Body, Query, Call = ApiCall> {
  readonly method: "GET" | "POST"
  /** Such as "/api/sessions/{session}". */
  readonly path: string
  /** The caller needs one of these. */
  readonly scopes: readonly Scope[]
  readonly summary: string
  /** More than fits in one line. */
  readonly description?: string
  readonly query?: z.ZodType<Query>
  readonly body?: z.ZodType<Body>
  /** For a body with several forms: the schema of the form that this value is meant as, so that problems are clear. */
  readonly bodyFor?: (value: unknown) => z.ZodType<Body>
  /** The most bytes that the body may have, if less than the server takes. */
  readonly bodyBytes?: number
  /** What it answers: JSON of this schema, or a stream of events whose data have it. */
  readonly answer: z.ZodType
  readonly answers?: "json" | "events"
  /** Returns the JSON of the answer, or a response of its own. */
  readonly handle: (asked: Asked<Body, Query>, call: Call) => unknown
}

/**
 * A route with its types erased: `run` reads the request by its own schemas. `Call`: what it needs of a call, if that is
 * less than the API has.
 */
export interface Route<Call = ApiCall> extends Omit<RouteSpec<unknown, unknown>, "handle" | "bodyFor"> {
  run(request: Request, params: Readonly<Record<string, string>>, call: Call): Promise<Response | unknown>
}

export function route<Body = undefined, Query = undefined, Call = ApiCall>(
  spec: RouteSpec<Body, Query, Call>,
): Route<Call> {
  const { handle, ...facts } = spec
  return {
    ...facts,
    async run(request, params, call) {
      // A route without a schema takes none, and its type says so.
      const query = (spec.query && readQuery(request, spec.query)) as Query
      const body = (await bodyIn(request, spec)) as Body
      return handle({ params, query, body, headers: request.headers }, call)
    },
  }
}

async function bodyIn<Body, Query, Call>(
  request: Request,
  spec: RouteSpec<Body, Query, Call>,
): Promise<Body | undefined> {
  const { body, bodyFor, bodyBytes } = spec
  if (body === undefined) return undefined
  const value = await readJsonBody(request, bodyBytes)
  return checkedInput(value, bodyFor?.(value) ?? body)
}

/** The parts of a path in braces; undefined if the path isn't this route's. */
export function paramsIn(path: string, pathname: string): Readonly<Record<string, string>> | undefined {
  const wanted = path.split("/")
  const given = pathname.split("/")
  if (wanted.length !== given.length) return undefined
  const params: [string, string][] = []
  for (const [at, segment] of wanted.entries()) {
    const value = given[at] ?? ""
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? []
    if (name === undefined && segment !== value) return undefined
    if (name === undefined) continue
    const decoded = decodedSegment(value)
    if (decoded === undefined) return undefined
    params.push([name, decoded])
  }
  return Object.fromEntries(params)
}

function decodedSegment(value: string): string | undefined {
  try {
    return value === "" ? undefined : decodeURIComponent(value)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
