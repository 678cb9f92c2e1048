// What the SDKs return for realistic steps, read as messages, and sent back with the next request.
import type Anthropic from "@anthropic-ai/sdk"
import type { Content } from "@google/genai"
import type { AssistantModelMessage, ToolModelMessage } from "ai"
import type OpenAI from "openai"
import { expect, test } from "vitest"
import { type Message, userMessage } from "../../../src/core/model/message.ts"
import { renderAiSdk } from "../../../src/render/formats/ai-sdk.ts"
import { renderAnthropic } from "../../../src/render/formats/anthropic.ts"
import { renderBedrock } from "../../../src/render/formats/bedrock.ts"
import { renderGoogle } from "../../../src/render/formats/google.ts"
import { renderChat } from "../../../src/render/formats/openai-chat.ts"
import { renderResponses } from "../../../src/render/formats/openai-responses.ts"
import { fromAiSdk } from "../../../src/render/from/from-ai-sdk.ts"
import { fromAnthropic } from "../../../src/render/from/from-anthropic.ts"
import { fromBedrock } from "../../../src/render/from/from-bedrock.ts"
import { fromChat } from "../../../src/render/from/from-chat.ts"
import { fromGoogle } from "../../../src/render/from/from-google.ts"
import { fromResponses } from "../../../src/render/from/from-responses.ts"
import { samplePrompt } from "../sample.ts"

const prompt = { ...samplePrompt(), tools: [], head: [], tail: undefined }
const question = userMessage("Where is A17?")

function results(...given: readonly (readonly [string, string])[]): Message {
  return { role: "user", parts: given.map(([id, text]) => ({ kind: "tool-result", id, text })) }
}

const answered = (text: string) => [{ type: "input_text", text }]

test("OpenAI, Responses: reasoning, a message with a citation, a search, a call", () => {
  const output: OpenAI.Responses.ResponseOutputItem[] = [
    {
      ...{ type: "reasoning", id: "rs_1", encrypted_content: "gAAAA" },
      summary: [
        { type: "summary_text", text: "**Look it up**" },
        { type: "summary_text", text: "**Then answer**" },
      ],
    },
    {
      ...{ type: "web_search_call", id: "ws_1", status: "completed" },
      action: { type: "search", query: "A17", queries: ["A17"] },
    },
    {
      ...{ type: "message", id: "msg_1", role: "assistant", status: "completed", phase: "commentary" },
      content: [
        {
          ...{ type: "output_text", text: "I'll check.", logprobs: [] },
          annotations: [
            { type: "url_citation", start_index: 0, end_index: 4, title: "A", url: "https://a.b" },
          ],
        },
      ],
    },
    {
      ...{ type: "function_call", id: "fc_1", call_id: "call_1", name: "find", status: "completed" },
      arguments: '{"order": "A17"}',
    },
  ]
  const messages = fromResponses(output)
  expect(messages).toEqual([
    {
      role: "assistant",
      parts: [
        {
          ...{ kind: "reasoning", text: "**Look it up**" },
          data: { openai: { itemId: "rs_1", reasoningEncryptedContent: "gAAAA" } },
        },
        { kind: "reasoning", text: "**Then answer**", data: { openai: { itemId: "rs_1" } } },
        { kind: "native", format: "responses", value: output[1] },
        {
          ...{ kind: "text", text: "I'll check.", data: { openai: { itemId: "msg_1" } } },
          native: {
            format: "responses",
            value: {
              ...{ message: { status: "completed", phase: "commentary" }, at: 0 },
              block: {
                ...{ type: "output_text", logprobs: [] },
                annotations: [
                  { type: "url_citation", start_index: 0, end_index: 4, title: "A", url: "https://a.b" },
                ],
              },
            },
          },
        },
        {
          ...{ kind: "tool-call", id: "call_1", name: "find", input: { order: "A17" } },
          data: { openai: { itemId: "fc_1" } },
          native: { format: "responses", value: { status: "completed", arguments: '{"order": "A17"}' } },
        },
      ],
    },
  ])
  const next = [question, ...messages, results(["call_1", "In Oslo."])]
  expect(renderResponses(prompt, next, { model: "gpt-5.2" })).toEqual({
    request: {
      model: "gpt-5.2",
      input: [
        { role: "user", content: answered("Where is A17?") },
        ...output,
        { type: "function_call_output", call_id: "call_1", output: answered("In Oslo.") },
      ],
    },
    ...{ places: [], diagnostics: [] },
  })
})

