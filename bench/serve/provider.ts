// The provider of the load test, in a process of its own: answers Anthropic's Messages API in small pieces over the given
// time. The last piece says how long the answer really took, so that the client can tell what the server added. Prints
// its port.
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import process from "node:process"
import { setTimeout as wait } from "node:timers/promises"

const PIECES = 20
const thinkingMs = Number(process.argv[2])
const usage = { input_tokens: 5, cache_read_input_tokens: 4_000, cache_creation_input_tokens: 300 }

const server = createServer(async (request, response) => {
  const start = performance.now()
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  // What is asked beside the conversation is not streamed.
  const isStreamed = Buffer.concat(chunks).includes('"stream":true')
  if (isStreamed) await stream(response, start)
  else {
    await wait(thinkingMs)
    response.setHeader("content-type", "application/json")
    const content = [{ type: "text", text: "Nothing." }]
    response.end(JSON.stringify({ ...MESSAGE, content, stop_reason: "end_turn" }))
  }
})

const MESSAGE = { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], usage }

async function stream(response: ServerResponse, start: number): Promise<void> {
  const send = (...events: readonly { readonly type: string; readonly [field: string]: unknown }[]) =>
    response.write(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""))
  const piece = (text: string) => ({
    ...{ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
  })
  response.setHeader("content-type", "text/event-stream")
  send(
    { type: "message_start", message: MESSAGE },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  )
  for (let at = 1; at <= PIECES; at += 1) {
    await wait(Math.max(0, start + (thinkingMs * at) / PIECES - performance.now()))
    if (at < PIECES) send(piece("The boat runs at 15:30. "))
  }
  send(
    piece(`[${(performance.now() - start).toFixed(2)}]`),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 * PIECES } },
    { type: "message_stop" },
  )
  response.end()
}

server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port))
