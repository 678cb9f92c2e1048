// A local server that takes the requests of every provider, refuses what the real ones refuse, and keeps the bodies.
// It has no model: the answer is always "ok". What is refused is taken from the providers' documents, not measured.
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

export interface WireServer {
  readonly url: string
  /** The body of the newest request, refused or not. */
  readonly body: () => unknown
  close(): Promise<void>
}

/** Why a provider would answer 400, or nothing. Bodies come from outside, so nothing is known of their types. */
export type Refuse = (body: Json) => string | undefined
// biome-ignore lint/suspicious/noExplicitAny: a body is read the way a server reads it, field by field.
export type Json = any

interface Route {
  readonly path: RegExp
  readonly refuse: Refuse
  readonly answer: unknown
}

const ROUTES: readonly Route[] = [
  {
    path: /^\/v1\/messages$/,
    refuse: refuseAnthropic,
    answer: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude",
      content: [{ type: "text", text: "ok" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
  {
    path: /^\/v1\/responses$/,
    refuse: refuseResponses,
    answer: {
      id: "resp_1",
      object: "response",
      created_at: 1,
      status: "completed",
      model: "gpt",
      output: [
        {
          type: "message",
          id: "msg_1",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: "ok", annotations: [] }],
        },
      ],
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    },
  },
  { path: /^\/v1\/chat\/completions$/, refuse: refuseChat, answer: chatAnswer() },
  { path: /^\/compatible\/v1\/chat\/completions$/, refuse: refuseCompatible, answer: chatAnswer() },
  {
    path: /^\/v1beta\/models\/[^/]+:generateContent$/,
    refuse: refuseGoogle,
    answer: {
      candidates: [{ content: { role: "model", parts: [{ text: "ok" }] }, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    },
  },
  {
    path: /^\/model\/[^/]+\/converse$/,
    refuse: refuseBedrock,
    answer: {
      output: { message: { role: "assistant", content: [{ text: "ok" }] } },
      stopReason: "end_turn",
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    },
  },
]

function chatAnswer(): unknown {
  const message = { role: "assistant", content: "ok" }
  return {
    id: "chat_1",
    object: "chat.completion",
    created: 1,
    model: "gpt",
    choices: [{ index: 0, message, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }
}

export async function startWireServer(): Promise<WireServer> {
  let newest: unknown
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://local").pathname
    const route = ROUTES.find((candidate) => candidate.path.test(path))
    newest = JSON.parse(await read(request))
    const refusal = route === undefined ? `no such path: ${path}` : route.refuse(newest)
    const body =
      refusal === undefined ? route?.answer : { error: { message: refusal, code: 400, type: "invalid" } }
    response.writeHead(refusal === undefined ? 200 : 400, { "content-type": "application/json" })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  // An address on a port is what `listen` with a port number gives.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    body: () => newest,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

/** The first problem that a check finds. */
function firstOf(...checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const found = check()
    if (found !== undefined) return found
  }
  return undefined
}

const say = (wrong: boolean, what: string) => (wrong ? what : undefined)
const MAX_BREAKPOINTS = 4

function tooMany(marks: readonly unknown[]): string | undefined {
  return say(marks.length > MAX_BREAKPOINTS, `at most 4 breakpoints, found ${marks.length}`)
}

function longAfterShort(ttls: readonly (string | undefined)[]): string | undefined {
  const short = ttls.findIndex((ttl) => ttl !== "1h")
  return say(short !== -1 && ttls.slice(short).includes("1h"), "a 1h breakpoint must not come after a 5m one")
}

/** Every call is answered, and every answer has its call. */
function unpaired(calls: readonly string[], results: readonly string[]): string | undefined {
  const open = calls.find((id) => !results.includes(id)) ?? results.find((id) => !calls.includes(id))
  return say(open !== undefined, `a tool call without its result, or the other way round: ${open}`)
}

const idsOf = (blocks: readonly Json[], of: (block: Json) => string | undefined) =>
  blocks.flatMap((block) => of(block) ?? [])

function refuseAnthropic({ model, max_tokens, tools = [], system = [], messages, cache_control }: Json) {
  const turns: Json[] = messages
  const blocks: Json[] = [...system, ...turns.flatMap(({ content }) => content)]
  const marks: Json[] = [...tools, ...blocks].flatMap((block) => block.cache_control ?? [])
  return firstOf(
    () => say(typeof model !== "string" || !(max_tokens > 0), "model and max_tokens are required"),
    () => tooMany(cache_control ? [...marks, cache_control] : marks),
    () =>
      say(
        turns.some(({ role }) => role === "system"),
        "role system is not supported on this model",
      ),
    () => say(turns[0]?.role !== "user", "the first message must be from the user"),
    () =>
      say(
        blocks.some(({ type, text }) => type === "text" && text.trim() === ""),
        "text must not be empty",
      ),
    () => longAfterShort(marks.map(({ ttl }) => ttl)),
    () => {
      for (const [at, { content }] of turns.entries()) {
        const calls = idsOf(content, ({ type, id }) => (type === "tool_use" ? id : undefined))
        const next: Json[] = turns[at + 1]?.content ?? []
        const problem =
          calls.length > 0 &&
          unpaired(
            calls,
            idsOf(next, ({ tool_use_id }) => tool_use_id),
          )
        if (problem) return problem
      }
      return undefined
    },
  )
}

/** Explicit breakpoints came with GPT-5.6. */
function refuseBreakpoints(model: string, marks: readonly unknown[]): string | undefined {
  const [, major = 0, minor = 0] = /^gpt-(\d+)(?:[.-](\d+))?/.exec(model)?.map(Number) ?? []
  const isOld = major < 5 || (major === 5 && minor < 6)
  return say(isOld && marks.length > 0, `prompt_cache_breakpoint is not supported with ${model}`)
}

function refuseResponses({ model, input }: Json) {
  const items: Json[] = input
  const blocks = items.flatMap(({ content, output }) => [content, output].filter(Array.isArray).flat())
  const marks = blocks.flatMap(({ prompt_cache_breakpoint }) => prompt_cache_breakpoint ?? [])
  return firstOf(
    () => refuseBreakpoints(model, marks),
    () => tooMany(marks),
    () =>
      say(
        blocks.some(({ text }) => text === ""),
        "text must not be empty",
      ),
    () =>
      unpaired(
        idsOf(items, ({ type, call_id }) => (type === "function_call" ? call_id : undefined)),
        idsOf(items, ({ type, call_id }) => (type === "function_call_output" ? call_id : undefined)),
      ),
  )
}

function refuseChat({ model, messages }: Json) {
  const turns: Json[] = messages
  const blocks = turns.flatMap(({ content }) => (Array.isArray(content) ? content : []))
  const marks = blocks.flatMap(({ prompt_cache_breakpoint }) => prompt_cache_breakpoint ?? [])
  return firstOf(
    () => refuseBreakpoints(model, marks),
    () => tooMany(marks),
    () =>
      say(
        blocks.some(({ text }) => text === ""),
        "text must not be empty",
      ),
    () => unansweredInChat(turns),
  )
}

function unansweredInChat(turns: readonly Json[]): string | undefined {
  for (const [at, { tool_calls }] of turns.entries()) {
    if (tool_calls === undefined) continue
    const end = turns.findIndex(({ role }, later) => later > at && role !== "tool")
    const results = turns.slice(at + 1, end === -1 ? undefined : end)
    const problem = unpaired(
      idsOf(tool_calls, ({ id }) => id),
      idsOf(results, ({ tool_call_id }) => tool_call_id),
    )
    if (problem !== undefined) return problem
  }
  return undefined
}

function refuseCompatible({ messages }: Json) {
  const turns: Json[] = messages
  const system = turns.flatMap(({ role }, at) => (role === "system" || role === "developer" ? [at] : []))
  return firstOf(
    () =>
      say(
        system.some((at) => at > 0),
        "System message must be at the beginning.",
      ),
    () =>
      say(
        turns.some(({ role }) => role === "developer"),
        "unexpected role developer",
      ),
    () =>
      say(
        turns.some(({ role, content }) => role === "user" && content === ""),
        "text must not be empty",
      ),
    () => unansweredInChat(turns),
  )
}

function refuseGoogle({ contents }: Json) {
  const turns: Json[] = contents
  return firstOf(
    () =>
      say(
        turns.some(({ role }) => role !== "user" && role !== "model"),
        "please use a valid role: user, model",
      ),
    () =>
      say(
        turns.some(({ parts }) => parts.length === 0),
        "contents.parts must not be empty",
      ),
    () =>
      say(
        turns.some(({ parts }) => parts.some(({ text }: Json) => text === "")),
        "text must not be empty",
      ),
    () => {
      for (const [at, { parts }] of turns.entries()) {
        const calls = idsOf(parts, ({ functionCall }) => functionCall && callName(functionCall))
        const next: Json[] = turns[at + 1]?.parts ?? []
        const results = idsOf(next, ({ functionResponse }) => functionResponse && callName(functionResponse))
        const problem = calls.length > 0 && unpaired(calls, results)
        if (problem) return problem
      }
      return undefined
    },
  )
}

const callName = ({ id, name }: Json) => `${id} ${name}`

function refuseBedrock({ system = [], messages, toolConfig }: Json) {
  const turns: Json[] = messages
  const blocks: Json[] = [...(toolConfig?.tools ?? []), ...system, ...turns.flatMap(({ content }) => content)]
  const marks: Json[] = blocks.flatMap(({ cachePoint }) => cachePoint ?? [])
  return firstOf(
    () => tooMany(marks),
    () =>
      say(
        turns.some(({ role }) => role === "system"),
        "role system is not supported",
      ),
    () =>
      say(
        blocks.some(({ text }) => text?.trim() === ""),
        "The text field in the ContentBlock is blank.",
      ),
    () => longAfterShort(marks.map(({ ttl }) => ttl)),
    () => {
      for (const [at, { content }] of turns.entries()) {
        const calls = idsOf(content, ({ toolUse }) => toolUse?.toolUseId)
        const next: Json[] = turns[at + 1]?.content ?? []
        const problem =
          calls.length > 0 &&
          unpaired(
            calls,
            idsOf(next, ({ toolResult }) => toolResult?.toolUseId),
          )
        if (problem) return problem
      }
      return undefined
    },
  )
}
