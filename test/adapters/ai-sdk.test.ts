// The AI SDK, with the providers of Anthropic, OpenAI and Google.
import { createAnthropic } from "@ai-sdk/anthropic"
import { createGoogle } from "@ai-sdk/google"
import { createOpenAI } from "@ai-sdk/openai"
import {
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  streamText,
  tool,
  wrapLanguageModel,
} from "ai"
import { type AiSdkPrepareStep, openChat } from "../../src/adapters/ai-sdk/open-chat.ts"
import { googleBody, type HostConversation, type OwnChat, testHost } from "./contract.ts"
import { ADA, harbour, TOOL } from "./harbour.ts"

type SdkModel = ReturnType<ReturnType<typeof createAnthropic>>

const tools = {
  [TOOL.name]: tool({
    description: TOOL.description,
    inputSchema: jsonSchema<{ path: string }>(TOOL.schema as never),
    execute: ({ path }) => TOOL.run(path),
  }),
}

interface Maker {
  readonly name: string
  readonly model: string
  readonly make: (url: string) => SdkModel
  readonly own: (chat: OwnChat) => object
}

const MAKERS: readonly Maker[] = [
  {
    name: "Anthropic",
    model: "anthropic/claude-sonnet-5-5",
    make: (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey: "none" })("claude-sonnet-5-5"),
    own: (chat) => chat.anthropic("claude-sonnet-5-5"),
  },
  {
    name: "OpenAI",
    model: "openai/gpt-5.2",
    make: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: "none" })("gpt-5.2"),
    own: (chat) => chat.openai("gpt-5.2"),
  },
  {
    name: "Google",
    model: "google/gemini-2.5-pro",
    make: (url) => createGoogle({ baseURL: `${url}/v1beta`, apiKey: "none" })("gemini-2.5-pro"),
    own: googleBody,
  },
]

interface SdkConversation extends HostConversation {
  readonly messages: () => readonly ModelMessage[]
}

function conversationWith(
  {
    system,
    ...settings
  }: {
    readonly model: LanguageModel
    readonly prepareStep?: AiSdkPrepareStep
    readonly system?: () => string
  },
  after: HostConversation | undefined,
): SdkConversation {
  // Made by this function.
  let messages = [...((after as SdkConversation | undefined)?.messages() ?? [])]
  return {
    messages: () => messages,
    async say(words, way) {
      const asked: ModelMessage[] = [...messages, { role: "user", content: words }]
      const instructions = system?.()
      const own = instructions === undefined ? {} : { instructions }
      const given = { ...settings, ...own, messages: asked, tools, stopWhen: isStepCount(5), maxRetries: 0 }
      if (way === "whole") {
        const { responseMessages, text } = await generateText(given)
        messages = [...asked, ...responseMessages]
        return [text]
      }
      const failures: unknown[] = []
      const result = streamText({ ...given, onError: ({ error }) => void failures.push(error) })
      const pieces: string[] = []
      for await (const piece of result.textStream) pieces.push(piece)
      if (failures.length > 0) throw failures[0]
      messages = [...asked, ...(await result.responseMessages)]
      return pieces
    },
  }
}

for (const { name, model, make, own } of MAKERS) {
  testHost({
    name: `AI SDK, ${name}`,
    model,
    page: "docs/hosts/ai-sdk.md",
    plain: (url, system) => conversationWith({ model: make(url), system }, undefined),
    own: (chat) => ({ body: own(chat) }),
    open(url, options) {
      if (options === undefined)
        return { conversation: conversationWith({ model: make(url) }, undefined), chat: undefined }
      const { after, ...rest } = options
      const chat = openChat(harbour, ADA, rest)
      const wrapped = wrapLanguageModel({ model: make(url), middleware: chat.middleware })
      return { conversation: conversationWith({ model: wrapped }, after), chat }
    },
  })

  testHost({
    name: `AI SDK with prepareStep, ${name}`,
    model,
    own: (chat) => ({ body: own(chat) }),
    open(url, options) {
      if (options === undefined)
        return { conversation: conversationWith({ model: make(url) }, undefined), chat: undefined }
      const { after, ...rest } = options
      const chat = openChat(harbour, ADA, rest)
      const { prepareStep } = chat
      return { conversation: conversationWith({ model: make(url), prepareStep }, after), chat }
    },
  })
}
