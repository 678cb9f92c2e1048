// The pass-through proxy: listens on this machine only, forwards each request to its provider, and hands out a copy of
// each exchange afterwards. Every connection of a client has connections of its own to providers, so that whoever closes
// one closes the other, as if there were no proxy.
import { once } from "node:events"
import {
  createServer,
  type IncomingMessage,
  Agent as PlainAgent,
  type Server,
  type ServerResponse,
} from "node:http"
import { Agent as SecureAgent } from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { IncipitError } from "../../base/error.ts"
import { systemReason } from "../../base/system-error.ts"
import { COPY_LIMITS, type CopyLimits, type CopyRoom, type Exchange } from "./exchange.ts"
import { forward, MOST_HEADER_BYTES } from "./forward.ts"
import { headerOf, type RawHeaders } from "./headers.ts"
import { refuse } from "./refuse.ts"
import { passUpgrade } from "./upgrade.ts"
import type { Route } from "./upstream.ts"

export interface ProxyOptions {
  /** 0 for any free one. */
  readonly port: number
  readonly route: Route
  /** Whether an exchange is worth a copy. */
  readonly wants: (method: string, path: string) => boolean
  /** A copy counts against the limits until this is done with it. */
  readonly onExchange: (exchange: Exchange) => Promise<void>
  /** Something has just been forwarded. */
  readonly onPass?: (() => void) | undefined
  /** A connection that is passed on, and not copied. */
  readonly onUpgrade?: ((path: string) => void) | undefined
  readonly limits?: CopyLimits | undefined
  readonly now: () => number
}

export interface RunningProxy {
  /** Such as "http://127.0.0.1:4748". */
  readonly url: string
  readonly port: number
  /** Ends all connections. */
  close(): Promise<void>
}

const HOST = "127.0.0.1"

export async function openProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { limits = COPY_LIMITS, onPass = () => {} } = options
  const room: CopyRoom = { limits, used: 0, onPass }
  const agents = createAgents()
  const server = createServer({
    ...{ maxHeaderSize: MOST_HEADER_BYTES, noDelay: true, requestTimeout: 0, keepAliveTimeout: 0 },
    joinDuplicateHeaders: false,
    shouldUpgradeCallback: isWebSocket,
  })
  server.timeout = 0
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse, isExpecting: boolean) => {
    const { url: path = "", method = "", rawHeaders } = incoming
    const refusal = refusalOf(path, rawHeaders)
    if (refusal !== undefined) return refuse(outgoing, 403, refusal)
    const target = options.route(path, rawHeaders)
    if (target === undefined) return refuse(outgoing, 404, UNKNOWN_PATH)
    forward(incoming, outgoing, {
      ...{ target, room, isExpecting, now: options.now },
      agent: agents.of(incoming.socket, target.url.protocol),
      onExchange: options.wants(method, path) ? options.onExchange : undefined,
    })
  }
  server.on("request", (incoming, outgoing) => handle(incoming, outgoing, false))
  server.on("checkContinue", (incoming, outgoing) => handle(incoming, outgoing, true))
  server.on("upgrade", (incoming: IncomingMessage, socket, head) => {
    const { url: path = "", rawHeaders } = incoming
    const target = refusalOf(path, rawHeaders) === undefined ? options.route(path, rawHeaders) : undefined
    if (target === undefined) return void socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
    options.onUpgrade?.(path)
    passUpgrade(incoming, socket, head, target)
  })
  const port = await listen(server, options.port)
  return {
    url: `http://${HOST}:${port}`,
    port,
    async close() {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/**
 * Some clients offer HTTP/2 with their first request and go on with HTTP/1.1. Such a request is one like any other: a
 * connection that is passed on is not looked at again.
 */
function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket"
}

const UNKNOWN_PATH =
  "Incipit's proxy does not know where this request belongs: its path is no provider's, or the provider's address in your settings is none. `incipit proxy --upstream` sends everything to one."

const OWN_HOSTS = ["localhost", HOST, "[::1]"]

/**
 * A web page may make a browser call this port, also by a host name of its own that then means this machine. Browsers
 * say which page asks; programs do not.
 */
function refusalOf(path: string, headers: RawHeaders): string | undefined {
  const name = (headerOf(headers, "host") ?? "").replace(/:\d+$/, "").toLowerCase()
  if (!OWN_HOSTS.includes(name)) return "Incipit's proxy only answers to localhost and 127.0.0.1."
  const origin = headerOf(headers, "origin")
  const isForeign =
    origin === undefined ? headerOf(headers, "sec-fetch-site") === "cross-site" : !isOwnPage(origin)
  if (isForeign) return "Incipit's proxy does not answer to web pages of other machines."
  return path.startsWith("/") ? undefined : "Incipit's proxy forwards to model providers only."
}

/** Programs that are built like a browser have schemes of their own, which no web page has. */
function isOwnPage(origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, hostname } = new URL(origin)
  return !/^(?:https?|blob|data):$/.test(protocol) || OWN_HOSTS.includes(hostname)
}

interface Agents {
  of(socket: Socket, protocol: string): PlainAgent | SecureAgent
}

/** One for each connection of a client and each protocol. */
function createAgents(): Agents {
  const known = new WeakMap<Socket, Map<string, PlainAgent | SecureAgent>>()
  const open = (socket: Socket, protocol: string) => {
    const agent = protocol === "https:" ? new SecureAgent(KEPT) : new PlainAgent(KEPT)
    const seen = new WeakSet<Socket>()
    // The provider closes a connection that nobody uses: the client's is closed, too, before it uses it again.
    agent.on("free", (upstream: Socket) => {
      if (seen.has(upstream)) return
      seen.add(upstream)
      upstream.once("close", () => closeIfIdle(socket))
    })
    socket.once("close", () => agent.destroy())
    return agent
  }
  return {
    of(socket, protocol) {
      const own = known.get(socket) ?? new Map<string, PlainAgent | SecureAgent>()
      known.set(socket, own)
      const agent = own.get(protocol) ?? open(socket, protocol)
      own.set(protocol, agent)
      return agent
    },
  }
}

const KEPT = { keepAlive: true, scheduling: "lifo" } as const

/** Node keeps the message that is being answered with its socket. */
function closeIfIdle(socket: Socket & { _httpMessage?: unknown }): void {
  if (socket._httpMessage === null || socket._httpMessage === undefined) socket.destroy()
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen({ host: HOST, port })
    await once(server, "listening")
  } catch (error) {
    throw new IncipitError("cannot-listen", `cannot listen on ${HOST}:${port}: ${systemReason(error)}`, {
      cause: error,
    })
  }
  // A TCP server has an address of this kind.
  return (server.address() as AddressInfo).port
}
