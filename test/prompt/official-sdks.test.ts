// The programs of the examples with the official SDKs, against local servers that refuse what the real ones refuse: ten
// calls, one prefix, no leak. Streaming too.
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createAnthropic } from "@ai-sdk/anthropic"
import Anthropic from "@anthropic-ai/sdk"
import { GoogleGenAI } from "@google/genai"
import { generateText, jsonSchema, tool } from "ai"
import OpenAI from "openai"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { startMessagesServer } from "../../examples/programs/messages-server.ts"
import { startResponsesServer } from "../../examples/programs/responses-server.ts"
import { type Note, notes, runAll, tasks, tools } from "../../examples/programs/support-data.ts"
import { type Message, wordsIn } from "../../src/core/model/message.ts"
import { definePrompt } from "../../src/prompt/define-with-o200k.ts"
import { perSession, perTurn, text } from "../../src/prompt/defined-section.ts"
import { type Json, refuseResponses } from "../agent/world/servers/refusals.ts"
import { type ProtocolName, type ProviderServer, startServer } from "../agent/world/servers/server.ts"
import { startWireServer, type WireServer } from "../render/wire-server.ts"
import { itemsOf } from "./outputs.ts"

/** The program of the issue that asked for `definePrompt`. */
const PROGRAM = `const support = definePrompt({ budget: 3000, tools, sections: {
  base: text("You are the support agent of Acme.", { priority: "required" }),
  rules: files("rules"),
  notes: perSession((s: { notes: Note[] }) => s.notes, { priority: "high" }),
  tasks: perTurn((t: { tasks: string[] }) => t.tasks.join("\\n")),
  clock: perTurn((t: { now: Date }) => t.now.toISOString()),
} })
const chat = support.open({ id: "mallory", trust: "familiar", notes })
chat.say("Where is A17?", { tasks, now: new Date() })
for (;;) {
  const calls = chat.add((await client.responses.create(chat.openai("gpt-5.2"))).output)
  if (calls.length === 0) break
  chat.answer(await runAll(calls))
}
console.table(chat.report().sections)
`

interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly status: number | null
}

/** Not synchronous, because the server that the program talks to is in this process. */
function run(program: string, env: Readonly<Record<string, string>>): Promise<Ran> {
  const child = spawn("node", [`examples/programs/${program}`], { env: { PATH: process.env.PATH, ...env } })
  const out: string[] = []
  const err: string[] = []
  child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => err.push(text))
  return new Promise((done) =>
    child.on("close", (status) => {
      // How many tokens a time takes may depend on the time.
      const stdout = out.join("").replace(/('clock'.*│ )\d+/, "$1NN")
      done({ stdout, stderr: err.join(""), status })
    }),
  )
}

/** What a provider caches: everything before the conversation, as it was sent. */
const PREFIX = {
  openai: ({ tools, input }: Json) => JSON.stringify([tools, input[0]]),
  anthropic: ({ tools, system }: Json) => JSON.stringify([tools, system]),
}

/** Ten calls with one prefix. Everything that was sent is at the beginning of the next request. */
function expectOnePrefix(bodies: readonly string[], api: keyof typeof PREFIX): void {
  const requests: readonly Json[] = bodies.map((body) => JSON.parse(body))
  expect(requests).toHaveLength(10)
  expect(new Set(requests.map(PREFIX[api])).size).toBe(1)
  for (const [at, request] of requests.slice(1).entries()) {
    const before = itemsOf(requests[at])
    expect(itemsOf(request).slice(0, before.length)).toEqual(before)
  }
}

/** The notes are for the trusts public, familiar and full, and the customer's is familiar. */
function expectNoLeak(bodies: readonly string[]): void {
  for (const body of bodies) {
    expect(body).toContain("prefers to be written to in English")
    expect(body).toContain("a customer since 2019")
    expect(body).not.toContain("charged back")
  }
}

describe("the programs of the examples", () => {
  test("with OpenAI's SDK", async () => {
    expect(readFileSync("examples/programs/support.ts", "utf8")).toContain(PROGRAM)
    const server = await startResponsesServer((_request, number) =>
      number < 10 ? { call: "find_order", input: { number: "A17" } } : { text: "It is on its way." },
    )
    const ran = await run("support.ts", { OPENAI_BASE_URL: server.url })
    await server.close()
    expect(ran).toMatchSnapshot()
    expect(server.bodies.map((body) => refuseResponses(JSON.parse(body)))).toEqual(Array(10).fill(undefined))
    expectOnePrefix(server.bodies, "openai")
    expectNoLeak(server.bodies)
  })

  test("with Anthropic's SDK", async () => {
    const server = await startMessagesServer(({ messages }) =>
      messages.length < 19
        ? [{ type: "tool_use", id: `call_${messages.length}`, name: "find_order", input: { number: "A17" } }]
        : [{ type: "text", text: "It is on its way." }],
    )
    const ran = await run("support-anthropic.ts", { ANTHROPIC_BASE_URL: server.url })
    await server.close()
    expect(ran).toMatchSnapshot()
    expectOnePrefix(server.bodies, "anthropic")
    expectNoLeak(server.bodies)
  })

  test.each(["support.ts", "support-anthropic.ts"])("%s runs alone", async (program) => {
    const ran = await run(program, {})
    expect([ran.stderr, ran.status]).toEqual(["", 0])
    expect(ran.stdout).toContain("partly withheld: needs full")
  })
})

function openChat() {
  const prompt = definePrompt({
    budget: 3000,
    tools,
    sections: {
      base: text("You are the support agent of Acme.", { priority: "required" }),
      notes: perSession((s: { notes: Note[] }) => s.notes, { priority: "high" }),
      tasks: perTurn((t: { tasks: string[] }) => t.tasks.join("\n")),
    },
  })
  return prompt.open({ id: "mallory", trust: "familiar", notes })
}

