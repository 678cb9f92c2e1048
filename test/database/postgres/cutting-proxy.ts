// A proxy in front of a PostgreSQL server that cuts connections at a chosen moment of a COMMIT.
import { connect, createServer, type Socket } from "node:net"
import { onTestFinished } from "vitest"

export interface CuttingProxy {
  readonly port: number
  /** Cuts the next connection that commits: before the server hears of it, or before the client hears that it is done. */
  cutNext(when: "before" | "after"): void
  /** The same, before the server hears of it; the server only hears that the client is gone after `meanwhile`. */
  holdNext(meanwhile: () => Promise<void>): void
  readonly cuts: () => number
}

export async function cuttingProxy(to: number): Promise<CuttingProxy> {
  let armed: "before" | "after" | undefined
  let cuts = 0
  let meanwhile: (() => Promise<void>) | undefined
  let held: Promise<void> | undefined
  const cut = (...sockets: readonly Socket[]) => {
    armed = undefined
    cuts += 1
    for (const socket of sockets) socket.destroy()
  }
  const open = new Set<Socket>()
  const server = createServer({ pauseOnConnect: true }, async (client) => {
    await held
    client.resume()
    const upstream = connect(to, "127.0.0.1")
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on("error", () => {})
      socket.on("close", () => {
        open.delete(socket)
        client.destroy()
        void Promise.resolve(held).then(() => upstream.destroy())
      })
    }
    client.on("data", (bytes) => {
      if (armed === "before" && bytes.includes("COMMIT")) return cut(client, upstream)
      if (meanwhile !== undefined && bytes.includes("COMMIT")) {
        held = meanwhile()
        meanwhile = undefined
        return client.destroy()
      }
      upstream.write(bytes)
    })
    upstream.on("data", (bytes) => {
      if (armed === "after" && bytes.includes("COMMIT")) return cut(client, upstream)
      client.write(bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    port,
    cutNext: (when) => {
      armed = when
    },
    holdNext: (what) => {
      meanwhile = what
    },
    cuts: () => cuts,
  }
}
