// An MCP server as a surface: streamable HTTP, without sessions, for the protocol of 2026-07-28 and those of 2025. Knows
// no tools; whoever mounts it makes a server for each request, and so decides what the caller of that request sees.
import { AsyncLocalStorage } from "node:async_hooks"
import {
  createMcpHandler,
  type McpServer,
  type ServerEvent,
  type ServerEventBus,
} from "@modelcontextprotocol/server"
import { watchCaller } from "../auth/watch-caller.ts"
import type { Surface, SurfaceCall } from "../http/surface.ts"
import { boundedStream } from "./bounded-stream.ts"
import { MCP_PREFIX, refuseMcp } from "./mcp-path.ts"

export interface McpSurfaceOptions extends Pick<Surface, "scopes"> {
  /** Makes a new server for each request; one that was returned before is refused. */
  readonly factory: (call: SurfaceCall) => McpServer | Promise<McpServer>
  /** Tells a client that follows changes what changed, as far as its caller may know it, until it is stopped. */
  readonly follow?: (call: SurfaceCall, tell: (event: ServerEvent) => void) => () => void
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
  /** How often it is looked whether a client that follows changes may still do so. Default: as everywhere. */
  readonly checkMs: number | undefined
}

const USUAL: McpLimits = {
  bodyBytes: 4_000_000,
  subscriptions: 256,
  silenceMs: 15_000,
  unreadBytes: 4_000_000,
  checkMs: undefined,
}

export interface McpSurface extends Surface {
  /** Calls of tools go on. */
  close(): Promise<void>
}

export function mcpSurface({ factory, scopes, follow, limits }: McpSurfaceOptions): McpSurface {
  const { bodyBytes, subscriptions, silenceMs, unreadBytes, checkMs } = { ...USUAL, ...limits }
  const calls = new AsyncLocalStorage<OwnCall>()
  const bus: ServerEventBus = {
    subscribe(listener) {
      const call = callIn(calls)
      const stop = follow?.(call, listener)
      const unwatch = watchCaller(call, call.end, checkMs)
      return () => {
        unwatch()
        stop?.()
      }
    },
    // Whoever follows is told as itself.
    publish: () => {},
  }
  const makeHandler = () =>
    createMcpHandler(() => factory(callIn(calls)), {
      bus,
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
    ...{ prefix: MCP_PREFIX, scopes, refuse: refuseMcp },
    async handle(request, call) {
      if (new URL(request.url).pathname !== MCP_PREFIX) return NOT_FOUND()
      const isFollowing = request.headers.get("mcp-method") === "subscriptions/listen"
      if (isFollowing && isClosed) return STOPPING()
      const { fetch } = isFollowing ? following : answering
      const ending = new AbortController()
      const signal = AbortSignal.any([call.signal, ending.signal])
      const response = await calls.run({ ...call, end: () => ending.abort() }, () =>
        fetch(new Request(request, { signal })),
      )
      return boundedStream(response, unreadBytes, call.failed)
    },
    close() {
      isClosed = true
      return following.close()
    },
  }
}

interface OwnCall extends SurfaceCall {
  /** Ends the stream of the answer. */
  readonly end: () => void
}

function callIn(calls: AsyncLocalStorage<OwnCall>): OwnCall {
  const call = calls.getStore()
  if (call === undefined) throw new Error("a server was made outside of a request")
  return call
}

const NOT_FOUND = () =>
  Response.json(refuseMcp({ code: "not-found", message: `The MCP server is at ${MCP_PREFIX}.` }), {
    status: 404,
  })

const STOPPING = () =>
  Response.json(
    refuseMcp({ code: "stopping", message: "The server is stopping. Try again in a few seconds." }),
    {
      status: 503,
      headers: { "retry-after": "5" },
    },
  )
