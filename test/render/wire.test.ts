// Rendered requests go through the official SDKs to a local server that refuses what the real ones refuse. What
// arrives is compared in full.
import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock"
import { createAnthropic } from "@ai-sdk/anthropic"
import { createGoogleGenerativeAI } from "@ai-sdk/google"
import { createOpenAI } from "@ai-sdk/openai"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import Anthropic from "@anthropic-ai/sdk"
import { GoogleGenAI } from "@google/genai"
import { generateText, jsonSchema, type LanguageModel, type ToolSet, tool } from "ai"
import OpenAI from "openai"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Breakpoint } from "../../src/render/cache/breakpoints.ts"
import { renderAiSdk } from "../../src/render/formats/ai-sdk.ts"
import { type AnthropicRequest, renderAnthropic } from "../../src/render/formats/anthropic.ts"
import { type BedrockRequest, renderBedrock } from "../../src/render/formats/bedrock.ts"
import { type GoogleRequest, renderGoogle } from "../../src/render/formats/google.ts"
import { type ChatRequest, renderChat } from "../../src/render/formats/openai-chat.ts"
import { type ResponsesRequest, renderResponses } from "../../src/render/formats/openai-responses.ts"
import type { KeyedOptions } from "../../src/render/formats/renderer.ts"
import { renderText, type TextRequest } from "../../src/render/formats/text.ts"
import type { Json } from "../agent/world/servers/refusals.ts"
import { countMarks, optionsFor, sampleMessages, samplePrompt, TOOLS } from "./sample.ts"
import { startWireServer, type WireServer } from "./wire-server.ts"

const CLAUDE = "anthropic/claude-sonnet-5-5"
const BEDROCK = "bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0"
const GPT = "openai/gpt-5.6"
const GEMINI = "google/gemini-3.5-flash"
const OLD_GEMINI = "google/gemini-2.5-flash"
const LOCAL = "openai-compatible/qwen3.5"

const prompt = samplePrompt()
const messages = sampleMessages(prompt)
const keyed = (model: string): KeyedOptions => ({ ...optionsFor(model), cacheKey: "agent-1" })

let server: WireServer
beforeAll(async () => {
  server = await startWireServer()
})
afterAll(() => server.close())

const local = { apiKey: "none", maxRetries: 0 }

/** Sends a request and returns the body that arrived. Also checks the request's type against the SDK's. */
const send = {
  anthropic: async (request: AnthropicRequest) => {
    await new Anthropic({ ...local, baseURL: server.url }).messages.create(request)
    return server.body()
  },
  responses: async (request: ResponsesRequest) => {
    await new OpenAI({ ...local, baseURL: `${server.url}/v1` }).responses.create(request)
    return server.body()
  },
  chat: async (request: ChatRequest) => {
    await new OpenAI({ ...local, baseURL: `${server.url}/v1` }).chat.completions.create(request)
    return server.body()
  },
  text: async (request: TextRequest) => {
    await new OpenAI({ ...local, baseURL: `${server.url}/compatible/v1` }).chat.completions.create(request)
    return server.body()
  },
  google: async (request: GoogleRequest) => {
    const client = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: server.url } })
    await client.models.generateContent(request)
    return server.body()
  },
  bedrock: async ({ modelId, ...body }: BedrockRequest) => {
    const path = `/model/${encodeURIComponent(modelId)}/converse`
    const response = await fetch(`${server.url}${path}`, { method: "POST", body: JSON.stringify(body) })
    if (!response.ok) throw new Error(await response.text())
    return server.body()
  },
}

/** In the order of registration, which differs from the plan's. */
const tools: ToolSet = Object.fromEntries(
  TOOLS.map(({ name, description, parameters }) => [
    name,
    tool({ description, inputSchema: jsonSchema(parameters) }),
  ]),
)

const models: Readonly<Record<string, (id: string) => LanguageModel>> = {
  anthropic: (id) => createAnthropic({ apiKey: "none", baseURL: `${server.url}/v1` })(id),
  bedrock: (id) => createAmazonBedrock({ apiKey: "none", baseURL: server.url })(id),
  openai: (id) => createOpenAI({ apiKey: "none", baseURL: `${server.url}/v1` })(id),
  google: (id) => createGoogleGenerativeAI({ apiKey: "none", baseURL: `${server.url}/v1beta` })(id),
  "openai-compatible": (id) =>
    createOpenAICompatible({ name: "local", baseURL: `${server.url}/compatible/v1` })(id),
}

