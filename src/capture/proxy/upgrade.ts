// Passes a connection on that stops being HTTP, such as a WebSocket. What is said on it is not copied.
import type { IncomingMessage } from "node:http"
import { connect, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { connect as connectSecurely } from "node:tls"
import { withHost } from "./headers.ts"
import type { Target } from "./upstream.ts"

export function passUpgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer, target: Target): void {
  const { url, path } = target
  const upstream = open(url)
  const headers = withHost(incoming.rawHeaders, url.host)
  const lines = [`${incoming.method} ${path} HTTP/1.1`]
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`)
  upstream.write(`${lines.join("\r\n")}\r\n\r\n`, "latin1")
  if (head.length > 0) upstream.write(head)
  upstream.pipe(socket)
  socket.pipe(upstream)
  const end = () => {
    upstream.destroy()
    socket.destroy()
  }
  for (const side of [upstream, socket]) side.on("error", end).on("close", end)
}

function open({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, "")
  if (protocol !== "https:") return connect({ host, port: Number(port || 80) })
  return connectSecurely({ host, port: Number(port || 443), servername: host, ALPNProtocols: ["http/1.1"] })
}
