// Local servers that speak the providers' protocols: they refuse what the real ones refuse, keep the exact bytes that
// came in, and do what a script says. No model, no network, and nothing that depends on time.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { createPromptCache, type PromptCacheOptions } from "../../../../examples/programs/messages-api.ts"
import type { Usage } from "../../../../src/render/cache/price.ts"
import { o200k } from "../../../../src/tokens/o200k.ts"
import { anthropic } from "./anthropic.ts"
import { bedrock } from "./bedrock.ts"
import { google } from "./google.ts"
import { inOneMessage } from "./one-message.ts"
import { openaiChat } from "./openai-chat.ts"
import { openaiResponses } from "./openai-responses.ts"
import type { Answer, AnswerPart, Chunk, Protocol } from "./protocol.ts"
import type { Json } from "./refusals.ts"
import type { Part, Script } from "./script.ts"

const PROTOCOLS = {
  anthropic,
  "openai-responses": openaiResponses,
  "openai-chat": openaiChat,
  google,
  bedrock,
} as const satisfies Readonly<Record<string, Protocol>>

export type ProtocolName = keyof typeof PROTOCOLS

export interface ServerRequest {
  readonly body: Json
  readonly headers: IncomingHttpHeaders
  /** How many requests were accepted, this one among them. */
  readonly calls: number
}

/** The options of the cache are for Anthropic's; the others keep none. */
export interface ServerOptions extends PromptCacheOptions {
  readonly protocol: ProtocolName
  readonly answer: (request: ServerRequest) => Script
}

export interface ProviderServer {
  readonly url: string
  /** The variables with which Incipit finds the server. */
  readonly env: Readonly<Record<string, string>>
  /** What was accepted, byte for byte. */
  readonly sent: readonly string[]
  /** The same with each tail in one message, whatever the model takes (`one-message.ts`). */
  readonly bodies: readonly string[]
  /** Why something was not. */
  readonly refusals: readonly string[]
  /** Lets so many chunks go that wait, now or later. */
  release(chunks?: number): void
  /** When a chunk waits. */
  held(): Promise<void>
  /** When a client has gone before the end of its answer. */
  hungUp(): Promise<void>
  close(): Promise<void>
}

export async function startServer(options: ServerOptions): Promise<ProviderServer> {
  const protocol: Protocol = PROTOCOLS[options.protocol]
  const sent: string[] = []
  const bodies: string[] = []
  const refusals: string[] = []
  const gate = createGate()
  const gone = createLatch()
  const inputUsage = options.protocol === "anthropic" ? createPromptCache(options) : undefined
  const server = createServer((incoming, response) => {
    response.on("close", () => response.writableEnded || response.errored || gone.open())
    void handle(incoming, response)
  })
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const text = await textOf(incoming)
    const refusal = refusalOf(protocol, incoming, text)
    if (refusal !== undefined) {
      refusals.push(refusal.why)
      return answerWith(response, refusal.status, protocol.problem(refusal.status, refusal.why))
    }
    sent.push(text)
    const body: Json = JSON.parse(text)
    const read = inOneMessage(body)
    bodies.push(read === body ? text : JSON.stringify(read))
    const calls = sent.length
    const script = options.answer({ body: read, headers: incoming.headers, calls })
    const counted = countOf(body, inputUsage)
    return perform(script, { response, protocol, gate, answer: { body, number: calls }, counted })
  }
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  // An address on a port is what `listen` with a port number gives.
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    env: protocol.env(url),
    sent,
    bodies,
    refusals,
    release: gate.release,
    held: gate.held,
    hungUp: gone.opened,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
        gate.release(Number.POSITIVE_INFINITY)
      }),
  }
}

function refusalOf(
  { path, keyHeader, refuse }: Protocol,
  { url, headers }: IncomingMessage,
  text: string,
): { readonly status: number; readonly why: string } | undefined {
  const { pathname } = new URL(url ?? "/", "http://local")
  if (!path.test(pathname)) return { status: 404, why: `no such path: ${pathname}` }
  if (keyHeader !== undefined && !headers[keyHeader]) return { status: 401, why: `no ${keyHeader}` }
  const why = isIllFormed(text) ? "the request body is not valid UTF-8" : refuse(JSON.parse(text))
  return why === undefined ? undefined : { status: 400, why }
}

