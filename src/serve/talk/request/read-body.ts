// The body of a request, as far as all compatible surfaces agree: a JSON object, and the headers that name a session
// and a key.

import { isRecord } from "../../../base/is-record.ts"
import { isDeeperThan, MAX_JSON_DEPTH } from "../../../base/json-depth.ts"
import { EFFORTS, type Effort } from "../../../core/model/inputs.ts"
import { invalid, SurfaceError } from "../surface-error.ts"

export type Body = Readonly<Record<string, unknown>>

export async function readBody(request: Request): Promise<Body> {
  const text = await request.text()
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new SurfaceError(400, "invalid_json", "the body of the request is not valid JSON")
  }
  if (isDeeperThan(body, MAX_JSON_DEPTH))
    throw new SurfaceError(400, "invalid_json", `the body is nested more than ${MAX_JSON_DEPTH} levels deep`)
  if (isRecord(body)) return body
  throw new SurfaceError(400, "invalid_json", "the body of the request must be a JSON object")
}

const MOST_KEY = 255

export function readHeaders({ headers }: Pick<Request, "headers">) {
  const session = headers.get("x-incipit-session") ?? undefined
  const idempotencyKey = headers.get("idempotency-key") ?? undefined
  if (idempotencyKey !== undefined && (idempotencyKey === "" || idempotencyKey.length > MOST_KEY))
    throw invalid("idempotency-key", `the header idempotency-key must have 1 to ${MOST_KEY} characters`)
  return { session, idempotencyKey }
}

export function modelIn({ model }: Body): string {
  if (typeof model === "string" && model !== "") return model
  throw invalid("model", "model must be the name of an agent; GET /v1/models lists them")
}

export function flagIn(body: Body, name: string): boolean {
  const value = body[name] ?? false
  if (typeof value === "boolean") return value
  throw invalid(name, `${name} must be true or false`)
}

/** A whole number of at least 1. */
export function limitIn(body: Body, name: string): number | undefined {
  const value = body[name] ?? undefined
  if (value === undefined) return undefined
  if (typeof value === "number" && Number.isInteger(value) && value > 0) return value
  throw invalid(name, `${name} must be a whole number of at least 1`)
}

export function effortIn(value: unknown, param: string): Effort | undefined {
  if (value === undefined || value === null) return undefined
  const effort = EFFORTS.find((known) => known === value)
  if (effort === undefined) throw invalid(param, `${param} must be one of ${EFFORTS.join(", ")}`)
  return effort
}

const MOST_STOPS = 16

/** A text or a list of them. */
export function stopsIn(body: Body, name: string): readonly string[] {
  const value = body[name] ?? []
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const stops = list.filter((item) => typeof item === "string")
  if (stops.length === list.length && list.length <= MOST_STOPS) return stops
  throw invalid(name, `${name} must be a text or a list of at most ${MOST_STOPS} texts`)
}
