// An MCP server as a surface: streamable HTTP, without sessions, for the protocol of 2026-07-28 and those of 2025. Knows
// no tools; whoever mounts it makes a server for each request, and so decides what the caller of that request sees.
import { AsyncLocalStorage } from "node:async_hooks"
import { createMcpHandler, InMemoryServerEventBus, type McpServer } from "@modelcontextprotocol/server"
import type { Refusal, RefusalBody, Surface, SurfaceCall } from "../http/surface.ts"
import { boundedStream } from "./bounded-stream.ts"

export interface McpSurfaceOptions extends Pick<Surface, "scopes"> {
  /** Makes a new server for each request; one that was returned before is refused. */
  readonly factory: (call: SurfaceCall) => McpServer | Promise<McpServer>
  /** What changed, published for clients that follow changes. Everyone who asks hears of it: publish no secret. */
  readonly changes?: InMemoryServerEventBus
  readonly limits?: Partial<McpLimits>
}

export interface McpLimits {
  /** Of a request's body; beyond it, 413. The server's own limit applies before. */
  readonly bodyBytes: number
  /** Clients that follow changes at the same time; a further one gets an error. */
  readonly subscriptions: number
  /** How long a stream is silent before it gets a comment. */
  readonly silenceMs: number
  /** What is kept for a client that reads slower than the server writes; beyond it, its stream ends. */
  readonly unreadBytes: number
}

const USUAL: McpLimits = {
  bodyBytes: 4_000_000,
  subscriptions: 256,
  silenceMs: 15_000,
  unreadBytes: 4_000_000,
}

export interface McpSurface extends Surface {
  /** Ends the streams of clients that follow changes, which have no end of their own. Calls of tools go on. */
  close(): Promise<void>
}

const PREFIX = "/mcp"

export function mcpSurface({ factory, scopes, changes, limits }: McpSurfaceOptions): McpSurface {
  const { bodyBytes, subscriptions, silenceMs, unreadBytes } = { ...USUAL, ...limits }
  const calls = new AsyncLocalStorage<SurfaceCall>()
  const makeHandler = () =>
    createMcpHandler(() => factory(callIn(calls)), {
      bus: changes ?? new InMemoryServerEventBus(),
      maxRequestBodySize: bodyBytes,
      maxSubscriptions: subscriptions,
      keepAliveMs: silenceMs,
      onerror: (error) => calls.getStore()?.failed(error),
    })
  const answering = makeHandler()
  // Apart, since closing a handler also breaks off the calls that it is answering.
  const following = makeHandler()
  let isClosed = false
  return {
    ...{ prefix: PREFIX, scopes, refuse },
    async handle(request, call) {
      if (new URL(request.url).pathname !== PREFIX) return NOT_FOUND()
      const isFollowing = request.headers.get("mcp-method") === "subscriptions/listen"
      if (isFollowing && isClosed) return STOPPING()
      const { fetch } = isFollowing ? following : answering
      const response = await calls.run(call, () => fetch(new Request(request, { signal: call.signal })))
      return boundedStream(response, unreadBytes, call.failed)
    },
    close() {
      isClosed = true
      return following.close()
    },
  }
}

function callIn(calls: AsyncLocalStorage<SurfaceCall>): SurfaceCall {
  const call = calls.getStore()
  if (call === undefined) throw new Error("a server was made outside of a request")
  return call
}

/** Refusals of the server: clients look for JSON-RPC. */
function refuse({ code, message }: Pick<Refusal, "code" | "message">): RefusalBody {
  return { jsonrpc: "2.0", id: null, error: { code: -32_000, message, data: { code } } }
}

const NOT_FOUND = () =>
  Response.json(refuse({ code: "not-found", message: `The MCP server is at ${PREFIX}.` }), { status: 404 })

const STOPPING = () =>
  Response.json(
    refuse({ code: "stopping", message: "The server is stopping. Try again in a few seconds." }),
    {
      status: 503,
      headers: { "retry-after": "5" },
    },
  )
