// Nobody can take the whole server: open requests and bodies are limited for each token and each address, and what
// strangers send doesn't fill the record.
import { once } from "node:events"
import { connect } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { openTestGateway, sendRaw, statusOf, type TestOptions, WHO } from "../gateway.ts"

/** A gateway whose surface answers `/who/wait` only when it is told to. */
async function openSlow(limits: NonNullable<TestOptions["limits"]>) {
  const go = Promise.withResolvers<void>()
  let begun = Promise.withResolvers<void>()
  const slow = {
    ...WHO,
    handle: async (request: Request) => {
      begun.resolve()
      if (request.url.endsWith("/wait")) await go.promise
      return new Response("done")
    },
  }
  const gateway = await openTestGateway({ surfaces: [slow], limits })
  const post = (path: string, headers: Record<string, string>, body = "") =>
    fetch(`${gateway.url}${path}`, { method: "POST", headers, body })
  return {
    ...{ ...gateway, post, go: go.resolve },
    bearer: async () => ({ authorization: `Bearer ${(await gateway.token()).secret}` }),
    /** Returns once the surface has the request. */
    async wait(headers: Record<string, string>, body?: string) {
      begun = Promise.withResolvers()
      const answer = post("/who/wait", headers, body)
      await begun.promise
      return { answer }
    },
  }
}

test("a token has so many requests open, and no other token waits for it", async () => {
  const { bearer, post, wait, go } = await openSlow({ concurrentEach: 2 })
  const [one, two] = [await bearer(), await bearer()]
  const open = [await wait(one), await wait(one)]
  const refused = await post("/who", one)
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "2"])
  expect(await refused.json()).toMatchObject({ error: { code: "too-many-open" } })
  expect((await post("/who", two)).status).toBe(200)
  go()
  for (const { answer } of open) expect((await answer).status).toBe(200)
  await expect.poll(async () => (await post("/who", one)).status).toBe(200)
})

test("bodies that are being worked on are limited together, and given back", async () => {
  const { bearer, post, wait, go } = await openSlow({ bodyBytes: 1_000, bodiesBytes: 1_500 })
  const [one, two] = [await bearer(), await bearer()]
  const body = "x".repeat(800)
  const { answer } = await wait(one, body)
  const refused = await post("/who", two, body)
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"])
  expect((await post("/who", two, "x".repeat(600))).status).toBe(200)
  go()
  await answer
  expect((await post("/who", two, body)).status).toBe(200)
})

test("a small body counts from its announcement on, not only once it has arrived", async () => {
  const { bearer, post, port } = await openSlow({ bodyBytes: 1_000, bodiesBytes: 1_500 })
  const [one, two] = [await bearer(), await bearer()]
  const head = `POST /who HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${one.authorization}\r\n`
  const socket = connect(port, "127.0.0.1", () => void socket.write(`${head}Content-Length: 800\r\n\r\nx`))
  onTestFinished(() => void socket.destroy())
  await expect.poll(async () => (await post("/who", two, "x".repeat(800))).status).toBe(503)
  socket.write("x".repeat(799))
  await once(socket, "data")
  await expect.poll(async () => (await post("/who", two, "x".repeat(800))).status).toBe(200)
})

test("slow strangers hold up strangers of their address, and nobody else", async () => {
  const { bearer, post, get, port } = await openSlow({ concurrentEach: 1 })
  const head = (path: string) => `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n`
  const socket = connect(port, "127.0.0.1", () => void socket.write(`${head("/login")}code=`))
  onTestFinished(() => void socket.destroy())
  await once(socket, "ready")
  await expect.poll(async () => (await post("/login", {}, "code=x")).text()).toContain("too-many-open")
  expect((await get("/login")).status).toBe(200)
  expect((await post("/who", await bearer())).status).toBe(200)
  // The body of a request to a channel that isn't there is not waited for.
  const missing = head("/channels/none").replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
  expect(statusOf(await sendRaw(port, missing))).toBe(404)
})

test("strangers and health checks are counted, and don't fill the record", async () => {
  const { url, code, get, token, close, logged } = await openTestGateway({ limits: { failuresPerMinute: 8 } })
  const { secret } = await token({ scopes: ["operate"] })
  for (let at = 0; at < 10; at += 1) await get("/who")
  for (let at = 0; at < 3; at += 1) await get("/healthz")
  await get("/login")
  const text = await (await get("/metrics", { authorization: `Bearer ${secret}` })).text()
  expect(text).toContain('incipit_http_requests_total{method="GET",route="/who",status="401"} 8\n')
  expect(text).toContain('incipit_http_requests_total{method="GET",route="/who",status="429"} 2\n')
  expect(text).toContain('incipit_http_requests_total{method="GET",route="other",status="200"} 4\n')
  // Nobody hides a sign-in behind noise.
  const body = new URLSearchParams({ code })
  expect((await fetch(`${url}/login`, { method: "POST", body, redirect: "manual" })).status).toBe(303)
  await close()
  const paths = logged().map((line) => /(?<=path\W+)\/\w+/.exec(line)?.[0])
  expect(paths).toEqual(["/who", "/who", "/who", "/who", "/who", "/metrics", "/login"])
})
