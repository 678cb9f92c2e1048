// Requests that must not get through: each is refused, and the answer says nothing that the caller did not know.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { OpenSurface } from "../../../src/serve/http/surface.ts"
import { openTestGateway, sendRaw, statusOf, WHO } from "../gateway.ts"

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

test("a token says who is calling, in a header of either SDK", async () => {
  const { token, get } = await openTestGateway()
  const { secret } = await token()
  const expected = { user: "bo", situation: "dm", trust: "familiar", bytes: 0 }
  expect(await (await get("/who", bearer(secret))).json()).toEqual(expected)
  expect(await (await get("/who", { "x-api-key": secret })).json()).toEqual(expected)
})

test("no token, and a token that is wrong, expired, revoked or for a removed user, get nothing", async () => {
  const { token, get, store, workspace } = await openTestGateway()
  const wrong = `inc_${"A".repeat(43)}`
  const expired = await token({ expiresInMs: 1 })
  const revoked = await token()
  const removed = await token()
  expect((await get("/who", bearer(revoked.secret))).status).toBe(200)
  await store.tokens.revoke(revoked.id)
  writeFileSync(join(workspace, "incipit.yaml"), "users:\n  ann: { trust: familiar }\n")
  const answers = []
  for (const secret of [wrong, "x", "inc_", expired.secret, revoked.secret, removed.secret]) {
    const answer = await get("/who", bearer(secret))
    answers.push([answer.status, await answer.text()])
  }
  expect(new Set(answers.map(String)).size).toBe(1)
  expect(answers[0]?.[0]).toBe(401)
  const none = await get("/who")
  expect([none.status, none.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="incipit"'])
})

test("without a token, a path that exists looks like one that does not", async () => {
  const { get } = await openTestGateway()
  const [there, missing] = [await get("/who"), await get("/nothing/here")]
  expect([there.status, await there.text()]).toEqual([missing.status, await missing.text()])
})

test("a token is not taken from the address, nor two of them from one request", async () => {
  const { token, get } = await openTestGateway()
  const [one, two] = [await token(), await token()]
  expect((await get(`/who?token=${one.secret}&api_key=${one.secret}`)).status).toBe(401)
  expect((await get("/who", { ...bearer(one.secret), "x-api-key": two.secret })).status).toBe(401)
})

test("a scope that the token lacks is refused, and named", async () => {
  const { token, get } = await openTestGateway()
  const reader = await token({ scopes: ["read"] })
  expect((await get("/who", bearer(reader.secret))).status).toBe(403)
  const refused = await get("/metrics", bearer(reader.secret))
  const message =
    "This needs a token with the scope operate. To make one, run `incipit token add --scopes operate`."
  expect([refused.status, await refused.json()]).toEqual([403, { error: { code: "no-scope", message } }])
  expect((await get("/metrics", bearer((await token({ scopes: ["operate"] })).secret))).status).toBe(200)
})

test.each([
  ["evil.example", 421],
  ["localhost.evil.example", 421],
  ["127.0.0.1.evil.example", 421],
  ["evil.example:80@localhost", 400],
  ["agent.example.org", 200],
  ["agent.example.org.", 200],
  ["localhost:1", 200],
])("DNS rebinding: the host %s gets %i", async (host, status) => {
  const { token, port } = await openTestGateway()
  const { secret } = await token()
  const request = `GET /who HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`
  expect(statusOf(await sendRaw(port, request))).toBe(status)
})

test("what a proxy says counts only if the proxy is listed", async () => {
  const plain = await openTestGateway()
  const { secret } = await plain.token()
  const forwarded = { "x-forwarded-host": "evil.example", "x-forwarded-for": "203.0.113.9" }
  expect((await plain.get("/who", { ...bearer(secret), ...forwarded })).status).toBe(200)
  const behind = await openTestGateway({ proxies: ["127.0.0.0/8"] })
  const own = await behind.token()
  expect((await behind.get("/who", { ...bearer(own.secret), ...forwarded })).status).toBe(421)
})

test.each([
  ["https://evil.example", 403],
  ["null", 403],
  ["http://127.0.0.1:1", 403],
  ["https://chat.example.org.evil.example", 403],
  ["https://chat.example.org", 200],
])("cross-origin: a page of %s gets %i", async (origin, status) => {
  const { token, get, url } = await openTestGateway()
  const { secret } = await token()
  const answer = await get("/who", { ...bearer(secret), origin })
  expect(answer.status).toBe(status)
  expect(answer.headers.get("access-control-allow-origin")).toBe(status === 200 ? origin : null)
  const asked = await fetch(`${url}/who`, { method: "OPTIONS", headers: { origin } })
  expect(asked.status).toBe(status === 200 ? 204 : 403)
})

test("a body beyond the limit is refused, announced or not", async () => {
  const { token, url, port } = await openTestGateway({ limits: { bodyBytes: 1_000 } })
  const { secret } = await token()
  const post = (body: string) => fetch(`${url}/who`, { method: "POST", headers: bearer(secret), body })
  expect((await post("x".repeat(1_000))).status).toBe(200)
  expect((await post("x".repeat(1_001))).status).toBe(413)
  const head = `POST /who HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\nTransfer-Encoding: chunked\r\n\r\n`
  const chunked = await sendRaw(port, `${head}258\r\n${"x".repeat(600)}\r\n258\r\n${"x".repeat(600)}\r\n`)
  expect(statusOf(chunked)).toBe(413)
})

test("a body that stops arriving, and headers that never end, are given up", async () => {
  const { token, port } = await openTestGateway({ limits: { bodyMs: 200, headerMs: 200 } })
  const { secret } = await token()
  const head = `POST /who HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\nContent-Length: 10\r\n\r\n`
  expect(statusOf(await sendRaw(port, `${head}abc`))).toBe(408)
  expect(statusOf(await sendRaw(port, "GET /who HTTP/1.1\r\nHost: localhost\r\nX-Slow: "))).toBe(408)
})

test("headers that are too large are refused", async () => {
  const { port } = await openTestGateway()
  const request = `GET /who HTTP/1.1\r\nHost: localhost\r\nX-Large: ${"x".repeat(20_000)}\r\n\r\n`
  expect(statusOf(await sendRaw(port, request))).toBe(431)
})

test.each([
  "/who//x",
  "/who/%2e%2e%2fmetrics",
  "/who/%5cx",
  "/who/%00",
  "//who",
  "/who/%0d%0aX-Injected:%201",
])("path tricks: %s is refused before anything looks at it", async (path) => {
  const { token, port } = await openTestGateway()
  const { secret } = await token({ scopes: ["talk"] })
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`
  const answer = await sendRaw(port, request)
  expect(statusOf(answer)).toBe(400)
  expect(answer).not.toMatch(/x-injected/i)
})

test("dots in a path lead to where they lead, with the checks of that place", async () => {
  const { token, port } = await openTestGateway()
  const { secret } = await token({ scopes: ["talk"] })
  for (const path of ["/who/../metrics", "/who/%2e%2e/metrics"]) {
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`
    expect(statusOf(await sendRaw(port, request))).toBe(403)
  }
})

test("a prefix is not a beginning: /whoever is not below /who", async () => {
  const { token, get } = await openTestGateway({
    surfaces: [WHO, { ...WHO, prefix: "/who/am", scopes: ["read"] }],
  })
  const { secret } = await token()
  expect((await get("/whoever", bearer(secret))).status).toBe(404)
  expect((await get("/who/else", bearer(secret))).status).toBe(200)
  expect((await get("/who/am/i", bearer(secret))).status).toBe(403)
})

test("too many requests of one token, or wrong tokens of one address, get 429 with a time", async () => {
  const { token, get } = await openTestGateway({ limits: { requestsPerMinute: 3, failuresPerMinute: 2 } })
  const [one, two] = [await token(), await token()]
  const statuses = []
  for (let at = 0; at < 4; at += 1) statuses.push((await get("/who", bearer(one.secret))).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  expect((await get("/who", bearer(two.secret))).status).toBe(200)
  expect((await get("/who", bearer("x"))).status).toBe(401)
  expect((await get("/who", bearer("x"))).status).toBe(401)
  const limited = await get("/who", bearer("x"))
  expect([limited.status, Number(limited.headers.get("retry-after")) >= 1]).toEqual([429, true])
  // Somebody behind the same address is not locked out.
  expect((await get("/who", bearer(two.secret))).status).toBe(200)
})

test("an error of a surface says nothing about itself", async () => {
  const { token, get } = await openTestGateway({
    surfaces: [{ ...WHO, handle: () => Promise.reject(new Error("the password is tide")) }],
  })
  const answer = await get("/who", bearer((await token()).secret))
  expect([answer.status, (await answer.text()).includes("tide")]).toEqual([500, false])
})

test("a surface that checks its callers itself gets small bodies, and wrong ones are limited by address", async () => {
  const hook: OpenSurface = {
    prefix: "/hook",
    scopes: "none",
    handle: async (request) => new Response(null, { status: (await request.text()) === "right" ? 202 : 401 }),
  }
  const { url } = await openTestGateway({ surfaces: [hook], limits: { failuresPerMinute: 2 } })
  const call = async (body: string) => (await fetch(`${url}/hook`, { method: "POST", body })).status
  expect(await call("x".repeat(1_000_001))).toBe(413)
  expect([await call("a"), await call("b"), await call("c"), await call("right")]).toEqual([
    401, 401, 429, 202,
  ])
})
