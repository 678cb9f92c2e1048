// Where the SDK does something else than one would think. Each is pinned, with what keeps us out of it.

import { streamText } from "ai"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { Model } from "../../../src/agent/models/model.ts"
import { openModel } from "../../../src/agent/models/models.ts"
import { sdkModel } from "../../../src/agent/models/sdk-model.ts"
import { attach } from "../../../src/core/layout/tail.ts"
import { userMessage } from "../../../src/core/model/message.ts"
import { renderAiSdk } from "../../../src/render/formats/ai-sdk.ts"
import { conversation, samplePrompt } from "../../render/sample.ts"
import { ask, MODELS, modelAt, PROTOCOL_NAMES } from "../world/ask-model.ts"
import { type ProviderServer, startServer } from "../world/servers/server.ts"

const prompt = samplePrompt()
const question = attach([userMessage("Zap it, please.")], prompt.tail)
const mark = { anthropic: { cacheControl: { type: "ephemeral" } } } as const

let server: ProviderServer
let model: Model
beforeEach(async () => {
  server = await startServer({
    protocol: "anthropic",
    answer: () => ({ kind: "reply", parts: [{ text: "Done." }] }),
  })
  model = await modelAt(server, "anthropic")
})
afterEach(() => server.close())

const newest = () => JSON.parse(server.bodies.at(-1) ?? "{}")
const marksIn = (body: unknown) => JSON.stringify(body).match(/"cache_control"/g)?.length ?? 0

test("a system message in the conversation is refused, so none is rendered there", async () => {
  const late = await ask(model, question, {
    change: ({ messages }) => ({ messages: [...messages, { role: "system", content: "Be brief." }] }),
  })
  expect([late.error?.by, String(late.error?.error).split(":")[0]]).toEqual(["part", "AI_InvalidPromptError"])
  for (const id of Object.values(MODELS)) {
    const { request } = renderAiSdk(prompt, attach(conversation, prompt.tail), { model: id })
    expect(request.messages.map(({ role }): string => role)).not.toContain("system")
  }
})

test("a fifth breakpoint is dropped with a warning that is easily missed, so there are never more than four", async () => {
  const five = Array.from({ length: 5 }, (_item, at) => ({
    role: "system",
    content: `Rule ${at}.`,
    providerOptions: mark,
  }))
  const asked = await ask(model, [userMessage("Hello.")], { change: () => ({ instructions: five }) })
  expect(asked.warnings).toEqual([
    {
      type: "unsupported",
      feature: "cacheControl breakpoint limit",
      details: "Maximum 4 cache breakpoints exceeded (found 5). This breakpoint will be ignored.",
    },
    {
      type: "unsupported",
      feature: "cacheControl breakpoint limit",
      details: "Maximum 4 cache breakpoints exceeded (found 6). This breakpoint will be ignored.",
    },
  ])
  expect(marksIn(newest())).toBe(4)
  const ours = await ask(model, attach(conversation, prompt.tail))
  expect(ours.warnings).toEqual([])
  expect(marksIn(newest())).toBeLessThanOrEqual(4)
})

test("the automatic breakpoint is not counted, and the API refuses the sum; we never ask for it", async () => {
  const four = Array.from({ length: 4 }, (_item, at) => ({
    role: "system",
    content: `Rule ${at}.`,
    providerOptions: mark,
  }))
  await ask(model, [userMessage("Hello.")], {
    change: ({ messages }) => ({
      instructions: four,
      providerOptions: mark,
      messages: messages.map(({ role, content }) => ({
        role,
        content:
          typeof content === "string"
            ? content
            : content.map((part) => ({ ...part, providerOptions: undefined })),
      })),
    }),
  })
  expect(server.refusals).toEqual(["a maximum of 4 blocks with cache_control may be provided, found 5"])
  await ask(model, question)
  expect(newest().cache_control).toBeUndefined()
})

test.each(PROTOCOL_NAMES)(
  "%s: the body that the SDK tells of is not what was sent; fetch sees that",
  async (protocol) => {
    const at = await startServer({ protocol, answer: () => ({ kind: "reply", parts: [{ text: "Done." }] }) })
    const opened = await modelAt(at, protocol)
    const sent: unknown[] = []
    const keeping: typeof fetch = (url, init) => {
      sent.push(init?.body)
      return fetch(url, init)
    }
    const told = async (include: object) => {
      const messages = [{ role: "user" as const, content: "Hello." }]
      const result = streamText({ model: sdkModel(opened, keeping), messages, maxRetries: 0, include })
      return (await result.request).body
    }
    expect(await told({})).toBeUndefined()
    const body = JSON.stringify(await told({ requestBody: true }))
    expect(sent).toEqual(at.bodies)
    expect(body === at.bodies[1]).toBe(protocol !== "openai-responses")
    await at.close()
  },
)

test("what the SDK has no option for goes in through fetch", async () => {
  const adding: typeof fetch = (url, init) => {
    const body = JSON.parse(String(init?.body))
    return fetch(url, {
      ...init,
      body: JSON.stringify({ ...body, diagnostics: { previous_message_id: null } }),
    })
  }
  expect((await ask(model, question, { fetch: adding })).text).toBe("Done.")
  expect(newest().diagnostics).toEqual({ previous_message_id: null })
})

test("tools go out in the order in which they were registered, unless the order of the plan is given", async () => {
  const names = () => newest().tools.map(({ name }: { name: string }) => name)
  await ask(model, question, { change: () => ({ toolOrder: undefined }) })
  expect(names()).toEqual(["zap", "ask"])
  await ask(model, question)
  expect(names()).toEqual(["ask", "zap"])
})

test("OpenAI would get references to what it stored in place of the conversation, so nothing is stored", async () => {
  const at = await startServer({
    protocol: "openai-responses",
    answer: () => ({ kind: "reply", parts: [{ reasoning: "Hm." }, { text: "Done." }] }),
  })
  const gpt = await openModel(MODELS["openai-responses"], { env: at.env, config: {} })
  const { message } = await ask(gpt, question)
  const messages = [...question, message, userMessage("And now?")]
  const storing = { change: () => ({ providerOptions: { openai: { store: true } } }) }
  expect([(await ask(gpt, messages, storing)).error?.by, at.refusals]).toEqual([
    "part",
    ["Item with id 'rs_1_0' not found."],
  ])
  expect((await ask(gpt, messages)).text).toBe("Done.")
  await at.close()
})

test("compatible servers say nothing of tokens unless they are asked, and get one system message", async () => {
  const at = await startServer({
    protocol: "openai-chat",
    answer: () => ({ kind: "reply", parts: [{ text: "Done." }], usage: { uncached: 8, output: 2 } }),
  })
  const local = await modelAt(at, "openai-chat")
  expect((await ask(local, question)).usage).toEqual({ uncached: 8, read: 0, write: {}, output: 2 })
  const two = [1, 2].map((rule) => ({ role: "system", content: `Rule ${rule}.` }))
  await ask(local, question, { change: () => ({ instructions: two }) })
  expect(at.refusals).toEqual(["System message must be at the beginning."])
  await at.close()
})
