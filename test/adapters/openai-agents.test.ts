// OpenAI Agents: with a history of the program's own, and with a session of the SDK.
import {
  Agent,
  type AgentInputItem,
  MemorySession,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
  tool,
} from "@openai/agents"
import OpenAI from "openai"
import { expect, onTestFinished, test } from "vitest"
import { wireBlocks } from "../../scripts/clients/provider/wire-blocks.ts"
import { openChat } from "../../src/adapters/openai-agents/open-chat.ts"
import { type HostConversation, testHost } from "./contract.ts"
import { ADA, harbour, minute, TOOL, WORDS } from "./harbour.ts"
import { startProvider } from "./provider.ts"

setTracingDisabled(true)

const read = tool({
  name: TOOL.name,
  description: TOOL.description,
  parameters: TOOL.schema as never,
  strict: true,
  // Arguments are what the schema says.
  execute: (input) => TOOL.run((input as { path: string }).path),
})

type Chat = ReturnType<typeof openHarbour>

function openHarbour(
  options: Parameters<typeof openChat<{ name: string }, { now: string; tide?: string }>>[2],
) {
  return openChat(harbour, ADA, options)
}

interface ItemConversation extends HostConversation {
  readonly items: () => readonly AgentInputItem[]
}

function conversationAt(
  url: string,
  chat: Chat | undefined,
  after: HostConversation | undefined,
  system?: () => string,
): ItemConversation {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0 })
  const agent = new Agent({
    name: "harbour",
    model: new OpenAIResponsesModel(client, "gpt-5.2"),
    tools: [read],
    ...(chat && { modelSettings: chat.modelSettings }),
    ...(system && { instructions: system }),
  })
  const runner = new Runner(chat ? { callModelInputFilter: chat.callModelInputFilter } : {})
  // Made by this function.
  let items = [...((after as ItemConversation | undefined)?.items() ?? [])]
  return {
    items: () => items,
    async say(words, way) {
      const input: AgentInputItem[] = [...items, { role: "user", content: words }]
      if (way === "whole") {
        const result = await runner.run(agent, input)
        items = result.history
        return [result.finalOutput ?? ""]
      }
      const result = await runner.run(agent, input, { stream: true })
      const pieces: string[] = []
      for await (const piece of result.toTextStream()) pieces.push(piece)
      await result.completed
      items = result.history
      return pieces
    },
  }
}

testHost({
  name: "OpenAI Agents",
  model: "openai/gpt-5.2",
  page: "docs/hosts/openai-agents.md",
  plain: (url, system) => conversationAt(url, undefined, undefined, system),
  own: (chat) => ({ body: chat.openai("gpt-5.2") }),
  open(url, options) {
    if (options === undefined)
      return { conversation: conversationAt(url, undefined, undefined), chat: undefined }
    const { after, ...rest } = options
    const chat = openHarbour(rest)
    return { conversation: conversationAt(url, chat, after), chat }
  },
})

test("a session of the SDK, which keeps what was sent, gets no turn context twice", async () => {
  const provider = await startProvider()
  onTestFinished(() => provider.close())
  const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: "none", maxRetries: 0 })
  const chat = openHarbour({ turn: ({ turn }) => ({ now: minute(turn) }) })
  const agent = new Agent({
    name: "harbour",
    model: new OpenAIResponsesModel(client, "gpt-5.2"),
    tools: [read],
    modelSettings: chat.modelSettings,
  })
  const runner = new Runner({ callModelInputFilter: chat.callModelInputFilter })
  const session = new MemorySession()
  for (const words of WORDS.slice(0, 4)) await runner.run(agent, words, { session })
  const times = [...(provider.calls.at(-1)?.text ?? "").matchAll(/It is (\d+:\d+)\./g)].map(
    ([, time]) => time,
  )
  expect(times).toEqual([1, 2, 3, 4].map(minute))
  const inputs = provider.calls.map(({ body, format }) => wireBlocks(body, format).map(({ key }) => key))
  for (const [at, input] of inputs.entries())
    expect(input.slice(0, inputs[at - 1]?.length ?? 0)).toEqual(inputs[at - 1] ?? [])
  const keys = provider.calls.map(({ body }) => body.prompt_cache_key)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
})
