// A small local server that speaks Anthropic's Messages protocol: it refuses what the API refuses, keeps a prompt
// cache by the API's rules, and answers what it is told to. No model, no network: for trying things and for tests.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { digest, o200k } from "../../src/public/incipit.ts"
import type { AnthropicContent, AnthropicRequest } from "../../src/public/render.ts"

export interface Usage {
  readonly input_tokens: number
  readonly cache_read_input_tokens: number
  readonly cache_creation_input_tokens: number
}

export interface MessagesServer {
  readonly url: string
  /** The body of every request that was accepted, as it came in. */
  readonly bodies: readonly string[]
  close(): Promise<void>
}

/** What the model says to a request. */
export type Answer = (request: AnthropicRequest) => readonly AnthropicContent[]

/** The API refuses a request with more. */
const MAX_BREAKPOINTS = 4
/** A breakpoint finds an earlier entry at most this many blocks before itself. */
const LOOK_BACK = 20

export async function startMessagesServer(answer: Answer): Promise<MessagesServer> {
  const bodies: string[] = []
  const cache = new Set<string>()
  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) =>
      reply(response, 500, problem("api_error", String(error))),
    )
  })
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await read(incoming)
    const request: AnthropicRequest = JSON.parse(body)
    const refusal = incoming.url === "/v1/messages" ? refuse(request) : `no such path: ${incoming.url}`
    if (refusal !== undefined) return reply(response, 400, problem("invalid_request_error", refusal))
    bodies.push(body)
    const content = answer(request)
    const stop = content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn"
    const usage = { ...useCache(request, cache), output_tokens: 1 }
    const id = `msg_${bodies.length}`
    return reply(response, 200, {
      id,
      type: "message",
      role: "assistant",
      model: request.model,
      content,
      stop_reason: stop,
      usage,
    })
  }
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  // An address on a port is what `listen` with a port number gives.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, bodies, close: () => closed(server) }
}

function closed(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done())
    server.closeAllConnections()
  })
}

async function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
}

function problem(type: string, message: string): unknown {
  return { type: "error", error: { type, message } }
}

/** Why the API would answer 400, or nothing. */
function refuse({ system = [], messages, max_tokens }: AnthropicRequest): string | undefined {
  const blocks = [...system, ...messages.flatMap(({ content }) => content)]
  const marks = blocks.flatMap(({ cache_control }) => cache_control ?? [])
  if (!(max_tokens > 0)) return "max_tokens: must be at least 1"
  if (marks.length > MAX_BREAKPOINTS)
    return `a maximum of 4 blocks with cache_control may be provided, found ${marks.length}`
  if (blocks.some((block) => block.type === "text" && block.text.trim() === ""))
    return "text content blocks must be non-empty"
  const firstShort = marks.findIndex(({ ttl }) => ttl !== "1h")
  if (firstShort !== -1 && marks.slice(firstShort).some(({ ttl }) => ttl === "1h"))
    return "a 1h block must not come after a 5m block"
  if (messages[0]?.role !== "user") return "messages: the first message must be from the user"
  return unansweredCall(messages)
}

function unansweredCall(messages: AnthropicRequest["messages"]): string | undefined {
  for (const [at, { content }] of messages.entries()) {
    for (const call of content) {
      if (call.type !== "tool_use") continue
      const results = messages[at + 1]?.content ?? []
      if (!results.some((block) => block.type === "tool_result" && block.tool_use_id === call.id)) {
        return `tool_use ids were found without tool_result blocks immediately after: ${call.id}`
      }
    }
  }
  return undefined
}

/** Reads can only land where an earlier request wrote a breakpoint, a limited number of blocks back. */
function useCache({ tools = [], system = [], messages }: AnthropicRequest, cache: Set<string>): Usage {
  const blocks = [...tools, ...system, ...messages.flatMap(({ content }) => content)]
  const plain = blocks.map((block) => JSON.stringify({ ...block, cache_control: undefined }))
  const sizes = plain.map((text) => o200k.count(text))
  const marks = blocks.flatMap((block, at) => ("cache_control" in block && block.cache_control ? [at] : []))
  const chain: string[] = []
  for (const text of plain) chain.push(digest((chain.at(-1) ?? "") + text))
  const hit = marks.flatMap((mark) =>
    chain.flatMap((hash, at) => (at <= mark && at > mark - LOOK_BACK && cache.has(hash) ? [at] : [])),
  )
  const read = Math.max(-1, ...hit)
  const last = marks.at(-1) ?? -1
  for (const mark of marks) cache.add(chain[mark] ?? "")
  const sum = (from: number, to: number) =>
    sizes.slice(from, Math.max(from, to)).reduce((total, size) => total + size, 0)
  return {
    cache_read_input_tokens: sum(0, read + 1),
    cache_creation_input_tokens: sum(read + 1, last + 1),
    input_tokens: sum(Math.max(read, last) + 1, sizes.length),
  }
}
