// A stand-in for model providers on loopback. It speaks Anthropic Messages, OpenAI Responses and Chat Completions, and
// Gemini, answers by `scripted-model.ts`, reports what the cache rules say was used, and keeps every request: the ground
// truth that the project's own answers are compared with.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib"
import type { Format } from "../../../src/capture/call.ts"
import type { Usage } from "../../../src/render/cache/price.ts"
import { countTokens, createAccount, type Sent } from "./cached-usage.ts"
import { REPLIES, type Replied } from "./reply-formats.ts"
import { answerTo } from "./scripted-model.ts"
import { objectAt } from "./wire-blocks.ts"

type Json = Readonly<Record<string, unknown>>

/** One call as it crossed the wire. */
export interface WireCall extends Sent {
  /** Of the answer. */
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly usage: Usage
}

export interface FakeProvider {
  readonly url: string
  /** In the order of arrival. */
  readonly calls: readonly WireCall[]
  /** What else was requested, as `METHOD /path`. */
  readonly others: readonly string[]
  close(): Promise<void>
}

export interface FakeProviderOptions {
  /** Where the client works. */
  readonly folder: string
  readonly now: () => number
}

/** Tokens of every answer. */
const OUTPUT = 20

export async function startProvider({ folder, now }: FakeProviderOptions): Promise<FakeProvider> {
  const calls: WireCall[] = []
  const others: string[] = []
  const charge = createAccount()
  const server = createServer(async (request, response) => {
    const path = request.url ?? ""
    const format = request.method === "POST" ? formatOf(path) : undefined
    const body = await readBody(request)
    if (format === undefined) {
      others.push(`${request.method} ${path.replace(/\?.*/, "")}`)
      answerOther(path, body, response)
      return
    }
    const model = format === "google" ? (/models\/([^:]+)/.exec(path)?.[1] ?? "") : String(body.model)
    const sent = { at: now(), model, format, body }
    const usage = charge(sent, OUTPUT)
    const replied = REPLIES[format]({
      n: calls.length,
      model,
      usage,
      reply: answerTo(body, format, folder),
      wantsJson: wantsJson(body),
    })
    calls.push({ ...sent, id: replied.id, headers: keptHeaders(request), usage })
    const streams = body.stream === true || /:stream/.test(path)
    response.setHeader("request-id", `req_${replied.id}`)
    if (streams) sendEvents(replied, response)
    else sendJson(replied.whole, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    others,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function formatOf(path: string): Format | undefined {
  if (/\/messages(?:\?|$)/.test(path)) return "anthropic"
  if (/\/responses(?:\?|$)/.test(path)) return "openai-responses"
  if (/\/chat\/completions(?:\?|$)/.test(path)) return "openai-chat"
  return /:(?:stream)?generateContent/i.test(path) ? "google" : undefined
}

function wantsJson(body: Json): boolean {
  const config = objectAt(body, "generationConfig")
  return config.responseMimeType === "application/json" || objectAt(body, "text").format !== undefined
}

async function readBody(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const encoding = request.headers["content-encoding"]
  const plain =
    encoding === "gzip"
      ? gunzipSync(bytes)
      : encoding === "zstd"
        ? zstdDecompressSync(bytes)
        : encoding === "br"
          ? brotliDecompressSync(bytes)
          : bytes
  try {
    return JSON.parse(plain.toString("utf8")) ?? {}
  } catch {
    return {}
  }
}

/** The headers that say which client and session it is; never a key. */
function keptHeaders(request: IncomingMessage): Readonly<Record<string, string>> {
  const kept = Object.entries(request.headers).filter(([name]) => !/auth|key|cookie/.test(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
}

function sendJson(value: Json, response: ServerResponse, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(JSON.stringify(value))
}

function sendEvents({ events, named, done }: Replied, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" })
  for (const event of events)
    response.write(`${named ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`)
  response.end(done ? "data: [DONE]\n\n" : "")
}

function answerOther(path: string, body: Json, response: ServerResponse): void {
  const tokens = countTokens(JSON.stringify(body))
  if (/count_tokens/.test(path)) sendJson({ input_tokens: tokens }, response)
  else if (/countTokens/.test(path)) sendJson({ totalTokens: tokens }, response)
  else if (/\/models/.test(path))
    sendJson({ object: "list", data: [], models: [], has_more: false }, response)
  else sendJson({ error: { type: "not_found_error", message: "nothing here" } }, response, 404)
}
