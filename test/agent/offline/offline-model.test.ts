// The offline model as the AI SDK sees it, and what holds for any words that are said to it.

import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { sdkModel } from "../../../src/agent/models/sdk-model.ts"
import { INTENTS } from "../../../src/agent/offline/intents.ts"
import { offlineModel } from "../../../src/agent/offline/offline.ts"
import { o200k } from "../../../src/tokens/o200k.ts"

const model = sdkModel(offlineModel(), fetch)

function toolOf(name: string): LanguageModelV4FunctionTool {
  return { type: "function", name, inputSchema: { type: "object" } }
}

function said(text: string, more: Partial<LanguageModelV4CallOptions> = {}): LanguageModelV4CallOptions {
  return { prompt: [{ role: "user", content: [{ type: "text", text }] }], ...more }
}

async function partsOf(options: LanguageModelV4CallOptions): Promise<readonly LanguageModelV4StreamPart[]> {
  const { stream } = await model.doStream(options)
  const parts: LanguageModelV4StreamPart[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

test("it stands for a model, costs nothing and asks nobody", () => {
  const { language, rule, price, ...facts } = offlineModel({ standsFor: "openai/gpt-5.6-sol" })
  expect(facts).toEqual({
    id: "offline/openai/gpt-5.6-sol",
    toolFormat: "native",
    isOffline: true,
    takesFiles: false,
  })
  expect(rule.id).toBe("openai/gpt-5.6")
  expect(offlineModel().id).toBe("offline/anthropic/claude-sonnet-5-5")
  expect(offlineModel().price(Date.UTC(2026, 5, 15))).toEqual({
    model: "offline/anthropic/claude-sonnet-5-5",
    input: 0,
    output: 0,
    read: 0,
    write: { "5m": 0, "1h": 0 },
    estimated: false,
    source: "offline",
    date: "2026-06-15",
  })
})

describe("a stream", () => {
  test("has the text word by word, and the tokens that were seen and written", async () => {
    const prompt: LanguageModelV4CallOptions["prompt"] = [
      {
        role: "system",
        content: "<identity>\nYour name is Wick.\n</identity>\n\n<soul>\nYou burn. Slowly.\n</soul>\n\n",
      },
      { role: "user", content: [{ type: "text", text: "hi" }] },
      { role: "assistant", content: [{ type: "text", text: "(offline model) Yes." }] },
      { role: "user", content: [{ type: "text", text: "who are you?" }] },
    ]
    const text = '(offline model) I am Wick. My soul begins: "You burn."'
    const seen = prompt.flatMap(({ content }) =>
      typeof content === "string"
        ? [content]
        : content.map((part) => (part.type === "text" ? part.text : "")),
    )
    const total = seen.reduce((sum, item) => sum + o200k.count(item), 0)
    const delta = (word: string) => ({ type: "text-delta", id: "answer", delta: word })
    expect(await partsOf({ prompt })).toEqual([
      { type: "stream-start", warnings: [] },
      { type: "text-start", id: "answer" },
      ...(text.match(/\S+\s*/g) ?? []).map(delta),
      { type: "text-end", id: "answer" },
      {
        type: "finish",
        finishReason: { unified: "stop", raw: "stop" },
        usage: {
          inputTokens: { total, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
          outputTokens: { total: o200k.count(text), text: undefined, reasoning: undefined },
        },
      },
    ])
  })

  test("says the same as an answer in one piece", async () => {
    const options = said("read a.md and also list the files", { tools: [toolOf("read"), toolOf("list")] })
    const parts = await partsOf(options)
    const { content, usage } = await model.doGenerate(options)
    expect(parts.filter(({ type }) => type === "tool-call")).toEqual(content)
    expect(parts.at(-1)).toEqual({
      type: "finish",
      finishReason: { unified: "tool-calls", raw: "tool-calls" },
      usage,
    })
  })

  test("stops where it is stopped", async () => {
    const stop = new AbortController()
    const { stream } = await model.doStream(said("hello", { abortSignal: stop.signal }))
    const reader = stream.getReader()
    await reader.read()
    stop.abort(new Error("enough"))
    await expect(reader.read()).rejects.toThrow("enough")
    await expect(model.doStream(said("hello", { abortSignal: stop.signal }))).rejects.toThrow("enough")
    await expect(model.doGenerate(said("hello", { abortSignal: stop.signal }))).rejects.toThrow("enough")
  })
})

test("ids of calls continue from the highest of the conversation", async () => {
  const prompt: LanguageModelV4CallOptions["prompt"] = [
    { role: "user", content: [{ type: "text", text: "status" }] },
    {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "call_7", toolName: "incipit_status", input: {} }],
    },
    { role: "user", content: [{ type: "text", text: "list" }] },
  ]
  const { content } = await model.doGenerate({ prompt, tools: [toolOf("list")] })
  expect(content).toEqual([{ type: "tool-call", toolCallId: "call_8", toolName: "list", input: "{}" }])
})

test("calls of another model are not taken for its own", async () => {
  const prompt: LanguageModelV4CallOptions["prompt"] = [
    { role: "user", content: [{ type: "text", text: "read a.md" }] },
    { role: "assistant", content: [{ type: "tool-call", toolCallId: "x", toolName: "shell", input: {} }] },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "x",
          toolName: "shell",
          output: { type: "text", value: "a secret" },
        },
      ],
    },
  ]
  const { content } = await model.doGenerate({ prompt, tools: [toolOf("read")] })
  expect(content).toEqual([
    {
      type: "text",
      text: "(offline model) I am a stand-in that answers by fixed rules. To use a real model, set ANTHROPIC_API_KEY, OPENAI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY.\n\nThere is no result from read, so I don't know whether it ran.",
    },
  ])
})

