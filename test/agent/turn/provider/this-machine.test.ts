// No word and no key leaves for an address that nobody approved, on this machine either: real servers that listen.
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { networkInterfaces } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { guardedFetch } from "../../../../src/agent/turn/provider/guarded-fetch.ts"
import { withoutLookup } from "../../../../src/base/loopback.ts"
import { approveServers, open, workspace } from "../../world/agent-world.ts"

test("the name of this machine is replaced and never looked up", () => {
  expect(withoutLookup("http://localhost:8000/v1?x=1")).toEqual([
    "http://127.0.0.1:8000/v1?x=1",
    "http://[::1]:8000/v1?x=1",
  ])
  expect(withoutLookup("http://lab.localhost/v1")).toEqual(["http://lab.localhost/v1"])
})

interface Listening {
  readonly port: number
  readonly requests: IncomingMessage[]
}

async function listening(host: string, location?: (path: string) => string): Promise<Listening> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    request.resume()
    if (location === undefined) response.writeHead(200, { "content-type": "application/json" }).end("{}")
    else response.writeHead(307, { location: location(request.url ?? "") }).end()
  })
  await new Promise<void>((done) => server.listen(0, host, done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, requests }
}

test("a server that listens on one of the two loopback addresses is found by the name", async () => {
  // Not every machine has the second.
  const hasSecond = Object.values(networkInterfaces()).some((all) =>
    all?.some(({ address }) => address === "::1"),
  )
  for (const host of ["127.0.0.1", ...(hasSecond ? ["::1"] : [])]) {
    const { port, requests } = await listening(host)
    const answer = await guardedFetch(globalThis.fetch)(`http://localhost:${port}/v1`)
    expect([answer.status, requests.length]).toEqual([200, 1])
  }
})

test.each(["127.0.0.1", "localhost", "lab.localhost"])(
  "no key is sent unasked to a port at %s",
  async (host) => {
    const { port, requests } = await listening("127.0.0.1")
    const root = workspace({
      "incipit.yaml": `profile: incipit\nmodel: lab/any\nproviders: { lab: { url: "http://${host}:${port}/v1", key: AWS_SECRET } }\n`,
    })
    const env = { AWS_SECRET: "secret" }
    const { agent } = await open(root, undefined, { env })
    const { state } = await agent.send("hello")
    expect([state, agent.model.isOffline, requests.length]).toEqual(["answered", true, 0])
    expect(agent.model.why).toContain("incipit hooks approve lab")
  },
)

test("not a word is sent to an address of the configuration unasked, on this machine either; after a yes it is", async () => {
  const { port, requests } = await listening("127.0.0.1")
  const root = workspace({
    "incipit.yaml": `profile: incipit\nmodel: lab/any\nproviders: { lab: { url: "http://localhost:${port}/v1" } }\n`,
  })
  const { agent } = await open(root, undefined, { wait: async () => {} })
  await agent.send("hello")
  expect([agent.model.isOffline, requests.length]).toEqual([true, 0])
  approveServers(root, join(root, "no-home"))
  const { agent: approved } = await open(root, undefined, { wait: async () => {} })
  await approved.send("hello")
  expect(approved.model.isOffline).toBe(false)
  expect(requests.length).toBeGreaterThan(0)
})

test("an approved address that redirects elsewhere gives away neither the key nor the conversation", async () => {
  const elsewhere = await listening("127.0.0.1")
  const lab = await listening("127.0.0.1", (path) => `http://127.0.0.1:${elsewhere.port}${path}`)
  const root = workspace({
    "incipit.yaml": `profile: incipit\nmodel: lab/any\nproviders: { lab: { url: "http://127.0.0.1:${lab.port}/v1", key: LAB_KEY } }\n`,
  })
  approveServers(root, join(root, "no-home"))
  const { agent } = await open(root, undefined, { env: { LAB_KEY: "secret" }, wait: async () => {} })
  const { state, text } = await agent.send("hello")
  expect([state, elsewhere.requests.length]).toEqual(["failed", 0])
  expect(lab.requests[0]?.headers.authorization).toBe("Bearer secret")
  expect(text).toContain("Redirects are not followed")
})
