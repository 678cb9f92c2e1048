// A listening server: Node's own limits for headers, time and connections, TLS if there is a certificate, and an end
// that loses nothing.
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer as createPlain, type Server, type ServerOptions as ServerSettings } from "node:http"
import { createServer as createSecure } from "node:https"
import type { AddressInfo } from "node:net"
import { getRequestListener } from "@hono/node-server"
import { IncipitError } from "../../base/error.ts"
import { systemReason } from "../../base/system-error.ts"
import type { Authentication } from "../auth/authenticate.ts"
import { cookieName } from "../auth/credentials.ts"
import { createMetrics } from "../metrics/request-metrics.ts"
import { pageOfPackage } from "../page/page-files.ts"
import { logLimit } from "./access-log.ts"
import { createApp } from "./app.ts"
import { badCertificate, type Certificate, watchCertificate } from "./certificate.ts"
import { proxyList } from "./client.ts"
import { createRate } from "./rate.ts"
import type { AppServices } from "./services.ts"
import { addressOf, type ServeSettings } from "./settings.ts"
import { createTraffic } from "./traffic.ts"

/** What a server is made of. */
export interface ServerOptions
  extends Pick<AppServices, "surfaces" | "agents" | "agentMetrics" | "sessions" | "isReady" | "log" | "now"> {
  readonly settings: ServeSettings
  readonly authentication: Omit<Authentication, "cookie">
  readonly warn: (line: string) => void
}

/** A server that is listening. */
export interface RunningServer {
  /** Such as "http://127.0.0.1:4747". */
  readonly url: string
  /** Takes no further requests, lets the current ones finish, and closes. */
  close(): Promise<void>
}

/** Starts listening. Throws an error that says what to do if the port is taken. */
export async function openServer(options: ServerOptions): Promise<RunningServer> {
  const { settings, now } = options
  const { limits, tls } = settings
  const shared = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headerMs,
    requestTimeout: limits.headerMs + limits.bodyMs,
    // The default of 30 s would let slow clients stay for as long on top.
    connectionsCheckingInterval: 1_000,
    // Longer than clients and proxies keep an idle connection (nginx: 60 s). Whoever closes first may do so just when
    // the other side uses it again, and with Node's default of 5 s that would be the server.
    keepAliveTimeout: 75_000,
  }
  const { server, unwatch } = tls === undefined ? plain(shared) : secure(shared, tls, options)
  server.maxConnections = limits.connections
  const port = await listen(server, settings)
  const traffic = createTraffic()
  const app = createApp({
    ...options,
    ...{ limits, traffic, page: pageOfPackage() },
    authentication: { ...options.authentication, cookie: cookieName(port) },
    allowed: settings,
    isProxy: proxyList(settings.proxies),
    metrics: createMetrics(),
    calls: createRate(limits.requestsPerMinute, now),
    failures: createRate(limits.failuresPerMinute, now),
    newId: randomUUID,
    mayLog: logLimit(now),
  })
  // The global Request and Response stay Node's own.
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  server.on("request", (incoming, outgoing) => {
    // Time passes as well while an answer is being made, and then nothing waits.
    outgoing.setTimeout(limits.unreadMs, () => void (outgoing.writableLength > 0 && outgoing.destroy()))
    // A method that would repeat the request, and that no `Request` can have.
    if (incoming.method === "TRACE") outgoing.writeHead(405, { connection: "close" }).end()
    else void listener(incoming, outgoing)
  })
  return {
    url: addressOf(settings, port),
    async close() {
      unwatch()
      await traffic.drain(limits.drainMs)
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** A server, and what ends the watch over its certificate. */
interface Made {
  readonly server: Server
  readonly unwatch: () => void
}

function plain(shared: ServerLimits): Made {
  return { server: createPlain(shared), unwatch: () => {} }
}

function secure(shared: ServerLimits, read: () => Certificate, { settings, warn }: ServerOptions): Made {
  const first = read()
  try {
    const server = createSecure({ ...shared, ...first })
    const { certificateMs: everyMs } = settings.limits
    return { server, unwatch: watchCertificate(server, first, { read, everyMs, warn }) }
  } catch (error) {
    throw badCertificate(error)
  }
}

type ServerLimits = Pick<
  ServerSettings,
  "maxHeaderSize" | "headersTimeout" | "requestTimeout" | "connectionsCheckingInterval" | "keepAliveTimeout"
>

async function listen(server: Server, { host, port }: ServeSettings): Promise<number> {
  try {
    server.listen({ host, port })
    await once(server, "listening")
  } catch (error) {
    if (error instanceof RangeError)
      throw new IncipitError("cannot-listen", `${port} is not a port: use one from 0 to 65535`, {
        cause: error,
      })
    throw new IncipitError("cannot-listen", `cannot listen on ${host}:${port}: ${systemReason(error)}`, {
      cause: error,
    })
  }
  // A TCP server has an address of this kind.
  return (server.address() as AddressInfo).port
}
