// `--tools FILE`: a list of tools in our own form, or as OpenAI, Anthropic and MCP write it. What a provider is sent of a
// tool is its name, its description and its parameters; everything else is left out.
import { z } from "zod"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { IncipitError } from "../../base/error.ts"
import { isRecord } from "../../base/is-record.ts"
import { byCodePoint } from "../../base/order.ts"
import { TRUSTS } from "../../base/trust.ts"
import type { Tool } from "../../core/model/inputs.ts"
import type { Profile } from "../../core/model/profile.ts"
import { schemaProblem } from "../../sources/read/schema-problem.ts"
import { readJson } from "./inputs.ts"

export interface ToolsFile {
  readonly tools: readonly Tool[]
  readonly diagnostics: readonly Diagnostic[]
}

type Fields = Readonly<Record<string, unknown>>

/** Reads tools from a file, which may name tools of the profile. */
export function readTools(path: string, profile: Profile): ToolsFile {
  const read = listIn(readJson(path, "bad-tools-file"), path).map((item, at) =>
    readTool(item, `${path}: tool ${at + 1}`, profile),
  )
  return {
    tools: read.flatMap(({ tool }) => tool ?? []),
    diagnostics: [...providersOwn(read, path), ...ignoredKeys(read, path)],
  }
}

/** The list itself, the result of `tools/list`, the JSON-RPC answer around it, or a request with a list of tools. */
function listIn(value: unknown, path: string): readonly unknown[] {
  const inner = isRecord(value) && isRecord(value.result) ? value.result : value
  const list = isRecord(inner) ? inner.tools : inner
  if (Array.isArray(list)) return list
  throw new IncipitError(
    "bad-tools-file",
    `${path}: neither a JSON array nor an object with an array of tools`,
  )
}

interface ReadTool {
  readonly name: string
  /** Undefined for a tool whose definition only the provider knows. */
  readonly tool: Tool | undefined
  readonly ignored: readonly string[]
}

function readTool(item: unknown, where: string, profile: Profile): ReadTool {
  if (!isRecord(item)) throw badTool(where, "not an object")
  const name = isRecord(item.function) ? item.function.name : (item.name ?? item.type)
  if (typeof name !== "string" || name === "") throw badTool(where, `name: ${missing(name)}`)
  if (item.builtin === true) return { name, tool: toolOf(profile, name, where), ignored: [] }
  const { fields, own } = definitionIn(item)
  if (fields === undefined) return { name, tool: undefined, ignored: [] }
  const parsed = definition.safeParse(fields, { error: schemaProblem })
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw badTool(where, `${issue?.path.join(".") || "the tool"}: ${issue?.message}`)
  }
  const ignored = Object.keys(fields).filter((key) => !KEYS.includes(key) && !own.includes(key))
  return { name, tool: parsed.data, ignored }
}

function missing(name: unknown): string {
  return name === undefined ? "is missing" : "must be a string that isn't empty"
}

const definition = z.object({
  name: z.string().min(1),
  description: z.string().default(""),
  parameters: z.record(z.string(), z.unknown()).default({ type: "object", properties: {} }),
  promptSnippet: z.string().exactOptional(),
  promptGuidelines: z.array(z.string()).exactOptional(),
  trust: z.enum(TRUSTS).exactOptional(),
})

const KEYS: readonly string[] = Object.keys(definition.shape)

interface Definition {
  readonly fields: Fields | undefined
  /** Keys of the format that are no text of the prompt. */
  readonly own: readonly string[]
}

/** In our names, whichever format it is written in. */
function definitionIn(item: Fields): Definition {
  const { function: inner, type, ...rest } = item
  if (isRecord(inner)) return { fields: renamed({ ...rest, ...inner }, "parameters"), own: OF_OPENAI }
  if ("input_schema" in item) return { fields: renamed(rest, "input_schema"), own: OF_ANTHROPIC }
  if ("inputSchema" in item) return { fields: renamed(item, "inputSchema"), own: OF_MCP }
  if (type === "function") return { fields: renamed(rest, "parameters"), own: OF_OPENAI }
  // A tool that the provider runs has a type of its own, and a definition that only the provider knows.
  return typeof type === "string" ? { fields: undefined, own: [] } : { fields: item, own: [] }
}

const OF_OPENAI = ["strict", "defer_loading"]
const OF_ANTHROPIC = ["strict", "cache_control", "defer_loading", "eager_input_streaming", "allowed_callers"]
const OF_MCP = ["title", "outputSchema", "annotations", "icons", "execution", "_meta"]

/** OpenAI writes `null` for a tool without parameters. */
function renamed(fields: Fields, schema: string): Fields {
  const { [schema]: parameters, description, ...rest } = fields
  return { ...rest, description: description ?? undefined, parameters: parameters ?? undefined }
}

function toolOf(profile: Profile, name: string, where: string): Tool {
  const known = profile.tools?.find((tool) => tool.name === name)
  if (known !== undefined) return known
  const names = profile.tools?.map((tool) => tool.name).join(", ")
  throw badTool(where, `the profile ${profile.name} has no tool "${name}" (it has ${names ?? "none"})`)
}

function badTool(where: string, problem: string): IncipitError {
  return new IncipitError("bad-tools-file", `${where}: ${problem}`)
}

function providersOwn(read: readonly ReadTool[], path: string): readonly Diagnostic[] {
  return read
    .filter(({ tool }) => tool === undefined)
    .map(({ name }) => ({ code: "tool-of-the-provider", path, tool: name, needs: "full" }))
}

/** One diagnostic for each key. */
function ignoredKeys(read: readonly ReadTool[], path: string): readonly Diagnostic[] {
  const keys = [...new Set(read.flatMap(({ ignored }) => ignored))].sort(byCodePoint)
  return keys.map((key) => {
    const tools = read.filter(({ ignored }) => ignored.includes(key)).map(({ name }) => name)
    return {
      code: "tool-key-ignored",
      path,
      key,
      tool: tools[0] ?? "",
      more: tools.length - 1,
      needs: "full",
    }
  })
}
