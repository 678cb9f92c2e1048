import { describe, expect, test } from "vitest"
import { compile } from "../../src/core/compile/compiler.ts"
import { attach } from "../../src/core/layout/tail.ts"
import { textContent } from "../../src/core/model/content.ts"
import type { Message } from "../../src/core/model/message.ts"
import { userMessage } from "../../src/core/model/message.ts"
import type { Profile } from "../../src/core/model/profile.ts"
import { section } from "../../src/core/model/section.ts"
import { tags } from "../../src/core/write/markup.ts"
import { ruleFor } from "../../src/render/cache/cache-rules.ts"
import { renderAnthropic } from "../../src/render/formats/anthropic.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { stringAt } from "./sample.ts"

const facts = { priority: "required", trust: "public", cut: "whole" } as const
const profile: Profile = {
  name: "sample",
  order: "paced",
  markup: tags,
  sections: [
    section({ id: "soul", pace: "stable", ...facts, build: () => textContent("Be kind.") }),
    section({ id: "place", pace: "session", ...facts, build: ({ session }) => textContent(session.id) }),
    section({ id: "clock", pace: "turn", ...facts, build: ({ turn }) => textContent(String(turn.now)) }),
  ],
}
const tools = [
  { name: "zap", description: "Zap it.", parameters: { type: "object" } },
  { name: "ask", description: "Ask.", parameters: { type: "object", properties: {} } },
]
const agent = { id: "main", files: [], tools, extensions: [] }
const session = {
  id: "room-7",
  files: [],
  audience: { trust: "full", situation: "dm", mode: "full" } as const,
}
const turn = { id: "t1", now: 42, timeZone: "UTC" }
const prompt = compile(profile, { agent, session, turn }, { counter: o200k, ttl: "1h" })

const model = "anthropic/claude-sonnet-5-5"
/** The prompt is short, so with the real minimum nothing would be cached. */
const rule = { ...ruleFor(model), minimum: 0 }

const conversation: readonly Message[] = [
  userMessage("First."),
  {
    role: "assistant",
    parts: [
      { kind: "text", text: "" },
      { kind: "tool-call", id: "c1", name: "ask", input: { q: 1 } },
    ],
  },
  { role: "user", parts: [{ kind: "tool-result", id: "c1", text: "no", isError: true }] },
]

describe("the whole request", () => {
  test("for the message that opens a turn", () => {
    const messages = attach([userMessage("Hello.")], prompt.tail)
    expect(renderAnthropic(prompt, messages, { model, rule, maxTokens: 99 }).request).toEqual({
      model: "claude-sonnet-5-5",
      max_tokens: 99,
      tools: [
        { name: "ask", description: "Ask.", input_schema: { type: "object", properties: {} } },
        { name: "zap", description: "Zap it.", input_schema: { type: "object" } },
      ],
      system: [
        {
          type: "text",
          text: "<soul>\nBe kind.\n</soul>\n\n",
          cache_control: { type: "ephemeral", ttl: "1h" },
        },
        {
          type: "text",
          text: "<place>\nroom-7\n</place>\n\n",
          cache_control: { type: "ephemeral", ttl: "1h" },
        },
      ],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "<turn-context>\n<clock>\n42\n</clock>\n\n</turn-context>\n\n" },
            { type: "text", text: "Hello.", cache_control: { type: "ephemeral" } },
          ],
        },
      ],
    })
  })

  test("within a turn: calls, results, no empty text, breakpoints at the end and where the last call ended", () => {
    const { messages } = renderAnthropic(prompt, conversation, { model, rule, withoutTail: true }).request
    expect(messages).toEqual([
      { role: "user", content: [{ type: "text", text: "First.", cache_control: { type: "ephemeral" } }] },
      { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "ask", input: { q: 1 } }] },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "c1",
            content: "no",
            is_error: true,
            cache_control: { type: "ephemeral" },
          },
        ],
      },
    ])
  })

  test("for an unknown model has no breakpoint", () => {
    const { request } = renderAnthropic(prompt, conversation, { model: "x", withoutTail: true })
    expect(JSON.stringify(request)).not.toContain("cache_control")
  })

  test("without tools, sections or messages has none of their fields", () => {
    const empty = compile(
      { ...profile, sections: [] },
      { agent: { ...agent, tools: [] }, session, turn },
      { counter: o200k },
    )
    expect(renderAnthropic(empty, [], { model: "x" }).request).toEqual({
      model: "x",
      max_tokens: 4096,
      messages: [],
    })
  })
})

test("every span of the plan is at its place in the request", () => {
  const messages = attach([...conversation, userMessage("Again.")], prompt.tail)
  const { request, places } = renderAnthropic(prompt, messages, { model: "x" })
  const found = places.map(({ entry, pointer, start, end }) => [
    entry,
    String(stringAt(request, pointer)).slice(start, end),
  ])
  expect(found).toEqual([
    ["ask", "ask"],
    ["zap", "zap"],
    ["soul", "<soul>\n"],
    ["soul", "Be kind."],
    ["soul", "\n</soul>\n\n"],
    ["place", "<place>\n"],
    ["place", "room-7"],
    ["place", "\n</place>\n\n"],
    ["clock", "<clock>\n"],
    ["clock", "42"],
    ["clock", "\n</clock>\n\n"],
    ["turn-context", "<turn-context>\n"],
    ["turn-context", "</turn-context>\n\n"],
  ])
})
