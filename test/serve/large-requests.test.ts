// Requests of the compatible APIs with more than is read are refused before anything is made of them.
import { expect, test } from "vitest"
import { checkLength } from "../../src/serve/talk/request/check-length.ts"
import { readConversation } from "../../src/serve/talk/request/read-conversation.ts"
import { echo, serve } from "./served.ts"

const post = async (path: string, body: object) => {
  const served = await serve(echo)
  const response = await served.fetch(`http://127.0.0.1${path}`, {
    method: "POST",
    body: JSON.stringify({ model: "keeper", max_tokens: 10, ...body }),
  })
  const { error } = (await response.json()) as { readonly error: { readonly message: string } }
  return { status: response.status, message: error.message, sessions: await served.agent.sessions() }
}

const said = (count: number) => Array(count).fill({ role: "user", content: "a" })
const parts = (count: number) => [{ role: "user", content: Array(count).fill({ type: "text", text: "a" }) }]
const results = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ type: "function_call_output", call_id: `${at}`, output: "" }))
const MANY_MESSAGES = "has 10001 messages; at most 10000 are read"
const MANY_PARTS = "[0].content has 10001 parts; at most 10000 are read"

test.each([
  ["/v1/chat/completions", { messages: said(10_001) }, `messages ${MANY_MESSAGES}`],
  ["/v1/responses", { input: said(10_001) }, `input ${MANY_MESSAGES}`],
  ["/v1/messages", { messages: said(10_001) }, `messages ${MANY_MESSAGES}`],
  ["/v1/chat/completions", { messages: parts(10_001) }, `messages${MANY_PARTS}`],
  ["/v1/responses", { input: parts(10_001) }, `input${MANY_PARTS}`],
  ["/v1/messages", { messages: parts(10_001) }, `messages${MANY_PARTS}`],
  [
    "/v1/responses",
    { input: results(1_001) },
    "a message in input has 1001 calls or results; at most 1000 are read",
  ],
])("%s: too many messages, parts or calls (%#)", async (path, body, message) => {
  expect(await post(path, body)).toEqual({ status: 413, message, sessions: [] })
})

test("messages of one side in a row are one, in their order", () => {
  const call = (id: string) => ({ type: "tool_use", id, name: "bell", input: {} })
  const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: `rung ${id}` })
  const { earlier, message } = readConversation(
    [
      { role: "user", content: "a" },
      { role: "assistant", content: [{ type: "text", text: "b" }, call("1")] },
      { role: "assistant", content: [call("2")] },
      { role: "assistant", content: "c" },
      { role: "user", content: [result("2")] },
      { role: "user", content: [result("1")] },
    ],
    "messages",
  )
  const none = { calls: [], results: [], files: [] }
  const bell = (id: string) => ({ id, name: "bell", input: {} })
  expect([...earlier, message]).toEqual([
    { role: "user", text: "a", ...none },
    { role: "assistant", text: "b\n\nc", ...none, calls: [bell("1"), bell("2")] },
    {
      ...{ role: "user", text: "", ...none },
      results: ["2", "1"].map((id) => ({ id, text: `rung ${id}` })),
    },
  ])
})

test("two results of one call, and calls that are too deep, are refused", async () => {
  const result = { type: "function_call_output", call_id: "1", output: "wet" }
  const twice = await post("/v1/responses", { input: [result, result], previous_response_id: "resp_x" })
  expect([twice.status, twice.message]).toEqual([400, "a message in input has two results for the same call"])
  const deep = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`
  const call = { type: "function_call", call_id: "1", name: "weather", arguments: deep }
  const { status, message } = await post("/v1/responses", { input: [call, result] })
  expect([status, message]).toEqual([
    400,
    "input[0].content[0]: the input of a call is nested more than 64 levels deep",
  ])
})

test("all that the model reads as text counts: files of every type of text, and the inputs of calls", () => {
  const said = { role: "user", text: "", calls: [], results: [], files: [] } as const
  const long = Buffer.alloc(1_000_001, "a").toString("base64")
  for (const mediaType of ["text/plain", "application/json", "application/xml", "application/yaml"]) {
    const message = { ...said, files: [{ mediaType, data: long }] }
    expect(() => checkLength({ instructions: undefined, earlier: [], message })).toThrow("1000001 characters")
  }
  const image = { ...said, files: [{ mediaType: "image/png", data: long }] }
  expect(() => checkLength({ instructions: undefined, earlier: [], message: image })).not.toThrow()
  const call = { id: "1", name: "write", input: { text: "a".repeat(5_000_000) } }
  const earlier = [{ ...said, role: "assistant", calls: [call] }] as const
  expect(() => checkLength({ instructions: undefined, earlier, message: said })).toThrow("5000011 characters")
})
