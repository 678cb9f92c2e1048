// A request as the fake provider's cache sees it. Written apart from `src/capture/split/` on purpose: what the bill says
// is compared with this, so the two must not share their mistakes.
import { canonicalJson } from "../../../src/base/digest.ts"
import type { Format } from "../../../src/capture/call.ts"
import type { Tier } from "../../../src/render/cache/cache-rule.ts"

type Json = Readonly<Record<string, unknown>>

export interface WireBlock {
  readonly tier: Tier
  readonly role: string
  /** Equal for blocks that the provider takes as equal. */
  readonly key: string
  /** Decoded text, or canonical JSON for anything else. */
  readonly text: string
  /** The name of the lifetime, if the block is marked. */
  readonly mark?: string
}

/** In prefix order: tools, system text, messages. */
export function wireBlocks(body: Json, format: Format): readonly WireBlock[] {
  if (format === "anthropic") return anthropicBlocks(body)
  if (format === "openai-responses") return responsesBlocks(body)
  if (format === "openai-chat") return chatBlocks(body)
  return googleBlocks(body)
}

/** Settings that belong to the prefix, by the names of the cache rules. */
export function wireSettings(body: Json, model: string): Readonly<Record<string, string>> {
  const named: readonly (readonly [string, unknown])[] = [
    ["tool_choice", body.tool_choice],
    ["thinking", body.thinking],
    ["effort", objectAt(body, "output_config").effort],
    ["speed", body.speed],
    ["parallel_tool_calls", body.parallel_tool_calls],
    ["response_format", body.response_format ?? objectAt(body, "text").format],
    ["reasoning_effort", body.reasoning_effort ?? objectAt(body, "reasoning").effort],
    ["verbosity", body.verbosity ?? objectAt(body, "text").verbosity],
    ["service_tier", body.service_tier],
  ]
  const set = named.filter(([, value]) => value !== undefined && value !== null)
  return { model, ...Object.fromEntries(set.map(([name, value]) => [name, canonicalJson(value)])) }
}

/** A first-party Claude Code puts a line there that differs on every call; the service takes it off. */
const BILLING = /^x-anthropic-billing-header/

function anthropicBlocks(body: Json): readonly WireBlock[] {
  const texts = (value: unknown) =>
    typeof value === "string" ? [{ type: "text", text: value }] : objectsOf(value)
  return [
    ...objectsOf(body.tools).map((tool) => block("tools", "tool", tool)),
    ...texts(body.system)
      .filter(({ text }) => !BILLING.test(String(text)))
      .map((item) => block("system", "system", item)),
    ...objectsOf(body.messages).flatMap(({ role, content }) =>
      texts(content).map((item) => block("messages", String(role), item)),
    ),
  ]
}

function responsesBlocks(body: Json): readonly WireBlock[] {
  const input =
    typeof body.input === "string" ? [{ role: "user", content: body.input }] : objectsOf(body.input)
  const tools = [
    ...objectsOf(body.tools),
    ...input.filter(({ type }) => type === "additional_tools").flatMap((item) => objectsOf(item.tools)),
  ]
  return [
    ...tools.map((tool) => block("tools", "tool", tool)),
    ...(typeof body.instructions === "string" && body.instructions !== ""
      ? [block("system", "system", { type: "text", text: body.instructions })]
      : []),
    ...input.flatMap((item) => {
      if (item.type === "additional_tools") return []
      const { id: _, ...rest } = item
      if (typeof item.role !== "string") return [block("messages", String(item.type), rest)]
      const content = typeof item.content === "string" ? [{ text: item.content }] : objectsOf(item.content)
      return content.map((part) => block("messages", String(item.role), part))
    }),
  ]
}

function chatBlocks(body: Json): readonly WireBlock[] {
  return [
    ...objectsOf(body.tools).map((tool) => block("tools", "tool", tool)),
    ...objectsOf(body.messages).flatMap(({ role, content, ...rest }) => [
      ...(typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content)).map((part) =>
        block("messages", String(role), part),
      ),
      ...(rest.tool_calls === undefined && rest.tool_call_id === undefined
        ? []
        : [block("messages", String(role), rest)]),
    ]),
  ]
}

function googleBlocks(body: Json): readonly WireBlock[] {
  const parts = (content: unknown) => objectsOf(objectIn(content).parts)
  return [
    ...objectsOf(body.tools)
      .flatMap((tool) =>
        tool.functionDeclarations === undefined ? [tool] : objectsOf(tool.functionDeclarations),
      )
      .map((tool) => block("tools", "tool", tool)),
    ...parts(body.systemInstruction).map((part) => block("system", "system", part)),
    ...objectsOf(body.contents).flatMap((content) =>
      parts(content).map((part) => block("messages", String(content.role ?? "user"), part)),
    ),
  ]
}

function block(tier: Tier, role: string, value: Json): WireBlock {
  const mark = objectAt(value, "cache_control")
  const bare = objectIn(unmarked(value))
  const lifetime = mark.type === undefined ? undefined : String(mark.ttl ?? "5m")
  return {
    tier,
    role,
    key: `${role}\u0000${isText(bare) ? bare.text : canonicalJson(bare)}`,
    text: textOf(bare),
    ...(lifetime !== undefined && { mark: lifetime }),
  }
}

/** The results of tools, by the field that their text is in. */
const RESULTS = ["content", "output", "functionResponse"]

function isText(value: Json): value is Json & { readonly text: string } {
  return typeof value.text === "string" && (value.type === undefined || /text$/.test(String(value.type)))
}

function textOf(value: Json): string {
  if (isText(value)) return value.text
  const result = RESULTS.find((field) => field in value)
  return result === undefined ? canonicalJson(value) : stringsIn(value[result]).join("\n")
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** Without marks, and with a result that is a string as a list of one text. */
function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).filter(([key]) => key !== "cache_control")
  return Object.fromEntries(
    entries.map(([key, item]) => [
      key,
      key === "content" && typeof item === "string" ? [{ type: "text", text: item }] : unmarked(item),
    ]),
  )
}

export function objectsOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(objectIn) : []
}

export function objectAt(value: Json, key: string): Json {
  return objectIn(value[key])
}

function objectIn(value: unknown): Json {
  // Whatever isn't an object has no fields.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {}
}
