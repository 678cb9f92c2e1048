// Calls that pass through the proxy as they are kept: every format, streamed or not, compressed or not, and what is not kept.
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { type IncomingMessage, request } from "node:http"
import { join } from "node:path"
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib"
import { expect, onTestFinished, test } from "vitest"
import { openCapturingProxy } from "../../../src/capture/proxy/capturing-proxy.ts"
import { lookAt } from "../../../src/capture/proxy/exchange-call.ts"
import { createRoute } from "../../../src/capture/proxy/upstream.ts"
import { newFolder, openIn, readCalls } from "../keep/captured-calls.ts"
import { bodyOf, provider } from "./upstream.ts"

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** Sends requests through a proxy that keeps them, and returns what was kept. */
async function through(
  asked: readonly {
    readonly path: string
    readonly headers?: Record<string, string>
    readonly body: object | Buffer
  }[],
  answer: Answer,
  metadataOnly = false,
) {
  const folder = newFolder()
  const url = await provider(async (incoming, outgoing) => {
    await bodyOf(incoming)
    outgoing.writeHead(answer.status ?? 200, answer.headers).end(answer.body)
  })
  const { captures, files } = openIn({ folder, metadataOnly })
  const proxy = await openCapturingProxy({
    port: 0,
    route: createRoute({ all: url }),
    captures,
    now: () => 7,
  })
  onTestFinished(() => proxy.close().catch(() => {}))
  for (const { path, headers = {}, body } of asked) {
    const sent = request(proxy.url + path, { method: "POST", headers })
    sent.end(Buffer.isBuffer(body) ? body : JSON.stringify(body))
    // Node's typings do not know the event's argument here.
    const [got] = (await once(sent, "response")) as [IncomingMessage]
    await bodyOf(got)
  }
  await proxy.close()
  await captures.close()
  return { calls: await readCalls(folder), counts: proxy.counts(), captures, files }
}

function events(...values: readonly object[]): string {
  return values.map((value) => `event: x\ndata: ${JSON.stringify(value)}\n\n`).join("")
}

const MESSAGES = { model: "claude-sonnet-5-5", messages: [{ role: "user", content: "hello" }] }
const USAGE = {
  input_tokens: 3,
  output_tokens: 1,
  cache_read_input_tokens: 5,
  cache_creation_input_tokens: 7,
}
const MESSAGE = { id: "msg_1", type: "message", model: "claude-sonnet-5-5", usage: USAGE }

test("Anthropic, streamed: the usage of the start, the output of the end, ids, client and session", async () => {
  const stream = events(
    { type: "message_start", message: MESSAGE },
    { type: "message_delta", usage: { output_tokens: 42, input_tokens: null } },
    { type: "message_stop" },
  )
  const headers = {
    "user-agent": "claude-cli/2.1.325 (external, cli)",
    "x-claude-code-session-id": "session-9",
    "x-api-key": "sk-secret-value-123",
  }
  const { calls, counts } = await through([{ path: "/v1/messages?beta=true", headers, body: MESSAGES }], {
    headers: { "request-id": "req_1" },
    body: stream,
  })
  expect(calls).toMatchObject([
    {
      ...{ id: "msg_1/req_1", client: "claude-code", version: "2.1.325", session: "session-9", at: 7 },
      ...{ model: "claude-sonnet-5-5", format: "anthropic", coverage: "exact", request: MESSAGES },
      usage: { uncached: 3, read: 5, write: { "5m": 7 }, output: 42 },
    },
  ])
  expect(counts).toMatchObject({ kept: 1, "not-understood": 0 })
})

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["zstd", zstdCompressSync],
] as const)("a request and an answer in %s", async (encoding, pack) => {
  const body = pack(JSON.stringify(MESSAGES))
  const headers = { "content-encoding": encoding }
  const { calls } = await through([{ path: "/v1/messages", headers, body }], {
    headers,
    body: pack(JSON.stringify(MESSAGE)),
  })
  expect(calls).toMatchObject([{ id: "msg_1", request: MESSAGES, usage: { read: 5, output: 1 } }])
})

test("OpenAI's Responses and Chat Completions: cached tokens are not counted twice", async () => {
  const usage = { input_tokens: 100, input_tokens_details: { cached_tokens: 64 }, output_tokens: 9 }
  const response = { object: "response", id: "resp_1", model: "gpt-5.5", usage }
  const responses = await through(
    [
      {
        path: "/v1/responses",
        headers: { "session-id": "s", "thread-id": "t" },
        body: { model: "gpt-5.5", input: "hi" },
      },
    ],
    { body: events({ type: "response.created" }, { type: "response.completed", response }) },
  )
  expect(responses.calls).toMatchObject([
    { id: "resp_1", session: "s", thread: "t", usage: { uncached: 36, read: 64, output: 9 } },
  ])
  const chat = await through([{ path: "/v1/chat/completions", body: { model: "gpt-5.5", messages: [] } }], {
    body: `${events(
      { id: "chatcmpl-1", model: "gpt-5.5", choices: [] },
      { id: "chatcmpl-1", model: "gpt-5.5", usage: { prompt_tokens: 10, completion_tokens: 2 } },
    )}data: [DONE]\n\n`,
  })
  expect(chat.calls).toMatchObject([{ id: "chatcmpl-1", usage: { uncached: 10, read: 0, output: 2 } }])
})

