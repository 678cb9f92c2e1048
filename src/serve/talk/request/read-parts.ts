// The parts of a message: text, files, calls of tools and their results, in the forms of all compatible APIs.
import { isRecord } from "../../../base/is-record.ts"
import { isDeeperThan, MAX_JSON_DEPTH } from "../../../base/json-depth.ts"
import type { ClientCall, ClientResult } from "../../../database/contract/client-tools.ts"
import { invalid, tooMany, unsupported } from "../surface-error.ts"
import { fileOf, isFilePart } from "./read-file-part.ts"
import type { Said } from "./talk-request.ts"

type Parts = Omit<Said, "role">

const MOST_PARTS = 10_000

/** A string equals one part of text. */
export function partsOf(content: unknown, role: Said["role"], place: string): Parts {
  const parts = listOf(content, place).map((part, at) => partOf(part, role, `${place}.content[${at}]`))
  return {
    text: parts.map(({ text = "" }) => text).join(""),
    calls: parts.flatMap(({ calls = [] }) => calls),
    results: parts.flatMap(({ results = [] }) => results),
    files: parts.flatMap(({ files = [] }) => files),
  }
}

/** Content that can only be text. */
export function textOf(content: unknown, place: string): string {
  return listOf(content, place)
    .map((part, at) => wordsOf(part) ?? refuse(part, `${place}.content[${at}]`))
    .join("")
}

function listOf(content: unknown, place: string): readonly unknown[] {
  if (typeof content === "string") return [{ type: "text", text: content }]
  if (content === null || content === undefined) return []
  if (Array.isArray(content) && content.length > MOST_PARTS)
    throw tooMany(`${place}.content has ${content.length} parts; at most ${MOST_PARTS} are read`)
  if (Array.isArray(content)) return content
  throw invalid(place, `${place}.content must be a string or a list of parts`)
}

function partOf(part: unknown, role: Said["role"], place: string): Partial<Parts> {
  const text = wordsOf(part)
  if (text !== undefined) return { text }
  if (!isRecord(part)) throw invalid(place, `${place} must be an object with a type`)
  if (role === "user" && isFilePart(part)) return { files: [fileOf(part, place)] }
  if (role === "user" && part.type === "tool_result") return { results: [resultOf(part, place)] }
  if (role === "assistant" && part.type === "tool_use") return { calls: [callOf(part, place)] }
  return refuse(part, place)
}

const TEXTS: readonly unknown[] = ["text", "input_text", "output_text"]

function wordsOf(part: unknown): string | undefined {
  const { type, text, refusal }: { type?: unknown; text?: unknown; refusal?: unknown } = Object(part)
  if (TEXTS.includes(type) && typeof text === "string") return text
  if (type === "refusal" && typeof refusal === "string") return refusal
  // The reasoning of an earlier answer is not part of what was said.
  return type === "thinking" || type === "redacted_thinking" ? "" : undefined
}

function refuse(part: unknown, place: string): never {
  const type = JSON.stringify(isRecord(part) ? part.type : part)
  if (isRecord(part) && TEXTS.includes(part.type)) throw invalid(place, `${place} needs a text`)
  throw unsupported(place, `${place}: parts of the type ${type} are not supported here`)
}

/** Providers refuse a conversation with other ones. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/
const ID = /^[!-~]{1,256}$/

function callOf({ id, name, input }: Readonly<Record<string, unknown>>, place: string): ClientCall {
  if (typeof name !== "string" || !NAME.test(name))
    throw invalid(place, `${place} needs the name of a tool: at most 64 letters, digits, - and _`)
  if (!isRecord(input)) throw invalid(place, `${place}: the input of a call must be an object`)
  if (isDeeperThan(input, MAX_JSON_DEPTH))
    throw invalid(place, `${place}: the input of a call is nested more than ${MAX_JSON_DEPTH} levels deep`)
  return { id: callId(id, place), name, input }
}

function resultOf(part: Readonly<Record<string, unknown>>, place: string): ClientResult {
  return {
    ...{ id: callId(part.tool_use_id, place), text: textOf(part.content, place) },
    ...(part.is_error === true && { isError: true }),
  }
}

function callId(id: unknown, place: string): string {
  if (typeof id === "string" && ID.test(id)) return id
  throw invalid(place, `${place} needs the id of a call: at most 256 visible ASCII characters`)
}

/** Arguments as OpenAI's APIs write them: JSON in a string. */
export function readArguments(json: unknown, place: string): unknown {
  try {
    if (typeof json === "string") return JSON.parse(json === "" ? "{}" : json)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw invalid(place, `${place}: the arguments of a call must be JSON in a string`)
}