test("OpenAI, Responses: the result of a custom call is sent as one", () => {
  const call: OpenAI.Responses.ResponseCustomToolCall = {
    ...{ type: "custom_tool_call", id: "ctc_1", call_id: "call_1", name: "sql", input: "SELECT 1" },
  }
  const messages = fromResponses([call])
  expect(messages[0]?.parts[0]).toMatchObject({ kind: "tool-call", name: "sql", input: "SELECT 1" })
  const next = [question, ...messages, results(["call_1", "1"])]
  expect(renderResponses(prompt, next, { model: "gpt-5.2" }).request.input.slice(1)).toEqual([
    call,
    { type: "custom_tool_call_output", call_id: "call_1", output: answered("1") },
  ])
  // Others take only objects.
  expect(renderAnthropic(prompt, next, { model: "x" }).request.messages[1]?.content).toEqual([
    { type: "tool_use", id: "call_1", name: "sql", input: { input: "SELECT 1" } },
  ])
})

test("OpenAI, Chat: text, a call with unreadable arguments, a refusal", () => {
  const message: OpenAI.Chat.ChatCompletionMessage = {
    ...{ role: "assistant", content: "I'll check.", refusal: null, annotations: [] },
    tool_calls: [
      { id: "call_1", type: "function", function: { name: "find", arguments: '{"order": "A1' } },
      { id: "call_2", type: "function", function: { name: "list", arguments: "" } },
    ],
  }
  const refusal: OpenAI.Chat.ChatCompletionMessage = {
    ...{ role: "assistant", content: null, refusal: "I can't help with that." },
  }
  const messages = [...fromChat(message), ...fromChat(refusal)]
  expect(messages).toEqual([
    {
      role: "assistant",
      parts: [
        { kind: "native", format: "chat", value: { annotations: [] }, fields: true },
        { kind: "text", text: "I'll check." },
        {
          ...{ kind: "tool-call", id: "call_1", name: "find", unread: "malformed" },
          input: { unread: '{"order": "A1' },
          native: { format: "chat", value: { arguments: '{"order": "A1' } },
        },
        {
          ...{ kind: "tool-call", id: "call_2", name: "list", input: {} },
          native: { format: "chat", value: { arguments: "" } },
        },
      ],
    },
    {
      role: "assistant",
      parts: [
        {
          ...{ kind: "text", text: "I can't help with that." },
          native: { format: "chat", value: { refusal: "refusal" } },
        },
      ],
    },
  ])
  const { request } = renderChat(prompt, messages, { model: "gpt-5.2" })
  expect(request.messages).toEqual([
    {
      ...{ role: "assistant", content: [{ type: "text", text: "I'll check." }], annotations: [] },
      tool_calls: message.tool_calls,
    },
    { role: "assistant", refusal: "I can't help with that." },
  ])
})

