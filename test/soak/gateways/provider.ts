// A provider for the gateways: answers each message `m-1` with a call of a tool that must not be repeated, and the tool's
// result with a text.
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Provider {
  readonly url: string
  close(): void
}

const USAGE = { input_tokens: 5, cache_read_input_tokens: 4_000, cache_creation_input_tokens: 300 }
const MESSAGE = { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], usage: USAGE }
/** In the messages, their tool's command, and their answers. */
export const MESSAGE_ID = /\bm-\d+\b/g

/** `command`: what the tool runs, followed by the id of the message. Without one, a message is answered at once. */
export async function openProvider(command: string | undefined, asked: () => void): Promise<Provider> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    asked()
    const body = Buffer.concat(chunks).toString("utf8")
    // What is asked beside the conversation is not streamed.
    if (body.includes('"stream":true')) return stream(response, answerTo(body, command))
    const content = [{ type: "text", text: "Nothing." }]
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify({ ...MESSAGE, content, stop_reason: "end_turn" }))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: object }

function answerTo(body: string, command: string | undefined): Content {
  // What the AI SDK sends.
  const { messages } = JSON.parse(body) as { readonly messages: readonly unknown[] }
  const last = JSON.stringify(messages.at(-1))
  const id = JSON.stringify(messages).match(MESSAGE_ID)?.at(-1) ?? ""
  if (command === undefined || last.includes('"tool_result"')) return { type: "text", text: answerText(id) }
  return { type: "tool_use", id: `toolu_${id}`, name: "shell", input: { command: `${command} ${id}` } }
}

export function answerText(id: string): string {
  return `Answer to ${id}`
}

function stream(response: ServerResponse, content: Content): void {
  const send = (event: { readonly type: string; readonly [field: string]: unknown }) =>
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  const isText = content.type === "text"
  const start = isText ? { type: "text", text: "" } : { ...content, input: {} }
  const delta = isText
    ? { type: "text_delta", text: content.text }
    : { type: "input_json_delta", partial_json: JSON.stringify(content.input) }
  const reason = isText ? "end_turn" : "tool_use"
  response.setHeader("content-type", "text/event-stream")
  send({ type: "message_start", message: MESSAGE })
  send({ type: "content_block_start", index: 0, content_block: start })
  send({ type: "content_block_delta", index: 0, delta })
  send({ type: "content_block_stop", index: 0 })
  send({ type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 20 } })
  send({ type: "message_stop" })
  response.end()
}
