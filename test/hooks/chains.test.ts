// The hooks of a turn besides its beginning: messages, tool calls, results and folders go from module to module.
import { expect, test } from "vitest"
import type { Message } from "../../src/core/model/message.ts"
import { benchOf, named, never, sessionOf, turn, untyped } from "./runner.ts"

const { session } = sessionOf()
const call = { session, turn, id: "c1", name: "shell", input: { command: "ls" } }

test("a tool's input goes from module to module, and the first block ends it", async () => {
  const asked: unknown[] = []
  const { runner, troubles } = benchOf([
    named("adds", { tool_call: ({ input }) => ({ input: { ...Object(input), safe: true } }) }),
    named("breaks", untyped({ tool_call: () => ({ block: 7, input: {} }) })),
    named("looks", { tool_call: ({ input }) => void asked.push(input) }),
    named("blocks", {
      tool_call: ({ name }) => (name === "shell" ? { block: "No commands today.", input: "x" } : undefined),
    }),
    named("last", { tool_call: () => ({ block: "Nothing at all.", input: "y" }) }),
  ])
  const input = { command: "ls", safe: true }
  expect(await runner.toolCall(call, never())).toEqual({
    input,
    block: { by: "blocks", why: "No commands today." },
  })
  expect(await runner.toolCall({ ...call, name: "read" }, never())).toEqual({
    input,
    block: { by: "last", why: "Nothing at all." },
  })
  expect(asked).toEqual([input, input])
  expect(troubles.map(({ name, error }) => `${name}: ${error}`)).toEqual([
    "breaks: block is not a string",
    "breaks: block is not a string",
  ])
})

test("without hooks everything is as it was", async () => {
  const { runner } = benchOf([named("none", {})])
  expect(await runner.toolCall(call, never())).toEqual({ input: { command: "ls" } })
  expect(await runner.toolResult({ ...call, text: "a", isError: false }, never())).toEqual({
    text: "a",
    isError: false,
  })
  expect(await runner.resourcesDiscover({ agent: "main", reason: "start" }, never())).toEqual({
    skillFolders: [],
    promptFolders: [],
  })
  expect([
    runner.has("tool_call"),
    benchOf([named("one", { tool_call: () => undefined })]).runner.has("tool_call"),
  ]).toEqual([false, true])
})

test("a result goes from module to module, text and failure each on their own", async () => {
  const { runner, troubles } = benchOf([
    named("redacts", { tool_result: ({ text }) => ({ text: text.replaceAll("secret", "...") }) }),
    named("fails", { tool_result: ({ text }) => ({ isError: text === "a ..." }) }),
    named("odd", untyped({ tool_result: () => ({ text: "x", isError: "yes" }) })),
  ])
  const result = await runner.toolResult({ ...call, text: "a secret", isError: false }, never())
  expect(result).toEqual({ text: "a ...", isError: true })
  expect(troubles).toEqual([{ name: "odd", hook: "tool_result", error: "isError is not a boolean" }])
})

test("folders come with who named them", async () => {
  const { runner } = benchOf([
    named("one", { resources_discover: ({ reason }) => ({ skillFolders: [`./${reason}`, "/b"] }) }),
    named("two", { resources_discover: async () => ({}) }),
    named("three", { resources_discover: async () => ({ skillFolders: ["c"], promptFolders: ["p"] }) }),
    named("four", { resources_discover: () => ({ promptFolders: ["q"] }) }),
    named("odd", untyped({ resources_discover: () => ({ skillFolders: ["x"], promptFolders: [""] }) })),
    named("themed", untyped({ resources_discover: () => ({ promptFolders: ["x"], themePaths: ["y"] }) })),
  ])
  expect(await runner.resourcesDiscover({ agent: "main", reason: "reload" }, never())).toEqual({
    skillFolders: [
      { by: "one", path: "./reload" },
      { by: "one", path: "/b" },
      { by: "three", path: "c" },
    ],
    promptFolders: [
      { by: "three", path: "p" },
      { by: "four", path: "q" },
    ],
  })
})

const user = (text: string): Message => ({ role: "user", parts: [{ kind: "text", text }] })
const calls = (...ids: string[]): Message => ({
  role: "assistant",
  parts: ids.map((id) => ({ kind: "tool-call", id, name: "read", input: {} })),
})
const results = (...ids: string[]): Message => ({
  role: "user",
  parts: ids.map((id) => ({ kind: "tool-result", id, text: "ok" })),
})
const conversation: readonly Message[] = [user("one"), calls("a", "b"), results("b", "a"), user("two")]

async function contextOf(answers: readonly unknown[]) {
  const bench = benchOf(answers.map((answer, at) => named(`m${at}`, untyped({ context: () => answer }))))
  const messages = await bench.runner.context({ session, turn, step: 1, messages: conversation }, never())
  return { messages, troubles: bench.troubles.map(({ error }) => error) }
}

