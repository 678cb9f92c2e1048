// The local servers through the real SDK: how every kind of failure reaches the caller of `streamText`, and that the
// servers hold, cut and count as they say.
import { afterEach, describe, expect, test } from "vitest"
import { attach } from "../../../src/core/layout/tail.ts"
import { userMessage } from "../../../src/core/model/message.ts"
import type { Prompt } from "../../../src/core/model/prompt.ts"
import { samplePrompt } from "../../render/sample.ts"
import { type Asked, ask, modelAt, PROTOCOL_NAMES } from "../world/ask-model.ts"
import type { Script } from "../world/servers/script.ts"
import { type ProviderServer, type ServerOptions, startServer } from "../world/servers/server.ts"

let server: ProviderServer
afterEach(() => server.close())

async function start(options: ServerOptions): Promise<void> {
  server = await startServer(options)
}

const prompt = samplePrompt()
const question = attach([userMessage("Zap it, please.")], prompt.tail)
const HELLO = { text: "Hello there, friend." } as const
const ZAP = { call: { name: "zap", input: { what: "the radio" } } } as const

/** How a failure is told, in one line. */
function told({ error, finishReason, text, usage }: Asked): string {
  const end = `ended ${finishReason}, said ${JSON.stringify(text)}${usage === undefined ? "" : ", with usage"}`
  if (error === undefined) return end
  // An object whose fields are looked at one by one.
  const { name, statusCode, isRetryable, cause } = error.error as Error & Record<string, unknown>
  const why = cause instanceof Error ? ` (${cause.message})` : ""
  return `${error.by} ${name}${why}, status ${statusCode}, retryable ${isRetryable}; ${end}`
}

/** Of every protocol what one script comes to; what was said may not have arrived when a connection went. */
async function everywhere(script: Script): Promise<Readonly<Record<string, string>>> {
  const all: Record<string, string> = {}
  for (const protocol of PROTOCOL_NAMES) {
    await start({ protocol, answer: () => script })
    const asked = await ask(await modelAt(server, protocol), question)
    all[protocol] = told(script.kind === "cut" ? { ...asked, text: "" } : asked)
    await server.close()
  }
  return all
}

