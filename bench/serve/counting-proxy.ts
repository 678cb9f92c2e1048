// Stands between a process and the database, and counts what is sent in both directions.
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

export interface CountingProxy {
  readonly port: number
  /** So far, in bytes. */
  counts(): { readonly sent: number; readonly received: number }
  close(): void
}

export async function openCountingProxy(to: number): Promise<CountingProxy> {
  let [sent, received] = [0, 0]
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(to, "127.0.0.1")
    near.on("data", ({ length }) => {
      sent += length
    })
    far.on("data", ({ length }) => {
      received += length
    })
    for (const one of [near, far]) {
      one.setNoDelay(true)
      sockets.add(one)
      one.on("error", () => {})
      one.on("close", () => sockets.delete(one))
    }
    near.pipe(far).pipe(near)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    port: (server.address() as AddressInfo).port,
    counts: () => ({ sent, received }),
    close() {
      server.close()
      for (const one of sockets) one.destroy()
    },
  }
}
