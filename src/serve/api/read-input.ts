// Reads what a request says: JSON of a limited size and depth, checked against a schema. Every problem is one line
// with the path of the field.
import type { z } from "zod"
import { isDeeperThan, MAX_JSON_DEPTH } from "../../base/json-depth.ts"
import { schemaProblem } from "../../sources/read/schema-problem.ts"
import { SurfaceError } from "../talk/surface-error.ts"

export async function readJsonBody(request: Request, mostBytes = Number.MAX_SAFE_INTEGER): Promise<unknown> {
  const [type = ""] = (request.headers.get("content-type") ?? "").toLowerCase().split(";")
  if (type.trim() !== "application/json")
    throw new SurfaceError(
      415,
      "not-json",
      "The body must be JSON, with the header content-type: application/json.",
    )
  const bytes = await request.arrayBuffer()
  if (bytes.byteLength > mostBytes)
    throw new SurfaceError(413, "body-too-large", `The body is larger than ${mostBytes} bytes.`)
  return jsonOf(bytes)
}

/** Query parameters are texts; a schema may read numbers from them. One that is given twice is refused. */
export function readQuery<T>(request: Request, schema: z.ZodType<T>): T {
  const { searchParams } = new URL(request.url)
  const names = [...searchParams.keys()]
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw badField(twice, "is given twice")
  return checkedInput(Object.fromEntries(searchParams), schema)
}

export function badField(field: string, problem: string): SurfaceError {
  return new SurfaceError(400, "bad-input", `${field}: ${problem}`, field)
}

function jsonOf(bytes: ArrayBuffer): unknown {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch (error) {
    // The two things that these calls throw for bad input: bytes that aren't UTF-8, and text that isn't JSON.
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
    throw new SurfaceError(400, "bad-json", "The body isn't valid JSON in UTF-8.")
  }
  if (isDeeperThan(value, MAX_JSON_DEPTH))
    throw new SurfaceError(400, "bad-json", `The body is nested more than ${MAX_JSON_DEPTH} levels deep.`)
  return value
}

/** Throws for the first problem, with the path of its field. */
export function checkedInput<T>(value: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(value, { error: schemaProblem })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = issue?.path.join(".") ?? ""
  const problem = issue?.message ?? "is not valid"
  throw path === "" ? new SurfaceError(400, "bad-input", `The input ${problem}.`) : badField(path, problem)
}
