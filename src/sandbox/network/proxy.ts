// The proxy of an allow-list: HTTP and CONNECT on a socket of the host, the only way out of a sandbox without a network.
// Reads the host of each request, and nothing else of it.
import { lookup } from "node:dns/promises"
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http"
import { connect, isIP, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { isAllowed, mayLeadTo, plainHost, type Target } from "./allowed-hosts.ts"

export interface AllowProxy {
  close(): Promise<void>
}

export interface AllowProxyOptions {
  /** The socket's path. */
  readonly path: string
  readonly allow: readonly string[]
}

const IDLE_MS = 120_000
/** Each needs up to two descriptors of this process, which commands must not use up. */
const MOST_CONNECTIONS = 256

export async function openAllowProxy({ path, allow }: AllowProxyOptions): Promise<AllowProxy> {
  const open = new Set<Duplex>()
  const keep = <S extends Duplex>(socket: S): S => {
    open.add(socket)
    socket.once("close", () => open.delete(socket))
    return socket
  }
  const server = createServer()
  server.maxConnections = MOST_CONNECTIONS
  server.on("connection", keep)
  server.on("request", (incoming, answer) => void forward(incoming, answer, allow))
  server.on("connect", (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    void tunnel(incoming, { socket: keep(socket), head, keep }, allow)
  })
  await listening(server, path)
  // A proxy for commands must not keep a program from exiting.
  server.unref()
  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(path, () => resolve())
  })
}

interface Tunnel {
  readonly socket: Duplex
  readonly head: Buffer
  readonly keep: (socket: Socket) => Socket
}

async function tunnel(
  { url = "" }: IncomingMessage,
  { socket, head, keep }: Tunnel,
  allow: readonly string[],
) {
  socket.on("error", () => socket.destroy())
  const target = targetOf(`http://${url}`, url)
  const address = target && (await addressFor(target, allow))
  if (target === undefined || address === undefined) {
    socket.end(
      `HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${refusal(url)}`,
    )
    return
  }
  const other = keep(connect({ host: address, port: target.port }))
  other.setTimeout(IDLE_MS, () => other.destroy())
  other.once("connect", () => {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
    other.write(head)
    socket.pipe(other).pipe(socket)
  })
  other.once("error", () => socket.destroy())
  other.once("close", () => socket.destroy())
  socket.once("close", () => other.destroy())
}

/** Headers that are about one connection only. */
const HOP_HEADERS = ["proxy-connection", "proxy-authorization", "connection", "keep-alive", "te", "upgrade"]

async function forward(incoming: IncomingMessage, answer: ServerResponse, allow: readonly string[]) {
  const { url = "", method } = incoming
  const target = /^http:\/\//i.test(url) ? targetOf(url) : undefined
  const address = target && (await addressFor(target, allow))
  if (target === undefined || address === undefined) {
    answer.writeHead(403, { "content-type": "text/plain", connection: "close" }).end(refusal(url))
    return
  }
  const { pathname, search, host } = new URL(url)
  const kept = Object.entries(incoming.headers).filter(([name]) => !HOP_HEADERS.includes(name))
  // The host that was checked, whatever the header says.
  const headers = { ...Object.fromEntries(kept), host }
  const path = `${pathname}${search}`
  const outgoing = request({ host: address, port: target.port, method, path, headers, agent: false })
  outgoing.setTimeout(IDLE_MS, () => outgoing.destroy())
  outgoing.once("response", (reply) => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(answer)
    reply.once("error", () => answer.destroy())
  })
  outgoing.once("error", () => {
    if (answer.headersSent) answer.destroy()
    else answer.writeHead(502, { "content-type": "text/plain" }).end("The host cannot be reached.\n")
  })
  answer.once("close", () => outgoing.destroy())
  incoming.pipe(outgoing)
}

/** `authority`: the host and port that the request names itself; a CONNECT has nothing else. */
function targetOf(url: string, authority?: string): Target | undefined {
  if (!URL.canParse(url)) return undefined
  const { hostname, port, pathname, username } = new URL(url)
  if (username !== "" || (authority !== undefined && (pathname !== "/" || !/:\d+$/.test(authority))))
    return undefined
  return { host: hostname, port: Number(port || 80) }
}

/** The address to connect to. Looked up once, so that a second look cannot give another one. */
async function addressFor(target: Target, allow: readonly string[]): Promise<string | undefined> {
  if (!isAllowed(target, allow)) return undefined
  const host = plainHost(target.host)
  if (isIP(host) !== 0) return host
  try {
    const found = host === "localhost" ? [{ address: "127.0.0.1" }] : await lookup(host, { all: true })
    return found.map(({ address }) => address).find((address) => mayLeadTo(host, address))
  } catch {
    // No such name, or no name server.
    return undefined
  }
}

function refusal(url: string): string {
  const [, host = url] = /^(?:http:\/\/)?([^/]*)/i.exec(url) ?? []
  return `${host.slice(0, 300)} is not reached: the sandbox allows only the hosts in sandbox.allow of incipit.yaml.\n`
}
