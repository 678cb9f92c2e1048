// The compatible surfaces over real HTTP: a gateway on loopback, tokens in its store, the official SDKs.
import { readFileSync } from "node:fs"
import Anthropic from "@anthropic-ai/sdk"
import OpenAI from "openai"
import { expect, test, vi } from "vitest"
import type { Model } from "../../src/agent/models/model.ts"
import { offlineModel } from "../../src/agent/offline/offline.ts"
import type { OfflineScript } from "../../src/agent/offline/scripted.ts"
import { mountedSurfaces } from "../../src/serve/gateway/mounted-surfaces.ts"
import { openTestGateway, type TestGateway, type TestOptions } from "./gateway.ts"
import { echo } from "./served.ts"

const open = (options: TestOptions = {}) =>
  openTestGateway({ surfaces: mountedSurfaces, script: echo, ...options })

const user = (content: string) => ({ role: "user", content }) as const
const assistant = (content: string) => ({ role: "assistant", content }) as const

async function clientOf(gateway: TestGateway, options: { apiKey?: string; maxRetries?: number } = {}) {
  const apiKey = options.apiKey ?? (await gateway.token()).secret
  return new OpenAI({ baseURL: `${gateway.url}/v1`, maxRetries: 0, ...options, apiKey })
}

/** The answer and the session that it came from. */
async function ask(client: OpenAI, ...messages: OpenAI.ChatCompletionMessageParam[]) {
  const { data, response } = await client.chat.completions.create({ model: "main", messages }).withResponse()
  return { text: data.choices[0]?.message.content, session: response.headers.get("x-incipit-session") }
}

test("errors of the server have the SDKs' classes", async () => {
  const gateway = await open({ limits: { bodyBytes: 2_000, requestsPerMinute: 3 } })
  const { secret: apiKey } = await gateway.token()
  const openai = await clientOf(gateway, { apiKey })
  const stranger = await clientOf(gateway, { apiKey: "wrong" })
  const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: "wrong", maxRetries: 0 })
  await expect(ask(stranger, user("hi"))).rejects.toThrow(OpenAI.AuthenticationError)
  await expect(
    anthropic.messages.create({ model: "main", max_tokens: 10, messages: [user("hi")] }),
  ).rejects.toThrow(Anthropic.AuthenticationError)
  await expect(ask(openai, user("x".repeat(3_000)))).rejects.toMatchObject({ status: 413 })
  await expect(openai.chat.completions.create({ model: "none", messages: [user("hi")] })).rejects.toThrow(
    OpenAI.NotFoundError,
  )
  await expect(ask(openai)).rejects.toThrow(OpenAI.BadRequestError)
  const limited: unknown = await ask(openai, user("hi")).catch((error: unknown) => error)
  expect(limited).toBeInstanceOf(OpenAI.RateLimitError)
  expect(limited instanceof OpenAI.APIError && limited.headers?.get("retry-after")).toMatch(/^\d+$/)
})

test.each([
  ...[["GET", "/v1/chat/completions", "POST"] as const, ["DELETE", "/v1/responses", "POST"] as const],
  ...[["POST", "/v1/models", "GET"] as const, ["PUT", "/v1/messages", "POST"] as const],
])("%s %s is answered with 405 and the method that it takes", async (method, path, allow) => {
  const gateway = await open()
  const { secret } = await gateway.token()
  const headers = { authorization: `Bearer ${secret}` }
  const answer = await fetch(`${gateway.url}${path}`, { method, headers })
  const { error } = (await answer.json()) as { readonly error: { readonly message: string } }
  expect([answer.status, answer.headers.get("allow"), error.message]).toEqual([
    ...[405, allow, `${path} takes ${allow}, not ${method}`],
  ])
})

