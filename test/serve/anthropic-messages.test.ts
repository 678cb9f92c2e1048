// The official Anthropic SDK as a client of the Messages API.
import Anthropic from "@anthropic-ai/sdk"
import { expect, test } from "vitest"
import { callerOf, echo, type Served, serve } from "./served.ts"

function clientOf({ fetch }: Pick<Served, "fetch">): Anthropic {
  return new Anthropic({ apiKey: "token", baseURL: "http://127.0.0.1", fetch })
}

const asked = (content: string) => ({
  ...{ model: "keeper", max_tokens: 1_000 },
  messages: [{ role: "user" as const, content }],
})

test("an answer has the text, why it ended, the usage and the turn", async () => {
  const served = await serve(echo)
  const { id, usage, ...rest } = await clientOf(served).messages.create({
    ...asked("hello"),
    system: "Be short.",
  })
  expect(rest).toEqual({
    ...{ type: "message", role: "assistant", model: "keeper", stop_reason: "end_turn", stop_sequence: null },
    content: [{ type: "text", text: "You said: hello", citations: null }],
  })
  expect(id).toBe(`msg_${served.responses[0]!.headers.get("x-incipit-turn")}`)
  expect(usage.input_tokens + usage.cache_creation_input_tokens!).toBeGreaterThan(100)
})

test("the SDK's stream helper gathers the final message with its usage", async () => {
  const served = await serve(echo)
  const stream = clientOf(served).messages.stream(asked("one two three"))
  const pieces: string[] = []
  stream.on("text", (text) => pieces.push(text))
  const { content, stop_reason: why, usage } = await stream.finalMessage()
  expect(content).toEqual([{ type: "text", text: "You said: one two three", citations: null }])
  expect(pieces.length).toBeGreaterThan(2)
  expect(why).toBe("end_turn")
  expect(usage.output_tokens).toBeGreaterThan(2)
  expect(usage.input_tokens + usage.cache_creation_input_tokens!).toBeGreaterThan(100)
})

test("stop_sequences and max_tokens", async () => {
  const served = await serve(() => "alpha beta gamma delta")
  const { messages } = clientOf(served)
  const stopped = await messages.create({ ...asked("go"), stop_sequences: ["gam"] })
  expect(stopped).toMatchObject({
    ...{ stop_reason: "stop_sequence", stop_sequence: "gam" },
    content: [{ text: "alpha beta " }],
  })
  expect(await messages.create({ ...asked("go"), max_tokens: 2 })).toMatchObject({
    stop_reason: "max_tokens",
  })
})

test("blocks and strings are the same conversation", async () => {
  const served = await serve(echo)
  const { messages } = clientOf(served)
  await messages.create(asked("one"))
  await messages.create({
    ...asked(""),
    messages: [
      { role: "user", content: [{ type: "text", text: "one" }] },
      { role: "assistant", content: [{ type: "text", text: "You said: one" }] },
      { role: "user", content: "two" },
    ],
  })
  const [first, second] = served.responses.map(({ headers }) => headers.get("x-incipit-session"))
  expect(second).toBe(first)
})

test("counting tokens sends nothing; below full trust it counts the caller's own text", async () => {
  const served = await serve(echo)
  const { max_tokens: _limit, ...body } = asked("hello")
  const owner = await clientOf(served).messages.countTokens(body)
  const bo = await clientOf({ fetch: served.as(callerOf("bo", "public")) }).messages.countTokens(body)
  expect(owner.input_tokens).toBeGreaterThan(100)
  expect(bo.input_tokens).toBe(1)
  expect(await served.agent.sessions()).toEqual([])
})

test("errors have the SDK's classes", async () => {
  const served = await serve(echo)
  const { messages } = clientOf(served)
  await expect(messages.create({ ...asked("hello"), model: "claude" })).rejects.toThrow(
    Anthropic.NotFoundError,
  )
  const tools: Anthropic.Tool[] = [{ name: "a b", input_schema: { type: "object" } }]
  await expect(messages.create({ ...asked("hello"), tools })).rejects.toThrow(Anthropic.BadRequestError)
  await expect(messages.create(asked(""))).rejects.toThrow(Anthropic.BadRequestError)
})

test("a client that aborts a stream stops the turn, and goes on with what it has", async () => {
  const served = await serve(() => Array.from({ length: 500 }, (_item, at) => `word${at}`).join(" "))
  const client = clientOf(served)
  const stream = client.messages.stream(asked("count"))
  let text = ""
  stream.on("text", (delta) => {
    text += delta
    if (text.length > 20) stream.abort()
  })
  await expect(stream.finalMessage()).rejects.toThrow(Anthropic.APIUserAbortError)
  expect(text.length).toBeLessThan(2_000)
  await client.messages.create({
    ...asked(""),
    messages: [
      { role: "user", content: "count" },
      { role: "assistant", content: text },
      { role: "user", content: "go on" },
    ],
  })
  const session = served.responses[1]!.headers.get("x-incipit-session")!
  const { plan } = await served.agent.preview("more", { situation: "dm", session })
  expect(plan.budget.conversation).toBeGreaterThan(1_000)
})
