// What a request says about where it comes from: `X-Forwarded-*` counts as far as each hop is a listed proxy.
import fc from "fast-check"
import { expect, test } from "vitest"
import { clientOf, proxyList } from "../../../src/serve/http/client.ts"
import { openTestGateway } from "../gateway.ts"

const isProxy = proxyList(["10.0.0.0/8", "::1"])

function client(remoteAddress: string, headers: Record<string, string>) {
  const connection = { remoteAddress, localAddress: "::ffff:127.0.0.1", isSecure: false }
  return clientOf(new Headers({ host: "localhost:1", ...headers }), connection, isProxy)
}

test.each([
  ["203.0.113.9", "198.51.100.7", "203.0.113.9"],
  ["::ffff:10.0.0.1", "198.51.100.7", "198.51.100.7"],
  ["10.0.0.1", "127.0.0.1, 198.51.100.7, 10.0.0.2", "198.51.100.7"],
  ["10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
  ["::1", "2001:db8::9", "2001:db8::9"],
  ["10.0.0.1", "not-an-address", "10.0.0.1"],
  ["10.0.0.1", " , ,", "10.0.0.1"],
  ["10.0.0.1", "198.51.100.7, <script>", "10.0.0.1"],
])("from %s, forwarded for %s: %s", (remote, forwarded, address) => {
  expect(client(remote, { "x-forwarded-for": forwarded }).address).toBe(address)
})

test("whatever an unlisted sender claims, it stays what the connection says", () => {
  const text = fc.string({ unit: fc.constantFrom(..."10.,: abs/"), maxLength: 40 })
  fc.assert(
    fc.property(text, text, text, (one, other, scheme) => {
      const claimed = { "x-forwarded-for": one, "x-forwarded-host": other, "x-forwarded-proto": scheme }
      const plain = { address: "203.0.113.9", host: "localhost:1", reached: "127.0.0.1", isSecure: false }
      expect(client("203.0.113.9", claimed)).toEqual(plain)
    }),
    { numRuns: 50 },
  )
})

test("behind a listed proxy that encrypts, the cookie is for HTTPS alone and the page's origin is https", async () => {
  const { url, code } = await openTestGateway({ proxies: ["127.0.0.1"] })
  const logIn = (origin: string) =>
    fetch(`${url}/login`, {
      method: "POST",
      body: new URLSearchParams({ code }),
      redirect: "manual",
      headers: { origin, "x-forwarded-proto": "https", "x-forwarded-host": "agent.example.org" },
    })
  expect((await logIn("http://agent.example.org")).status).toBe(403)
  const answer = await logIn("https://agent.example.org")
  expect(answer.headers.get("set-cookie")).toMatch(/; HttpOnly; SameSite=Strict; Max-Age=2592000; Secure$/)
})
