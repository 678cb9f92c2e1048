// Reads YAML against a schema. Every problem is one line that names the file, the line and the key.
import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml"
import type { z } from "zod"
import { type ErrorCode, IncipitError } from "../core/error.ts"
import { schemaProblem } from "./schema-problem.ts"

export interface ParsedYaml<T> {
  readonly data: T
  /** As it was written, unknown keys among it. */
  readonly value: unknown
  /** The line on which a value stands, by its keys. */
  readonly lineOf: (keys: readonly PropertyKey[]) => number
}

export function parseYaml<T>(
  text: string,
  shown: string,
  schema: z.ZodType<T>,
  code: ErrorCode,
): ParsedYaml<T> {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter, logLevel: "silent", prettyErrors: false })
  const error = document.errors[0]
  if (error !== undefined) {
    const { line, col } = counter.linePos(error.pos[0])
    throw new IncipitError(code, `${shown}:${line}:${col}: ${error.message.split("\n", 1)[0]}`)
  }
  const at = (keys: readonly PropertyKey[]) => lineOf(document, keys, counter)
  const value = plainValue(document, shown, code)
  const parsed = schema.safeParse(value, { error: schemaProblem })
  if (!parsed.success) {
    const { path: keys, message } = deepest(parsed.error.issues)
    throw new IncipitError(code, `${shown}:${at(keys)}: ${keys.join(".") || "the file"}: ${message}`)
  }
  return { data: parsed.data, value, lineOf: at }
}

function plainValue(document: Document, shown: string, code: ErrorCode): unknown {
  try {
    return document.toJS({ maxAliasCount: 20 }) ?? {}
  } catch (error) {
    // The library refuses aliases that multiply; anything else is our own mistake.
    if (error instanceof ReferenceError) throw new IncipitError(code, `${shown}:1: ${error.message}`)
    throw error
  }
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Of a union that matched nothing, the problem that lies deepest says most. */
function deepest(issues: readonly z.core.$ZodIssue[]): Issue {
  const all = issues.flatMap((issue): Issue[] => {
    const inner = issue.code === "invalid_union" ? issue.errors.flat() : []
    return [issue, ...inner.map((one) => ({ path: [...issue.path, ...one.path], message: one.message }))]
  })
  return all.reduce(
    (best, issue) => (issue.path.length > best.path.length ? issue : best),
    all[0] ?? { path: [], message: "is not valid" },
  )
}

/** The line of the deepest key that exists. */
function lineOf(document: Document, keys: readonly PropertyKey[], counter: LineCounter): number {
  let node: unknown = document.contents
  let offset = 0
  for (const key of keys) {
    if (isSeq(node)) {
      node = node.items[Number(key)]
      const range = typeof node === "object" && node !== null && "range" in node ? node.range : undefined
      if (Array.isArray(range)) offset = Number(range[0])
      continue
    }
    const pair = isMap(node)
      ? node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key))
      : undefined
    if (pair === undefined) break
    if (isScalar(pair.key) && pair.key.range) offset = pair.key.range[0]
    node = pair.value
  }
  return counter.linePos(offset).line
}
