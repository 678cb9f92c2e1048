// `incipit.yaml`: parsed, validated, and every problem pointed at by line and key.
// A value of the wrong type is an error; an unknown key is a finding.
import { readFileSync } from "node:fs"
import { type Document, isMap, isScalar, LineCounter, parseDocument } from "yaml"
import { z } from "zod"
import type { Diagnostic } from "../core/diagnostic.ts"
import { IncipitError } from "../core/error.ts"
import { errorCode } from "./file.ts"

const tokens = z.int().min(0)

const schema = z.object({
  profile: z.string().optional(),
  model: z.string().optional(),
  budget: z
    .object({
      window: tokens.optional(),
      reserve: tokens.optional(),
      head: tokens.optional(),
      tail: tokens.optional(),
      shares: z.object({ high: z.number().min(0).max(1), medium: z.number().min(0).max(1) }).optional(),
    })
    .optional(),
  cache: z.object({ ttl: z.enum(["5m", "1h"]).optional() }).optional(),
  // Trust is checked where it is used: a misspelt level fails closed, it does not stop the program.
  users: z
    .record(z.string(), z.object({ trust: z.string(), match: z.array(z.string()).optional() }))
    .optional(),
  situations: z
    .record(z.string(), z.object({ ceiling: z.string(), prompt_overlay: z.string().optional() }))
    .optional(),
})

export type Config = z.infer<typeof schema>

export interface LoadedConfig {
  readonly config: Config
  readonly path: string
  readonly diagnostics: readonly Diagnostic[]
}

/** The configuration of a workspace; an empty one if it has none. */
export function loadConfig(path: string, shown: string): LoadedConfig {
  const text = readOptional(path)
  if (text === undefined) return { config: {}, path: shown, diagnostics: [] }
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, logLevel: "silent" })
  const error = document.errors[0]
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0])
    throw badConfig(`${shown}:${line}:${col}: ${error.message.split("\n", 1)[0]}`)
  }
  const at = (keys: readonly PropertyKey[]) => lineOf(document, keys, lines)
  const value: unknown = document.toJS({ maxAliasCount: 20 }) ?? {}
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const keys = issue?.path ?? []
    throw badConfig(
      `${shown}:${at(keys)}: ${keys.join(".") || "the file"}: ${issue?.message ?? "is not valid"}`,
    )
  }
  const diagnostics = unknownKeys(value, schema, []).map((keys): Diagnostic => {
    const key = keys.join(".")
    const near = nearest(String(keys.at(-1)), knownKeys(keys))
    return {
      code: "unknown-key",
      path: shown,
      line: at(keys),
      key,
      ...(near !== undefined && { nearest: near }),
    }
  })
  return { config: parsed.data, path: shown, diagnostics }
}

function readOptional(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined
    throw new IncipitError("unreadable-file", `can not read ${path} (${errorCode(error)})`, { cause: error })
  }
}

function badConfig(message: string): IncipitError {
  return new IncipitError("bad-configuration", message)
}

/** The line of the deepest key that exists. */
function lineOf(document: Document, keys: readonly PropertyKey[], lines: LineCounter): number {
  let node: unknown = document.contents
  let offset = 0
  for (const key of keys) {
    const pair = isMap(node)
      ? node.items.find((item) => isScalar(item.key) && item.key.value === key)
      : undefined
    if (pair === undefined) break
    if (isScalar(pair.key) && pair.key.range) offset = pair.key.range[0]
    node = pair.value
  }
  return lines.linePos(offset).line
}

function unknownKeys(value: unknown, type: z.ZodType, at: readonly string[]): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return []
  const inner = unwrap(type)
  return Object.entries(value).flatMap(([key, item]) => {
    if (inner instanceof z.ZodRecord) return unknownKeys(item, inner.valueType as z.ZodType, [...at, key])
    if (!(inner instanceof z.ZodObject)) return []
    const field: z.ZodType | undefined = inner.shape[key]
    return field === undefined ? [[...at, key]] : unknownKeys(item, field, [...at, key])
  })
}

function unwrap(type: z.ZodType): z.ZodType {
  return type instanceof z.ZodOptional ? unwrap(type.unwrap() as z.ZodType) : type
}

function knownKeys(keys: readonly string[]): readonly string[] {
  let type = unwrap(schema)
  for (const key of keys.slice(0, -1)) {
    if (type instanceof z.ZodRecord) type = unwrap(type.valueType as z.ZodType)
    else if (type instanceof z.ZodObject) type = unwrap(type.shape[key])
  }
  return type instanceof z.ZodObject ? Object.keys(type.shape) : []
}

/** The known word with the fewest changes, if they touch at most a third of its letters. */
function nearest(word: string, known: readonly string[]): string | undefined {
  const scored = known.map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
  const best = scored.sort((a, b) => a.distance - b.distance)[0]
  return best !== undefined && best.distance <= Math.ceil(best.candidate.length / 3)
    ? best.candidate
    : undefined
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_item, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