test("messages go from module to module, and what they return is sent", async () => {
  const bench = benchOf([
    named("drops", { context: ({ messages }) => ({ messages: messages.slice(0, 3) }) }),
    named("adds", { context: ({ messages }) => ({ messages: [...messages, user("three")] }) }),
  ])
  const messages = await bench.runner.context({ session, turn, step: 1, messages: conversation }, never())
  expect(messages).toEqual([user("one"), calls("a", "b"), results("b", "a"), user("three")])
  expect(bench.troubles).toEqual([])
})

test("every part of a message keeps what it carries", async () => {
  const data = { anthropic: { signature: "s" } }
  const rich: readonly Message[] = [
    { role: "user", parts: [{ kind: "text", text: "one", tail: true }] },
    {
      role: "assistant",
      parts: [
        { kind: "reasoning", text: "hm", data },
        { kind: "text", text: "I look.", data },
        { kind: "tool-call", id: "a", name: "read", input: { path: "x" }, data },
      ],
    },
    { role: "user", parts: [{ kind: "tool-result", id: "a", text: "gone", isError: true }] },
    {
      role: "user",
      parts: [
        { kind: "native", format: "ai-sdk", value: { providerOptions: {} }, fields: true },
        { kind: "native", format: "ai-sdk", value: { type: "image", image: "AAAA" } },
        { kind: "text", text: "See.", native: { format: "anthropic", value: { citations: [] } } },
      ],
    },
    {
      role: "assistant",
      parts: [
        { kind: "tool-call", id: "b", name: "read", input: {}, native: { format: "chat", value: { a: 1 } } },
      ],
    },
    { role: "user", parts: [{ kind: "tool-result", id: "b", text: "[1]", json: true, data }] },
  ]
  expect(await contextOf([{ messages: rich }])).toEqual({ messages: rich, troubles: [] })
})

test.each<[string, unknown, string]>([
  ["no messages at all", { messages: [] }, "the first message is not the user's"],
  [
    "a beginning of the assistant's",
    { messages: conversation.slice(1) },
    "the first message is not the user's",
  ],
  [
    "a call without its result",
    { messages: conversation.toSpliced(2, 1) },
    "the call a has no result right after it",
  ],
  [
    "a call with half its results",
    { messages: conversation.with(2, results("a")) },
    "the call b has no result right after it",
  ],
  ["a call at the end", { messages: conversation.slice(0, 2) }, "the call a has no result right after it"],
  [
    "a result without its call",
    { messages: conversation.toSpliced(1, 1) },
    "the result b has no call right before it",
  ],
  [
    "a result told twice",
    { messages: conversation.with(2, results("a", "b", "a")) },
    "the result a has no call right before it",
  ],
  [
    "a result that comes late",
    { messages: [...conversation.slice(0, 2), user("wait"), results("a", "b")] },
    "the call a has no result right after it",
  ],
  [
    "two calls of one id",
    { messages: [user("one"), calls("a", "a"), results("a")] },
    "two calls have the same id",
  ],
  ["a call of the user's", { messages: [{ ...calls("a"), role: "user" }] }, "a user message has a tool call"],
  [
    "a result of the assistant's",
    { messages: [user("one"), { ...results("a"), role: "assistant" }] },
    "an assistant message has a tool result",
  ],
  ["a message of the system's", { messages: [{ role: "system", parts: [] }] }, "a message has no parts"],
  [
    "an unknown role",
    { messages: [{ ...user("one"), role: "system" }] },
    "role must be one of user, assistant",
  ],
  [
    "an unknown part",
    { messages: [{ role: "user", parts: [{ kind: "image" }] }] },
    'a part has the unknown kind "image"',
  ],
  [
    "a part that the agent cannot send",
    {
      messages: [{ role: "user", parts: [{ kind: "native", format: "google", value: { inlineData: {} } }] }],
    },
    "format must be one of ai-sdk, file",
  ],
  [
    "a native part without a value",
    { messages: [{ role: "user", parts: [{ kind: "native", format: "ai-sdk", value: "image" }] }] },
    "value is not an object",
  ],
  [
    "text in place of parts",
    { messages: [{ role: "user", content: "hi" }] },
    'a message has an unknown key "content"',
  ],
  ["no list", [user("one")], "the answer is not an object"],
])("%s is left out", async (_name, answer, error) => {
  expect(await contextOf([answer])).toEqual({ messages: conversation, troubles: [error] })
})

test("a call that is blocked in pi's form is blocked, with its reason or without one", async () => {
  const blocked = async (answer: unknown) => {
    const { runner } = benchOf([named("guard", untyped({ tool_call: () => answer }))])
    return (await runner.toolCall(call, never())).block?.why
  }
  expect(await blocked({ block: true, reason: "Not at night." })).toBe("Not at night.")
  expect(await blocked({ block: true })).toBe("a hook blocks it")
  expect(await blocked({ block: false })).toBe(undefined)
})