async function sendByAiSdk(model: string, options = keyed(model)) {
  const [provider = "", id = ""] = model.split("/")
  const { request } = renderAiSdk(prompt, messages, options)
  const made = models[provider]
  if (made === undefined) throw new Error(`no provider ${provider}`)
  const { warnings } = await generateText({ ...request, model: made(id), tools, maxRetries: 0 })
  return { body: server.body(), warnings }
}

const golden = (name: string) => `../golden/wire/${name}.json`
const pretty = (body: unknown) => `${JSON.stringify(body, null, 2)}\n`

describe("what arrives is what was rendered", () => {
  test("anthropic", async () => {
    const { request } = renderAnthropic(prompt, messages, optionsFor(CLAUDE))
    const body = await send.anthropic(request)
    expect(body).toEqual(request)
    await expect(pretty(body)).toMatchFileSnapshot(golden("anthropic"))
  })

  test("openai-responses", async () => {
    const { request } = renderResponses(prompt, messages, keyed(GPT))
    const body = await send.responses(request)
    expect(body).toEqual(request)
    await expect(pretty(body)).toMatchFileSnapshot(golden("openai-responses"))
  })

  test("openai-chat", async () => {
    const { request } = renderChat(prompt, messages, keyed(GPT))
    const body = await send.chat(request)
    expect(body).toEqual(request)
    await expect(pretty(body)).toMatchFileSnapshot(golden("openai-chat"))
  })

  test("text", async () => {
    const { request } = renderText(prompt, messages, optionsFor(LOCAL))
    const body = await send.text(request)
    expect(body).toEqual(request)
    await expect(pretty(body)).toMatchFileSnapshot(golden("text"))
  })

  test("google", async () => {
    const { request } = renderGoogle(prompt, messages, optionsFor(GEMINI))
    await expect(pretty(await send.google(request))).toMatchFileSnapshot(golden("google"))
  })

  test("google before Gemini 3, where a call has no signature", async () => {
    const { request } = renderGoogle(prompt, messages, optionsFor(OLD_GEMINI))
    const signed = renderGoogle(prompt, messages, optionsFor(GEMINI)).request
    const without = (of: GoogleRequest) =>
      JSON.stringify(of.contents).replaceAll(',"thoughtSignature":"skip_thought_signature_validator"', "")
    expect(JSON.stringify(request.contents)).toBe(without(signed))
    expect(without(signed)).not.toBe(JSON.stringify(signed.contents))
    await send.google(request)
  })

  test("bedrock, sent without an SDK", async () => {
    const { request } = renderBedrock(prompt, messages, optionsFor(BEDROCK))
    await expect(pretty(await send.bedrock(request))).toMatchFileSnapshot(golden("bedrock"))
  })
})

