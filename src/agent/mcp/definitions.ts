// Checks the tools that an MCP server lists: cleans or refuses each definition separately, with a sentence for the
// operator. Names are still the server's.

import { z } from "zod"
import { canonicalJson } from "../../base/digest.ts"
import { isRecord } from "../../base/is-record.ts"
import { isDeeperThan } from "../../base/json-depth.ts"
import { byCodePoint } from "../../base/order.ts"
import type { McpServer } from "./config.ts"
import { cleanText, cutShort, promptText } from "./text.ts"

export interface Definition {
  /** The server's name for it. */
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
  /** The server says that the tool changes nothing. */
  readonly isReadOnly: boolean
  /** The tool may change or delete things. True unless the server denies it. */
  readonly isDestructive: boolean
  /** The server says that a second call has no further effect. */
  readonly isRepeatable: boolean
}

export interface Definitions {
  readonly items: readonly Definition[]
  readonly warnings: readonly string[]
}

/** More would crowd out everything else, and some providers accept no more. */
const MOST_TOOLS = 128
const MOST_NAME = 200
const MOST_DESCRIPTION = 8_000
const MOST_SCHEMA = 40_000
const MOST_DEPTH = 40

const TOOL = z.looseObject({
  name: z.string().min(1),
  description: z.string().optional(),
  inputSchema: z.unknown().optional(),
  annotations: z.unknown().optional(),
})

/** Hints that are not booleans are ignored, which is the safe side. */
const HINTS = z.looseObject({
  readOnlyHint: z.boolean().optional().catch(undefined),
  destructiveHint: z.boolean().optional().catch(undefined),
  idempotentHint: z.boolean().optional().catch(undefined),
})

export function definitionsOf(offered: readonly unknown[], server: McpServer): Definitions {
  const items = new Map<string, Definition>()
  const warnings: string[] = []
  const seen = new Set<string>()
  for (const one of offered) {
    const tool = TOOL.safeParse(one).data
    if (tool === undefined) {
      warnings.push("offers a tool without a name; it was left out")
      continue
    }
    if (server.only?.includes(tool.name) === false) continue
    if (server.rule(tool.name) === "deny") {
      seen.add(tool.name)
      continue
    }
    const problem = seen.has(tool.name) ? "is listed twice; the first one is used" : undefined
    seen.add(tool.name)
    const looked = problem === undefined ? lookedAt(tool) : { problem, warnings: [] }
    warnings.push(...looked.warnings)
    if ("problem" in looked) warnings.push(`the tool ${quoted(tool.name)} ${looked.problem}`)
    else items.set(tool.name, looked.definition)
  }
  const missing = server.named.filter((name) => !seen.has(name))
  warnings.push(...missing.map((name) => `has no tool ${quoted(name)}, which the configuration names`))
  return limited([...items.values()], warnings)
}

function limited(items: readonly Definition[], warnings: readonly string[]): Definitions {
  if (items.length <= MOST_TOOLS) return { items, warnings }
  const excess = `has ${items.length} tools, and only ${MOST_TOOLS} are used; list the ones you need in the configuration`
  const first = items.toSorted((a, b) => byCodePoint(a.name, b.name)).slice(0, MOST_TOOLS)
  return { items: first, warnings: [...warnings, excess] }
}

type Looked = { readonly warnings: readonly string[] } & (
  | { readonly definition: Definition }
  | { readonly problem: string }
)

function lookedAt(tool: z.infer<typeof TOOL>): Looked {
  const looked = definitionOf(tool)
  return "problem" in looked ? { ...looked, problem: `${looked.problem}; it was left out` } : looked
}

/** A definition that may go into the prompt, or what is wrong with it. */
export function definitionOf({
  name,
  description = "",
  inputSchema,
  annotations,
}: z.infer<typeof TOOL>): Looked {
  const refused = (problem: string): Looked => ({ problem, warnings: [] })
  if (name.length > MOST_NAME) return refused(`has a name of ${name.length} characters`)
  const path = `the tool ${quoted(name)}`
  if (!isRecord(inputSchema) || inputSchema.type !== "object")
    return refused("has an input schema that does not describe an object")
  const schema = cleanSchema(inputSchema, path)
  if (typeof schema === "string") return refused(schema)
  const cleaned = promptText(description, `${path}, description`, MOST_DESCRIPTION)
  const read = HINTS.safeParse(annotations).data ?? {}
  const { readOnlyHint: isReadOnly = false, destructiveHint = true, idempotentHint = false } = read
  const isRepeatable = isReadOnly || idempotentHint
  const hints = { isReadOnly, isDestructive: !isReadOnly && destructiveHint, isRepeatable }
  return {
    definition: { name, description: cleaned.text, parameters: schema.parameters, ...hints },
    warnings: [...cleaned.warnings, ...schema.warnings],
  }
}

function quoted(name: string): string {
  return `"${cutShort(name)}"`
}

interface CleanSchema {
  readonly parameters: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
}

/** Fields of a schema that are prose. The others mean something to the server and cannot be changed. */
const PROSE: ReadonlySet<string> = new Set(["description", "title"])

/** The schema with sorted keys and clean prose, or what is wrong with it. */
function cleanSchema(schema: Readonly<Record<string, unknown>>, path: string): CleanSchema | string {
  if (isDeeperThan(schema, MOST_DEPTH))
    return `has an input schema that is more than ${MOST_DEPTH} levels deep`
  // Neither our own code nor a provider needs to know the draft.
  const { $schema, ...rest } = schema
  const text = canonicalJson(rest)
  if (text.length > MOST_SCHEMA) return `has an input schema of ${text.length} characters`
  const warnings: string[] = []
  const hidden = new Set<string>()
  const clean: CleanSchema["parameters"] = JSON.parse(text, (key, value: unknown) => {
    if (hasHidden(key)) hidden.add(key)
    if (typeof value !== "string") return value
    if (!PROSE.has(key)) {
      if (hasHidden(value)) hidden.add(value)
      return value
    }
    const cleaned = promptText(value, `${path}, ${key}`, MOST_DESCRIPTION)
    warnings.push(...cleaned.warnings)
    return cleaned.text
  })
  const [first] = hidden
  if (first !== undefined) return `has hidden characters in its input schema, in ${quoted(first)}`
  return { parameters: clean, warnings }
}

/** A quick check first: most names and values are plain, and the close look is slow. */
function hasHidden(text: string): boolean {
  return !/^[ -~]*$/.test(text) && cleanText(text, "").text !== text
}