test("a token without the scope is refused, and so is one that was revoked", async () => {
  const gateway = await open()
  const reader = await clientOf(gateway, { apiKey: (await gateway.token({ scopes: ["read"] })).secret })
  await expect(ask(reader, user("hi"))).rejects.toThrow(OpenAI.PermissionDeniedError)
  const { secret, id } = await gateway.token()
  const client = await clientOf(gateway, { apiKey: secret })
  expect((await ask(client, user("hi"))).text).toBe("You said: hi")
  await gateway.store.tokens.revoke(id)
  await expect(ask(client, user("hi"))).rejects.toThrow(OpenAI.AuthenticationError)
})

test("the SDK waits as long as retry-after says, and then succeeds", async () => {
  const gateway = await open({ limits: { requestsPerMinute: 60 } })
  const { secret: apiKey } = await gateway.token()
  const hasty = await clientOf(gateway, { apiKey })
  await expect(Promise.all(Array.from({ length: 70 }, () => hasty.models.list()))).rejects.toThrow(
    OpenAI.RateLimitError,
  )
  const patient = await clientOf(gateway, { apiKey, maxRetries: 5 })
  expect((await patient.models.list()).data[0]?.id).toBe("main")
})

/** Asks the client to look something up, then says what it found. */
const lookup: OfflineScript = ({ tools, results, message }) => {
  if (!tools.includes("look_up") || results.length > 0)
    return results.length > 0 ? `Found ${results[0]?.text}.` : `You said: ${message.trim()}`
  return [{ name: "look_up", input: { what: "moon" } }]
}

test("another process continues conversations, responses and calls, and repeats answers", async () => {
  const first = await open({ script: lookup })
  const second = await open({ script: lookup, beside: first })
  const { secret: apiKey } = await first.token()
  const [one, two] = [await clientOf(first, { apiKey }), await clientOf(second, { apiKey })]
  const begun = await ask(one, user("one"))
  const next = await ask(two, user("one"), assistant("You said: one"), user("two"))
  expect(next).toEqual({ text: "You said: two", session: begun.session })
  const response = await one.responses.create({ model: "main", input: "three" })
  const later = await two.responses.create({
    model: "main",
    input: "four",
    previous_response_id: response.id,
  })
  expect(later.output_text).toBe("You said: four")
  const tools: OpenAI.ChatCompletionTool[] = [{ type: "function", function: { name: "look_up" } }]
  const asked = await one.chat.completions.create({ model: "main", messages: [user("moon?")], tools })
  const { message } = asked.choices[0]!
  await first.close()
  const result = { role: "tool", tool_call_id: message.tool_calls![0]!.id, content: "a stone" } as const
  const messages = [user("moon?"), message, result]
  const key = { headers: { "idempotency-key": "k" } }
  const answers = await Promise.all(
    [1, 2].map(() => two.chat.completions.create({ model: "main", messages, tools }, key)),
  )
  expect(answers.map(({ choices }) => choices[0]!.message.content)).toEqual(Array(2).fill("Found a stone."))
  expect(answers[0]!.id).toBe(answers[1]!.id)
})

test("the example of the guide runs as it is shown", async () => {
  const gateway = await open({
    script: ({ results }) => (results[0] ? `It is ${results[0].text}` : [{ name: "look_at_stove" }]),
  })
  vi.stubEnv("INCIPIT_URL", gateway.url)
  vi.stubEnv("INCIPIT_TOKEN", (await gateway.token()).secret)
  const print = vi.spyOn(console, "log").mockImplementation(() => {})
  await import(new URL("../../examples/serve/openai-tools.js", import.meta.url).href)
  expect(print.mock.calls).toEqual([["It is Pea soup, on low heat."]])
  vi.unstubAllEnvs()
  print.mockRestore()
  const example = readFileSync("examples/serve/openai-tools.js", "utf8")
  expect(readFileSync("docs/guide/clients.md", "utf8")).toContain(`\`\`\`js\n${example}\`\`\``)
})

