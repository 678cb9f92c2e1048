// A small local server that speaks Anthropic's Messages protocol: it refuses what the API refuses, keeps a prompt
// cache by the API's rules, and answers what it is told to. No model, no network: for trying things and for tests.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { AnthropicContent, AnthropicRequest } from "incipit/render"
import { createPromptCache, refuseMessages } from "./messages-api.ts"

export interface MessagesServer {
  readonly url: string
  /** The body of every request that was accepted, as it came in. */
  readonly bodies: readonly string[]
  close(): Promise<void>
}

/** What the model says to a request. */
export type Answer = (request: AnthropicRequest) => readonly AnthropicContent[]

export async function startMessagesServer(answer: Answer): Promise<MessagesServer> {
  const bodies: string[] = []
  const inputUsage = createPromptCache()
  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) =>
      reply(response, 500, problem("api_error", String(error))),
    )
  })
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await read(incoming)
    const request: AnthropicRequest = JSON.parse(body)
    const refusal =
      incoming.url === "/v1/messages" ? refuseMessages(request) : `no such path: ${incoming.url}`
    if (refusal !== undefined) return reply(response, 400, problem("invalid_request_error", refusal))
    bodies.push(body)
    const content = answer(request)
    const stop = content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn"
    const usage = { ...inputUsage(request), output_tokens: 1 }
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
