// The official OpenAI SDK as a client of chat completions: answers, streams, limits, sessions, errors.
import OpenAI from "openai"
import { expect, test } from "vitest"
import type { Model } from "../../src/agent/models/model.ts"
import { offlineModel } from "../../src/agent/offline/offline.ts"
import { defineTool } from "../../src/tools/define-tool.ts"
import { callerOf, echo, type Served, serve } from "./served.ts"

function clientOf({ fetch }: Pick<Served, "fetch">): OpenAI {
  return new OpenAI({ apiKey: "token", baseURL: "http://127.0.0.1/v1", fetch })
}

const user = (content: string) => ({ role: "user", content }) as const
const assistant = (content: string) => ({ role: "assistant", content }) as const

test("an answer has the text, the usage, the session and the turn", async () => {
  const served = await serve(echo)
  const completion = await clientOf(served).chat.completions.create({
    model: "keeper",
    messages: [user("hello there")],
    temperature: 0.2,
  })
  const { id, usage, ...rest } = completion
  expect(rest).toEqual({
    object: "chat.completion",
    created: Date.UTC(2026, 10, 16) / 1000,
    model: "keeper",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "You said: hello there", refusal: null },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
  })
  const headers = served.responses[0]!.headers
  expect(id).toBe(`chatcmpl-${headers.get("x-incipit-turn")}`)
  expect(headers.get("x-incipit-ignored")).toBe("temperature")
  const [session] = await served.agent.sessions()
  expect(headers.get("x-incipit-session")).toBe(session!.id)
  expect(usage!.prompt_tokens).toBeGreaterThan(100)
  expect(usage!.total_tokens).toBe(usage!.prompt_tokens + usage!.completion_tokens)
})

test("a stream has the same text in several pieces, and the usage if it is wanted", async () => {
  const served = await serve(echo)
  const stream = await clientOf(served).chat.completions.create({
    model: "keeper",
    messages: [user("one two three")],
    stream: true,
    stream_options: { include_usage: true },
  })
  const pieces: string[] = []
  const ends: unknown[] = []
  let total = 0
  for await (const { choices, usage } of stream) {
    const [choice] = choices
    if (choice?.delta.content) pieces.push(choice.delta.content)
    if (choice?.finish_reason) ends.push(choice.finish_reason)
    if (usage) total = usage.total_tokens
  }
  expect(pieces.join("")).toBe("You said: one two three")
  expect(pieces.length).toBeGreaterThan(2)
  expect(ends).toEqual(["stop"])
  expect(total).toBeGreaterThan(100)
})

test("the SDK's stream helper gathers the final message", async () => {
  const served = await serve(echo)
  const runner = clientOf(served).chat.completions.stream({ model: "keeper", messages: [user("gather me")] })
  expect(await runner.finalContent()).toBe("You said: gather me")
})

test("text around the agent's own tools is one answer", async () => {
  const bell = defineTool({
    name: "bell",
    description: "Rings.",
    parameters: { type: "object" },
    run: () => "Rung.",
  })
  const served = await serve(({ results }) => (results.length === 0 ? [{ name: "bell" }] : "It rang."), {
    tools: [bell],
  })
  const { choices } = await clientOf(served).chat.completions.create({
    model: "keeper",
    messages: [user("ring")],
  })
  expect(choices[0]!.message.content).toBe("It rang.")
})

test("stop and max_tokens end the answer, and the next request continues from there", async () => {
  const served = await serve(() => "alpha beta gamma delta")
  const { chat } = clientOf(served)
  const stopped = await chat.completions.create({ model: "keeper", messages: [user("go")], stop: ["gam"] })
  expect(stopped.choices[0]!.message.content).toBe("alpha beta ")
  expect(stopped.choices[0]!.finish_reason).toBe("stop")
  const cut = await chat.completions.create({ model: "keeper", messages: [user("again")], max_tokens: 2 })
  expect(cut.choices[0]!.finish_reason).toBe("length")
  expect("alpha beta").toContain(cut.choices[0]!.message.content!.trim())
  await chat.completions.create({
    model: "keeper",
    messages: [user("go"), assistant("alpha beta"), user("on")],
  })
  const [first, , third] = served.responses.map(({ headers }) => headers.get("x-incipit-session"))
  expect(third).toBe(first)
})

