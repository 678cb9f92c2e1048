// What programs do with the AI SDK beyond saying one thing after the other.
import { createAnthropic } from "@ai-sdk/anthropic"
import { generateText, jsonSchema, type ModelMessage, tool, wrapLanguageModel } from "ai"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type WireBlock, wireBlocks } from "../../scripts/clients/provider/wire-blocks.ts"
import { openChat } from "../../src/adapters/ai-sdk/open-chat.ts"
import { ADA, harbour, minute } from "./harbour.ts"
import { type Provider, startProvider } from "./provider.ts"

let provider: Provider

beforeEach(async () => {
  provider = await startProvider()
})
afterEach(() => provider.close())

function open() {
  const chat = openChat(harbour, ADA, { turn: ({ turn }) => ({ now: minute(turn) }) })
  const anthropic = createAnthropic({ baseURL: `${provider.url}/v1`, apiKey: "none" })
  const model = wrapLanguageModel({ model: anthropic("claude-sonnet-5-5"), middleware: chat.middleware })
  return { chat, model }
}

function blocks(call: number): readonly WireBlock[] {
  const { body, format } = provider.calls.at(call) ?? { body: {}, format: "anthropic" as const }
  return wireBlocks(body, format)
}

function times(call: number): readonly string[] {
  return [...(provider.calls.at(call)?.text ?? "").matchAll(/It is (\d+:\d+)\./g)].map(
    ([, time = ""]) => time,
  )
}

function head(call: number): string {
  return blocks(call)
    .filter(({ tier }) => tier === "system")
    .map(({ text }) => text)
    .join("|")
}

const user = (content: string): ModelMessage => ({ role: "user", content })
const assistant = (content: string): ModelMessage => ({ role: "assistant", content })
const ONE = [user("Please answer: one"), assistant("All right.")]
const mark = { anthropic: { cacheControl: { type: "ephemeral" } } }

test("the program's own marks stay and count: together never more than the API takes", async () => {
  const { model } = open()
  const tools = {
    look: tool({
      description: "Looks.",
      inputSchema: jsonSchema<object>({ type: "object" }),
      execute: () => "Nothing.",
      providerOptions: mark,
    }),
  }
  const messages: ModelMessage[] = [
    { ...user("Please answer: one"), providerOptions: mark },
    assistant("Yes."),
    user("Two?"),
  ]
  const { warnings } = await generateText({ model, messages, tools })
  const marked = blocks(0).filter(({ mark: ttl }) => ttl !== undefined)
  expect(marked).toHaveLength(4)
  expect(marked.map(({ tier }) => tier)).toContain("tools")
  expect(marked.some(({ text }) => text.includes("Please answer: one"))).toBe(true)
  expect(warnings ?? []).toEqual([])
})

test("instructions of the program follow the head", async () => {
  const { model } = open()
  await generateText({ model, instructions: "Answer in French.", prompt: "Please answer: one" })
  expect(head(0)).toMatch(/^<base>[\s\S]*\|Answer in French\.$/)
})

test("an answer that is made again gets the same request, and a turn that is taken back leaves no trace", async () => {
  const { chat, model } = open()
  await generateText({ model, messages: ONE.slice(0, 1) })
  await generateText({ model, messages: ONE.slice(0, 1) })
  expect(provider.calls[1]?.text).toBe(provider.calls[0]?.text)
  expect(chat.report().steps).toHaveLength(1)
  await generateText({ model, messages: [...ONE, user("Please answer: two")] })
  await generateText({ model, messages: [...ONE, user("Please answer: something else")] })
  expect(times(2)).toEqual(["8:01", "8:02"])
  expect(times(3)).toEqual(["8:01", "8:02"])
  expect(provider.calls[3]?.text).not.toContain("answer: two")
  expect(chat.report().turn).toBe(2)
})

test("what the program changes is appended, and the head keeps its bytes", async () => {
  const { chat, model } = open()
  await generateText({ model, messages: ONE.slice(0, 1) })
  chat.update({ name: "Ada of the Otter" })
  await generateText({ model, messages: [...ONE, user("Please answer: two")] })
  expect(head(1)).toBe(head(0))
  expect(provider.calls[1]?.text).toContain("Ada of the Otter")
})

test("reasoning goes back to Claude, but not after the prompt was rebuilt", async () => {
  const { chat, model } = open()
  await generateText({ model, messages: ONE.slice(0, 1) })
  const thought: ModelMessage = {
    role: "assistant",
    content: [
      { type: "reasoning", text: "I think.", providerOptions: { anthropic: { signature: "s" } } },
      { type: "text", text: "All right." },
    ],
  }
  const before = [...ONE.slice(0, 1), thought, user("Please answer: two")]
  await generateText({ model, messages: before })
  expect(provider.calls[1]?.text).toContain("I think.")
  chat.update({ trust: "full" })
  await generateText({ model, messages: [...before, assistant("All right."), user("Please answer: three")] })
  expect(head(2)).toContain("third bollard")
  expect(provider.calls[2]?.text).not.toContain("I think.")
  expect(times(2)).toEqual(["8:03"])
})

test("two calls at once are two turns of one conversation, and none is lost", async () => {
  const { chat, model } = open()
  await Promise.all([1, 2].map((at) => generateText({ model, messages: [user(`Please answer: ${at}`)] })))
  expect(provider.calls).toHaveLength(2)
  expect([0, 1].map((at) => times(at).length)).toEqual([1, 1])
  expect(chat.report().turn).toBe(2)
})
