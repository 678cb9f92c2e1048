// A client that asks and never reads the answer keeps its place only for a while.
import { once } from "node:events"
import { connect } from "node:net"
import { expect, onTestFinished, test, vi } from "vitest"
import type { Surface } from "../../../src/serve/http/surface.ts"
import { openTestGateway } from "../gateway.ts"

/** More than the buffers of both systems hold. */
const ANSWER = "x".repeat(40_000_000)

const LARGE: Surface = { prefix: "/large", scopes: ["talk"], handle: () => new Response(ANSWER) }
const SLOW: Surface = {
  prefix: "/slow",
  scopes: ["talk"],
  async handle() {
    // Longer than an answer may be unread.
    await new Promise((done) => setTimeout(done, 1_000))
    return new Response("at last")
  },
}

test("a client that reads nothing loses its place, and one that waits for its answer doesn't", async () => {
  const gateway = await openTestGateway({
    surfaces: [LARGE, SLOW],
    limits: { concurrentEach: 1, unreadMs: 200 },
  })
  const { secret } = await gateway.token()
  const authorization = `Bearer ${secret}`
  const socket = connect(gateway.port, "127.0.0.1")
  onTestFinished(() => void socket.destroy())
  socket.on("error", () => {})
  socket.write(
    `GET /large HTTP/1.1\r\nhost: 127.0.0.1:${gateway.port}\r\nauthorization: ${authorization}\r\n\r\n`,
  )
  await once(socket, "readable")
  // Until then, each gets 429.
  const found = await vi.waitUntil(
    async () => {
      const response = await gateway.get("/slow", { authorization })
      return response.status === 200 && response
    },
    { timeout: 120_000, interval: 100 },
  )
  expect(await found.text()).toBe("at last")
  let bytes = 0
  socket.on("data", (chunk) => {
    bytes += chunk.length
  })
  await once(socket, "close")
  expect(bytes).toBeLessThan(ANSWER.length)
})