/** JSON can write half a surrogate pair, and all providers refuse it. */
function isIllFormed(text: string): boolean {
  const texts: unknown[] = []
  JSON.parse(text, (key, value: unknown) => {
    texts.push(key, value)
    return value
  })
  return texts.some((value) => typeof value === "string" && !value.isWellFormed())
}

/** By the rules of the cache where there is one; else all of it is fresh. */
function countOf(
  body: Json,
  inputUsage: ReturnType<typeof createPromptCache> | undefined,
): Omit<Usage, "output"> {
  if (inputUsage === undefined) return { uncached: o200k.count(JSON.stringify(body)), read: 0, write: {} }
  const { input_tokens: uncached, cache_read_input_tokens: read, cache_creation: written } = inputUsage(body)
  const { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long } = written
  return { uncached, read, write: { "5m": short, "1h": long } }
}

interface Stage {
  readonly response: ServerResponse
  readonly protocol: Protocol
  readonly gate: Gate
  readonly answer: Pick<Answer, "body" | "number">
  readonly counted: Omit<Usage, "output">
}

const STALLED: readonly Part[] = [{ text: "At last." }]

async function perform(script: Script, stage: Stage): Promise<void> {
  const { response, protocol, gate } = stage
  if (script.kind === "error") {
    const { status, headers, body = protocol.problem(status, `status ${status}`) } = script
    return answerWith(response, status, body, headers)
  }
  response.writeHead(200, { "content-type": protocol.contentType })
  response.flushHeaders()
  if (script.kind === "garbage") return void response.end(script.body ?? 'data: {"type": nonsense\n\n')
  if (script.kind === "stall") await gate.pass()
  const parts = script.kind === "stall" ? STALLED : script.parts
  const { start, parts: written, end } = protocol.write(answerOf(script, parts, stage))
  if (script.kind === "cut") {
    const next = script.midway ? (written[script.afterParts] ?? []) : []
    const half = next.slice(0, Math.ceil(next.length / 2))
    await send(response, [...start, ...written.slice(0, script.afterParts).flat(), ...half])
    if (script.held) await gate.pass()
    return void response.destroy()
  }
  const isSlow = script.kind === "reply" && script.slow
  await send(response, [...start, ...written.flat(), ...end], isSlow ? gate : undefined)
  response.end()
}

function answerOf(script: Script, parts: readonly Part[], { answer, counted }: Stage): Answer {
  const { body, number } = answer
  const own = script.kind === "reply" ? script.usage : undefined
  const output = o200k.count(JSON.stringify(parts))
  return {
    body,
    number,
    model: typeof body.model === "string" ? body.model : "model",
    parts: parts.map(
      (part, at): AnswerPart =>
        "call" in part ? { call: { id: `call_${number}_${at}`, ...part.call } } : part,
    ),
    usage:
      own === "none"
        ? undefined
        : { ...(own ? { uncached: 0, read: 0, write: {} } : counted), output, ...own },
    isCut: script.kind === "reply" && script.stop === "length",
  }
}

async function send(response: ServerResponse, chunks: readonly Chunk[], gate?: Gate): Promise<void> {
  for (const chunk of chunks) {
    await gate?.pass()
    if (response.destroyed) return
    await new Promise((done) => response.write(chunk, done))
  }
}

function answerWith(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(text)
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

interface Gate {
  pass(): Promise<void>
  release(count?: number): void
  held(): Promise<void>
}

/** Lets one through for each release; who comes too early waits. */
function createGate(): Gate {
  const waiting: (() => void)[] = []
  const latch = createLatch()
  let open = 0
  return {
    pass: () =>
      new Promise((done) => {
        if (open > 0) {
          open -= 1
          return done()
        }
        waiting.push(done)
        latch.open()
      }),
    release: (count = 1) => {
      const now = waiting.splice(0, count)
      open += count - now.length
      if (waiting.length === 0) latch.shut()
      for (const go of now) go()
    },
    held: latch.opened,
  }
}

function createLatch() {
  let isOpen = false
  let waiting: (() => void)[] = []
  return {
    open: () => {
      isOpen = true
      for (const go of waiting) go()
      waiting = []
    },
    shut: () => {
      isOpen = false
    },
    opened: () =>
      new Promise<void>((done) => {
        if (isOpen) done()
        else waiting.push(done)
      }),
  }
}