describe("how failures reach the caller", () => {
  test("a status: a part with the status and the headers; the stream ends without a step", async () => {
    expect(await everywhere({ kind: "error", status: 500 })).toMatchInlineSnapshot(`
      {
        "anthropic": "part AI_APICallError, status 500, retryable true; ended undefined, said """,
        "bedrock": "part AI_APICallError, status 500, retryable true; ended undefined, said """,
        "google": "part AI_APICallError, status 500, retryable true; ended undefined, said """,
        "openai-chat": "part AI_APICallError, status 500, retryable true; ended undefined, said """,
        "openai-responses": "part AI_APICallError, status 500, retryable true; ended undefined, said """,
      }
    `)
    expect((await everywhere({ kind: "error", status: 400 })).anthropic).toMatchInlineSnapshot(
      `"part AI_APICallError, status 400, retryable false; ended undefined, said """`,
    )
  })

  test.each(["7", "Sun, 15 Nov 2026 08:00:00 GMT"])("Retry-After: %s", async (wait) => {
    const script: Script = { kind: "error", status: 429, headers: { "Retry-After": wait } }
    await start({ protocol: "anthropic", answer: () => script })
    const { error } = await ask(await modelAt(server, "anthropic"), question)
    expect(error?.error).toMatchObject({
      statusCode: 429,
      isRetryable: true,
      responseHeaders: { "retry-after": wait },
    })
  })

  test("a connection that goes: the stream throws", async () => {
    expect(await everywhere({ kind: "cut", parts: [HELLO, ZAP], afterParts: 1 })).toMatchInlineSnapshot(`
      {
        "anthropic": "throw AI_APICallError (terminated), status 200, retryable true; ended undefined, said """,
        "bedrock": "throw TypeError (other side closed), status undefined, retryable undefined; ended undefined, said """,
        "google": "throw AI_APICallError (terminated), status 200, retryable true; ended undefined, said """,
        "openai-chat": "throw AI_APICallError (terminated), status 200, retryable true; ended undefined, said """,
        "openai-responses": "throw AI_APICallError (terminated), status 200, retryable true; ended undefined, said """,
      }
    `)
  })

  test("a connection that goes in the middle of a call: its beginning is reported, but no call", async () => {
    const script: Script = { kind: "cut", parts: [HELLO, ZAP], afterParts: 1, midway: true, held: true }
    await start({ protocol: "anthropic", answer: () => script })
    const asked = await ask(await modelAt(server, "anthropic"), question, {
      onPart: (part) => {
        if (part.type === "tool-input-delta") server.release()
      },
    })
    expect([asked.kinds.slice(-3), asked.error?.by, asked.message.parts]).toEqual([
      ["text-end", "tool-input-start", "tool-input-delta"],
      "throw",
      [],
    ])
  })

  test("nonsense", async () => {
    expect(await everywhere({ kind: "garbage" })).toMatchInlineSnapshot(`
      {
        "anthropic": "part Error, status undefined, retryable undefined; ended undefined, said """,
        "bedrock": "throw Error, status undefined, retryable undefined; ended undefined, said """,
        "google": "part AI_JSONParseError (Unexpected token 'o', "{"type": nonsense" is not valid JSON), status undefined, retryable undefined; ended error, said """,
        "openai-chat": "part AI_JSONParseError (Unexpected token 'o', "{"type": nonsense" is not valid JSON), status undefined, retryable undefined; ended error, said """,
        "openai-responses": "part AI_JSONParseError (Unexpected token 'o', "{"type": nonsense" is not valid JSON), status undefined, retryable undefined; ended error, said """,
      }
    `)
  })

  test("a page in place of a stream", async () => {
    const script: Script = { kind: "garbage", body: "<html>Please log in</html>" }
    expect(await everywhere(script)).toMatchInlineSnapshot(`
      {
        "anthropic": "part AI_NoOutputGeneratedError, status undefined, retryable undefined; ended undefined, said """,
        "bedrock": "throw Error, status undefined, retryable undefined; ended undefined, said """,
        "google": "ended interrupted, said """,
        "openai-chat": "part AI_InvalidResponseDataError, status undefined, retryable undefined; ended error, said """,
        "openai-responses": "ended interrupted, said """,
      }
    `)
  })

  test("an error in the stream", async () => {
    const error = { type: "overloaded_error", message: "Overloaded" }
    expect(await everywhere({ kind: "reply", parts: [HELLO, { error }] })).toMatchInlineSnapshot(`
      {
        "anthropic": "part AI_StreamProviderError, status 529, retryable true; ended error, said "Hello there, friend."",
        "bedrock": "part AI_StreamProviderError, status 503, retryable true; ended error, said "Hello there, friend."",
        "google": "part AI_StreamProviderError, status 503, retryable true; ended error, said "Hello there, friend."",
        "openai-chat": "part AI_StreamProviderError, status 503, retryable true; ended error, said "Hello there, friend."",
        "openai-responses": "part AI_StreamProviderError, status 503, retryable true; ended error, said "Hello there, friend."",
      }
    `)
  })

  test("an answer that is too long", async () => {
    expect(await everywhere({ kind: "reply", parts: [HELLO], stop: "length" })).toMatchInlineSnapshot(`
      {
        "anthropic": "ended length, said "Hello there, friend.", with usage",
        "bedrock": "ended length, said "Hello there, friend.", with usage",
        "google": "ended length, said "Hello there, friend.", with usage",
        "openai-chat": "ended length, said "Hello there, friend.", with usage",
        "openai-responses": "ended length, said "Hello there, friend.", with usage",
      }
    `)
  })

  test("an empty answer without usage", async () => {
    expect(await everywhere({ kind: "reply", parts: [], usage: "none" })).toMatchInlineSnapshot(`
      {
        "anthropic": "ended stop, said "", with usage",
        "bedrock": "ended stop, said """,
        "google": "ended stop, said """,
        "openai-chat": "ended stop, said """,
        "openai-responses": "ended stop, said """,
      }
    `)
  })

  test("nobody there", async () => {
    await start({ protocol: "anthropic", answer: () => ({ kind: "stall" }) })
    const model = await modelAt(server, "anthropic")
    await server.close()
    expect(told(await ask(model, question)).replace(/:\d+/, "")).toMatchInlineSnapshot(
      `"part AI_APICallError (connect ECONNREFUSED 127.0.0.1), status undefined, retryable true; ended undefined, said """`,
    )
  })
})

