// Reads YAML against a schema. Every problem is one line that names the file, the line and the key.
import type { z } from "zod"
import { type ErrorCode, IncipitError } from "../../base/error.ts"
import { lineOf } from "../../core/model/source.ts"
import { schemaProblem } from "./schema-problem.ts"
import { valueLines } from "./yaml-lines.ts"
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
  const lines = valueLines(read.document, read.lineAt)
  const at = (keys: readonly PropertyKey[]) => lineOf(lines, keys)
  const value = read.value ?? {}
  // The library would write a parser and compile it, which takes longer than reading a file a few times without it.
  const parsed = schema.safeParse(value, { error: schemaProblem, jitless: true })
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
    // The library says of a key only that it is invalid; why, it says inside.
    if (issue.code === "invalid_key") return [{ path: issue.path, message: deepest(issue.issues).message }]
    const inner = issue.code === "invalid_union" ? issue.errors.flat() : []
    return [issue, ...inner.map((one) => ({ path: [...issue.path, ...one.path], message: one.message }))]
  })
  return all.reduce(
    (best, issue) => (issue.path.length > best.path.length ? issue : best),
    all[0] ?? { path: [], message: "is not valid" },
  )
}