test("requests at the same time on one conversation are all answered, each in its branch", async () => {
  const gateway = await open()
  const client = await clientOf(gateway)
  const { session } = await ask(client, user("one"))
  const begun = [user("one"), assistant("You said: one")] as const
  const answers = await Promise.all(["a", "b", "c"].map((text) => ask(client, ...begun, user(text))))
  expect(answers.map(({ text }) => text)).toEqual(["You said: a", "You said: b", "You said: c"])
  const sessions = new Set(answers.map((one) => one.session))
  expect([sessions.size, sessions.has(session)]).toEqual([3, true])
})

test("a chat program: models, a streamed answer with usage, a title, a second answer, an edit", async () => {
  const gateway = await open()
  const client = await clientOf(gateway)
  const { data } = await client.models.list()
  const model = data[0]!.id
  const stream = async (...messages: OpenAI.ChatCompletionMessageParam[]) => {
    const { data: chunks, response } = await client.chat.completions
      .create({ model, messages, stream: true, stream_options: { include_usage: true } })
      .withResponse()
    let text = ""
    let tokens = 0
    for await (const { choices, usage } of chunks) {
      text += choices[0]?.delta.content ?? ""
      tokens = usage?.total_tokens ?? tokens
    }
    return { text, tokens, session: response.headers.get("x-incipit-session")! }
  }
  const first = await stream(user("one"))
  expect(first.text).toBe("You said: one")
  expect(first.tokens).toBeGreaterThan(1)
  const quoted = `### Chat History:\n<chat_history>\nUSER: one\nASSISTANT: You said: one\n${"x".repeat(200)}`
  await stream(user(`### Task:\nGenerate a concise, 3-5 word title.\n${quoted}`))
  const begun = [user("one"), assistant(first.text)] as const
  const second = await stream(...begun, user("two"))
  const again = await stream(...begun, user("two"))
  const edited = await stream(...begun, user("three"))
  expect(second.session).toBe(first.session)
  expect(new Set([first.session, again.session, edited.session]).size).toBe(3)
  // What was left behind is said in one line.
  const items = await gateway.store.transcripts.read(edited.session)
  const lines = items.flatMap(({ item }) => (item.kind === "branch" ? [item.text] : []))
  expect(lines).toEqual([
    'The conversation went back to here. 1 message was left behind: "two". The last answer there: "You said: two".',
  ])
})

test("a client that disconnects stops its turn, whole or streamed", async () => {
  const { model, called } = silentModel()
  const gateway = await open({ script: model })
  const client = await clientOf(gateway)
  for (const stream of [false, true]) {
    const abort = new AbortController()
    const asked = client.chat.completions.create(
      { model: "main", messages: [user("go")], stream },
      { signal: abort.signal },
    )
    const { stopped } = await called()
    abort.abort()
    await expect(asked).rejects.toThrow(OpenAI.APIUserAbortError)
    await stopped
  }
  const sessions = await gateway.store.sessions.list("main")
  expect(sessions).toHaveLength(2)
  for (const { id } of sessions) {
    const last = await gateway.store.inbox.last(id)
    await expect.poll(async () => (await gateway.store.outbox.reply(last!.turn))?.state).toBe("stopped")
  }
})

/** Never answers. `called` resolves with each call, which tells when it is stopped. */
function silentModel(): { readonly model: Model; called(): Promise<{ readonly stopped: Promise<void> }> } {
  const offline = offlineModel({ script: echo })
  const calls: PromiseWithResolvers<{ stopped: Promise<void> }>[] = [Promise.withResolvers()]
  let heard = 0
  const language = offline.language()
  const doStream = ({ abortSignal }: { readonly abortSignal?: AbortSignal }) => {
    const { promise, reject } = Promise.withResolvers<never>()
    const stopped = Promise.withResolvers<void>()
    abortSignal?.addEventListener("abort", () => {
      reject(abortSignal.reason)
      stopped.resolve()
    })
    calls.at(-1)!.resolve({ stopped: stopped.promise })
    calls.push(Promise.withResolvers())
    return promise
  }
  return {
    model: { ...offline, language: () => ({ ...language, doStream }) },
    called: () => calls[heard++]!.promise,
  }
}