async function withServer(protocol: ProtocolName, converse: (server: ProviderServer) => Promise<void>) {
  const server = await startServer({
    protocol,
    answer: ({ calls: number }) => ({
      kind: "reply",
      parts:
        number < 10
          ? [{ text: "Let me look. " }, { call: { name: "find_order", input: { number: `A${number}` } } }]
          : [{ text: "It is on its way." }],
    }),
  })
  await converse(server)
  await server.close()
  expect(server.refusals).toEqual([])
  return server.sent
}

describe("streamed answers", () => {
  test("of OpenAI's Responses API", async () => {
    const sent = await withServer("openai-responses", async ({ url }) => {
      const client = new OpenAI({ apiKey: "test", baseURL: `${url}/v1`, maxRetries: 0 })
      const chat = openChat()
      chat.say("Where is A17?", { tasks })
      for (;;) {
        const stream = client.responses.stream(chat.openai("gpt-5.2"))
        const asked = chat.add((await stream.finalResponse()).output)
        if (asked.length === 0) break
        chat.answer(await runAll(asked))
      }
      expect(chat.report().steps).toHaveLength(10)
    })
    expectOnePrefix(sent, "openai")
    expectNoLeak(sent)
  })

  test("of Anthropic's Messages API", async () => {
    const sent = await withServer("anthropic", async ({ url }) => {
      // The server asks for the header that other clients of this API send.
      const defaultHeaders = { "x-api-key": "test" }
      const client = new Anthropic({ apiKey: "test", baseURL: url, maxRetries: 0, defaultHeaders })
      const chat = openChat()
      chat.say("Where is A17?", { tasks })
      for (;;) {
        const stream = client.messages.stream(chat.anthropic("claude-sonnet-5-5"))
        const asked = chat.add((await stream.finalMessage()).content)
        if (asked.length === 0) break
        chat.answer(await runAll(asked))
      }
      expect(chat.report().steps).toHaveLength(10)
    })
    expectOnePrefix(sent, "anthropic")
    expectNoLeak(sent)
  })
})

/** Each SDK takes the request as it is, and `add` takes what the SDK returns. The types are checked here too. */
describe("every SDK", () => {
  let server: WireServer
  beforeAll(async () => {
    server = await startWireServer()
  })
  afterAll(() => server.close())

  const opened = () => {
    const chat = openChat()
    chat.say("Where is A17?", { tasks })
    return chat
  }

  test("openai, Responses and Chat Completions", async () => {
    const client = new OpenAI({ apiKey: "test", baseURL: `${server.url}/v1`, maxRetries: 0 })
    const chat = opened()
    expect(chat.add((await client.responses.create(chat.openai("gpt-5.2"))).output)).toEqual([])
    expect(wordsOf(chat)).toBe("ok")
    chat.say("And A18?", { tasks })
    const [choice] = (await client.chat.completions.create(chat.openaiChat("gpt-5.2"))).choices
    if (choice === undefined) throw new Error("no choice")
    expect(chat.add(choice.message)).toEqual([])
    expect(wordsOf(chat)).toBe("ok")
  })

  test("openai, with a server that takes only strings", async () => {
    const client = new OpenAI({ apiKey: "test", baseURL: `${server.url}/compatible/v1`, maxRetries: 0 })
    const chat = opened()
    const [choice] = (await client.chat.completions.create(chat.openaiCompatible("qwen3.5"))).choices
    if (choice === undefined) throw new Error("no choice")
    expect(chat.add(choice.message)).toEqual([])
    expect(wordsOf(chat)).toBe("ok")
  })

  test("@anthropic-ai/sdk", async () => {
    const client = new Anthropic({ apiKey: "test", baseURL: server.url, maxRetries: 0 })
    const chat = opened()
    expect(chat.add((await client.messages.create(chat.anthropic("claude-sonnet-5-5"))).content)).toEqual([])
    expect(wordsOf(chat)).toBe("ok")
  })

  test("@google/genai", async () => {
    const client = new GoogleGenAI({ apiKey: "test", httpOptions: { baseUrl: server.url } })
    const chat = opened()
    const { candidates } = await client.models.generateContent(chat.google("gemini-3.5-flash"))
    const content = candidates?.[0]?.content
    if (content === undefined) throw new Error("no candidate")
    expect(chat.add(content)).toEqual([])
    expect(wordsOf(chat)).toBe("ok")
  })

  test("ai", async () => {
    const chat = opened()
    const provider = createAnthropic({ apiKey: "test", baseURL: `${server.url}/v1` })
    const { response } = await generateText({
      ...chat.aiSdk("anthropic/claude-sonnet-5-5"),
      model: provider("claude-sonnet-5-5"),
      tools: {
        find_order: tool({ description: "Looks up an order.", inputSchema: jsonSchema({ type: "object" }) }),
      },
      maxRetries: 0,
    })
    expect(chat.add(response.messages)).toEqual([])
    expect(wordsOf(chat)).toBe("ok")
  })

  test("Bedrock's Converse API, without an SDK", async () => {
    const chat = opened()
    const { modelId, ...body } = chat.bedrock("anthropic.claude-sonnet-4-5-20250929-v1:0")
    const path = `/model/${encodeURIComponent(modelId)}/converse`
    const response = await fetch(`${server.url}${path}`, { method: "POST", body: JSON.stringify(body) })
    const { output } = (await response.json()) as Json
    expect(chat.add(output.message)).toEqual([])
    expect(wordsOf(chat)).toBe("ok")
  })
})

function wordsOf(chat: { readonly messages: readonly Message[] }): string {
  return wordsIn(chat.messages.at(-1)?.parts ?? [])
}
