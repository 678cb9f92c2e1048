// A local server that accepts the requests of every provider, refuses what the real ones refuse, and keeps the bodies.
// It has no model: the answer is always "ok". The refusals follow the providers' documentation and are not measured.
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { refuseMessages } from "../../examples/programs/messages-api.ts"
import {
  type Refuse,
  refuseBedrock,
  refuseChat,
  refuseCompatible,
  refuseGoogle,
  refuseResponses,
} from "../agent/world/servers/refusals.ts"

export interface WireServer {
  readonly url: string
  /** The body of the newest request, refused or not. */
  readonly body: () => unknown
  close(): Promise<void>
}

interface Route {
  readonly path: RegExp
  readonly refuse: Refuse
  readonly answer: unknown
}

const ROUTES: readonly Route[] = [
  {
    path: /^\/v1\/messages$/,
    refuse: refuseMessages,
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
  // `listen` with a port number always gives an address with a port.
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
