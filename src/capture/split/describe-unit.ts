// What a unit of a request is: text, reasoning, a tool's definition, call or result, or a file. Reads the shapes of all
// providers by their fields, so that a request from a gateway that mixes them is understood too. Pure.
import { canonicalJson } from "../../base/digest.ts"
import { isList, isObject, type Json, type JsonObject } from "../../record/write/request-marks.ts"
import type { RequestUnit } from "../../record/write/request-units.ts"
import { mediaTokens, withoutMedia } from "./media.ts"
import type { PartKind } from "./part.ts"
import { shortInput } from "./short-input.ts"

export interface UnitDescription {
  readonly kind: PartKind
  readonly role?: string | undefined
  readonly tool?: string | undefined
  /** Links a result to its call. */
  readonly call?: string | undefined
  readonly input?: string | undefined
  readonly text: string
  /** Equal for units that mean the same, whatever form they have. */
  readonly identity: string
  /** Tokens of what is not text: images, and reasoning that is encrypted. An estimate. */
  readonly unread?: number | undefined
}

export function describeUnit(unit: RequestUnit): UnitDescription {
  const { tier, value, around } = unit
  if (tier === "tools" || around?.type === "additional_tools") return describeTool(value, around)
  const role = roleOf(around)
  const described = describeContent(unit)
  const kind = described.kind === "text" && tier === "system" ? "system" : described.kind
  return {
    ...described,
    kind,
    role,
    identity: canonicalJson([kind, role ?? "", linkOf(around) ?? "", described.identity]),
  }
}

function roleOf(around: JsonObject | undefined): string | undefined {
  const role = around?.role
  return role === "model" ? "assistant" : typeof role === "string" ? role : undefined
}

/** The id by which an item of the conversation answers a call. */
function linkOf(around: JsonObject | undefined): string | undefined {
  return firstText(around?.call_id, around?.tool_call_id)
}

/** The name and description are decoded, because people's text may be in them. */
function describeTool(value: Json, around: JsonObject | undefined): UnitDescription {
  const outer = isObject(value) ? value : {}
  const inner = [outer.function, outer.toolSpec, outer.custom].find(isObject) ?? outer
  const { name, description, type, ...rest } = inner
  const own = firstText(name, type, outer.type) ?? ""
  // The members of a group are called by both names.
  const group = typeof around?.name === "string" && own !== "" ? around.name : ""
  const tool = group === "" || own.startsWith(group) ? own : `${group}${group.endsWith("_") ? "" : "."}${own}`
  const schema = Object.keys(rest).length === 0 ? [] : [canonicalJson(rest)]
  const text = [own, firstText(description) ?? "", ...schema].filter((line) => line !== "").join("\n")
  return { kind: "tool", tool, text, identity: canonicalJson(["tool", group, value]) }
}

type Described = Omit<UnitDescription, "role">

function describeContent({ path, value, around }: RequestUnit): Described {
  const text = value === around && isSilent(around) ? "" : plainText(value)
  if (text !== undefined) {
    const link = linkOf(around)
    if (link !== undefined) return { kind: "tool-result", call: link, text, identity: text }
    return { kind: path.includes("reasoning_content") ? "reasoning" : "text", text, identity: text }
  }
  if (!isObject(value)) return { kind: "text", text: canonicalJson(value), identity: canonicalJson(value) }
  return (
    describeReasoning(value) ??
    describeCall(value) ??
    describeResult(value) ??
    describeFile(value) ??
    describeOther(value)
  )
}

/** A message without content. */
function isSilent({ role, type = "message", content, tool_calls }: JsonObject): boolean {
  return (
    typeof role === "string" &&
    type === "message" &&
    tool_calls === undefined &&
    (content === "" || isEmpty(content ?? null))
  )
}

/** Fields that say nothing if they are empty; a client sends them or not. */
const EMPTY_FIELDS: ReadonlySet<string> = new Set(["citations", "annotations", "logprobs"])

/** The text of a block that is nothing but text. */
function plainText(value: Json): string | undefined {
  if (typeof value === "string") return value
  if (!isObject(value)) return undefined
  const text = typeof value.text === "string" ? value.text : value.refusal
  if (typeof text !== "string" || value.thought === true) return undefined
  const others = Object.entries(value).filter(
    ([key, item]) => !["type", "text", "refusal"].includes(key) && !(EMPTY_FIELDS.has(key) && isEmpty(item)),
  )
  return others.length === 0 ? text : undefined
}

function isEmpty(value: Json): boolean {
  return value === null || (isList(value) && value.length === 0)
}