describe("through the AI SDK, without a warning", () => {
  test.each([
    ["anthropic", CLAUDE],
    ["bedrock", BEDROCK],
    ["openai", GPT],
    ["google", OLD_GEMINI],
    ["openai-compatible", LOCAL],
  ])("%s", async (name, model) => {
    const { body, warnings } = await sendByAiSdk(model)
    expect(warnings).toEqual([])
    await expect(pretty(body)).toMatchFileSnapshot(golden(`ai-sdk-${name}`))
  })

  test("anthropic's body equals the one rendered for it", async () => {
    const { body } = await sendByAiSdk(CLAUDE)
    const { request } = renderAnthropic(prompt, messages, optionsFor(CLAUDE))
    expect(body).toEqual({ ...request, tool_choice: { type: "auto" } })
  })

  test("bedrock's body equals the one rendered for it", async () => {
    const { body } = await sendByAiSdk(BEDROCK)
    const { modelId: _, ...request } = renderBedrock(prompt, messages, optionsFor(BEDROCK)).request
    // The SDK doesn't mark a result as an error.
    const calm = JSON.parse(JSON.stringify(request).replaceAll(',"status":"error"', ""))
    expect(body).toEqual({
      ...calm,
      toolConfig: { ...calm.toolConfig, toolChoice: { auto: {} } },
      additionalModelResponseFieldPaths: ["/delta/stop_sequence"],
    })
  })

  test("from Gemini 3 on, the only warning is about thought signatures", async () => {
    const { warnings = [] } = await sendByAiSdk(GEMINI)
    expect(warnings).toMatchObject([{ type: "other", message: expect.stringContaining("thoughtSignature") }])
  })

  test("four breakpoints reach the provider; a fifth is dropped with a warning", async () => {
    const five: readonly Breakpoint[] = [
      { after: { kind: "head", block: 0 }, ttl: "5m", why: "stable" },
      { after: { kind: "head", block: 1 }, ttl: "5m", why: "session" },
      ...[0, 2, 4].map(
        (message): Breakpoint => ({
          after: { kind: "message", message, part: 1 },
          ttl: "5m",
          why: "conversation",
        }),
      ),
    ]
    const four = await sendByAiSdk(CLAUDE, optionsFor(CLAUDE, { breakpoints: five.slice(0, 4) }))
    expect([four.warnings, countMarks(four.body)]).toEqual([[], 4])
    const more = await sendByAiSdk(CLAUDE, optionsFor(CLAUDE, { breakpoints: five }))
    expect(more.warnings).toMatchObject([{ type: "unsupported", feature: "cacheControl breakpoint limit" }])
  })
})

/** A copy of a request as a server reads it, changed into one that the server refuses. */
function broken<R>(request: R, breakIt: (copy: Json) => void): R {
  const copy = structuredClone(request)
  breakIt(copy)
  return copy
}

const anthropic = () => renderAnthropic(prompt, messages, optionsFor(CLAUDE)).request
const responses = () => renderResponses(prompt, messages, optionsFor(GPT)).request
const chat = () => renderChat(prompt, messages, optionsFor(GPT)).request
const text = () => renderText(prompt, messages, optionsFor(LOCAL)).request
const google = () => renderGoogle(prompt, messages, optionsFor(GEMINI)).request
const bedrock = () => renderBedrock(prompt, messages, optionsFor(BEDROCK)).request
const hour = { type: "ephemeral", ttl: "1h" }
const mark = { mode: "explicit" }
const late = { role: "system", content: [{ type: "text", text: "Late." }] }

