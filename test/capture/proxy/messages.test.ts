// Single messages, without sockets: headers of one connection, encodings on top of each other, and answers whose figures
// cannot be right.
import { brotliCompressSync, deflateRawSync, gzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { answerIn } from "../../../src/capture/proxy/answer.ts"
import { decoded } from "../../../src/capture/proxy/decode.ts"
import { answerHeaders } from "../../../src/capture/proxy/headers.ts"
import { createRoute } from "../../../src/capture/proxy/upstream.ts"

test("a client may take out headers of its connection, but not those that say where a message ends", () => {
  const own = ["Connection", "x-own, Content-Length, transfer-encoding", "X-Own", "1", "Keep-Alive", "5"]
  const kept = ["Content-Length", "3", "x-other", "2"]
  expect(answerHeaders("1.1", [...own, ...kept])).toEqual(kept)
})

test("encodings are taken off in the order opposite to that in which they were put on", async () => {
  const body = Buffer.from('{"model":"m"}')
  const read = async (bytes: Buffer, encoding: string) =>
    (await decoded(bytes, ["content-encoding", encoding]))?.toString()
  expect(await read(brotliCompressSync(gzipSync(body)), "gzip, BR")).toBe('{"model":"m"}')
  expect(await read(deflateRawSync(body), "deflate")).toBe('{"model":"m"}')
  expect(await read(gzipSync(body).subarray(0, -8), "gzip")).toBe('{"model":"m"}')
  expect(await read(gzipSync(body), "br")).toBeUndefined()
  expect(await read(body, "compress")).toBeUndefined()
})

test("more cached tokens than input are no more than the input", () => {
  const usage = {
    ...{ prompt_tokens: 100, completion_tokens: 5 },
    prompt_tokens_details: { cached_tokens: 80, cache_write_tokens: 70 },
  }
  const answer = answerIn(JSON.stringify({ id: "c1", object: "chat.completion", usage }), "openai-chat", "m")
  const { uncached, read, write, output } = answer?.usage ?? { write: {} }
  expect([uncached, read, Object.values(write), output]).toEqual([0, 80, [20], 5])
})

test("comments of a gateway before a stream of events", () => {
  const start = { id: "msg_1", type: "message", usage: { input_tokens: 3, output_tokens: 1 } }
  const body = [
    ": waiting for the provider\n\n",
    `event: message_start\ndata: ${JSON.stringify({ type: "message_start", message: start })}\n\n`,
    'event: message_delta\r\ndata: {"type":"message_delta","usage":{"output_tokens":9,"input_tokens":null}}\r\n\r\n',
  ].join("")
  expect(answerIn(body, "anthropic", "asked")).toEqual({
    ...{ id: "msg_1", model: "asked" },
    usage: { uncached: 3, read: 0, write: {}, output: 9 },
  })
})

test.each([
  ["/v1/messages?beta=true", [], "https://api.anthropic.com/v1/messages?beta=true"],
  ["/v1/responses", [], "https://api.openai.com/v1/responses"],
  ["/v1/responses", ["ChatGPT-Account-ID", "a"], "https://chatgpt.com/backend-api/codex/responses"],
  ["/v1/models", [], "https://api.openai.com/v1/models"],
  ["/v1/models", ["anthropic-version", "2023-06-01"], "https://api.anthropic.com/v1/models"],
  [
    "/v1beta/models/g:streamGenerateContent?alt=sse",
    [],
    "https://generativelanguage.googleapis.com/v1beta/models/g:streamGenerateContent?alt=sse",
  ],
  ["/index.html", [], undefined],
])("%s with %j goes to %s", (path, headers, address) => {
  const target = createRoute({})(path, headers)
  expect(target && target.url.origin + target.path).toBe(address)
})

test("an address of the user's own takes the place of a provider's, with or without a slash at its end", () => {
  const route = createRoute({ providers: { openai: "https://gateway.example/openai/v1/" } })
  const target = route("/v1/chat/completions", ["chatgpt-account-id", "a"])
  expect(target && target.url.origin + target.path).toBe("https://gateway.example/openai/v1/chat/completions")
})
