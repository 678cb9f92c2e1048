// What a program without types can get wrong: each mistake is refused where it is made, with one line that says what to
// do. Two mistakes may be meant, so they are only reported.
import { describe, expect, test } from "vitest"
import { z } from "zod"
import { IncipitError } from "../../src/base/error.ts"
import type { Chat } from "../../src/prompt/chat.ts"
import { definePrompt } from "../../src/prompt/define-with-o200k.ts"
import { perSession, perTurn, text } from "../../src/prompt/defined-section.ts"
import { OUTPUTS } from "./outputs.ts"

/** As a program in JavaScript sees it. */
type Untyped = { [Name in keyof Chat<object, object>]: (...given: unknown[]) => unknown }

const base = text("Be brief.")
const define = (options?: unknown) => definePrompt<Record<string, typeof base>>(options as never)
const tool = (more: object) =>
  define({ sections: { base }, tools: [{ name: "look", description: "Looks.", ...more }] })

function said(): Untyped {
  const chat = define({ sections: { base } }).open({ id: "ada" })
  chat.say("Hi")
  return chat as unknown as Untyped
}

function asked(method: "openai" | "openaiChat" | "anthropic" | "google" | "aiSdk" = "openai"): Untyped {
  const chat = said()
  chat[method]("gpt-5.2")
  return chat
}

function called(): Untyped {
  const chat = asked()
  chat.add(OUTPUTS.openai({ text: "", calls: [{ id: "c1", name: "look", input: {} }] }))
  return chat
}

const SECTIONS = 'definePrompt needs sections by name, such as { sections: { base: text("Be brief.") } }'
const SHAPE = "isn't { name, description, parameters }, with a JSON Schema as parameters"

test.each<[what: string, mistake: () => unknown, problem: string]>([
  ["nothing", () => define(), SECTIONS],
  ["no sections", () => define({ budget: 3000 }), SECTIONS],
  ["a list of sections", () => define({ sections: [base] }), SECTIONS],
  [
    "a misspelled option",
    () => define({ buget: 3000, sections: { base } }),
    'definePrompt has no option "buget"; did you mean budget?',
  ],
  [
    "a budget in quotes",
    () => define({ budget: "3000", sections: { base } }),
    'bad budget: it is "3000", but must be a number of tokens or an object',
  ],
  [
    "a text that is not there",
    () => define({ sections: { base: text(undefined as never) } }),
    'the section "base" has a value of type undefined as its text; text takes a string',
  ],
  [
    "a text that is still loading",
    () => define({ sections: { base: text(Promise.resolve("x") as never) } }),
    'the section "base" has a promise (wait for it first) as its text; text takes a string',
  ],
  [
    "a text instead of a function",
    () => define({ sections: { base: perSession("x" as never) } }),
    'the section "base" has no function; perSession and perTurn take one that returns the text',
  ],
  [
    "tools by name",
    () => define({ sections: { base }, tools: { look: {} } }),
    "the tools of definePrompt must be a list of { name, description, parameters }",
  ],
  ["a tool without parameters", () => tool({}), `tool 1 ${SHAPE}`],
  [
    "Anthropic's tool",
    () => tool({ input_schema: {} }),
    `tool 1 ${SHAPE}; its schema belongs in parameters, not in input_schema`,
  ],
  ["OpenAI's tool", () => tool({ function: {} }), `tool 1 ${SHAPE}; pass what is in its function`],
  [
    "a schema of Zod",
    () => tool({ parameters: z.object({ number: z.string() }) }),
    'the tool "look" has a validator as parameters, not a JSON Schema; with Zod, pass z.toJSONSchema(schema)',
  ],
])("definePrompt with %s", (_what, mistake, problem) => {
  expect(problemOf(mistake)).toBe(problem)
})

test("the JSON Schema that Zod makes is one", () => {
  expect(() => tool({ parameters: z.toJSONSchema(z.object({ number: z.string() })) })).not.toThrow()
})

test.each<[what: string, mistake: () => unknown, problem: string]>([
  [
    "open without anything",
    () => define({ sections: { base } }).open(undefined as never),
    'a chat needs an id, such as open({ id: "ada" })',
  ],
  [
    "an input that is missing",
    () =>
      define({ sections: { clock: perTurn((t: { now: Date }) => t.now.toISOString()) } })
        .open({ id: "ada" })
        .say("Hi", { nwo: new Date(0) } as object),
    "the section \"clock\" failed: Cannot read properties of undefined (reading 'toISOString') (its inputs: nwo)",
  ],
  [
    "a request without a model",
    () => said().anthropic(),
    'chat.anthropic needs the name of a model, such as chat.anthropic("claude-sonnet-5-5")',
  ],
  [
    "a request with the SDK's own options",
    () => said().openai({ model: "gpt-5.2" }),
    'chat.openai needs the name of a model, such as chat.openai("gpt-5.2")',
  ],
  [
    "a misspelled option of a request",
    () => said().anthropic("claude-sonnet-5-5", { max_tokens: 100 }),
    'chat.anthropic has no option "max_tokens"; did you mean maxTokens?',
  ],
  [
    "an answer without length",
    () => said().openai("gpt-5.2", { maxTokens: 0 }),
    "the maxTokens of chat.openai is 0, but must be a whole number above 0",
  ],
])("a chat: %s", (_what, mistake, problem) => {
  expect(problemOf(mistake)).toBe(problem)
})

