// An exchange that has passed through the proxy, as a call: who called, in which session, what was sent and what it used.
// Keys are in headers and addresses, and nothing is taken from either but the names of sessions and clients.
import { hash } from "node:crypto"
import { isObject, type Json, type JsonObject } from "../../record/write/request-marks.ts"
import type { CapturedCall, Client, Format } from "../call.ts"
import { anthropicCallId } from "../clients/anthropic-usage.ts"
import { listAt, textAt } from "../clients/row-fields.ts"
import { jsonObject } from "../json-object.ts"
import { answerIn } from "./answer.ts"
import { decoded } from "./decode.ts"
import type { Exchange } from "./exchange.ts"
import { headerOf, type RawHeaders } from "./headers.ts"

/** Why an exchange is no call. `refused`: the provider answered with an error. */
export type Missed = "too-large" | "refused" | "not-understood"

export interface RefusedCall {
  readonly status: number
  readonly model: string
  readonly session: string
  readonly message: string
}

export type Looked =
  | { readonly kind: "call"; readonly call: CapturedCall }
  | { readonly kind: "refused"; readonly refused: RefusedCall }
  | { readonly kind: Exclude<Missed, "refused"> }

/** Returns undefined for requests that are no calls of a model. */
export function formatOf(method: string, path: string): Format | undefined {
  if (method !== "POST") return undefined
  const [way = ""] = path.split("?")
  if (way.endsWith("/messages")) return "anthropic"
  if (way.endsWith("/responses")) return "openai-responses"
  if (way.endsWith("/chat/completions")) return "openai-chat"
  return /:(?:generateContent|streamGenerateContent)$/.test(way) ? "google" : undefined
}

/** `project`: the folder that the client works in, if that is known. */
export async function lookAt(exchange: Exchange, project?: string): Promise<Looked> {
  const { method, path, requestHeaders, responseHeaders, status } = exchange
  const format = formatOf(method, path)
  if (exchange.request === undefined || exchange.response === undefined) return { kind: "too-large" }
  const sent = await decoded(exchange.request, requestHeaders)
  const received = await decoded(exchange.response, responseHeaders)
  const request = sent && jsonObject(sent.toString("utf8"))
  if (format === undefined || request === undefined || received === undefined)
    return { kind: "not-understood" }
  const asked = askedModel(request, path)
  const text = received.toString("utf8")
  const { client, version } = clientOf(requestHeaders)
  const session = sessionOf(requestHeaders, [client, project ?? "", firstWords(request)].join("\n"))
  if (status >= 400)
    return { kind: "refused", refused: { status, model: asked, session, message: messageIn(text) } }
  const answer = answerIn(text, format, asked)
  if (answer === undefined) return { kind: "not-understood" }
  const requestId = NAMES_REQUESTS.has(client) ? headerOf(responseHeaders, "request-id") : undefined
  const call: CapturedCall = {
    id: anthropicCallId(answer.id, requestId),
    ...{ client, version, session, project, format, request, at: exchange.at },
    thread: headerOf(requestHeaders, "thread-id") ?? threadOf(request),
    ...{ model: answer.model, usage: answer.usage, coverage: "exact", files: [], via: "wire" },
  }
  return { kind: "call", call }
}

/** Clients whose own files have the id of the request beside that of the message, so that it is part of a call's id. */
const NAMES_REQUESTS: ReadonlySet<Client> = new Set<Client>(["claude-code", "agent-sdk"])

/** Google's is in the address. */
function askedModel(request: JsonObject, path: string): string {
  return textAt(request, "model") ?? /\/models\/([^/:?]+):/.exec(path)?.[1] ?? "unknown"
}

const AGENTS: readonly (readonly [RegExp, Client])[] = [
  [/^claude-cli\/([\w.-]+)(?=.*\bagent-sdk\b)/, "agent-sdk"],
  [/^claude-(?:cli|code)\/([\w.-]+)/, "claude-code"],
  [/^codex[\w-]*\/([\w.-]+)/, "codex"],
  [/^opencode\/([\w.-]+)/, "opencode"],
  [/^GeminiCLI[\w-]*\/([\w.-]+)/, "gemini-cli"],
  [/^openclaw\/([\w.-]+)/, "openclaw"],
  [/^pi(?:\/([\w.-]+)| \()/, "pi"],
  [/^incipit\/([\w.-]+)/, "incipit"],
]

/** A header may be long, and the patterns take the square of its length. */
const MOST_AGENT = 300

function clientOf(headers: RawHeaders): Pick<CapturedCall, "client" | "version"> {
  const name = (headerOf(headers, "user-agent") ?? "").slice(0, MOST_AGENT)
  for (const [pattern, client] of AGENTS) {
    const found = pattern.exec(name)
    if (found !== null) return { client, version: found[1] }
  }
  return { client: "other", version: undefined }
}

const SESSION_HEADERS = ["x-claude-code-session-id", "session-id", "session_id", "x-session-id"]

/** Conversations of clients that name no session are told apart by where and how they begin. */
function sessionOf(headers: RawHeaders, beginning: string): string {
  const named = SESSION_HEADERS.map((name) => headerOf(headers, name)).find((value) => value !== undefined)
  return named ?? shortDigest(beginning)
}

/** Calls beside the conversation, such as a title, begin with the same words but bring no tools. */
function threadOf(request: JsonObject): string {
  return shortDigest(`${listAt(request, "tools").length > 0}\n${firstWords(request)}`)
}

function shortDigest(text: string): string {
  return hash("sha256", text).slice(0, 16)
}

/** What the user said first: not the reminders and files that a client puts before it, which may change. */
function firstWords(request: JsonObject): string {
  const list = ["messages", "input", "contents"].map((name) => listAt(request, name))
  const items = list.find(({ length }) => length > 0) ?? []
  const said = items.filter(isObject).filter(({ role }) => role === "user" || role === undefined)
  const texts = said.flatMap((item) => textsIn(item.content ?? item.parts ?? null))
  return (
    texts.find((text) => !/^\s*(?:<|# AGENTS\.md)/.test(text)) ?? texts[0] ?? textAt(request, "input") ?? ""
  )
}

function textsIn(content: Json): readonly string[] {
  if (typeof content === "string") return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((part: Json) => (isObject(part) ? (textAt(part, "text") ?? []) : []))
}

/** Providers put it into `error.message`. */
function messageIn(text: string): string {
  const error = jsonObject(text)?.error
  const message = isObject(error) ? textAt(error, "message") : undefined
  return (message ?? text).slice(0, 500)
}