describe("a server that waits", () => {
  test.each(PROTOCOL_NAMES)("%s stalls until it is released", async (protocol) => {
    await start({ protocol, answer: () => ({ kind: "stall" }) })
    const asked = ask(await modelAt(server, protocol), question)
    await server.held()
    server.release()
    expect((await asked).text).toBe("At last.")
  })

  test("hears when the caller stops; the stream ends with a part that says so", async () => {
    await start({ protocol: "anthropic", answer: () => ({ kind: "stall" }) })
    const stop = new AbortController()
    const asked = ask(await modelAt(server, "anthropic"), question, { signal: stop.signal })
    await server.held()
    stop.abort(new Error("enough"))
    await server.hungUp()
    expect((await asked).kinds).toEqual(["start", "abort"])
  })

  test("gives a slow stream chunk by chunk, and hears when it is stopped in the middle", async () => {
    await start({ protocol: "anthropic", answer: () => ({ kind: "reply", parts: [HELLO, ZAP], slow: true }) })
    const stop = new AbortController()
    const pieces: string[] = []
    server.release(4)
    const asked = await ask(await modelAt(server, "anthropic"), question, {
      signal: stop.signal,
      onPart: (part) => {
        if (part.type !== "text-delta") return
        pieces.push(part.text)
        if (pieces.length === 1) server.release()
        else stop.abort()
      },
    })
    await server.hungUp()
    expect([pieces, asked.kinds.at(-1), asked.error]).toEqual([
      ["Hello there,", " friend."],
      "abort",
      undefined,
    ])
  })
})

/** A signature that is missing is one of another model's calls. */
const FORGED = { google: { thoughtSignature: "Zm9yZ2Vk" } }

describe("what is refused", () => {
  test.each(["anthropic", "openai-responses", "google", "bedrock"] as const)(
    "%s: a forged thought or a lost signature",
    async (protocol) => {
      const parts = [{ reasoning: "Hm." }, ZAP]
      await start({ protocol, answer: () => ({ kind: "reply", parts }) })
      const model = await modelAt(server, protocol)
      const { message } = await ask(model, question)
      const forged = message.parts.map((part) =>
        part.kind === "reasoning"
          ? { ...part, text: "Ha." }
          : part.kind === "tool-call"
            ? { ...part, data: protocol === "google" ? FORGED : {} }
            : part,
      )
      const result = { kind: "tool-result", id: "call_1_1", text: "Zapped." } as const
      await ask(model, [...question, { role: "assistant", parts: forged }, { role: "user", parts: [result] }])
      expect(server.refusals).toEqual(REFUSED[protocol])
    },
  )

  test("a call without a key", async () => {
    await start({ protocol: "anthropic", answer: () => ({ kind: "stall" }) })
    const response = await fetch(`${server.url}/v1/messages`, { method: "POST", body: "{}" })
    expect([response.status, await response.json(), server.bodies]).toEqual([
      401,
      { type: "error", error: { type: "authentication_error", message: "no x-api-key" } },
      [],
    ])
  })
})

/** What OpenAI sealed says nothing of the text, so it takes any. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["Invalid `signature` in `thinking` block"],
  "openai-responses": [],
  google: ["Function call is missing a thought_signature in functionCall parts."],
  bedrock: ["The signature of a reasoning block is not valid."],
}

describe("Anthropic's prompt cache", () => {
  const long = (prompt: Prompt): Prompt => ({
    ...prompt,
    head: prompt.head.map((block) => ({ ...block, text: block.text.repeat(200) })),
  })

  test("keeps what was marked for as long as was asked, and not less than the minimum", async () => {
    let now = 0
    await start({
      protocol: "anthropic",
      now: () => now,
      answer: () => ({ kind: "reply", parts: [{ text: "Done." }] }),
    })
    const model = await modelAt(server, "anthropic")
    const usage = async (given: Prompt) => (await ask(model, question, { prompt: given })).usage
    expect((await usage(prompt))?.write).toEqual({})
    const first = await usage(long(prompt))
    expect(first).toMatchInlineSnapshot(`
      {
        "output": 7,
        "read": 0,
        "uncached": 0,
        "write": {
          "5m": 8537,
        },
      }
    `)
    now += 299_999
    expect(await usage(long(prompt))).toMatchInlineSnapshot(`
      {
        "output": 7,
        "read": 8537,
        "uncached": 0,
        "write": {},
      }
    `)
    now += 299_999
    expect((await usage(long(prompt)))?.write).toEqual({})
    now += 300_000
    expect(await usage(long(prompt))).toEqual(first)
  })

  test("tells the lifetimes apart", async () => {
    await start({ protocol: "anthropic", answer: () => ({ kind: "reply", parts: [{ text: "Done." }] }) })
    const model = await modelAt(server, "anthropic")
    const providerOptions = { anthropic: { cacheControl: { type: "ephemeral", ttl: "1h" } } }
    const { usage } = await ask(model, question, {
      prompt: long(prompt),
      change: ({ instructions }) => ({
        instructions: instructions.map((text) => ({ ...text, providerOptions })),
      }),
    })
    expect(usage).toMatchInlineSnapshot(`
      {
        "output": 7,
        "read": 0,
        "uncached": 0,
        "write": {
          "1h": 8490,
          "5m": 47,
        },
      }
    `)
  })
})
