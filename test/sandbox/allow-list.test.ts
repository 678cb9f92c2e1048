// The network of an allow-list: through a proxy, to the hosts that are named, and to nothing else.
import { mkdtempSync, rmSync } from "node:fs"
import { createServer as createWebServer, type Server } from "node:http"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { isAllowed, mayLeadTo } from "../../src/sandbox/network/allowed-hosts.ts"
import { openAllowProxy } from "../../src/sandbox/network/proxy.ts"
import { openWorld, type World, whyNoBubblewrap } from "./sandbox-world.ts"

const WHY_NOT = (await whyNoBubblewrap()) ?? (await whyNoSocat())

async function whyNoSocat(): Promise<string | undefined> {
  const world = openWorld({ config: { network: "allow-list", allow: ["example.org"] } })
  const state = await world.sandboxes.of({
    ...{ id: "a", isOwner: true },
    audience: { trust: "full", situation: "dm", mode: "full" },
  })
  await world.close()
  return state.kind === "on" && state.facts.network === "allow-list" ? undefined : "socat is not installed"
}

test.each([
  ["example.org", 443, ["example.org"], true],
  ["EXAMPLE.org.", 443, ["example.org"], true],
  ["example.org", 8443, ["example.org"], false],
  ["example.org", 8443, ["example.org:8443"], true],
  ["evil-example.org", 443, ["*.example.org"], false],
  ["a.example.org", 443, ["*.example.org"], true],
  ["example.org", 443, ["*.example.org"], false],
  ["example.org.evil.com", 443, ["example.org", "*.example.org"], false],
  ["127.0.0.1", 80, ["*.0.0.1"], false],
  ["[::1]", 8080, ["[::1]:8080"], true],
])("%s, port %i, with %j: %s", (host, port, list, is) => {
  expect(isAllowed({ host, port }, list)).toBe(is)
})

test.each([
  ["example.org", "93.184.216.34", true],
  ["example.org", "127.0.0.1", false],
  ["example.org", "10.1.2.3", false],
  ["example.org", "169.254.169.254", false],
  ["example.org", "::ffff:127.0.0.1", false],
  ["example.org", "fd00::1", false],
  ["example.org", "fec0::1", false],
  ["example.org", "::127.0.0.1", false],
  ["example.org", "2002:7f00:1::", false],
  ["example.org", "64:ff9b:1::7f00:1", false],
  ["localhost", "127.0.0.1", true],
  ["localhost", "10.0.0.1", false],
  ["127.0.0.1", "127.0.0.1", true],
])("%s may lead to %s: %s", (host, address, is) => {
  expect(mayLeadTo(host, address)).toBe(is)
})

test("commands do not use up the descriptors of this process", async () => {
  const folder = mkdtempSync(join(tmpdir(), "proxy-"))
  const path = join(folder, "proxy.sock")
  const proxy = await openAllowProxy({ path, allow: [] })
  let refused = 0
  const sockets = Array.from({ length: 300 }, () => connect(path))
  for (const socket of sockets) {
    socket.on("error", () => {})
    socket.once("close", () => {
      refused += 1
    })
  }
  await vi.waitFor(() => expect(refused).toBe(300 - 256), { timeout: 60_000 })
  for (const socket of sockets) socket.destroy()
  await proxy.close()
  rmSync(folder, { recursive: true })
})

describe.skipIf(WHY_NOT !== undefined)("from inside", () => {
  let world: World
  let allowed: Server
  let other: Server
  const listen = (server: Server) =>
    new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resolve(typeof address === "object" && address !== null ? address.port : 0)
      })
    })
  let ports: { readonly allowed: number; readonly other: number }
  beforeAll(async () => {
    allowed = createWebServer((incoming, answer) =>
      answer.end(`allowed ${incoming.url} ${incoming.headers.host}`),
    )
    other = createWebServer((_incoming, answer) => answer.end("other"))
    ports = { allowed: await listen(allowed), other: await listen(other) }
    world = openWorld({ config: { network: "allow-list", allow: [`127.0.0.1:${ports.allowed}`] } })
  })
  afterAll(async () => {
    await world.close()
    allowed.close()
    other.close()
  })

  test("an allowed host is reached, by HTTP and through a tunnel", async () => {
    const url = `http://127.0.0.1:${ports.allowed}/tides`
    expect(await world.run(`curl -s ${url}`)).toBe(`exit 0\nallowed /tides 127.0.0.1:${ports.allowed}`)
    expect(await world.run(`curl -s --proxytunnel ${url}`)).toBe(
      `exit 0\nallowed /tides 127.0.0.1:${ports.allowed}`,
    )
  })

  test("another is refused with a reason, also by a header that names an allowed one", async () => {
    const url = `http://127.0.0.1:${ports.other}/`
    const refused = `127.0.0.1:${ports.other} is not reached: the sandbox allows only the hosts in sandbox.allow of incipit.yaml.`
    expect(await world.run(`curl -s ${url}`)).toBe(`exit 0\n${refused}`)
    expect(await world.run(`curl -s -H 'Host: 127.0.0.1:${ports.allowed}' ${url}`)).toBe(`exit 0\n${refused}`)
    expect(await world.run(`curl -s --proxytunnel -o /dev/null -w '%{http_connect}' ${url}`)).toMatch(
      /\n403$/,
    )
    expect(await world.run("curl -s http://user@127.0.0.1/")).toContain("is not reached")
  })

  test("nothing is reached without the proxy", async () => {
    expect(await world.run(`curl -s --noproxy '*' http://127.0.0.1:${ports.allowed}/`)).toBe("exit 7")
    expect(await world.run("ls -l /run/incipit; tail -n +3 /proc/net/dev | cut -d: -f1")).toContain("lo")
  })

  test("what a host sends to the socket that is no request ends only that connection", async () => {
    const script =
      "printf 'GET / HTTP/1.1\\r\\n\\r\\n' | socat -t 5 - UNIX-CONNECT:/run/incipit/proxy.sock | head -1"
    expect(await world.run(script)).toMatch(/400 Bad Request/)
    expect(await world.run(`curl -s http://127.0.0.1:${ports.allowed}/`)).toContain("allowed /")
  })
})
