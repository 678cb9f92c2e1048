// The converters take the official SDKs' own types, and renderers return what the SDKs take. Checked by the compiler: the
// functions are never called.
import type Anthropic from "@anthropic-ai/sdk"
import type { Content, GenerateContentParameters } from "@google/genai"
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from "ai"
import type OpenAI from "openai"
import { expect, test } from "vitest"
import type { Message } from "../../../src/core/model/message.ts"
import type { Prompt } from "../../../src/core/model/prompt.ts"
import { renderAiSdk } from "../../../src/render/formats/ai-sdk.ts"
import { renderAnthropic } from "../../../src/render/formats/anthropic.ts"
import { renderGoogle } from "../../../src/render/formats/google.ts"
import { renderChat } from "../../../src/render/formats/openai-chat.ts"
import { renderResponses } from "../../../src/render/formats/openai-responses.ts"
import { fromAiSdk } from "../../../src/render/from/from-ai-sdk.ts"
import { fromAnthropic } from "../../../src/render/from/from-anthropic.ts"
import { fromChat } from "../../../src/render/from/from-chat.ts"
import { fromGoogle } from "../../../src/render/from/from-google.ts"
import { fromResponses } from "../../../src/render/from/from-responses.ts"

type Inputs = {
  readonly response: OpenAI.Responses.Response
  readonly input: OpenAI.Responses.ResponseInput
  readonly completion: OpenAI.Chat.ChatCompletion
  readonly chat: OpenAI.Chat.ChatCompletionMessageParam[]
  readonly message: Anthropic.Message
  readonly history: Anthropic.MessageParam[]
  readonly content: Content
  readonly contents: Content[]
  readonly generated: (AssistantModelMessage | ToolModelMessage)[]
  readonly models: ModelMessage[]
}

function converted(inputs: Inputs): readonly (readonly Message[])[] {
  const [choice] = inputs.completion.choices
  return [
    fromResponses(inputs.response.output),
    fromResponses(inputs.input),
    ...(choice === undefined ? [] : [fromChat(choice.message)]),
    fromChat(inputs.chat),
    fromAnthropic(inputs.message.content),
    fromAnthropic(inputs.message),
    fromAnthropic(inputs.history),
    fromGoogle(inputs.content),
    fromGoogle(inputs.contents),
    fromAiSdk(inputs.generated),
    fromAiSdk(inputs.models),
  ]
}

interface Requests {
  readonly responses: OpenAI.Responses.ResponseCreateParamsNonStreaming
  readonly chat: OpenAI.Chat.ChatCompletionCreateParamsNonStreaming
  readonly anthropic: Anthropic.MessageCreateParamsNonStreaming
  readonly google: GenerateContentParameters
  readonly aiSdk: ModelMessage[]
}

function requests(prompt: Prompt, messages: readonly Message[]): Requests {
  const options = { model: "any" }
  return {
    responses: renderResponses(prompt, messages, options).request,
    chat: renderChat(prompt, messages, options).request,
    anthropic: renderAnthropic(prompt, messages, options).request,
    google: renderGoogle(prompt, messages, options).request,
    aiSdk: renderAiSdk(prompt, messages, options).request.messages,
  }
}

test("the types of the official SDKs fit", () => {
  expect([typeof converted, typeof requests]).toEqual(["function", "function"])
})
