import { describe, expect, test } from "vitest"
import { compile } from "../../src/core/compile/compiler.ts"
import { textContent } from "../../src/core/model/content.ts"
import { type Message, type MessagePart, userMessage } from "../../src/core/model/message.ts"
import type { Profile } from "../../src/core/model/profile.ts"
import { section } from "../../src/core/model/section.ts"
import { tags } from "../../src/core/write/markup.ts"
import { planBreakpoints } from "../../src/render/cache/breakpoints.ts"
import { ruleFor } from "../../src/render/cache/cache-rules.ts"
import { o200k } from "../../src/tokens/o200k.ts"

const facts = { priority: "required", trust: "public", cut: "whole" } as const

function promptOf(stable: number, session: number, ttl = "5m") {
  const text = (tokens: number) => textContent("so ".repeat(tokens))
  const profile: Profile = {
    name: "sample",
    order: "paced",
    markup: tags,
    sections: [
      section({ id: "soul", pace: "stable", ...facts, build: () => text(stable) }),
      section({ id: "place", pace: "session", ...facts, build: () => text(session) }),
    ],
  }
  const agent = { id: "main", files: [], tools: [], extensions: [] }
  const audience = { trust: "full", situation: "dm", mode: "full" } as const
  const turn = { id: "t1", now: 0, timeZone: "UTC" }
  return compile(profile, { agent, session: { id: "s", files: [], audience }, turn }, { counter: o200k, ttl })
}

const prompt = promptOf(2000, 500)
const SONNET = ruleFor("claude-sonnet-4-6")

function conversation(results: number): readonly Message[] {
  const ids = Array.from({ length: results }, (_, at) => `c${at}`)
  const calls = ids.map((id): MessagePart => ({ kind: "tool-call", id, name: "read", input: {} }))
  const answers = ids.map((id): MessagePart => ({ kind: "tool-result", id, text: "x" }))
  return [userMessage("Hello."), { role: "assistant", parts: calls }, { role: "user", parts: answers }]
}

function places(messages: readonly Message[], options: Partial<Parameters<typeof planBreakpoints>[2]> = {}) {
  return planBreakpoints(prompt, messages, { rule: SONNET, ...options }).map(({ after, why, ttl }) =>
    after.kind === "head"
      ? `head ${after.block} ${why} ${ttl}`
      : `message ${after.message}.${after.part} ${why} ${ttl}`,
  )
}

describe("four breakpoints", () => {
  test("at the first call: stable text, session text, the newest message", () => {
    expect(places([userMessage("Hello.")])).toEqual([
      "head 0 stable 5m",
      "head 1 session 5m",
      "message 0.0 conversation 5m",
    ])
  })

  test("later: also where the previous call ended", () => {
    expect(places(conversation(1))).toEqual([
      "head 0 stable 5m",
      "head 1 session 5m",
      "message 0.0 anchor 5m",
      "message 2.0 conversation 5m",
    ])
  })

  test("the previous call ended before the whole answer, however many messages that is", () => {
    const answer = { role: "assistant", parts: [{ kind: "text", text: "Well." }] } as const
    const silent = { role: "user", parts: [{ kind: "text", text: "" }] } as const
    const anchor = (...between: readonly Message[]) =>
      places([userMessage("One."), ...between, userMessage("Two.")]).at(-2)
    expect(anchor(answer, answer)).toBe("message 0.0 anchor 5m")
    expect(anchor(answer, silent, answer)).toBe("message 0.0 anchor 5m")
  })

  test("the caller's own count towards the limit; the least valuable is dropped first", () => {
    expect(places(conversation(1), { taken: 1 })).toEqual([
      "head 0 stable 5m",
      "head 1 session 5m",
      "message 2.0 conversation 5m",
    ])
    expect(places(conversation(1), { taken: 2 })).toEqual([
      "head 1 session 5m",
      "message 2.0 conversation 5m",
    ])
    expect(places(conversation(1), { taken: 3 })).toEqual(["message 2.0 conversation 5m"])
    expect(places(conversation(1), { taken: 4 })).toEqual([])
  })

  test("after a long turn the anchor comes before the head, so the conversation isn't written again", () => {
    expect(places(conversation(10), { taken: 2 })).toEqual([
      "message 0.0 anchor 5m",
      "message 2.9 conversation 5m",
    ])
    expect(places(conversation(9), { taken: 2 })).toEqual([
      "head 1 session 5m",
      "message 2.8 conversation 5m",
    ])
  })
})

test("a one-off request reads where the previous call ended, and writes nothing", () => {
  const oneOff = { oneOff: true } as const
  expect(places([userMessage("Hello.")], oneOff)).toEqual(["head 0 stable 5m", "head 1 session 5m"])
  for (const results of [1, 30])
    expect(places(conversation(results), oneOff)).toEqual([
      "head 0 stable 5m",
      "head 1 session 5m",
      "message 0.0 anchor 5m",
    ])
  expect(places(conversation(1), { ...oneOff, taken: 3 })).toEqual(["message 0.0 anchor 5m"])
})

test("an empty part cannot carry a breakpoint", () => {
  const messages = [
    {
      role: "user",
      parts: [
        { kind: "text", text: "a" },
        { kind: "text", text: "" },
      ],
    },
  ] as const
  expect(places(messages).at(-1)).toBe("message 0.0 conversation 5m")
})

test("the conversation's lifetime is never longer than the head's", () => {
  expect(places(conversation(1), { ttl: "1h" }).at(-1)).toBe("message 2.0 conversation 5m")
  const hour = planBreakpoints(promptOf(2000, 500, "1h"), conversation(1), { rule: SONNET, ttl: "1h" })
  expect(hour.map(({ ttl }) => ttl)).toEqual(["1h", "1h", "1h", "1h"])
})

test("text below the minimum doesn't use up a breakpoint", () => {
  const small = planBreakpoints(promptOf(500, 600), [userMessage("Hello.")], { rule: SONNET })
  expect(small.map(({ why }) => why)).toEqual(["session", "conversation"])
})

test("OpenAI since 5.6 sets the last one itself", () => {
  expect(places(conversation(1), { rule: ruleFor("gpt-5.6-sol") })).toEqual([
    "head 0 stable 30m",
    "head 1 session 30m",
    "message 0.0 anchor 30m",
  ])
})

test("no breakpoints for providers that find prefixes themselves", () => {
  expect(places(conversation(1), { rule: ruleFor("gpt-5.2") })).toEqual([])
  expect(places(conversation(1), { rule: ruleFor("gemini-3.5-flash") })).toEqual([])
})
