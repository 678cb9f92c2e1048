// Parses and validates `incipit.yaml`; every problem names its line and key. A value of the wrong type is an error; an
// unknown key is a diagnostic.
import { z } from "zod"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { nearest } from "../../base/nearest.ts"
import { errorCode, unreadable } from "../../base/system-error.ts"
import { MAX_TEXT_BYTES, readBounded } from "../../files/read-bounded.ts"
import { renamedKeys } from "../read/renamed-keys.ts"
import { parseYaml } from "../read/yaml-file.ts"
import { type Config, configSchema } from "./config-schema.ts"
import { sandboxBefore } from "./sandbox/sandbox-before.ts"

export interface LoadedConfig {
  readonly config: Config
  /** The line of each value, by its keys joined with dots. */
  readonly lines: ReadonlyMap<string, number>
  readonly diagnostics: readonly Diagnostic[]
}

/** The configuration of a workspace; empty if there is no file. */
export function loadConfig(path: string, shown: string): LoadedConfig {
  const text = readOptional(path)
  if (text === undefined) return { config: {}, lines: new Map(), diagnostics: [] }
  const { data, value, diagnostics, lineOf: at } = parseYaml(text, shown, configSchema, "bad-configuration")
  const odd = diagnostics.map((diagnostic) => ({ ...diagnostic, needs: "full" as const }))
  const unknown = unknownKeys(value, configSchema, []).map((keys): Diagnostic => {
    const [near] = nearest(String(keys.at(-1)), knownKeys(keys))
    const diagnostic = {
      code: "unknown-key",
      path: shown,
      line: at(keys),
      key: keys.join("."),
      needs: "full",
    } as const
    return near === undefined ? diagnostic : { ...diagnostic, nearest: near }
  })
  const old = Object.entries(data.prompt?.sections ?? {}).flatMap(([id, setting]) =>
    typeof setting === "object" ? renamedKeys(setting).map((one) => ({ id, ...one })) : [],
  )
  const renamed = old.map(({ id, key, was, now }): Diagnostic => {
    const line = at(["prompt", "sections", id, key])
    return { code: "renamed-key", path: shown, line, was, now, needs: "full" }
  })
  const sandbox = data.sandbox ?? sandboxBefore(data.environment?.sandbox)
  const moved =
    typeof data.environment?.sandbox === "object" ? [movedSandbox(shown, at(["environment", "sandbox"]))] : []
  const lines = new Map(leaves(data, []).map((keys) => [keys.join("."), at(keys)]))
  const config = sandbox === undefined ? data : { ...data, sandbox }
  return { config, lines, diagnostics: [...odd, ...unknown, ...renamed, ...moved] }
}

/** Older files told the prompt of a sandbox that nothing enforced. */
function movedSandbox(path: string, line: number): Diagnostic {
  return { code: "renamed-key", path, line, was: "environment.sandbox", now: "sandbox", needs: "full" }
}

/** The keys of every value that is not itself a map or a list. */
export function leaves(value: unknown, at: readonly string[]): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [at]
  return Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : leaves(item, [...at, key]),
  )
}

function readOptional(path: string): string | undefined {
  try {
    // Error messages quote the file, and a link could lead to a file that the user may not see.
    return readBounded(path, MAX_TEXT_BYTES, { staysInFolder: true })
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined
    throw unreadable(path, error)
  }
}

function unknownKeys(value: unknown, type: z.ZodType, at: readonly string[]): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return []
  const inner = unwrap(type)
  return Object.entries(value).flatMap(([key, item]) => {
    const next = childOf(inner, key)
    if (next !== undefined) return unknownKeys(item, next, [...at, key])
    return inner instanceof z.ZodObject ? [[...at, key]] : []
  })
}

function unwrap(type: z.ZodType): z.ZodType {
  return type instanceof z.ZodOptional ? unwrap(type.unwrap() as z.ZodType) : type
}

/** The type under a key; for a union, that of its one form with keys. */
function childOf(type: z.ZodType, key: string): z.ZodType | undefined {
  if (type instanceof z.ZodRecord) return type.valueType as z.ZodType
  if (type instanceof z.ZodArray) return type.element as z.ZodType
  if (type instanceof z.ZodObject) return type.shape[key]
  const object =
    type instanceof z.ZodUnion ? type.options.find((option) => option instanceof z.ZodObject) : undefined
  return object instanceof z.ZodObject ? object.shape[key] : undefined
}

function knownKeys(keys: readonly string[]): readonly string[] {
  let type: z.ZodType | undefined = configSchema
  for (const key of keys.slice(0, -1)) type = type && childOf(unwrap(type), key)
  const inner = type && unwrap(type)
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : []
}
