// Reads YAML against a schema. Every problem is one line that names the file, the line and the key.
import { type Document, isMap, isNode, isScalar, isSeq, type Pair, type YAMLMap } from "yaml"
import type { z } from "zod"
import { type ErrorCode, IncipitError } from "../../base/error.ts"
import { schemaProblem } from "./schema-problem.ts"
import { readYaml, yamlDiagnostics } from "./yaml-text.ts"

export interface ParsedYaml<T> {
  readonly data: T
  /** The value as written, including unknown keys. */
  readonly value: unknown
  readonly diagnostics: ReturnType<typeof yamlDiagnostics>
  /** The line of a value, by its keys. */
  readonly lineOf: (keys: readonly PropertyKey[]) => number
}

export function parseYaml<T>(
  text: string,
  shown: string,
  schema: z.ZodType<T>,
  code: ErrorCode,
): ParsedYaml<T> {
  const read = readYaml(text)
  if (read.kind === "problem")
    throw new IncipitError(code, `${shown}:${read.line}:${read.column}: ${read.problem}`)
  const at = linesOf(read.document, read.lineAt)
  const value = read.value ?? {}
  const parsed = schema.safeParse(value, { error: schemaProblem })
  if (!parsed.success) {
    const { path: keys, message } = deepest(parsed.error.issues)
    throw new IncipitError(code, `${shown}:${at(keys)}: ${keys.join(".") || "the file"}: ${message}`)
  }
  return { data: parsed.data, value, diagnostics: yamlDiagnostics(read, shown), lineOf: at }
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** If no member of a union matches, the deepest problem is the most useful. */
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

/** The line of the deepest key that exists. Indexes each map once, however many lines are requested. */
function linesOf(
  document: Document,
  lineAt: (offset: number) => number,
): (keys: readonly PropertyKey[]) => number {
  const known = new Map<unknown, ReadonlyMap<string, Pair>>()
  const pairOf = (node: YAMLMap, key: PropertyKey) => {
    const pairs = known.get(node) ?? new Map(node.items.map((pair) => [keyOf(pair), pair]))
    known.set(node, pairs)
    return pairs.get(String(key))
  }
  return (keys) => {
    let node: unknown = document.contents
    let offset = 0
    for (const key of keys) {
      const pair = isMap(node) ? pairOf(node, key) : undefined
      if (!isSeq(node) && pair === undefined) break
      const place: unknown = isSeq(node) ? node.items[Number(key)] : pair?.key
      if (isNode(place) && place.range) offset = place.range[0]
      node = pair === undefined ? place : pair.value
    }
    return lineAt(offset)
  }
}

function keyOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key)
}
