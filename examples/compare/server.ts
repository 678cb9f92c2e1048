// A local server that speaks as much of OpenAI's Responses and Chat Completions APIs as the programs here need. Its
// model looks up the order that a message names, then answers. It keeps every request that it was sent.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Recorded {
  readonly path: string
  readonly body: Body
}

export interface Body {
  readonly model: string
  readonly tools?: readonly unknown[]
  readonly instructions?: string
  readonly input?: readonly Item[]
  readonly messages?: readonly Item[]
}

/** A message or, in the Responses API, an item. */
export interface Item {
  readonly type?: string
  readonly role?: string
  readonly content?: string | readonly { readonly text?: string }[] | null
}

export interface CompareServer {
  readonly url: string
  readonly requests: readonly Recorded[]
  close(): Promise<void>
}

export async function startServer(): Promise<CompareServer> {
  const requests: Recorded[] = []
  const server = createServer((incoming, response) => {
    void handle(incoming, response).catch((error: unknown) => send(response, 500, { error: String(error) }))
  })
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const path = incoming.url ?? ""
    const body = JSON.parse(await textOf(incoming)) as Body
    requests.push({ path, body })
    const id = `${requests.length}`
    if (path.endsWith("/chat/completions")) return send(response, 200, asCompletion(body, id))
    if (path.endsWith("/responses")) return send(response, 200, asResponse(body, id))
    return send(response, 404, { error: { message: `no such path: ${path}` } })
  }
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  // An address on a port is what `listen` with a port number gives.
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}/v1`, requests, close }
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
}

/** The order to look up, or undefined if it was looked up just now. */
function orderAskedFor(items: readonly Item[]): string | undefined {
  const last = items.at(-1)
  if (last?.type === "function_call_output" || last?.role === "tool") return undefined
  const asked = items.filter(({ role }) => role === "user").map(contentOf)
  return /\bA\d+(?=[^:]*\?)/.exec(asked.at(-1) ?? "")?.[0] ?? "A0"
}

export function contentOf({ content }: Item): string {
  if (typeof content === "string") return content
  return (content ?? []).map(({ text = "" }) => text).join("")
}

const ANSWER = "It was sent on 12 June and arrives on 16 June."

function asResponse({ model, input = [] }: Body, id: string) {
  const order = orderAskedFor(input)
  const message = {
    ...{ type: "message", id: `msg_${id}`, role: "assistant", status: "completed" },
    content: [{ type: "output_text", text: ANSWER, annotations: [] }],
  }
  const call = {
    ...{ type: "function_call", id: `fc_${id}`, call_id: `call_${id}`, status: "completed" },
    ...{ name: "lookup_order", arguments: JSON.stringify({ id: order }) },
  }
  return {
    ...{ id: `resp_${id}`, object: "response", created_at: 0, model, status: "completed" },
    ...{ error: null, incomplete_details: null, output: [order === undefined ? message : call] },
    usage: {
      ...{ input_tokens: 1, output_tokens: 1, total_tokens: 2 },
      ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
    },
  }
}

function asCompletion({ model, messages = [] }: Body, id: string) {
  const order = orderAskedFor(messages)
  const call = { name: "lookup_order", arguments: JSON.stringify({ id: order }) }
  const message =
    order === undefined
      ? { role: "assistant", content: ANSWER, refusal: null }
      : {
          ...{ role: "assistant", content: null, refusal: null },
          tool_calls: [{ id: `call_${id}`, type: "function", function: call }],
        }
  const finish_reason = order === undefined ? "stop" : "tool_calls"
  return {
    ...{ id: `chatcmpl_${id}`, object: "chat.completion", created: 0, model },
    choices: [{ index: 0, message, finish_reason, logprobs: null }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }
}
