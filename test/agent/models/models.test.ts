// Every provider through the real SDK to a local server: what is sent, what comes back, and what goes back to it.
import { afterEach, describe, expect, test } from "vitest"
import type { Model } from "../../../src/agent/models/model.ts"
import { openModel } from "../../../src/agent/models/models.ts"
import { attach } from "../../../src/core/layout/tail.ts"
import { type Message, type MessagePart, userMessage } from "../../../src/core/model/message.ts"
import { samplePrompt } from "../../render/sample.ts"
import { ask, MODELS, modelAt, PROTOCOL_NAMES } from "../world/ask-model.ts"
import type { Part } from "../world/servers/script.ts"
import {
  type ProtocolName,
  type ProviderServer,
  type ServerOptions,
  startServer,
} from "../world/servers/server.ts"

let server: ProviderServer | undefined
afterEach(() => server?.close())

async function start(options: ServerOptions): Promise<ProviderServer> {
  server = await startServer(options)
  return server
}

const question = attach([userMessage("Zap it, please.")], samplePrompt().tail)
const PARTS: readonly Part[] = [
  { reasoning: "Zapping may take a while." },
  { text: "I will zap it: ⚡." },
  { call: { name: "zap", input: { what: 'the old "radio"' } } },
  { call: { name: "ask", input: {} } },
]

const READ = { uncached: 10, read: 20, output: 9 }
const USAGES: Readonly<Record<ProtocolName, object>> = {
  anthropic: { ...READ, write: { "5m": 5, "1h": 7 } },
  "openai-responses": { ...READ, write: { "30m": 5 } },
  "openai-chat": { ...READ, write: {} },
  google: { ...READ, write: {} },
  bedrock: { ...READ, write: { "5m": 5, "1h": 7 } },
}

describe.each(PROTOCOL_NAMES)("%s", (protocol) => {
  test("streams thoughts, text and calls, and says what they took", async () => {
    const usage = USAGES[protocol]
    const at = await start({ protocol, answer: () => ({ kind: "reply", parts: PARTS, usage }) })
    const asked = await ask(await modelAt(at, protocol), question)
    expect(asked.error).toBeUndefined()
    expect(asked.usage).toEqual(usage)
    expect([asked.finishReason, asked.warnings, asked.text]).toEqual(["tool-calls", [], "I will zap it: ⚡."])
    expect(
      asked.message.parts.map(({ data: _data, ...part }: MessagePart & { data?: unknown }) => part),
    ).toEqual([
      { kind: "reasoning", text: "Zapping may take a while." },
      { kind: "text", text: "I will zap it: ⚡." },
      { kind: "tool-call", id: "call_1_2", name: "zap", input: { what: 'the old "radio"' } },
      { kind: "tool-call", id: "call_1_3", name: "ask", input: {} },
    ])
  })

  test("gets back what it said, just as it said it", async () => {
    const at = await start({
      protocol,
      answer: ({ calls }) => ({ kind: "reply", parts: calls === 1 ? PARTS : [{ text: "Done." }] }),
    })
    const model = await modelAt(at, protocol)
    const { message } = await ask(model, question)
    const results = message.parts.flatMap((part): MessagePart[] =>
      part.kind === "tool-call" ? [{ kind: "tool-result", id: part.id, text: "Zapped." }] : [],
    )
    const second = await ask(model, [...question, message, { role: "user", parts: results }])
    expect([second.error, at.refusals, second.text]).toEqual([undefined, [], "Done."])
    const body = JSON.stringify(JSON.parse(at.bodies[1] ?? ""), null, 2)
    await expect(`${body}\n`).toMatchFileSnapshot(`../../golden/models/${protocol}.json`)
  })

  test("sends through the fetch of each call, byte for byte", async () => {
    const at = await start({ protocol, answer: () => ({ kind: "reply", parts: [{ text: "Yes." }] }) })
    const model = await modelAt(at, protocol)
    const sent: unknown[] = []
    const keeping =
      (name: string): typeof globalThis.fetch =>
      async (url, init) => {
        sent.push(`${name} ${init?.body}`)
        return fetch(url, init)
      }
    await Promise.all(["one", "two"].map((name) => ask(model, question, { fetch: keeping(name) })))
    expect(sent.sort()).toEqual([`one ${at.bodies[0]}`, `two ${at.bodies[1]}`])
  })
})