test("a conversation stays in its session; a second answer to the same message branches", async () => {
  const served = await serve(echo)
  const { chat } = clientOf(served)
  const ask = async (...messages: OpenAI.ChatCompletionMessageParam[]) => {
    await chat.completions.create({ model: "keeper", messages })
    return served.responses.at(-1)!.headers.get("x-incipit-session")
  }
  const first = await ask(user("one"))
  const begun = [user("one"), assistant("You said: one")]
  expect(await ask(...begun, user("two"))).toBe(first)
  // Regenerated, then edited: each begins where the first answer ended.
  const again = await ask(...begun, user("two"))
  const edited = await ask(...begun, user("two, but other"))
  expect(new Set([first, again, edited]).size).toBe(3)
  // The branch is continued, not the original.
  expect(await ask(...begun, user("two, but other"), assistant("You said: two, but other"), user("3"))).toBe(
    edited,
  )
  // A conversation that was held elsewhere begins with what was said there.
  const other = await ask(user("x"), assistant("an answer of another model"), user("y"))
  const { plan } = await served.agent.preview("z", { session: other!, situation: "dm" })
  expect(plan.budget.conversation).toBeGreaterThan(10)
})

test("another person never gets into a session, by its id or by its conversation", async () => {
  const served = await serve(echo)
  await clientOf(served).chat.completions.create({ model: "keeper", messages: [user("one")] })
  const session = served.responses[0]!.headers.get("x-incipit-session")!
  const bo = clientOf({ fetch: served.as(callerOf("bo", "public")) })
  const messages = [user("one"), assistant("You said: one"), user("two")]
  await bo.chat.completions.create({ model: "keeper", messages })
  expect(served.responses[1]!.headers.get("x-incipit-session")).not.toBe(session)
  const refused = bo.chat.completions.create(
    { model: "keeper", messages },
    { headers: { "x-incipit-session": session } },
  )
  await expect(refused).rejects.toThrow(OpenAI.NotFoundError)
})

test("usage below full trust counts only what the caller sent and got", async () => {
  const served = await serve(echo)
  const bo = clientOf({ fetch: served.as(callerOf("bo", "public")) })
  const { usage } = await bo.chat.completions.create({ model: "keeper", messages: [user("hello")] })
  expect(usage).toEqual({
    ...{ prompt_tokens: 1, completion_tokens: 4, total_tokens: 5 },
    prompt_tokens_details: { cached_tokens: 0 },
  })
})

test("the client's system message is a section of the prompt, in the turn that it came with", async () => {
  const prompts: string[] = []
  const served = await serve(watched(prompts))
  const { chat } = clientOf(served)
  const system = { role: "system", content: "Answer in Dutch." } as const
  await chat.completions.create({ model: "keeper", messages: [system, user("hello")] })
  await chat.completions.create({ model: "keeper", messages: [user("hello again")] })
  const wanted = "<client-instructions>\\nAnswer in Dutch.\\n</client-instructions>"
  expect(prompts.map((prompt) => prompt.includes(wanted))).toEqual([true, false])
})

/** The offline model, and what it is sent. */
function watched(prompts: string[]): Model {
  const model = offlineModel({ script: echo })
  return {
    ...model,
    language() {
      const language = model.language()
      return {
        ...language,
        doStream(options) {
          prompts.push(JSON.stringify(options))
          return language.doStream(options)
        },
      }
    },
  }
}

test("requests for a title are asides and extend no session", async () => {
  const served = await serve(echo)
  const { chat } = clientOf(served)
  await chat.completions.create({ model: "keeper", messages: [user("one")] })
  const task = `### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n${"x".repeat(200)}`
  await chat.completions.create({ model: "keeper", messages: [user(task)] })
  const listed = await served.agent.sessions({ situation: "dm" })
  expect(listed.map(({ title }) => title)).toEqual(["one"])
})

