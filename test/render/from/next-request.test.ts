// An answer with reasoning is read, and the next request goes through the official SDKs to a local server. What arrives
// has the reasoning where the provider wants it, also when the next request is made with another SDK.
import { createAnthropic } from "@ai-sdk/anthropic"
import { createGoogleGenerativeAI } from "@ai-sdk/google"
import { createOpenAI } from "@ai-sdk/openai"
import Anthropic from "@anthropic-ai/sdk"
import { GoogleGenAI } from "@google/genai"
import { generateText } from "ai"
import OpenAI from "openai"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type Message, userMessage } from "../../../src/core/model/message.ts"
import { renderAiSdk } from "../../../src/render/formats/ai-sdk.ts"
import { renderAnthropic } from "../../../src/render/formats/anthropic.ts"
import { renderGoogle } from "../../../src/render/formats/google.ts"
import { renderResponses } from "../../../src/render/formats/openai-responses.ts"
import { fromAnthropic } from "../../../src/render/from/from-anthropic.ts"
import { fromGoogle } from "../../../src/render/from/from-google.ts"
import { fromResponses } from "../../../src/render/from/from-responses.ts"
import { samplePrompt } from "../sample.ts"
import { startWireServer, type WireServer } from "../wire-server.ts"

let server: WireServer
beforeAll(async () => {
  server = await startWireServer()
})
afterAll(() => server.close())

const prompt = { ...samplePrompt(), tail: undefined }
const local = { apiKey: "none", maxRetries: 0 }

function next(answer: readonly Message[], id: string): readonly Message[] {
  return [
    userMessage("Where is A17?"),
    ...answer,
    { role: "user", parts: [{ kind: "tool-result", id, text: "In Oslo." }] },
  ]
}

/** The body that arrived, without what the renderers' own tests compare. */
function arrived(list: "messages" | "input" | "contents"): readonly unknown[] {
  const body = server.body() as Record<typeof list, readonly unknown[]>
  return body[list]
}

const thinking = [
  { type: "thinking", thinking: "Look it up.", signature: "EqQB" },
  { type: "redacted_thinking", data: "EmwK" },
  { type: "tool_use", id: "toolu_1", name: "ask", input: { order: "A17" } },
]

test("Anthropic gets its thinking back, before the call", async () => {
  const messages = next(fromAnthropic(thinking), "toolu_1")
  const { request } = renderAnthropic(prompt, messages, { model: "claude-sonnet-5-5", maxTokens: 99 })
  await new Anthropic({ ...local, baseURL: server.url }).messages.create(request)
  expect(arrived("messages")[1]).toEqual({ role: "assistant", content: thinking })
})

test("Anthropic gets it back through the AI SDK too", async () => {
  const { request } = renderAiSdk(prompt, next(fromAnthropic(thinking), "toolu_1"), {
    model: "anthropic/claude-sonnet-5-5",
  })
  const model = createAnthropic({ apiKey: "none", baseURL: `${server.url}/v1` })("claude-sonnet-5-5")
  const { warnings } = await generateText({ ...request, model, maxRetries: 0 })
  expect(warnings).toEqual([])
  expect(arrived("messages")[1]).toEqual({ role: "assistant", content: thinking })
})

const reasoning = [
  {
    ...{ type: "reasoning", id: "rs_1", encrypted_content: "gAAAA" },
    summary: [
      { type: "summary_text", text: "First." },
      { type: "summary_text", text: "Second." },
    ],
  },
  { type: "function_call", id: "fc_1", call_id: "call_1", name: "ask", arguments: '{"order":"A17"}' },
]

test("OpenAI gets its reasoning back, before the call", async () => {
  const { request } = renderResponses(prompt, next(fromResponses(reasoning), "call_1"), { model: "gpt-5.2" })
  const stateless = { ...request, store: false, include: ["reasoning.encrypted_content" as const] }
  await new OpenAI({ ...local, baseURL: `${server.url}/v1` }).responses.create(stateless)
  expect(arrived("input").slice(2, 4)).toEqual(reasoning)
})

test("OpenAI gets it back through the AI SDK too", async () => {
  const { request } = renderAiSdk(prompt, next(fromResponses(reasoning), "call_1"), {
    model: "openai/gpt-5.2",
  })
  const model = createOpenAI({ apiKey: "none", baseURL: `${server.url}/v1` })("gpt-5.2")
  const { warnings } = await generateText({
    ...request,
    ...{ model, maxRetries: 0, providerOptions: { openai: { store: false } } },
  })
  expect(warnings).toEqual([])
  // The SDK writes the call without the id of its item.
  const { id: _id, ...call } = reasoning[1] ?? {}
  expect(arrived("input").find((item) => Object(item).type === "reasoning")).toEqual(reasoning[0])
  expect(arrived("input").find((item) => Object(item).type === "function_call")).toMatchObject(call)
})

const signed = {
  role: "model",
  parts: [
    { text: "Look it up.", thought: true },
    { functionCall: { name: "ask", args: { order: "A17" } }, thoughtSignature: "CpQB" },
  ],
}

test("Google gets its signature back with the call", async () => {
  const messages = next(fromGoogle(signed), "call_1")
  const { request } = renderGoogle(prompt, messages, { model: "gemini-3.5-flash" })
  const client = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: server.url } })
  await client.models.generateContent(request)
  expect(arrived("contents")[1]).toEqual(signed)
})

test("Google gets it back through the AI SDK too", async () => {
  const { request } = renderAiSdk(prompt, next(fromGoogle(signed), "call_1"), {
    model: "google/gemini-3.5-flash",
  })
  const model = createGoogleGenerativeAI({ apiKey: "none", baseURL: `${server.url}/v1beta` })(
    "gemini-3.5-flash",
  )
  const { warnings } = await generateText({ ...request, model, maxRetries: 0 })
  expect(warnings).toEqual([])
  expect(arrived("contents")[1]).toMatchObject({
    parts: [{ functionCall: { name: "ask", args: { order: "A17" } }, thoughtSignature: "CpQB" }],
  })
})
