// What people and operators see of a server: signing in, health, metrics, the access log, several agents, stopping.
import { readFileSync, writeFileSync } from "node:fs"
import { type IncomingMessage, request } from "node:http"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { brotliDecompressSync } from "node:zlib"
import { expect, test } from "vitest"
import { newSecret } from "../../../src/serve/auth/secret.ts"
import { makeSignInCode } from "../../../src/serve/auth/sign-in-code.ts"
import { openTestGateway, WHO } from "../gateway.ts"

function post(url: string, body: string, headers: Record<string, string> = {}) {
  const type = { "content-type": "application/x-www-form-urlencoded" }
  return fetch(url, { method: "POST", body, headers: { ...type, ...headers }, redirect: "manual" })
}

test("the code signs the owner in once, and the cookie works only for our own page", async () => {
  const { url, code, get, port } = await openTestGateway()
  expect((await get("/")).headers.get("location")).toBe("/login")
  const page = await (await get(`/login?code=${code}`)).text()
  expect(page).toContain(`value="${code}"`)
  const answer = await post(`${url}/login`, `code=${code}`, { origin: url })
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"])
  const set = answer.headers.get("set-cookie") ?? ""
  expect(set).toMatch(
    new RegExp(`^incipit_${port}=inc_[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000$`),
  )
  const cookie = set.split(";")[0] ?? ""
  expect(await (await get("/who", { cookie })).json()).toEqual({
    ...{ user: null, situation: "dm", trust: "full", bytes: 0 },
  })
  expect((await post(`${url}/login`, `code=${code}`, { origin: url })).status).toBe(403)
  // Another port of this machine is the same site for a browser.
  expect((await get("/who", { cookie, "sec-fetch-site": "same-site" })).status).toBe(403)
  expect((await post(`${url}/who`, "x", { cookie })).status).toBe(403)
  expect((await post(`${url}/who`, "x", { cookie, origin: url })).status).toBe(200)
  expect((await post(`${url}/logout`, "", { cookie, origin: url })).headers.get("location")).toBe("/login")
  expect((await get("/who", { cookie })).status).toBe(401)
})

test("the page is for those who have signed in, and a link to a place in it survives the sign-in", async () => {
  const { url, code, get } = await openTestGateway()
  const place = "/?view=cache&session=abc"
  const form = (await get(place)).headers.get("location") ?? ""
  expect(form).toBe(`/login?next=${encodeURIComponent(place)}`)
  expect(await (await get(form)).text()).toContain('name="next" value="/?view=cache&#38;session=abc"')
  const answer = await post(`${url}/login`, `code=${code}&next=${encodeURIComponent(place)}`, { origin: url })
  expect(answer.headers.get("location")).toBe(place)
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? ""
  const page = await get(place, { cookie })
  const html = await page.text()
  expect(page.headers.get("content-security-policy")).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types incipit",
  )
  const [, script = ""] = /src="(\/page\/[^"]+\.js)"/.exec(html) ?? []
  expect((await get(script, { cookie })).headers.get("content-type")).toBe("text/javascript; charset=utf-8")
  expect((await get(script)).status).toBe(404)
  expect((await get("/page/..%2fpackage.json", { cookie })).status).toBe(400)
  expect((await get("/page/nothing.js", { cookie })).status).toBe(404)
})

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["BR;q=0.5", "br"],
  ["gzip, br;q=0", undefined],
  ["br;q=0.0, brotli", undefined],
  [undefined, undefined],
])("a script of the page is compressed for %j as %j, and is the same script", async (accepted, encoding) => {
  const { url, code, port, get } = await openTestGateway()
  const answer = await post(`${url}/login`, `code=${code}`, { origin: url })
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? ""
  const [, path = ""] = /src="(\/page\/[^"]+\.js)"/.exec(await (await get("/", { cookie })).text()) ?? []
  const headers = { cookie, ...(accepted !== undefined && { "accept-encoding": accepted }) }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request({ port, path, headers }, resolve).on("error", reject).end()
  const got = await promise
  const bytes = await buffer(got)
  expect([got.headers["content-encoding"], got.headers.vary]).toEqual([encoding, "accept-encoding"])
  const script = encoding === undefined ? bytes : brotliDecompressSync(bytes)
  expect(script.equals(brotliDecompressSync(readFileSync(`dist/page${path}.br`)))).toBe(true)
})

test.each([
  "https://elsewhere.example",
  "//elsewhere.example",
  "/\\elsewhere.example",
  "/\t/elsewhere.example",
  "/login",
  "javascript:alert(1)",
  "/?a=1\r\nset-cookie: x",
])("after the sign-in, nobody is led to %j", async (next) => {
  const { url, code } = await openTestGateway()
  const answer = await post(`${url}/login`, new URLSearchParams({ code, next }).toString(), { origin: url })
  expect(answer.headers.get("location")).toBe("/")
})

test("the form says how to get a new code", async () => {
  const { get } = await openTestGateway()
  const page = await (await get("/login")).text()
  expect(page).toContain("<code>incipit serve --link</code>")
  expect(page).toContain("<code>incipit inspect</code>")
})

test("a code from a link is text, never markup", async () => {
  const { get } = await openTestGateway()
  const answer = await get(`/login?code=${encodeURIComponent('"><script>alert(1)</script>')}`)
  const page = await answer.text()
  expect(page).not.toContain("<script")
  expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/)
})

