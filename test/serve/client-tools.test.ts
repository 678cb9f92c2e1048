// Tools that the client runs, with the loops that the official SDKs bring: the client's tools beside the agent's own.
import { createAnthropic } from "@ai-sdk/anthropic"
import { createOpenAI } from "@ai-sdk/openai"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import Anthropic from "@anthropic-ai/sdk"
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema"
import { generateText, isStepCount, jsonSchema, type LanguageModel, streamText, tool } from "ai"
import OpenAI from "openai"
import { expect, test } from "vitest"
import type { OfflineScript } from "../../src/agent/offline/scripted.ts"
import { defineTool } from "../../src/tools/define-tool.ts"
import { callerOf, type Served, serve } from "./served.ts"

const baseURL = "http://127.0.0.1/v1"
const PARAMETERS = {
  type: "object",
  properties: { city: { type: "string" } },
} as const

/** Asks for two cities at once, our own bell, then a third city; then says what it got. */
const script: OfflineScript = ({ results, tools }) => {
  if (!tools.includes("weather")) return "No tools."
  if (results.length === 0)
    return [
      { name: "weather", input: { city: "Oslo" } },
      { name: "bell", input: {} },
      { name: "weather", input: { city: "Rome" } },
    ]
  if (results.length === 3) return [{ name: "weather", input: { city: "Bern" } }]
  return results.map(({ name, text }) => `${name}: ${text}`).join("; ")
}
const ANSWER = "weather: Oslo is wet; bell: Rung.; weather: Rome is wet; weather: Bern is wet"

let rings = 0
const bell = defineTool({
  ...{ name: "bell", description: "Rings.", parameters: { type: "object" } },
  run: () => {
    rings += 1
    return "Rung."
  },
})

async function ringing(): Promise<Served> {
  rings = 0
  return serve(script, { tools: [bell] })
}

const sessions = ({ responses }: Served) =>
  new Set(responses.map(({ headers }) => headers.get("x-incipit-session")))
const turns = ({ responses }: Served) =>
  new Set(responses.map(({ headers }) => headers.get("x-incipit-turn")))

/** One turn of one session in three requests, with our own tool run once. */
function expectOneTurn(served: Served): void {
  expect([served.responses.length, sessions(served).size, turns(served).size, rings]).toEqual([3, 1, 1, 1])
}

const openai = ({ fetch }: Pick<Served, "fetch">) => new OpenAI({ apiKey: "token", baseURL, fetch })
const anthropic = ({ fetch }: Pick<Served, "fetch">) =>
  new Anthropic({ apiKey: "token", baseURL: "http://127.0.0.1", fetch })

test.each([false, true])("OpenAI's runTools, streamed: %s", async (stream) => {
  const served = await ringing()
  const asked: unknown[] = []
  const body = {
    model: "keeper",
    messages: [{ role: "user" as const, content: "How is the weather?" }],
    tools: [
      {
        type: "function" as const,
        function: {
          ...{ name: "weather", description: "Weather of a city.", parameters: PARAMETERS },
          parse: (json: string): { city: string } => JSON.parse(json),
          function: (input: { city: string }) => {
            asked.push(input)
            return `${input.city} is wet`
          },
        },
      },
    ],
  }
  const { completions } = openai(served).chat
  const runner = stream
    ? completions.runTools({ ...body, stream: true })
    : completions.runTools({ ...body, stream: false })
  expect(await runner.finalContent()).toBe(ANSWER)
  expect(asked).toEqual([{ city: "Oslo" }, { city: "Rome" }, { city: "Bern" }])
  expectOneTurn(served)
  // The conversation goes on in the same session.
  const messages = [...runner.messages, { role: "user" as const, content: "And now?" }]
  await completions.create({ model: "keeper", messages })
  expect(sessions(served).size).toBe(1)
})

test.each([false, true])("Anthropic's toolRunner, streamed: %s", async (stream) => {
  const served = await ringing()
  const weather = betaTool({
    ...{ name: "weather", description: "Weather of a city.", inputSchema: PARAMETERS },
    run: ({ city }) => `${city} is wet`,
  })
  const body = {
    ...{ model: "keeper", max_tokens: 1_000, tools: [weather] },
    messages: [{ role: "user" as const, content: "How is the weather?" }],
  }
  const { messages } = anthropic(served).beta
  const final = stream
    ? await messages.toolRunner({ ...body, stream: true })
    : await messages.toolRunner({ ...body, stream: false })
  expect(final).toMatchObject({ stop_reason: "end_turn", content: [{ type: "text", text: ANSWER }] })
  expectOneTurn(served)
})

test("an Anthropic thread sends its tools and system message once, and starts again where it isn't known", async () => {
  const prompts: string[] = []
  const script: OfflineScript = ({ message, tools }) => {
    prompts.push(`${message.trim()} ${tools.includes("weather")}`)
    return `You said: ${message.trim()}`
  }
  const [first, second] = [await serve(script), await serve(script)]
  let served = first
  const client = anthropic({ fetch: (input, init) => served.fetch(input, init) })
  const weather = { name: "weather", input_schema: PARAMETERS }
  const thread = client.beta.messages.thread({
    ...{ model: "keeper", max_tokens: 100, tools: [weather], system: "Be short." },
  })
  for (const text of ["one", "two"]) await thread.send({ role: "user", content: text })
  expect(sessions(served).size).toBe(1)
  // A server that has never heard of the thread gets the whole conversation.
  served = second
  const { content } = await thread.send({ role: "user", content: "three" })
  expect(content).toMatchObject([{ text: "You said: three" }])
  expect(prompts).toEqual(["one true", "two true", "three true"])
  const [held] = await second.agent.sessions()
  expect((await second.store.transcripts.read(held!.id)).length).toBeGreaterThan(4)
}, 60_000)