test("the same idempotency key gets the same answer, and another request with it is refused", async () => {
  let calls = 0
  const served = await serve(() => `answer ${++calls}`)
  const { chat } = clientOf(served)
  const ask = (text: string) =>
    chat.completions.create(
      { model: "keeper", messages: [user(text)] },
      { headers: { "idempotency-key": "k1" }, maxRetries: 0 },
    )
  const [first, second] = [await ask("one"), await ask("one")]
  expect(second).toEqual(first)
  expect(calls).toBe(1)
  await expect(ask("two")).rejects.toThrow(OpenAI.UnprocessableEntityError)
})

const REFUSED: readonly [string, object, string][] = [
  ["two answers", { n: 2 }, "n"],
  ["a tool of the provider", { tools: [{ type: "custom", custom: { name: "f" } }] }, "tools[0]"],
  ["a tool without a usable name", { tools: [{ type: "function", function: { name: "a b" } }] }, "tools"],
  ["a forced tool", { tool_choice: "required" }, "tool_choice"],
  ["JSON", { response_format: { type: "json_object" } }, "response_format"],
  [
    "an image at an address",
    { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "https://x/y.png" } }] }] },
    "messages[0].content[0]",
  ],
  ["no message", { messages: [] }, "messages"],
  ["an answer at the end", { messages: [user("a"), assistant("b")] }, "messages"],
]

test.each(REFUSED)("%s: refused by name, and nothing is sent to the model", async (_name, more, param) => {
  const served = await serve(echo)
  const body = {
    model: "keeper",
    messages: [user("hello")],
    ...more,
  } as OpenAI.ChatCompletionCreateParamsNonStreaming
  const error: unknown = await clientOf(served)
    .chat.completions.create(body)
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(OpenAI.BadRequestError)
  expect(Reflect.get(Object(error), "param")).toBe(param)
  expect(await served.agent.sessions()).toEqual([])
})

test("an unknown model is not found, and the message names the agents", async () => {
  const served = await serve(echo)
  const asked = clientOf(served).chat.completions.create({ model: "gpt-5", messages: [user("hello")] })
  await expect(asked).rejects.toThrow('404 there is no agent "gpt-5"; use one of: keeper')
  const { data } = await clientOf(served).models.list()
  expect(data).toEqual([{ id: "keeper", object: "model", created: 0, owned_by: "incipit" }])
  expect(await clientOf(served).models.retrieve("keeper")).toMatchObject({ id: "keeper" })
})

test("a client that goes away stops the turn; with an idempotency key the turn goes on", async () => {
  for (const key of [undefined, "k1"]) {
    const started = Promise.withResolvers<void>()
    const go = Promise.withResolvers<string>()
    const bell = defineTool({
      ...{ name: "bell", description: "Rings.", parameters: { type: "object" } },
      run: () => {
        started.resolve()
        return go.promise
      },
    })
    const served = await serve(({ results }) => (results.length === 0 ? [{ name: "bell" }] : "It rang."), {
      tools: [bell],
    })
    const abort = new AbortController()
    const headers = key === undefined ? {} : { "idempotency-key": key }
    const ask = (signal?: AbortSignal) =>
      clientOf(served).chat.completions.create(
        { model: "keeper", messages: [user("ring")] },
        { headers, maxRetries: 0, ...(signal && { signal }) },
      )
    const asked = ask(abort.signal)
    await started.promise
    abort.abort()
    if (key === undefined) {
      await expect(asked).rejects.toThrow(OpenAI.APIUserAbortError)
      expect((await served.agent.sessions())[0]!.turns).toBe(1)
      continue
    }
    go.resolve("Rung.")
    await expect(asked).rejects.toThrow(OpenAI.APIUserAbortError)
    expect((await ask()).choices[0]!.message.content).toBe("It rang.")
  }
})
