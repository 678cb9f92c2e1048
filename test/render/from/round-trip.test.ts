// What a provider's SDK has comes back as it was, and so do our messages. Both up to what means the same to the API:
// a string is one text block, null is absent, and marks of caches are not text.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Message } from "../../../src/core/model/message.ts"
import type { Prompt } from "../../../src/core/model/prompt.ts"
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
import {
  aiSdkHistory,
  anthropicHistory,
  bedrockHistory,
  chatHistory,
  type Format,
  googleHistory,
  ourMessages,
  responsesHistory,
} from "./histories.ts"

type Item = Record<string, unknown>

const sample = samplePrompt()
const prompt: Prompt = {
  ...sample,
  ...{ tools: [], head: [], tail: undefined },
  plan: { ...sample.plan, entries: [] },
}
const options = { model: "some-model" }

interface Case extends Format {
  readonly name: string
  readonly history: fc.Arbitrary<Item[]>
  readonly from: (items: never) => readonly Message[]
  readonly back: (messages: readonly Message[]) => unknown
  /** What means the same to the API, in one form. */
  readonly normal: (items: readonly Item[]) => unknown
}

const CASES: readonly Case[] = [
  {
    name: "responses",
    history: responsesHistory,
    from: fromResponses,
    back: (messages) => renderResponses(prompt, messages, options).request.input,
    normal: (items) => items.map(normalResponses),
    reasoning: { openai: { itemId: "rs_1", reasoningEncryptedContent: "e" } },
  },
  {
    name: "chat",
    history: chatHistory,
    from: fromChat,
    back: (messages) => renderChat(prompt, messages, options).request.messages,
    normal: (items) => items.map(normalChat),
  },
  {
    name: "anthropic",
    history: anthropicHistory,
    from: fromAnthropic,
    back: (messages) => renderAnthropic(prompt, messages, options).request.messages,
    normal: (items) => items.map(normalAnthropic),
    reasoning: { anthropic: { signature: "s" } },
    resultErrors: true,
  },
  {
    name: "google",
    history: googleHistory,
    from: fromGoogle,
    back: (messages) => renderGoogle(prompt, messages, options).request.contents,
    normal: (items) => items,
    ...{ json: true, resultErrors: true },
  },
  {
    name: "bedrock",
    history: bedrockHistory,
    from: fromBedrock,
    back: (messages) => renderBedrock(prompt, messages, options).request.messages,
    normal: (items) => items,
    ...{ resultErrors: true, noBlankResults: true },
  },
  {
    name: "ai-sdk",
    history: aiSdkHistory,
    from: fromAiSdk,
    back: (messages) => renderAiSdk(prompt, messages, options).request.messages,
    normal: (items) => items.map((item) => ({ ...item, ...listed(item, "text") })),
    reasoning: { anthropic: { signature: "s" } },
    ...{ json: true, resultErrors: true },
  },
]

describe.each(CASES)("$name", ({ history, from, back, normal, ...format }) => {
  const read = (items: unknown) => from(items as never)

  test("a history of the SDK comes back as it was", () => {
    fc.assert(
      fc.property(history, (items) => {
        expect(back(read(items))).toEqual(normal(items))
      }),
      { numRuns: 500 },
    )
  })

  test("our messages come back as they were", () => {
    fc.assert(
      fc.property(ourMessages(format), (messages) => {
        expect(read(back(messages))).toEqual(messages)
      }),
      { numRuns: 300 },
    )
  })

  test("messages survive being stored as JSON, and share nothing with what they were read from", () => {
    fc.assert(
      fc.property(history, (items) => {
        const messages = read(items)
        const stored = JSON.parse(JSON.stringify(messages))
        expect(stored).toEqual(messages)
        expect(back(stored)).toEqual(back(messages))
        ruin(items)
        expect(JSON.parse(JSON.stringify(messages))).toEqual(stored)
      }),
      { numRuns: 100 },
    )
  })
})

/** Changes everything that can be changed. */
function ruin(value: unknown): void {
  if (typeof value !== "object" || value === null) return
  for (const field of Object.values(value)) ruin(field)
  if (Array.isArray(value)) value.push("ruined")
  else Object.assign(value, { ruined: true })
}

/** A string is one text block. */
function listed(item: Item, type: string, field = "content"): Item {
  const value = item[field]
  const isPlain = typeof value === "string" && item.role !== "system" && item.role !== "developer"
  return isPlain ? { [field]: [{ type, text: value }] } : {}
}

function withoutNull(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([, field]) => field !== null))
}

/** Plain text of the model stays a string, since the API has no other form of it for input. */
function normalResponses(item: Item): Item {
  if (item.role === "assistant") return item
  const content = item.role === "user" ? listed(item, "input_text") : {}
  const output = "output" in item && item.output !== "" ? listed(item, "input_text", "output") : {}
  return { ...item, ...content, ...output }
}

function normalChat(item: Item): Item {
  const isEmpty = item.content === ""
  return withoutNull({ ...item, ...(!isEmpty && listed(item, "text")) })
}

function normalAnthropic(item: Item): Item {
  const content = typeof item.content === "string" ? listed(item, "text").content : item.content
  if (!Array.isArray(content)) return item
  return { ...item, content: content.map(normalBlock) }
}

/** In a result it is the other way around: one text block is a string. */
function normalBlock({ cache_control: _mark, ...block }: Item): Item {
  if (block.type !== "tool_result") return withoutNull(block)
  const { is_error, content = "", ...rest } = block
  return { ...rest, content: normalResult(content), ...(is_error === true && { is_error }) }
}

function normalResult(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  if (content.length === 0) return ""
  const blocks = content.map(({ cache_control: _mark, ...block }: Item) => block)
  return blocks.length === 1 && blocks[0]?.type === "text" ? blocks[0].text : blocks
}