test("Anthropic: thinking, redacted thinking, a cited text, a server tool, a call", () => {
  const content: Anthropic.ContentBlock[] = [
    { type: "thinking", thinking: "Look it up.", signature: "EqQB" },
    { type: "redacted_thinking", data: "EmwK" },
    {
      ...{ type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "A17" } },
      caller: { type: "direct" },
    },
    {
      ...{ type: "web_search_tool_result", tool_use_id: "srvtoolu_1", caller: { type: "direct" } },
      content: [
        {
          type: "web_search_result",
          title: "A17",
          url: "https://a.b",
          encrypted_content: "Eo8",
          page_age: null,
        },
      ],
    },
    {
      ...{ type: "text", text: "It was shipped." },
      citations: [
        {
          ...{ type: "web_search_result_location", cited_text: "shipped", encrypted_index: "Eo8" },
          ...{ title: "A17", url: "https://a.b" },
        },
      ],
    },
    { type: "text", text: "I'll check.", citations: null },
    { type: "tool_use", id: "toolu_1", name: "find", input: { order: "A17" }, caller: { type: "direct" } },
  ]
  const messages = fromAnthropic(content)
  expect(messages).toEqual([
    {
      role: "assistant",
      parts: [
        { kind: "reasoning", text: "Look it up.", data: { anthropic: { signature: "EqQB" } } },
        { kind: "reasoning", text: "", data: { anthropic: { redactedData: "EmwK" } } },
        { kind: "native", format: "anthropic", value: content[2] },
        { kind: "native", format: "anthropic", value: content[3] },
        {
          ...{ kind: "text", text: "It was shipped." },
          native: {
            format: "anthropic",
            value: {
              citations: [
                {
                  ...{ type: "web_search_result_location", cited_text: "shipped", encrypted_index: "Eo8" },
                  ...{ title: "A17", url: "https://a.b" },
                },
              ],
            },
          },
        },
        { kind: "text", text: "I'll check." },
        {
          ...{ kind: "tool-call", id: "toolu_1", name: "find", input: { order: "A17" } },
          native: { format: "anthropic", value: { caller: { type: "direct" } } },
        },
      ],
    },
  ])
  const next = [question, ...messages, results(["toolu_1", "In Oslo."])]
  const { request } = renderAnthropic(prompt, next, { model: "claude-sonnet-5-5", breakpoints: [] })
  expect(request.messages).toEqual([
    { role: "user", content: [{ type: "text", text: "Where is A17?" }] },
    { role: "assistant", content: content.with(5, { type: "text", text: "I'll check." } as never) },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "In Oslo." }],
    },
  ])
})

test("Google: a thought, parallel calls of which one is signed, and results without ids", () => {
  const content: Content = {
    role: "model",
    parts: [
      { text: "Look it up.", thought: true },
      { functionCall: { name: "find", args: { order: "A17" } }, thoughtSignature: "CpQB" },
      { functionCall: { name: "list", args: {} } },
    ],
  }
  const before = fromGoogle([{ role: "model", parts: [{ functionCall: { name: "old" } }] }])
  const messages = fromGoogle(content, before)
  expect(messages).toEqual([
    {
      role: "assistant",
      parts: [
        { kind: "reasoning", text: "Look it up.", native: { format: "google", value: {} } },
        {
          ...{ kind: "tool-call", id: "call_2", name: "find", input: { order: "A17" } },
          data: { google: { thoughtSignature: "CpQB" } },
          native: { format: "google", value: { withoutId: true } },
        },
        {
          ...{ kind: "tool-call", id: "call_3", name: "list", input: {} },
          native: { format: "google", value: { withoutId: true } },
        },
      ],
    },
  ])
  const json = { kind: "tool-result", id: "call_3", text: '["A17"]', json: true } as const
  const answer: Message = { role: "user", parts: [...results(["call_2", "In Oslo."]).parts, json] }
  const { request } = renderGoogle(prompt, [question, ...messages, answer], { model: "gemini-3.5-flash" })
  expect(request.contents.slice(1)).toEqual([
    content,
    {
      role: "user",
      parts: [
        { functionResponse: { name: "find", response: { output: "In Oslo." } } },
        { functionResponse: { name: "list", response: { output: ["A17"] } } },
      ],
    },
  ])
})

test("Bedrock: reasoning of Claude and a call, with bytes that survive being stored", () => {
  const message = {
    role: "assistant",
    content: [
      { reasoningContent: { reasoningText: { text: "Look it up.", signature: "EqQB" } } },
      { reasoningContent: { redactedContent: new Uint8Array([1, 2, 3]) } },
      { text: "I'll check." },
      { image: { format: "png", source: { bytes: new Uint8Array([0, 255]) } } },
      { toolUse: { toolUseId: "tooluse_1", name: "find", input: { order: "A17" } } },
    ],
  }
  const messages = fromBedrock(message)
  expect(messages).toEqual([
    {
      role: "assistant",
      parts: [
        {
          ...{ kind: "reasoning", text: "Look it up.", data: { bedrock: { signature: "EqQB" } } },
          native: { format: "bedrock", value: {} },
        },
        {
          ...{ kind: "reasoning", text: "", data: { bedrock: { redactedData: "AQID" } } },
          native: { format: "bedrock", value: { bytes: true } },
        },
        { kind: "text", text: "I'll check." },
        {
          ...{ kind: "native", format: "bedrock" },
          value: { image: { format: "png", source: { bytes: { $bytes: "AP8=" } } } },
        },
        { kind: "tool-call", id: "tooluse_1", name: "find", input: { order: "A17" } },
      ],
    },
  ])
  const stored: readonly Message[] = JSON.parse(JSON.stringify(messages))
  const { request } = renderBedrock(prompt, [question, ...stored], { model: "x", breakpoints: [] })
  expect(request.messages[1]).toEqual(message)
})