describe("what is known of a model", () => {
  const open = (id: string, config = {}): Promise<Model> => openModel(id, { env: { KEY: "k" }, config })

  test("its price at a time and its rule come with what the configuration says before them", async () => {
    const at = Date.UTC(2026, 10, 15)
    const own = { model: "ollama/qwen3", input: 1, output: 2, source: "here", date: "2026-11" }
    const row = { models: "^ollama/", like: "ollama", minimum: 64, source: "here", date: "2026-11" }
    const plain = await open("ollama/qwen3")
    const set = await open("ollama/qwen3", { prices: [own], cache: { rules: [row] } })
    expect([plain.rule.id, plain.rule.minimum, plain.price(at)?.input]).toEqual(["ollama", 1, 0])
    expect([set.rule.id, set.rule.minimum, set.price(at)]).toEqual([
      "ollama (incipit.yaml)",
      64,
      { ...own, estimated: false },
    ])
    expect([plain.id, plain.isOffline, plain.toolFormat]).toEqual(["ollama/qwen3", false, "native"])
  })

  test("behind a compatible API, nothing can be marked whatever the model is called", async () => {
    const providers = { lab: { url: "http://127.0.0.1:1/v1", key: "KEY" } }
    const { rule, price } = await open("lab/claude-sonnet-5-5", { providers })
    expect([rule.id, rule.breakpoints, price(0)]).toEqual(["local", 0, null])
    const row = { models: "^lab/", like: "anthropic/claude", source: "here", date: "" }
    expect((await open("lab/claude-sonnet-5-5", { providers, cache: { rules: [row] } })).rule.id).toBe(
      "anthropic/claude (incipit.yaml)",
    )
  })

  test("a model without a provider is the one that its rule is about", async () => {
    const at = await start({
      protocol: "anthropic",
      answer: () => ({ kind: "reply", parts: [{ text: "Yes." }] }),
    })
    const model = await openModel("claude-sonnet-5-5", { env: at.env, config: {} })
    expect([model.id, (await ask(model, question)).text]).toEqual(["claude-sonnet-5-5", "Yes."])
  })
})

test("a custom server gets its key, one system message, and tools by its own name", async () => {
  const at = await start({
    protocol: "openai-chat",
    answer: ({ headers }) => ({ kind: "reply", parts: [{ text: String(headers.authorization) }] }),
  })
  const providers = { lab: { url: `${at.url}/v1`, key: "LAB_KEY" }, shed: { url: `${at.url}/v1/` } }
  const messages: readonly Message[] = question
  const env = { LAB_KEY: "secret" }
  const lab = await openModel("lab/team/qwen3:8b", { env, config: { providers } })
  const shed = await openModel("shed/qwen3", { env, config: { providers } })
  expect((await ask(lab, messages)).text).toBe("Bearer secret")
  expect((await ask(shed, messages)).text).toBe("undefined")
  expect(at.bodies.map((body) => JSON.parse(body).model)).toEqual(["team/qwen3:8b", "qwen3"])
})

test("nothing of the process's own variables counts", async () => {
  const before = process.env.ANTHROPIC_BASE_URL
  process.env.ANTHROPIC_BASE_URL = "http://127.0.0.1:1"
  try {
    const sent: string[] = []
    const model = await openModel(MODELS.anthropic, { env: { ANTHROPIC_API_KEY: "k" }, config: {} })
    await ask(model, question, {
      fetch: async (url) => {
        sent.push(String(url))
        return new Response("{}", { status: 500 })
      },
    })
    expect(sent).toEqual(["https://api.anthropic.com/v1/messages"])
  } finally {
    if (before === undefined) delete process.env.ANTHROPIC_BASE_URL
    else process.env.ANTHROPIC_BASE_URL = before
  }
})
