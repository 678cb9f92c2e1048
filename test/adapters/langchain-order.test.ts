// The middleware of LangChain beside others: before them, after them, and where others change what is sent.
import { ChatAnthropic } from "@langchain/anthropic"
import {
  type AgentMiddleware,
  anthropicPromptCachingMiddleware,
  type BaseMessage,
  createAgent,
  createMiddleware,
  dynamicSystemPromptMiddleware,
  HumanMessage,
  modelFallbackMiddleware,
  modelRetryMiddleware,
} from "langchain"
import { afterEach, beforeEach, expect, test } from "vitest"
import { wireBlocks } from "../../scripts/clients/provider/wire-blocks.ts"
import { openChat } from "../../src/adapters/langchain/open-chat.ts"
import { ADA, harbour, minute } from "./harbour.ts"
import { type Provider, startProvider, type WireCall } from "./provider.ts"

let provider: Provider

beforeEach(async () => {
  provider = await startProvider()
})
afterEach(() => provider.close())

function modelNamed(model: string) {
  return new ChatAnthropic({ model, apiKey: "none", anthropicApiUrl: provider.url, maxRetries: 0 })
}

function agentWith(middleware: readonly AgentMiddleware[]) {
  return createAgent({ model: modelNamed("claude-sonnet-5-5"), tools: [], middleware: [...middleware] })
}

/** Three turns with these middlewares; `chat` stands for ours. */
async function talk(around: (ours: AgentMiddleware) => readonly AgentMiddleware[]) {
  const chat = openChat(harbour, ADA, { turn: ({ turn }) => ({ now: minute(turn) }) })
  const agent = agentWith(around(chat.middleware))
  let messages: readonly BaseMessage[] = []
  for (const words of ["one", "two", "three"]) {
    const state = await agent.invoke({ messages: [...messages, new HumanMessage(`Please answer: ${words}`)] })
    messages = state.messages
  }
  return { chat, messages }
}

function system({ body, format }: WireCall): string {
  return wireBlocks(body, format)
    .filter(({ tier }) => tier === "system")
    .map(({ text }) => text)
    .join("|")
}

function marks({ body, format }: WireCall): number {
  return wireBlocks(body, format).filter(({ mark }) => mark !== undefined).length
}

function times({ text }: WireCall): readonly string[] {
  return [...text.matchAll(/It is (\d+:\d+)\./g)].map(([, time = ""]) => time)
}

const says = dynamicSystemPromptMiddleware(() => "Also be brief.") as AgentMiddleware

test.each([
  ["before", (ours: AgentMiddleware) => [says, ours]],
  ["after", (ours: AgentMiddleware) => [ours, says]],
])(
  "a middleware with system text of its own, %s ours: both texts, ours first, the same bytes",
  async (_, around) => {
    await talk(around)
    const texts = provider.calls.map(system)
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toMatch(/^<base>\nYou are the harbour master\.[\s\S]*Also be brief\.$/)
    expect(provider.calls.map(times)).toEqual([["8:01"], ["8:01", "8:02"], ["8:01", "8:02", "8:03"]])
  },
)

test("LangChain's own caching beside it: together never more marks than the API takes", async () => {
  await talk((ours) => [anthropicPromptCachingMiddleware() as AgentMiddleware, ours])
  const own = provider.calls.map(({ body }) => (body.cache_control === undefined ? 0 : 1))
  expect(own).toContain(1)
  expect(provider.calls.map((call, at) => marks(call) + (own[at] ?? 0)).every((count) => count <= 4)).toBe(
    true,
  )
})

test("a retry sends the same bytes again", async () => {
  const retry = modelRetryMiddleware({ maxRetries: 1, initialDelayMs: 1, jitter: false }) as AgentMiddleware
  const chat = openChat(harbour, ADA, { turn: ({ turn }) => ({ now: minute(turn) }) })
  const agent = agentWith([retry, chat.middleware])
  provider.failNext(500)
  const { messages } = await agent.invoke({ messages: [new HumanMessage("Please answer: one")] })
  expect(messages.at(-1)?.text).toBe("All right.")
  expect(provider.calls.map(times)).toEqual([["8:01"]])
  expect(provider.calls.map((call) => system(call).startsWith("<base>"))).toEqual([true])
  expect(chat.report().turn).toBe(1)
})

test("another model as a fallback gets a head of its own", async () => {
  const fallback = modelFallbackMiddleware(modelNamed("claude-haiku-4-5")) as AgentMiddleware
  const chat = openChat(harbour, ADA, { turn: ({ turn }) => ({ now: minute(turn) }) })
  const agent = agentWith([fallback, chat.middleware])
  provider.failNext(500)
  await agent.invoke({ messages: [new HumanMessage("Please answer: one")] })
  expect(provider.calls.map(({ model }) => model)).toEqual(["claude-haiku-4-5"])
  expect(chat.report().steps.map(({ model }) => model)).toContain("anthropic/claude-haiku-4-5")
  expect(provider.calls.map(times)).toEqual([["8:01"]])
})

test("a conversation that another middleware has shortened begins again: turn context is sent once more", async () => {
  const last = createMiddleware({
    name: "last",
    wrapModelCall: (request, handler) => handler({ ...request, messages: request.messages.slice(-1) }),
  })
  await talk((ours) => [last, ours])
  expect(provider.calls.map(times)).toEqual([["8:01"], ["8:02"], ["8:03"]])
  expect(new Set(provider.calls.map(system)).size).toBe(1)
})