test("a turn that nobody's words open does not do again what was done", async () => {
  const { content } = await model.doGenerate({
    prompt: [
      { role: "user", content: [{ type: "text", text: "list" }] },
      { role: "assistant", content: [{ type: "text", text: "(offline model) Here." }] },
      {
        role: "user",
        content: [{ type: "text", text: "<turn-context>\n<clock>\nnoon\n</clock>\n\n</turn-context>\n\n" }],
      },
    ],
    tools: [toolOf("list")],
  })
  expect(content).toEqual([])
})

test("without a choice of tools it calls none", async () => {
  const { content } = await model.doGenerate(
    said("list", { tools: [toolOf("list")], toolChoice: { type: "none" } }),
  )
  expect(content.map(({ type }) => type)).toEqual(["text"])
})

const TOOLS = [...new Set(INTENTS.flatMap(({ tool }) => tool ?? [])), "memory_get"]
const EXAMPLES = INTENTS.map(({ example }) => example)
const words = fc.oneof(
  fc.constantFrom(...EXAMPLES),
  fc.string({ unit: "grapheme" }),
  fc
    .array(
      fc.constantFrom(
        ...EXAMPLES.flatMap((example) => example.split(" ")),
        "and also",
        "every",
        "`",
        '"',
        "\n",
      ),
      {
        maxLength: 14,
      },
    )
    .map((pieces) => pieces.join(" ")),
)
const RUNS = { seed: 20_26, numRuns: 200 }

test("every example is understood when its tool is there", async () => {
  for (const { example, tool } of INTENTS) {
    if (tool === undefined) continue
    const { content } = await model.doGenerate(said(example, { tools: TOOLS.map(toolOf) }))
    const first = content[0]
    const called = first?.type === "tool-call" ? first.toolName : undefined
    expect([example, called]).toEqual([example, tool === "incipit_trace" ? "incipit_logs" : tool])
  }
})

test("whatever is said, it calls only what is offered, and what it says is labelled", async () => {
  await fc.assert(
    fc.asyncProperty(words, fc.subarray(TOOLS), async (text, names) => {
      const options = said(text, { tools: names.map(toolOf) })
      const { content } = await model.doGenerate(options)
      expect(await model.doGenerate(options)).toEqual(await model.doGenerate(options))
      expect(content.length > 0).toBe(text.trim() !== "")
      for (const part of content) {
        if (part.type === "tool-call") expect(names).toContain(part.toolName)
        else expect(part.type === "text" && part.text.startsWith("(offline model) ")).toBe(true)
      }
    }),
    RUNS,
  )
})

test("whatever a file says, reading it is followed by an answer", async () => {
  await fc.assert(
    fc.asyncProperty(words, async (value) => {
      const { content } = await model.doGenerate({
        prompt: [
          { role: "user", content: [{ type: "text", text: "read a.md" }] },
          {
            role: "assistant",
            content: [{ type: "tool-call", toolCallId: "call_1", toolName: "read", input: {} }],
          },
          {
            role: "tool",
            content: [
              {
                type: "tool-result",
                toolCallId: "call_1",
                toolName: "read",
                output: { type: "text", value },
              },
            ],
          },
        ],
        tools: TOOLS.map(toolOf),
      })
      expect(content.map(({ type }) => type)).toEqual(["text"])
    }),
    RUNS,
  )
})
