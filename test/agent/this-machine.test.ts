// What counts as this machine, and that no key leaves for an address that nobody approved: real servers that listen.
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { networkInterfaces } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { guardedFetch } from "../../src/agent/guarded-fetch.ts"
import { isThisMachine, withoutLookup } from "../../src/core/this-machine.ts"
import { open, workspace, write } from "./fault-world.ts"
import { approveServers } from "./local-agent.ts"

test.each([
  ["http://localhost:1/v1", true],
  ["http://LOCALHOST:1/v1", true],
  ["http://127.0.0.1:1", true],
  ["http://127.8.8.8:1", true],
  ["http://2130706433:1", true],
  ["http://[::1]:1", true],
  ["http://lab.localhost:1", false],
  ["http://localhost.:1", false],
  ["http://localhost.example", false],
  ["http://localhost@lab.example", false],
  ["http://127.0.0.1.example", false],
  ["http://[::ffff:127.0.0.1]:1", false],
  ["http://0.0.0.0:1", false],
  ["http://10.0.0.1", false],
  ["no address", false],
])("whether %s is this machine: %s", (address, expected) => {
  expect(isThisMachine(address)).toBe(expected)
})

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

test("without a key, a model of this machine is asked without a question; not so at a name below it", async () => {
  const { port, requests } = await listening("127.0.0.1")
  const config = (host: string) =>
    `profile: incipit\nmodel: lab/any\nproviders: { lab: { url: "http://${host}:${port}/v1" } }\n`
  const root = workspace({ "incipit.yaml": config("localhost") })
  const { agent } = await open(root, undefined, { wait: async () => {} })
  expect(agent.model.isOffline).toBe(false)
  write(root, "incipit.yaml", config("lab.localhost"))
  const { agent: other } = await open(root, undefined)
  expect([other.model.isOffline, requests.length]).toEqual([true, 0])
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
