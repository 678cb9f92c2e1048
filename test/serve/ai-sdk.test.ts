// The AI SDK as a client, through its providers for OpenAI, compatible servers and Anthropic.
import { createAnthropic } from "@ai-sdk/anthropic"
import { createOpenAI } from "@ai-sdk/openai"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { APICallError, generateText, type LanguageModel, type ModelMessage, streamText } from "ai"
import { expect, test } from "vitest"
import { echo, serve } from "./served.ts"

const baseURL = "http://127.0.0.1/v1"
type Fetch = typeof globalThis.fetch

const PROVIDERS: Readonly<Record<string, (fetch: Fetch, model: string) => LanguageModel>> = {
  responses: (fetch, model) => createOpenAI({ apiKey: "token", baseURL, fetch }).responses(model),
  chat: (fetch, model) => createOpenAI({ apiKey: "token", baseURL, fetch }).chat(model),
  compatible: (fetch, model) =>
    createOpenAICompatible({ name: "incipit", apiKey: "token", baseURL, fetch })(model),
  messages: (fetch, model) => createAnthropic({ apiKey: "token", baseURL, fetch })(model),
}

test.each(Object.entries(PROVIDERS))(
  "%s: a conversation of two turns, whole and streamed",
  async (_name, of) => {
    const served = await serve(echo)
    const model = of(served.fetch, "keeper")
    const messages: ModelMessage[] = [{ role: "user", content: "one" }]
    const first = await generateText({ model, messages })
    expect(first.text).toBe("You said: one")
    expect(first.finishReason).toBe("stop")
    messages.push(...first.response.messages, { role: "user", content: "two" })
    const second = streamText({ model, messages })
    const pieces: string[] = []
    for await (const piece of second.textStream) pieces.push(piece)
    expect(pieces.join("")).toBe("You said: two")
    const [before, after] = served.responses.map(({ headers }) => headers.get("x-incipit-session"))
    expect(after).toBe(before)
  },
)

test.each(Object.entries(PROVIDERS))(
  "%s: an unknown model is an error with its message",
  async (_name, of) => {
    const served = await serve(echo)
    const error: unknown = await generateText({ model: of(served.fetch, "nobody"), prompt: "hello" }).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(APICallError)
    expect(error).toMatchObject({
      statusCode: 404,
      message: 'there is no agent "nobody"; use one of: keeper',
    })
  },
)