function describeReasoning(value: JsonObject): Described | undefined {
  const { type, thought, thinking, text, summary, content, encrypted_content, data, signature } = value
  const isReasoning = type === "thinking" || type === "redacted_thinking" || type === "reasoning"
  if (!isReasoning && thought !== true) return undefined
  const said = [thinking, text, ...textsOf(summary), ...textsOf(content)].filter(
    (one) => typeof one === "string",
  )
  const shown = said.join("\n")
  const hidden = firstText(encrypted_content, data, signature) ?? ""
  return {
    kind: "reasoning",
    text: shown,
    identity: canonicalJson(withoutIds(value)),
    unread: shown === "" ? Math.ceil(hidden.length / ENCRYPTED_PER_TOKEN) : 0,
  }
}

/** Characters of encrypted reasoning for each of its tokens: about four bytes, in base64, and some for the envelope. */
const ENCRYPTED_PER_TOKEN = 6

function describeCall(value: JsonObject): Described | undefined {
  const { type, functionCall } = value
  const isCall =
    isObject(functionCall) ||
    isObject(value.function) ||
    (typeof type === "string" && /(?:_use|_call)$/.test(type))
  if (!isCall) return undefined
  const inner = [functionCall, value.function].find(isObject) ?? value
  const name = firstText(inner.name, type) ?? ""
  const input = inner.input ?? inner.arguments ?? inner.args ?? inner.action ?? {}
  const text = typeof input === "string" ? input : canonicalJson(input)
  return {
    kind: "tool-call",
    tool: name,
    call: firstText(value.call_id, inner.id, value.id),
    input: shortInput(input),
    text: `${name} ${text}`,
    identity: canonicalJson(withoutIds(value)),
  }
}

/** Of items that are linked by `call_id`, the other id is one of the Responses API, and does not count. */
function withoutIds(value: JsonObject): Json {
  const { id, status, ...rest } = value
  return typeof value.call_id === "string" || value.type === "reasoning" ? rest : value
}

function describeResult(value: JsonObject): Described | undefined {
  const { type, functionResponse } = value
  if (isObject(functionResponse)) {
    const { id, name, response = null } = functionResponse
    const texts = stringsIn(response)
    const identity = canonicalJson(functionResponse)
    const tool = firstText(name)
    return { kind: "tool-result", tool, call: firstText(id), text: texts.join("\n"), identity }
  }
  if (typeof type !== "string" || !/_(?:result|output)$/.test(type)) return undefined
  const { content: _content, output: _output, tool_use_id, call_id, id: _id, ...rest } = value
  const content = value.content ?? value.output ?? ""
  const plain = isList(content) && content.length === 1 ? plainText(content[0] ?? null) : plainText(content)
  const blocks = isList(content) ? content : [content]
  const texts = blocks.flatMap((block) => plainText(block) ?? stringsIn(withoutMedia(block)))
  return {
    kind: "tool-result",
    call: firstText(tool_use_id, call_id),
    text: plain ?? texts.join("\n"),
    identity: canonicalJson([firstText(tool_use_id, call_id) ?? "", withoutFalse(rest), plain ?? content]),
    unread: mediaTokens(content),
  }
}

/** An error that is none is the same as no word about it. */
function withoutFalse(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== false && value !== null))
}

function describeFile(value: JsonObject): Described | undefined {
  const unread = mediaTokens(value)
  const { type, source } = value
  const isFile =
    unread > 0 ||
    isObject(value.fileData) ||
    (typeof type === "string" &&
      /^(?:image|document|audio|file|input_(?:image|file|audio)|image_url)$/.test(type))
  if (!isFile) return undefined
  const identity = canonicalJson(value)
  // A document may be plain text.
  const text =
    isObject(source) && source.type === "text" && typeof source.data === "string" ? source.data : undefined
  return { kind: "file", text: text ?? canonicalJson(withoutMedia(value)), identity, unread }
}

/** Text with citations, and whatever a provider adds later. */
function describeOther(value: JsonObject): Described {
  const identity = canonicalJson(value)
  return { kind: "text", text: firstText(value.text) ?? identity, identity }
}

const DEEPEST = 20

/** The texts in a value, in order. */
function stringsIn(value: Json, depth = 0): readonly string[] {
  if (typeof value === "string") return [value]
  if (typeof value !== "object" || value === null) return value === null ? [] : [String(value)]
  if (depth > DEEPEST) return []
  return Object.values(value).flatMap((item: Json) => stringsIn(item, depth + 1))
}

function textsOf(list: Json | undefined): readonly string[] {
  return isList(list) ? list.flatMap((item) => plainText(item) ?? []) : []
}

function firstText(...values: readonly (Json | undefined)[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value !== "")
}
