// Passes requests on as they are, with a token: the suite has none to send.
import { request as ask, createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface Forwarder {
  readonly url: string
  close(): Promise<void>
}

export async function forwardWithToken(url: string, secret: string): Promise<Forwarder> {
  const { port } = new URL(url)
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    // The host stays, because the suite tries wrong ones.
    const passed = ask({
      ...{ host: "127.0.0.1", port, method, path },
      headers: { ...headers, authorization: `Bearer ${secret}` },
    })
    passed.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on("error", () => outgoing.destroy())
    outgoing.on("close", () => passed.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // A TCP server has an address of this kind.
  const { port: own } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${own}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
