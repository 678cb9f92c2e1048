// Streamable HTTP with sessions in front of our server over stdio, as gateways for local servers do it: each session is
// one connection over a pair of streams. `/mcp` has no sessions, so a server that asks its client for something under the
// protocols of 2025 can only be reached this way.
import { randomUUID } from "node:crypto"
import process from "node:process"
import { PassThrough } from "node:stream"
import {
  deserializeMessage,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type RequestId,
  serializeMessage,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server"
import { serveStreams } from "../../../src/cli/commands/mcp/serve-streams.ts"
import type { OpenSurface } from "../../../src/serve/http/surface.ts"
import { createSuiteServer } from "./suite-server.ts"

const SESSION = "mcp-session-id"

export function stdioBridge(): OpenSurface {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  return {
    ...{ prefix: "/mcp", scopes: "none" },
    async handle(request) {
      const id = request.headers.get(SESSION)
      const known = id === null ? undefined : sessions.get(id)
      if (id !== null && known === undefined) return new Response("no such session", { status: 404 })
      return (known ?? (await openSession(sessions))).handleRequest(request)
    },
  }
}

async function openSession(sessions: Map<string, WebStandardStreamableHTTPServerTransport>) {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  })
  const [input, output] = [new PassThrough(), new PassThrough()]
  const served = serveStreams({
    ...{ input, output },
    factory: () => createSuiteServer({ toolsChanged: () => {}, promptsChanged: () => {} }),
    secrets: { within: (value) => value },
    failed: (error) => process.stderr.write(`${error}\n`),
  })
  connect(transport, input, output)
  transport.onclose = () => void served.close()
  await transport.start()
  return transport
}

/** Messages one to one; over stdio nothing says which request a message of the server belongs to, so it is the newest. */
function connect(
  transport: WebStandardStreamableHTTPServerTransport,
  input: PassThrough,
  output: PassThrough,
): void {
  const open = new Set<RequestId>()
  transport.onmessage = (message) => {
    if (isJSONRPCRequest(message)) open.add(message.id)
    input.write(serializeMessage(message))
  }
  const send = (message: JSONRPCMessage) => {
    if (isJSONRPCResponse(message) && message.id !== undefined) {
      open.delete(message.id)
      return transport.send(message)
    }
    const relatedRequestId = [...open].at(-1)
    const isRelated = isJSONRPCRequest(message) || isJSONRPCNotification(message)
    return transport.send(message, isRelated && relatedRequestId !== undefined ? { relatedRequestId } : {})
  }
  let rest = ""
  output.on("data", (chunk: Buffer) => {
    const lines = `${rest}${chunk.toString()}`.split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines)
      send(deserializeMessage(line)).catch((error: unknown) => process.stderr.write(`${error}\n`))
  })
}
