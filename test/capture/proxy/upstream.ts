// A provider for tests that records what arrives byte by byte, and a client that sees every byte that comes back.
import { once } from "node:events"
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http"
import { type AddressInfo, connect, createServer as createTcp, type Socket } from "node:net"
import { onTestFinished } from "vitest"
import { openProxy, type ProxyOptions, type RunningProxy } from "../../../src/capture/proxy/open-proxy.ts"
import { createRoute } from "../../../src/capture/proxy/upstream.ts"

export async function provider(listener: RequestListener): Promise<string> {
  const server = createServer({ keepAliveTimeout: 0 }, listener)
  return listening(server)
}

/** A provider that answers with these bytes, whatever it is asked. */
export async function rawProvider(serve: (socket: Socket) => void): Promise<string> {
  return listening(createTcp(serve))
}

async function listening(server: Server | ReturnType<typeof createTcp>): Promise<string> {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.close()
    if ("closeAllConnections" in server) server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export async function proxyTo(url: string, options: Partial<ProxyOptions> = {}): Promise<RunningProxy> {
  const proxy = await openProxy({
    ...{ port: 0, route: createRoute({ all: url }), wants: () => false, onExchange: async () => {} },
    now: () => 0,
    ...options,
  })
  onTestFinished(() => proxy.close())
  return proxy
}

export async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Sends bytes and returns all that comes back until the connection ends. */
export async function exchange(url: string, bytes: string | Buffer): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1")
  socket.on("error", () => {})
  socket.write(bytes)
  const chunks: Buffer[] = []
  socket.on("data", (chunk) => chunks.push(chunk))
  await once(socket, "close")
  return Buffer.concat(chunks).toString("latin1")
}