describe("the server refuses", () => {
  const refusals: readonly (readonly [string, () => Promise<unknown>, string])[] = [
    [
      "anthropic: five breakpoints",
      () => send.anthropic(broken(anthropic(), (r) => Object.assign(r.tools[0], { cache_control: hour }))),
      "a maximum of 4 blocks with cache_control may be provided, found 5",
    ],
    [
      "anthropic: four breakpoints and the automatic one",
      () => send.anthropic(broken(anthropic(), (r) => Object.assign(r, { cache_control: hour }))),
      "a maximum of 4 blocks with cache_control may be provided, found 5",
    ],
    [
      "anthropic: empty text",
      () => send.anthropic(broken(anthropic(), (r) => Object.assign(r.system[0], { text: " " }))),
      "text content blocks must be non-empty",
    ],
    [
      "anthropic: a late system message",
      () =>
        send.anthropic(
          broken(anthropic(), (r) => {
            r.model = "claude-haiku-4-5"
            r.messages.push(late)
          }),
        ),
      "role system is not supported",
    ],
    [
      "anthropic: a late system message after an answer",
      () => send.anthropic(broken(anthropic(), (r) => r.messages.splice(4, 0, late))),
      "a system message must follow a user message",
    ],
    [
      "anthropic: an hour after five minutes",
      () => send.anthropic(broken(anthropic(), (r) => Object.assign(r.system[1], { cache_control: hour }))),
      "a 1h block must not come after a 5m block",
    ],
    [
      "anthropic: a call without its result",
      () => send.anthropic(broken(anthropic(), (r) => r.messages[2].content.shift())),
      "tool_use ids were found without tool_result blocks immediately after: c1",
    ],
    [
      "openai-responses: breakpoints before GPT-5.6",
      () => send.responses(broken(responses(), (r) => Object.assign(r, { model: "gpt-5.5" }))),
      "prompt_cache_breakpoint is not supported with gpt-5.5",
    ],
    [
      "openai-responses: five breakpoints",
      () =>
        send.responses(
          broken(responses(), (r) => {
            const [tail, words] = r.input.at(-1).content
            Object.assign(tail, { prompt_cache_breakpoint: mark })
            Object.assign(words, { prompt_cache_breakpoint: mark })
          }),
        ),
      "at most 4 breakpoints, found 5",
    ],
    [
      "openai-responses: empty text",
      () => send.responses(broken(responses(), (r) => Object.assign(r.input[0].content[0], { text: "" }))),
      "text must not be empty",
    ],
    [
      "openai-responses: a call without its result",
      () => send.responses(broken(responses(), (r) => r.input.splice(5, 1))),
      "a tool call without its result",
    ],
    [
      "openai-chat: breakpoints before GPT-5.6",
      () => send.chat(broken(chat(), (r) => Object.assign(r, { model: "gpt-4.1" }))),
      "prompt_cache_breakpoint is not supported with gpt-4.1",
    ],
    [
      "openai-chat: a call without its result",
      () => send.chat(broken(chat(), (r) => r.messages.splice(3, 1))),
      "a tool call without its result",
    ],
    [
      "openai-compatible: two system messages",
      () => send.text(broken(text(), (r) => r.messages.unshift(r.messages[0]))),
      "System message must be at the beginning.",
    ],
    [
      "openai-compatible: a late system message",
      () => send.text(broken(text(), (r) => r.messages.push(r.messages.shift()))),
      "System message must be at the beginning.",
    ],
    [
      "openai-compatible: a developer message",
      () => send.text(broken(text(), (r) => Object.assign(r.messages[0], { role: "developer" }))),
      "unexpected role developer",
    ],
    [
      "google: a late system message",
      () => send.google(broken(google(), (r) => r.contents.push({ role: "system", parts: [{ text: "x" }] }))),
      "please use a valid role",
    ],
    [
      "google: empty text",
      () => send.google(broken(google(), (r) => Object.assign(r.contents[0].parts[0], { text: "" }))),
      "text must not be empty",
    ],
    [
      "google: a result with another name than its call",
      () =>
        send.google(
          broken(google(), (r) => Object.assign(r.contents[2].parts[0].functionResponse, { name: "c1" })),
        ),
      "a tool call without its result",
    ],
    [
      "bedrock: five cache points",
      () => send.bedrock(broken(bedrock(), (r) => r.system.push({ cachePoint: { type: "default" } }))),
      "at most 4 breakpoints, found 5",
    ],
    [
      "bedrock: an hour after five minutes",
      () => send.bedrock(broken(bedrock(), (r) => Object.assign(r.system[3].cachePoint, { ttl: "1h" }))),
      "a 1h breakpoint must not come after a 5m one",
    ],
    [
      "bedrock: blank text",
      () => send.bedrock(broken(bedrock(), (r) => Object.assign(r.system[0], { text: "" }))),
      "is blank",
    ],
    [
      "bedrock: a call without its result",
      () => send.bedrock(broken(bedrock(), (r) => r.messages[2].content.shift())),
      "a tool call without its result",
    ],
  ]

  test.each(refusals)("%s", async (_name, request, why) => {
    await expect(request()).rejects.toThrow(why)
  })
})

test("OpenAI's older models get no breakpoint to refuse", async () => {
  const old = { model: "openai/gpt-5.5" }
  await send.responses(renderResponses(prompt, messages, old).request)
  await send.chat(renderChat(prompt, messages, old).request)
  const { body, warnings } = await sendByAiSdk("openai/gpt-5.5", old)
  expect([warnings, countMarks(body)]).toEqual([[], 0])
})

test("an hour for the head and five minutes for the conversation is accepted", async () => {
  const long = { ...prompt, head: prompt.head.map((block) => ({ ...block, breakpoint: { ttl: "1h" } })) }
  const { request } = renderAnthropic(long, messages, optionsFor(CLAUDE))
  expect(request.system?.map(({ cache_control }) => cache_control)).toEqual([hour, hour])
  expect(await send.anthropic(request)).toEqual(request)
  const converse = renderBedrock(long, messages, optionsFor(BEDROCK)).request
  expect(converse.system?.[1]).toEqual({ cachePoint: { type: "default", ttl: "1h" } })
  await send.bedrock(converse)
})
