// LangChain, with models of Anthropic, OpenAI and Google.
import { ChatAnthropic } from "@langchain/anthropic"
import { ChatGoogleGenerativeAI } from "@langchain/google-genai"
import { ChatOpenAI } from "@langchain/openai"
import {
  AIMessageChunk,
  type BaseMessage,
  createAgent,
  createMiddleware,
  dynamicSystemPromptMiddleware,
  HumanMessage,
  tool,
} from "langchain"
import { openChat } from "../../src/adapters/langchain/open-chat.ts"
import { googleBody, type HostConversation, type OwnChat, testHost } from "./contract.ts"
import { ADA, harbour, TOOL } from "./harbour.ts"

const read = tool(({ path }: { path: string }) => TOOL.run(path), {
  name: TOOL.name,
  description: TOOL.description,
  schema: TOOL.schema as never,
})

/** LangChain wraps errors as soon as there is any middleware. */
const nothing = createMiddleware({ name: "nothing", wrapModelCall: (request, handler) => handler(request) })

interface Maker {
  readonly name: string
  readonly model: string
  readonly make: (url: string) => ChatAnthropic | ChatOpenAI | ChatGoogleGenerativeAI
  readonly own: (chat: OwnChat) => object
}

const MAKERS: readonly Maker[] = [
  {
    name: "Anthropic",
    model: "anthropic/claude-sonnet-5-5",
    make: (url) =>
      new ChatAnthropic({ model: "claude-sonnet-5-5", apiKey: "none", anthropicApiUrl: url, maxRetries: 0 }),
    own: (chat) => chat.anthropic("claude-sonnet-5-5"),
  },
  {
    name: "OpenAI",
    model: "openai/gpt-5.2",
    make: (url) =>
      new ChatOpenAI({
        model: "gpt-5.2",
        apiKey: "none",
        maxRetries: 0,
        useResponsesApi: true,
        configuration: { baseURL: `${url}/v1` },
      }),
    own: (chat) => chat.openai("gpt-5.2"),
  },
  {
    name: "Google",
    model: "google/gemini-2.5-pro",
    make: (url) =>
      new ChatGoogleGenerativeAI({ model: "gemini-2.5-pro", apiKey: "none", baseUrl: url, maxRetries: 0 }),
    own: googleBody,
  },
]

interface ChainConversation extends HostConversation {
  readonly messages: () => readonly BaseMessage[]
}

type Agent = ReturnType<typeof createAgent>

function conversationWith(agent: Agent, after: HostConversation | undefined): ChainConversation {
  // Made by this function.
  let messages: readonly BaseMessage[] = (after as ChainConversation | undefined)?.messages() ?? []
  return {
    messages: () => messages,
    async say(words, way) {
      const input = { messages: [...messages, new HumanMessage(words)] }
      if (way === "whole") {
        const { messages: all } = await agent.invoke(input)
        messages = all
        return [all.at(-1)?.text ?? ""]
      }
      const pieces: string[] = []
      for await (const [mode, data] of await agent.stream(input, { streamMode: ["messages", "values"] })) {
        // The types of the two modes differ.
        if (mode === "values") messages = (data as { messages: BaseMessage[] }).messages
        const [chunk] = mode === "messages" ? (data as unknown as readonly unknown[]) : []
        if (AIMessageChunk.isInstance(chunk) && chunk.text !== "") pieces.push(chunk.text)
      }
      return pieces
    },
  }
}

for (const { name, model, make, own } of MAKERS) {
  testHost({
    name: `LangChain, ${name}`,
    model,
    page: "docs/hosts/langchain.md",
    plain: (url, system) => {
      const says = dynamicSystemPromptMiddleware(() => system())
      return conversationWith(
        createAgent({ model: make(url), tools: [read], middleware: [says] }) as never,
        undefined,
      )
    },
    own: (chat) => ({ body: own(chat) }),
    open(url, options) {
      if (options === undefined) {
        const agent = createAgent({ model: make(url), tools: [read], middleware: [nothing] })
        return { conversation: conversationWith(agent as never, undefined), chat: undefined }
      }
      const { after, ...rest } = options
      const chat = openChat(harbour, ADA, rest)
      const agent = createAgent({ model: make(url), tools: [read], middleware: [chat.middleware] })
      return { conversation: conversationWith(agent as never, after), chat }
    },
  })
}