type Fetch = typeof globalThis.fetch

const PROVIDERS: Readonly<Record<string, (fetch: Fetch) => LanguageModel>> = {
  responses: (fetch) => createOpenAI({ apiKey: "token", baseURL, fetch }).responses("keeper"),
  chat: (fetch) => createOpenAI({ apiKey: "token", baseURL, fetch }).chat("keeper"),
  compatible: (fetch) =>
    createOpenAICompatible({ name: "incipit", apiKey: "token", baseURL, fetch })("keeper"),
  messages: (fetch) => createAnthropic({ apiKey: "token", baseURL, fetch })("keeper"),
}

test.each(Object.entries(PROVIDERS))("the AI SDK's loop over %s, whole and streamed", async (_name, of) => {
  const weather = tool({
    description: "Weather of a city.",
    inputSchema: jsonSchema<{ city: string }>(PARAMETERS),
    execute: async ({ city }) => `${city} is wet`,
  })
  const options = { prompt: "How is the weather?", tools: { weather }, stopWhen: isStepCount(5) }
  const whole = await ringing()
  const { text, steps } = await generateText({ model: of(whole.fetch), ...options })
  expect([text, steps.length]).toEqual([ANSWER, 3])
  expectOneTurn(whole)
  const streamed = await ringing()
  expect(await streamText({ model: of(streamed.fetch), ...options }).text).toBe(ANSWER)
  expectOneTurn(streamed)
})

const WEATHER: OpenAI.Responses.FunctionTool = {
  ...{ type: "function", name: "weather", description: "Weather.", parameters: PARAMETERS, strict: false },
}

test("responses: calls one at a time, by previous_response_id, with all events in order", async () => {
  const served = await ringing()
  const { responses } = openai(served)
  const cities: string[] = []
  const kinds: string[] = []
  const ask = async (input: OpenAI.Responses.ResponseInput, previous: string | null) => {
    const stream = responses.stream({
      ...{ model: "keeper", input, previous_response_id: previous },
      ...{ tools: [WEATHER], parallel_tool_calls: false },
    })
    stream.on("event", ({ type }) => void kinds.push(type))
    return stream.finalResponse()
  }
  let response = await ask([{ role: "user", content: "How is the weather?" }], null)
  expect(kinds).toEqual([
    ...["response.created", "response.in_progress", "response.output_item.added"],
    ...["response.function_call_arguments.delta", "response.function_call_arguments.done"],
    ...["response.output_item.done", "response.completed"],
  ])
  for (let call = response.output[0]; call?.type === "function_call"; call = response.output[0]) {
    const { city } = JSON.parse(call.arguments)
    cities.push(city)
    const output = { type: "function_call_output", call_id: call.call_id, output: `${city} is wet` } as const
    response = await ask([output], response.id)
  }
  expect([response.output_text, cities]).toEqual([ANSWER, ["Oslo", "Rome", "Bern"]])
  expect([served.responses.length, turns(served).size, rings]).toEqual([4, 1, 1])
})

test("without tools the model isn't offered any, and tool_choice none offers none", async () => {
  const served = await ringing()
  const tools = [{ type: "function", function: { name: "weather" } }] as const
  const ask = (more: object) =>
    openai(served).chat.completions.create({
      ...{ model: "keeper", messages: [{ role: "user", content: "Hi" }], ...more },
    })
  for (const more of [{}, { tools, tool_choice: "none" }])
    expect((await ask(more)).choices[0]?.message.content).toBe("No tools.")
})

test("results without their calls, of another person or too few are refused by name", async () => {
  const served = await ringing()
  const tools = [{ type: "function", function: { name: "weather" } }] as const
  const user = { role: "user", content: "How is the weather?" } as const
  const create = (messages: OpenAI.ChatCompletionMessageParam[], fetch = served.fetch) =>
    openai({ fetch }).chat.completions.create({ model: "keeper", messages, tools: [...tools] })
  const { message } = (await create([user])).choices[0]!
  const results = message.tool_calls!.map(
    ({ id }) => ({ role: "tool", tool_call_id: id, content: "wet" }) as const,
  )
  const [first] = message.tool_calls!
  const bo = served.as(callerOf("bo", "full"))
  const followed = `the call "${first!.id}" in messages must be followed by its result`
  const alone = "send the results of tools alone"
  const unknown = "these results belong to no call that was made in this conversation"
  const wrong: readonly [OpenAI.ChatCompletionMessageParam[], string, Served["fetch"]][] = [
    [[user, message, ...results.slice(1)], followed, served.fetch],
    [[user, message, user], followed, served.fetch],
    [[user, ...results], alone, served.fetch],
    [[user, message, ...results, user], alone, served.fetch],
    [
      [user, { role: "assistant", content: "wet" }, ...results],
      `the result "${first!.id}" in messages must`,
      served.fetch,
    ],
    [[user, message, ...results], unknown, bo],
    [results, unknown, served.fetch],
  ]
  for (const [messages, why, fetch] of wrong)
    await expect(create(messages, fetch)).rejects.toThrow(`400 ${why}`)
  const session = served.responses[0]!.headers.get("x-incipit-session")!
  await expect(
    openai(served).chat.completions.create(
      { model: "keeper", messages: [user] },
      { headers: { "x-incipit-session": session } },
    ),
  ).rejects.toThrow(
    "400 the conversation waits for the results of tools that the client runs; send them first",
  )
  expect(rings).toBe(1)
})
