// Bytes that no well-behaved client sends, and requests of one person about another's: each is refused, and nobody else
// notices.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { openTestGateway, sendRaw, statusOf } from "../gateway.ts"
import { openWholeGateway, type WholeGateway } from "../whole-gateway.ts"

test("requests that proxies and servers read differently are refused or read in one way", async () => {
  const { token, port } = await openTestGateway()
  const { secret } = await token()
  const auth = `Authorization: Bearer ${secret}\r\nConnection: close\r\n`
  const head = `Host: localhost\r\n${auth}`
  const cases: readonly (readonly [name: string, request: string, status: number])[] = [
    ["no host", `GET /who HTTP/1.1\r\n${auth}\r\n`, 400],
    ["two lengths", `POST /who HTTP/1.1\r\n${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400],
    [
      "a length and chunks",
      `POST /who HTTP/1.1\r\n${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ["an unknown coding", `POST /who HTTP/1.1\r\n${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, 400],
    ["a header that goes on in the next line", `GET /who HTTP/1.1\r\n${head}X-Long: a\r\n b\r\n\r\n`, 400],
    ["a space before the colon", `GET /who HTTP/1.1\r\n${head}X-Space : a\r\n\r\n`, 400],
    ["a control character in a header", `GET /who HTTP/1.1\r\n${head}X-Bell: \u0000\r\n\r\n`, 400],
    ["a bare line end", `GET /who HTTP/1.1\r\n${head}X-Line: a\nX-Other: b\r\n\r\n`, 400],
    ["a second token", `GET /who HTTP/1.1\r\n${head}X-Api-Key: ${secret}x\r\n\r\n`, 401],
    [
      "a whole address, whose host does not count",
      `GET http://evil.example/who HTTP/1.1\r\n${head}\r\n`,
      200,
    ],
    ["a tunnel", `CONNECT evil.example:80 HTTP/1.1\r\n${head}\r\n`, Number.NaN],
    ["an echo", `TRACE /who HTTP/1.1\r\n${head}\r\n`, 405],
  ]
  const found = []
  for (const [name, request] of cases) found.push([name, statusOf(await sendRaw(port, request))])
  expect(found).toEqual(cases.map(([name, , status]) => [name, status]))
})

test("a request behind another on the same connection needs its own token", async () => {
  const { token, port } = await openTestGateway()
  const { secret } = await token()
  const first = `GET /who HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\n\r\n`
  const second = "GET /who HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
  const statuses = [...(await sendRaw(port, first + second)).matchAll(/HTTP\/1\.1 (\d+)/g)]
  expect(statuses.map(([, status]) => status)).toEqual(["200", "401"])
})

test("what a client calls itself and its request is not repeated in headers", async () => {
  const { token, get } = await openTestGateway()
  const { secret } = await token()
  const answer = await get("/who", {
    authorization: `Bearer ${secret}`,
    "x-request-id": "herring",
    "x-incipit-session": "herring",
    "accept-language": "herring",
  })
  expect(JSON.stringify([...answer.headers])).not.toContain("herring")
})

async function openPeople(): Promise<WholeGateway> {
  const folder = mkdtempSync(join(tmpdir(), "incipit-people-"))
  mkdirSync(join(folder, "workspace"))
  writeFileSync(
    join(folder, "workspace", "incipit.yaml"),
    "users: { ann: { trust: familiar }, bo: { trust: familiar } }\n",
  )
  const gateway = await openWholeGateway({ folder, env: {} })
  onTestFinished(async () => {
    await gateway.close()
    rmSync(folder, { recursive: true })
  })
  return gateway
}

function chat(url: string, token: string, content: string, headers: Record<string, string> = {}) {
  return fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "main", messages: [{ role: "user", content }] }),
  })
}

test("another person's session, turn and answer look like ones that never were", async () => {
  const { url, token } = await openPeople()
  const [ann, bo] = [await token("ann"), await token("bo")]
  const own = await chat(url, ann, "Where is the boat?")
  const [session, turn] = [own.headers.get("x-incipit-session"), own.headers.get("x-incipit-turn")]
  const seen = async (id: string, from: string | null) => {
    const named = await chat(url, bo, "Where is the boat?", { "x-incipit-session": id })
    const followed = await fetch(`${url}/v1/responses`, {
      method: "POST",
      headers: { authorization: `Bearer ${bo}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "main", input: "And?", previous_response_id: `resp_${id}` }),
    })
    const read = ["sessions", "turns"].map((kind) =>
      fetch(`${url}/api/${kind}/${id}`, { headers: { authorization: `Bearer ${bo}` } }),
    )
    const answers = [named, followed, ...(await Promise.all(read))]
    const texts = answers.map(async (one) => [one.status, (await one.text()).replaceAll(from ?? id, "ID")])
    return Promise.all(texts)
  }
  const unknown = await seen("01m0000000000000000x", null)
  expect(unknown.map(([status]) => status)).toEqual([404, 404, 404, 404])
  expect(await seen(session ?? "", session)).toEqual(unknown)
  expect(await seen(turn ?? "", turn)).toEqual(unknown)
})

test("a message that would hold up everybody is refused at once, in each API", async () => {
  const { url, token } = await openPeople()
  const ann = await token("ann")
  const long = "x".repeat(1_000_001)
  const post = (path: string, body: unknown) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${ann}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    })
  const messages = [{ role: "user", content: long }]
  const statuses = [
    (await chat(url, ann, long)).status,
    (await post("/v1/responses", { model: "main", input: long })).status,
    (await post("/v1/messages", { model: "main", max_tokens: 9, messages })).status,
    (await post("/v1/messages/count_tokens", { model: "main", messages })).status,
    (
      await post("/v1/messages", {
        ...{ model: "main", max_tokens: 9, system: long },
        messages: [{ role: "user", content: "Hi" }],
      })
    ).status,
  ]
  expect(statuses).toEqual([413, 413, 413, 413, 413])
  const data = Buffer.from(long).toString("base64")
  const source = { type: "base64", media_type: "text/plain", data }
  const content = [
    { type: "document", source },
    { type: "text", text: "Sum this up." },
  ]
  const asked = { model: "main", max_tokens: 9, messages: [{ role: "user", content }] }
  expect(await (await post("/v1/messages", asked)).json()).toMatchObject({
    error: { message: expect.stringContaining("at most 1000000 are taken") },
  })
})