test("AI SDK: two steps of a call with reasoning, of which the first is answered", () => {
  const generated: (AssistantModelMessage | ToolModelMessage)[] = [
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Look it up.", providerOptions: { anthropic: { signature: "EqQB" } } },
        { type: "tool-call", toolCallId: "toolu_1", toolName: "find", input: { order: "A17" } },
      ],
    },
    {
      role: "tool",
      content: [
        {
          ...{ type: "tool-result", toolCallId: "toolu_1", toolName: "find" },
          output: { type: "json", value: { place: "Oslo" } },
        },
      ],
    },
    { role: "assistant", content: [{ type: "text", text: "In Oslo." }] },
  ]
  const messages = fromAiSdk(generated)
  expect(messages).toEqual([
    {
      role: "assistant",
      parts: [
        { kind: "reasoning", text: "Look it up.", data: { anthropic: { signature: "EqQB" } } },
        { kind: "tool-call", id: "toolu_1", name: "find", input: { order: "A17" } },
      ],
    },
    {
      role: "user",
      parts: [{ kind: "tool-result", id: "toolu_1", text: '{"place":"Oslo"}', json: true }],
    },
    { role: "assistant", parts: [{ kind: "text", text: "In Oslo." }] },
  ])
  const { request } = renderAiSdk(prompt, [question, ...messages], { model: "openai-compatible/x" })
  expect(request.messages.slice(1)).toEqual(generated)
  // The same reasoning goes back through Anthropic's own SDK.
  expect(renderAnthropic(prompt, messages, { model: "x" }).request.messages[0]?.content[0]).toEqual({
    ...{ type: "thinking", thinking: "Look it up.", signature: "EqQB" },
  })
})

test("values that the SDKs parsed for structured output are not sent back, which the APIs would refuse", () => {
  const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "find", arguments: "{}" }
  const text = { type: "output_text", text: '{"a":1}', annotations: [] }
  const said = { type: "message", id: "msg_1", role: "assistant", status: "completed" }
  const responses = fromResponses([
    { ...said, content: [{ ...text, parsed: { a: 1 } }] },
    { ...call, parsed_arguments: {} },
  ] as never)
  const options = { model: "gpt-5.2" }
  expect(renderResponses(prompt, responses, options).request.input).toEqual([
    { ...said, content: [text] },
    call,
  ])
  const named = { name: "find", arguments: "{}" }
  const tool_calls = [{ id: "call_1", type: "function", function: { ...named, parsed_arguments: {} } }]
  const chat = fromChat({ role: "assistant", content: "{}", parsed: {}, tool_calls } as never)
  expect(renderChat(prompt, chat, options).request.messages).toEqual([
    {
      ...{ role: "assistant", content: [{ type: "text", text: "{}" }] },
      tool_calls: [{ id: "call_1", type: "function", function: named }],
    },
  ])
  const block = { type: "text", text: "{}" }
  const anthropic = fromAnthropic([{ ...block, parsed_output: {} }] as never)
  expect(renderAnthropic(prompt, anthropic, { model: "x" }).request.messages[0]?.content).toEqual([block])
})

test("bytes and addresses of files become text, so that a conversation can be stored", () => {
  const messages = fromAiSdk([
    {
      role: "user",
      content: [
        { type: "image", image: new Uint8Array([0, 1, 254, 255]) },
        { type: "file", data: new URL("https://a.b/c.pdf"), mediaType: "application/pdf" },
      ],
    },
  ])
  expect(messages).toEqual([
    {
      role: "user",
      parts: [
        { kind: "native", format: "ai-sdk", value: { type: "image", image: "AAH+/w==" } },
        {
          ...{ kind: "native", format: "ai-sdk" },
          value: { type: "file", data: "https://a.b/c.pdf", mediaType: "application/pdf" },
        },
      ],
    },
  ])
})