const OUTPUT = "after openai(…), add takes response.output"
const CHOICE = "after openaiChat(…), add takes completion.choices[0].message"

test.each<[what: string, mistake: () => unknown, problem: string]>([
  ["the whole response", () => asked().add({ output: [] }), `${OUTPUT}: this is the whole response`],
  [
    "the whole completion",
    () => asked("openaiChat").add({ choices: [] }),
    `${CHOICE}: this is the whole response`,
  ],
  [
    "Google's whole response",
    () => asked("google").add({ candidates: [] }),
    "after google(…), add takes response.candidates[0].content: this is the whole response",
  ],
  [
    "the AI SDK's whole result",
    () => asked("aiSdk").add({ response: { messages: [] } }),
    "after aiSdk(…), add takes result.response.messages: this is the whole response",
  ],
  ["a promise", () => asked().add(Promise.resolve([])), `${OUTPUT}: this is a promise; wait for it first`],
  [
    "a stream",
    () => asked().add({ async *[Symbol.asyncIterator]() {} }),
    `${OUTPUT}: this is a stream; wait for its end, and pass what it collected`,
  ],
  ["nothing", () => asked().add(null), `${OUTPUT}: this is null`],
])("add with %s", (_what, mistake, problem) => {
  expect(problemOf(mistake)).toBe(problem)
})

test.each<[what: string, results: unknown, problem: string]>([
  ["nothing", undefined, "answer takes a list of { id, output }, not undefined"],
  ["one result", { id: "c1", output: 1 }, "answer takes a list of { id, output }, not an object"],
  [
    "a promise",
    Promise.resolve([]),
    "answer takes a list of { id, output }, not a promise (wait for it first)",
  ],
  [
    "promises",
    [Promise.resolve({})],
    "result 1 is a promise (wait for it first), not an object with id and output",
  ],
  ["texts", ["sent"], "result 1 is a string, not an object with id and output"],
  [
    "results in OpenAI's form",
    [{ call_id: "c1", output: "sent" }],
    "result 1 has no id; pass the id of the call that add returned",
  ],
  [
    "an output that is a promise",
    [{ id: "c1", output: Promise.resolve("sent") }],
    'the output of the call "c1" is a promise; wait for it first',
  ],
])("answer with %s", (_what, results, problem) => {
  expect(problemOf(() => called().answer(results))).toBe(problem)
})

test("maps and sets in an output are sent, not lost", () => {
  const chat = called()
  chat.answer([{ id: "c1", output: { stock: new Map([["A17", new Set([1, 2])]]) } }])
  const result = { kind: "tool-result", id: "c1", text: '{"stock":{"A17":[1,2]}}', json: true }
  expect(chat.messages).toHaveProperty("2.parts", [result])
})

describe("what may be meant is reported", () => {
  const codes = ({ report }: Untyped) =>
    (report() as { diagnostics: { code: string; level: string }[] }).diagnostics.map(
      (one) => `${one.level} ${one.code}`,
    )

  test("an answer that was never added", () => {
    const chat = asked()
    expect(codes(chat)).toEqual([])
    chat.say("And now?")
    chat.openai("gpt-5.2")
    expect(codes(chat)).toEqual(["warning answer-not-added"])
  })

  test("a request after the model's last word", () => {
    const chat = asked()
    chat.add(OUTPUTS.openai({ text: "Hello.", calls: [] }))
    chat.openai("gpt-5.2")
    expect(codes(chat)).toEqual(["hint nothing-said"])
  })

  test("nothing, if each move follows the other", () => {
    const chat = called()
    chat.answer([{ id: "c1", output: "sent" }])
    chat.openai("gpt-5.2")
    chat.add(OUTPUTS.openai({ text: "Hello.", calls: [] }))
    chat.say("Thanks.")
    chat.openai("gpt-5.2")
    expect(codes(chat)).toEqual([])
  })
})

function problemOf(mistake: () => unknown): string {
  try {
    mistake()
  } catch (error) {
    if (error instanceof IncipitError) return error.message
    throw error
  }
  return "accepted"
}