test("Google: thoughts are output, and the model is in the address, whose key is not kept", async () => {
  const usageMetadata = {
    promptTokenCount: 50,
    cachedContentTokenCount: 20,
    candidatesTokenCount: 3,
    thoughtsTokenCount: 4,
  }
  const { calls } = await through(
    [
      {
        path: "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse&key=AIza-value-of-a-key",
        body: { contents: [{ role: "user", parts: [{ text: "my key is AIza-value-of-a-key" }] }] },
      },
    ],
    { body: events({ responseId: "r1", usageMetadata }) },
  )
  expect(calls).toMatchObject([
    { id: "r1", model: "gemini-2.5-pro", usage: { uncached: 30, read: 20, output: 7 } },
  ])
  expect(JSON.stringify(calls)).not.toContain("AIza-value-of-a-key")
})

test("calls of one conversation have one thread; a title beside it has another", async () => {
  const tools = [{ name: "read" }]
  const said = {
    role: "user",
    content: [
      { type: "text", text: "<reminder>now</reminder>" },
      { type: "text", text: "go" },
    ],
  }
  const later = {
    role: "user",
    content: [
      { type: "text", text: "<reminder>later</reminder>" },
      { type: "text", text: "go" },
    ],
  }
  let next = 0
  const folder = newFolder()
  const url = await provider(async (incoming, outgoing) => {
    await bodyOf(incoming)
    next += 1
    outgoing.end(JSON.stringify({ ...MESSAGE, id: `msg_${next}` }))
  })
  const { captures } = openIn({ folder })
  const proxy = await openCapturingProxy({
    port: 0,
    route: createRoute({ all: url }),
    captures,
    now: () => 7,
  })
  for (const body of [{ tools, messages: [said] }, { tools, messages: [later] }, { messages: [said] }]) {
    const sent = request(`${proxy.url}/v1/messages`, { method: "POST" })
    sent.end(JSON.stringify(body))
    const [got] = (await once(sent, "response")) as [IncomingMessage]
    await bodyOf(got)
  }
  await proxy.close()
  await captures.close()
  const [first, second, title] = (await readCalls(folder)).map(({ thread }) => thread)
  expect(second).toBe(first)
  expect(title).not.toBe(first)
})

test("what is refused, not understood or no call of a model is counted, and never kept as one", async () => {
  const refused = await through([{ path: "/v1/messages", body: MESSAGES }], {
    status: 529,
    body: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
  })
  expect(refused.calls).toEqual([])
  expect(refused.counts).toMatchObject({ kept: 0, refused: 1 })
  const odd = await through(
    [
      { path: "/v1/messages", body: MESSAGES },
      { path: "/v1/messages", body: Buffer.from("not JSON") },
      { path: "/v1/messages/count_tokens", body: MESSAGES },
    ],
    { body: "what?" },
  )
  const encoded = { headers: { "content-encoding": "constructor" }, body: JSON.stringify(MESSAGE) }
  const unknown = await through([{ path: "/v1/messages", body: MESSAGES }], encoded)
  expect(unknown.counts).toMatchObject({ kept: 0, "not-understood": 1 })
  expect(odd.calls).toEqual([])
  expect(odd.counts).toMatchObject({ kept: 0, "not-understood": 2 })
})

test("the name of a client may be as long as headers are", async () => {
  const agent = `claude-cli/${"1".repeat(60_000)}`
  const [request, response] = [MESSAGES, MESSAGE].map((body) => Buffer.from(JSON.stringify(body)))
  const start = process.cpuUsage()
  const looked = await lookAt({
    ...{ method: "POST", path: "/v1/messages", requestHeaders: ["User-Agent", agent], responseHeaders: [] },
    ...{ request, response, status: 200, isComplete: true, from: 1, at: 2 },
  })
  expect(looked).toMatchObject({ kind: "call", call: { client: "claude-code" } })
  expect(process.cpuUsage(start).user).toBeLessThan(500_000)
})

test("a refusal quotes keys and prompts: the keys are never kept, and with metadata only nothing of it", async () => {
  const keys = ["sk-test-1234567890-abcdef", "gw-key-0987654321-zyx", "in-the-address-55555"]
  const message = `wrong key ${keys.join(" or ")} for a zebra`
  const [own = "", gateway = "", inPath = ""] = keys
  const headers = { authorization: `Bearer ${own}`, "x-gateway-api-key": gateway }
  const asked = [{ path: `/v1/messages?api_key=${inPath}`, headers, body: MESSAGES }]
  for (const metadataOnly of [false, true]) {
    const answer = { status: 401, body: JSON.stringify({ error: { message } }) }
    const { files, counts } = await through(asked, answer, metadataOnly)
    expect(counts.refused).toBe(1)
    const bytes = Buffer.concat(
      readdirSync(files.folder).map((name) => readFileSync(join(files.folder, name))),
    )
    for (const key of keys) expect(bytes.includes(key)).toBe(false)
    expect(bytes.includes("zebra")).toBe(!metadataOnly)
  }
})
