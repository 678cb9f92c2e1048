// Turns without a whole answer, as the SDKs see them: a model that fails, before or after its first words.
import { join } from "node:path"
import Anthropic from "@anthropic-ai/sdk"
import OpenAI from "openai"
import { expect, test } from "vitest"
import type { Model } from "../../src/agent/models/model.ts"
import { offlineModel } from "../../src/agent/offline/offline.ts"
import { workspace } from "../agent/world/agent-world.ts"
import { callerOf, echo, type Served, serve } from "./served.ts"

const openai = ({ fetch }: Pick<Served, "fetch">) =>
  new OpenAI({ apiKey: "token", baseURL: "http://127.0.0.1/v1", fetch })
const anthropic = ({ fetch }: Pick<Served, "fetch">) =>
  new Anthropic({ apiKey: "token", baseURL: "http://127.0.0.1", fetch })

/** Says something, if `words` is not empty, and then fails in a way that no retry cures. */
function broken(words: string): Model {
  const model = offlineModel({ script: echo })
  const failure = Object.assign(new Error("secret-host refused"), { statusCode: 400, isRetryable: false })
  const parts = [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: words },
    { type: "error", error: failure },
  ]
  return {
    ...model,
    language: () => ({
      ...model.language(),
      doStream: async () => {
        if (words === "") throw failure
        return { stream: ReadableStream.from(parts) }
      },
    }),
  }
}

const asked = { model: "keeper", messages: [{ role: "user" as const, content: "hi" }] }

test("a failure before the first word has a status, and a stranger learns nothing of the reason", async () => {
  const served = await serve(broken(""))
  const bo = { fetch: served.as(callerOf("bo", "public")) }
  for (const stream of [false, true]) {
    const errors: unknown[] = await Promise.all([
      openai(bo)
        .chat.completions.create({ ...asked, stream })
        .catch((error: unknown) => error),
      openai(bo)
        .responses.create({ model: "keeper", input: "hi", stream })
        .catch((error: unknown) => error),
      anthropic(bo)
        .messages.create({ ...asked, max_tokens: 10, stream })
        .catch((error: unknown) => error),
    ])
    expect(errors.map((error) => Reflect.get(Object(error), "status"))).toEqual([502, 502, 502])
    expect(errors.join()).not.toContain("secret-host")
  }
  // Once each: the message was received, so an SDK doesn't send it again.
  expect(served.responses).toHaveLength(6)
})

test("a failure after the first words ends the stream with an error", async () => {
  const served = await serve(broken("Well, "))
  const heard: string[] = []
  const chat = await openai(served).chat.completions.create({ ...asked, stream: true })
  await expect(async () => {
    for await (const { choices } of chat) heard.push(choices[0]?.delta.content ?? "")
  }).rejects.toThrow(OpenAI.APIError)
  const message = anthropic(served).messages.stream({ ...asked, max_tokens: 10 })
  await expect(message.finalMessage()).rejects.toThrow(Anthropic.APIError)
  const response = await openai(served).responses.create({ model: "keeper", input: "hi", stream: true })
  await expect(async () => {
    for await (const event of response) heard.push(event.type)
  }).rejects.toThrow(OpenAI.APIError)
  expect(heard.join("")).toContain("Well, ")
})

test("a failure of our own parts is in the log, and the client learns only that there was one", async () => {
  const served = await serve(echo)
  await served.store.close()
  const error: unknown = await openai(served)
    .chat.completions.create(asked)
    .catch((thrown: unknown) => thrown)
  expect(String(error)).toBe("Error: 500 the server failed to answer; its log has the reason")
  expect(new Set(served.failures).size).toBe(1)
})

test("a spending limit is an error of its own, which no SDK tries again", async () => {
  const root = workspace({ "incipit.yaml": "profile: incipit\nspending: { person_day: $0 }\n" })
  const price = { model: "m", input: 1, output: 1, estimated: false, source: "", date: "" }
  const model = { ...offlineModel({ script: echo }), isOffline: false, price: () => price }
  const served = await serve(model, {
    workspace: root,
    home: join(root, "no-home"),
    record: false,
    memory: false,
  })
  const limit = /Stopped: your spending limit for today is reached: \$0 of \$0 is used/
  const [chat, message] = await Promise.all([
    openai(served)
      .chat.completions.create(asked)
      .catch((error: unknown) => error),
    anthropic(served)
      .messages.create({ ...asked, max_tokens: 10 })
      .catch((error: unknown) => error),
  ])
  expect(chat).toBeInstanceOf(OpenAI.RateLimitError)
  expect(chat).toMatchObject({ status: 429, code: "spending_limit", message: expect.stringMatching(limit) })
  expect(message).toBeInstanceOf(Anthropic.RateLimitError)
  expect(message).toMatchObject({ status: 429, message: expect.stringMatching(limit) })
  expect(served.responses).toHaveLength(2)
})
