// A provider on loopback for hosts: speaks the APIs of Anthropic, OpenAI and Google, does what the person's words ask
// for, bills what the published cache rule says for the bytes that came, and can fail.
import { createServer, type IncomingMessage } from "node:http"
import { createAccount, type Sent } from "../../scripts/clients/provider/cached-usage.ts"
import { REPLIES } from "../../scripts/clients/provider/reply-formats.ts"
import { answerTo } from "../../scripts/clients/provider/scripted-model.ts"
import type { Format } from "../../src/capture/call.ts"
import type { Usage } from "../../src/render/cache/price.ts"

export interface WireCall extends Sent {
  readonly usage: Usage
  /** The body as it came, character by character. */
  readonly text: string
}

export interface Provider {
  readonly url: string
  readonly calls: readonly WireCall[]
  /** The next call gets this status instead of an answer. */
  failNext(status: number): void
  close(): Promise<void>
}

/** Tokens of every answer. */
export const OUTPUT = 20

export async function startProvider(): Promise<Provider> {
  const calls: WireCall[] = []
  const charge = createAccount()
  let failure: number | undefined
  const server = createServer(async (request, response) => {
    const path = request.url ?? ""
    const text = await read(request)
    const format = formatOf(path)
    if (failure !== undefined || format === undefined) {
      const status = failure ?? 404
      failure = undefined
      response.writeHead(status, { "content-type": "application/json", "x-should-retry": "false" })
      response.end(
        JSON.stringify({
          type: "error",
          error: { type: "invalid_request_error", message: `refused with ${status}`, code: status },
        }),
      )
      return
    }
    const body: Readonly<Record<string, unknown>> = JSON.parse(text)
    const model = format === "google" ? (/models\/([^:]+)/.exec(path)?.[1] ?? "") : String(body.model)
    const sent = { at: calls.length * 1000, model, format, body }
    const usage = charge(sent, OUTPUT)
    const reply = answerTo(body, format, "/harbour")
    const replied = REPLIES[format]({ n: calls.length, model, usage, reply, wantsJson: false })
    calls.push({ ...sent, usage, text })
    if (body.stream !== true && !/:stream/.test(path)) {
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify(replied.whole))
      return
    }
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (const event of replied.events)
      response.write(`${replied.named ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`)
    response.end(replied.done ? "data: [DONE]\n\n" : "")
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    failNext(status) {
      failure = status
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function formatOf(path: string): Format | undefined {
  if (/\/messages(?:\?|$)/.test(path)) return "anthropic"
  if (/\/responses(?:\?|$)/.test(path)) return "openai-responses"
  if (/\/chat\/completions(?:\?|$)/.test(path)) return "openai-chat"
  return /:(?:stream)?generateContent/i.test(path) ? "google" : undefined
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}