test("guesses are limited by address, and hold up neither the right code nor a new one", async () => {
  const { url, code, get, store } = await openTestGateway({ limits: { failuresPerMinute: 3 } })
  const guess = (text: string) => post(`${url}/login`, `code=${text}`)
  const wrong = newSecret()
  const guesses = [await guess("1"), await guess(wrong), await guess(""), await guess(wrong)]
  expect(guesses.map(({ status }) => status)).toEqual([403, 403, 403, 429])
  const another = await makeSignInCode(store.tokens)
  expect([(await guess(another)).status, (await guess(code)).status]).toEqual([303, 303])
  expect([(await guess(another)).status, (await guess(code)).status]).toEqual([429, 429])
  const bearer = { authorization: `Bearer ${await makeSignInCode(store.tokens)}` }
  expect((await get("/who", bearer)).status).toBe(429)
})

test("the access log has who, what and how it ended, and no secret, query or body", async () => {
  const { token, get, url, code, close, logged } = await openTestGateway()
  const { secret, id } = await token()
  await get("/who?q=herring", { authorization: `Bearer ${secret}` })
  await get("/who", { authorization: "Bearer sturgeon" })
  await post(`${url}/login`, `code=${code}&x=halibut`)
  await close()
  const lines = logged()
  expect(lines).toHaveLength(3)
  for (const hidden of [secret, code, "herring", "sturgeon", "halibut"])
    expect(lines.join()).not.toContain(hidden)
  expect(lines[0]).toContain(id)
  expect(lines[0]).toContain("bo")
  expect(lines[1]).toContain("bad-token")
})

test("health and readiness need no token; metrics count by route, not by what was asked", async () => {
  const { get, token } = await openTestGateway()
  expect([(await get("/healthz")).status, (await get("/readyz")).status]).toEqual([200, 200])
  const { secret } = await token({ scopes: ["talk", "operate"] })
  const headers = { authorization: `Bearer ${secret}` }
  await get("/who/one", headers)
  await get("/who/two", headers)
  await get("/secret-path", headers)
  const text = await (await get("/metrics", headers)).text()
  expect(text).toContain('incipit_http_requests_total{method="GET",route="/who",status="200"} 2\n')
  expect(text).toContain('incipit_http_requests_total{method="GET",route="other",status="404"} 1\n')
  expect(text).not.toContain("secret-path")
  expect(text).toContain('incipit_queue_messages{agent="main",state="waiting"} 0\n')
})

test("every agent of the workspace is served by one process", async () => {
  const names = {
    ...WHO,
    handle: (_request: Request, { agents }: { agents: { names: readonly string[] } }) =>
      Response.json(agents.names),
  }
  const { agents, get, token } = await openTestGateway({ agents: ["tide", "harbour"], surfaces: [names] })
  expect(agents).toEqual(["main", "harbour", "tide"])
  const { secret } = await token()
  expect(await (await get("/who", { authorization: `Bearer ${secret}` })).json()).toEqual(agents)
})

test("stopping lets an answer finish, and refuses new requests with 503", async () => {
  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const slow = {
    ...WHO,
    handle: async () => {
      begun.resolve()
      await go.promise
      return new Response("done")
    },
  }
  const { get, token, close } = await openTestGateway({ surfaces: [slow], limits: { drainMs: 60_000 } })
  const headers = { authorization: `Bearer ${(await token()).secret}` }
  const first = get("/who", headers)
  await begun.promise
  const closed = close()
  const second = await get("/who", headers)
  expect([second.status, second.headers.get("retry-after")]).toEqual([503, "5"])
  expect((await get("/readyz")).status).toBe(503)
  go.resolve()
  expect(await (await first).text()).toBe("done")
  await closed
  await expect(get("/healthz")).rejects.toThrow()
})

test("an answer that does not finish in time is aborted, and so is one whose client has gone", async () => {
  const reasons: string[] = []
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ended = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const endless = {
    ...WHO,
    handle: (request: Request, { signal }: { signal: AbortSignal }) => {
      const at = Number(new URL(request.url).pathname.slice(-1))
      begun[at]?.resolve()
      signal.addEventListener("abort", () => {
        reasons.push(String(at))
        ended[at]?.resolve()
      })
      return new Promise<Response>(() => {})
    },
  }
  const { url, token, close } = await openTestGateway({ surfaces: [endless], limits: { drainMs: 50 } })
  const headers = { authorization: `Bearer ${(await token()).secret}` }
  const client = new AbortController()
  const left = fetch(`${url}/who/0`, { headers, signal: client.signal }).catch(() => "left")
  await begun[0]?.promise
  client.abort()
  expect(await left).toBe("left")
  await ended[0]?.promise
  const cut = fetch(`${url}/who/1`, { headers }).catch(() => "cut")
  await begun[1]?.promise
  await close()
  expect(await cut).toBe("cut")
  expect(reasons).toEqual(["0", "1"])
})

test("a change of incipit.yaml counts from the next request on; of serve:, after a restart, and it says so", async () => {
  const warnings: string[] = []
  const { get, token, workspace } = await openTestGateway({ warn: (line) => warnings.push(line) })
  const headers = { authorization: `Bearer ${(await token()).secret}` }
  const trust = async () => ((await (await get("/who", headers)).json()) as { readonly trust: string }).trust
  const write = (text: string) => writeFileSync(join(workspace, "incipit.yaml"), text)
  expect(await trust()).toBe("familiar")
  write("users: { bo: { trust: inner } }\n")
  expect([await trust(), warnings]).toEqual([
    "inner",
    ["`serve` in incipit.yaml has changed. Restart `incipit serve` to use it."],
  ])
  write("users: [herring]\n")
  expect(await trust()).toBe("inner")
  expect(warnings[1]).toMatch(/^incipit.yaml.*users.*counts until then\.$/s)
  expect(await trust()).toBe("inner")
  expect(warnings).toHaveLength(2)
})
