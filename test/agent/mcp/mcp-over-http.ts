// Real MCP servers over HTTP for tests: of the older protocol, with a session for each client, and of the newer one.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import {
  createMcpHandler,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server"

export interface HttpWorld {
  readonly url: string
  readonly headers: readonly IncomingHttpHeaders[]
  /** What was asked, such as `initialize`, in order. */
  readonly methods: readonly string[]
  close(): Promise<void>
}

export interface SessionsWorld extends HttpWorld {
  /** The server of the newest session. */
  readonly server: () => McpServer
  /** Sessions that clients have taken leave of. */
  readonly ended: () => number
  /** Forgets every session, as a server does that was started again; what it says to those who have one. */
  forget(says?: Response): void
  /** Answers calls with this and nothing else. */
  refuseCalls(says: Response): void
}

type SetUp = (server: McpServer) => void
/** Answers a request in place of the server, if it answers at all. */
export type Gate = (request: Request) => Promise<Response | undefined>

const letIn: Gate = async () => undefined

/** A real MCP server over HTTP, with a session for each client. */
export async function openHttp(setUp: SetUp, port = 0, gate = letIn): Promise<SessionsWorld> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  let newest: McpServer | undefined
  let ended = 0
  let made = 0
  let forgotten = new Response("Session not found", { status: 404 })
  let refusal: Response | undefined
  const http = await listen(port, async (request) => {
    const kept = await gate(request)
    if (kept !== undefined) return kept
    const id = request.headers.get("mcp-session-id")
    const known = sessions.get(String(id))
    if (request.method === "DELETE") ended += 1
    if (refusal !== undefined && (await request.clone().text()).includes('"tools/call"'))
      return refusal.clone()
    if (known !== undefined) return known.handleRequest(request)
    if (id !== null) return forgotten.clone()
    made += 1
    const name = `session-${made}`
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => name,
      onsessioninitialized: () => void sessions.set(name, transport),
    })
    const server = new McpServer({ name: "http", version: "1" }, { instructions: "Ask over HTTP." })
    setUp(server)
    await server.connect(transport)
    const response = await transport.handleRequest(request)
    if (sessions.has(name)) newest = server
    return response
  })
  return {
    ...http,
    server: () => newest as McpServer,
    ended: () => ended,
    forget(says = forgotten) {
      forgotten = says
      sessions.clear()
    },
    refuseCalls(says) {
      refusal = says
    },
  }
}

export interface StatelessWorld extends HttpWorld {
  /** Answers calls with this and nothing else. */
  refuseCalls(says: Response): void
  /** Says to all who listen that the tools have changed. */
  readonly toolsChanged: () => void
}

/** A real MCP server over HTTP that knows no sessions: the protocol of 2026-07-28 and nothing older. */
export async function openStateless(setUp: SetUp, gate = letIn): Promise<StatelessWorld> {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: "new", version: "1" }, { instructions: "Ask without a session." })
      setUp(server)
      return server
    },
    { legacy: "reject" },
  )
  let refusal: Response | undefined
  const http = await listen(0, async (request) => {
    const kept = await gate(request)
    if (kept !== undefined) return kept
    const isRefused = refusal !== undefined && request.headers.get("mcp-method") === "tools/call"
    return isRefused && refusal ? refusal.clone() : handler.fetch(request)
  })
  return {
    ...http,
    toolsChanged: () => handler.notify.toolsChanged(),
    refuseCalls(says) {
      refusal = says
    },
  }
}

export async function listen(
  port: number,
  answer: (request: Request) => Promise<Response>,
): Promise<HttpWorld> {
  const headers: IncomingHttpHeaders[] = []
  const methods: string[] = []
  const http = createServer(async (incoming, outgoing) => {
    headers.push(incoming.headers)
    const request = await requestOf(incoming)
    methods.push(request.body === null ? request.method : methodIn(await request.clone().text()))
    await give(await answer(request), outgoing)
  })
  await new Promise<void>((resolve) => http.listen(port, "127.0.0.1", resolve))
  // A server that listens on a port has an address of this form.
  const { port: used } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${used}/mcp`,
    headers,
    methods,
    close: async () => {
      const closed = new Promise((resolve) => http.close(resolve))
      http.closeAllConnections()
      await closed
    },
  }
}

function methodIn(body: string): string {
  return /"method":"([^"]*)"/.exec(body)?.[1] ?? "an answer"
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const)
  return new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method ?? "GET",
    headers: Object.fromEntries(headers),
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  })
}

async function give(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.body === null) return void outgoing.end()
  outgoing.flushHeaders()
  const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
  outgoing.on("close", () => body.destroy())
  body.on("error", () => outgoing.destroy())
  body.pipe(outgoing)
}
