// A provider on loopback for hosts: speaks the APIs of Anthropic, OpenAI and Google, does what the person's words ask
// for, bills what the published cache rule says for the bytes that came, and can fail.
import { createServer, type IncomingMessage } from "node:http"
import { countTokens, type Sent, simulatedCall } from "../../scripts/clients/provider/cached-usage.ts"
import { REPLIES, type Replied } from "../../scripts/clients/provider/reply-formats.ts"
import { answerTo } from "../../scripts/clients/provider/scripted-model.ts"
import { wireBlocks } from "../../scripts/clients/provider/wire-blocks.ts"
import type { Format } from "../../src/capture/call.ts"
import { ruleFor } from "../../src/render/cache/cache-rules.ts"
import type { Call } from "../../src/render/cache/call.ts"
import type { Usage } from "../../src/render/cache/price.ts"
import { createSimulator } from "../../src/render/cache/simulate.ts"

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
const OUTPUT = 20

export async function startProvider(): Promise<Provider> {
  const calls: WireCall[] = []
  const charge = createBilling()
  let failure: number | undefined
  const server = createServer(async (request, response) => {
    const path = request.url ?? ""
    const text = await read(request)
    const format = formatOf(path)
    if (failure !== undefined || format === undefined) {
      const status = format === undefined ? 404 : failure
      // A question on the side, such as whether the server is there, is no call.
      if (format !== undefined) failure = undefined
      response.writeHead(status ?? 404, { "content-type": "application/json", "x-should-retry": "false" })
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
    const usage = charge(sent)
    const reply = answerTo(body, format, "/harbour")
    const replied = withSameIds(REPLIES[format]({ n: calls.length, model, usage, reply, wantsJson: false }))
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

/** Ids have the time of the run in them, and so its tokens: the same conversation has to cost the same. */
function withSameIds(replied: Replied): Replied {
  const own = (replied.id.split(/[_-]/).at(-1) ?? "").slice(0, -NUMBER)
  return JSON.parse(JSON.stringify(replied).replaceAll(own, "abcdefgh"))
}

/** The digits of a reply's number. */
const NUMBER = 6

/** Line by line, because some providers find a prefix that ends within a text. */
export function billedCall(sent: Sent): Call {
  const call = simulatedCall(sent, OUTPUT)
  const texts = wireBlocks(sent.body, sent.format)
  return {
    ...call,
    blocks: call.blocks.map((block, at) => {
      const { role = "", text = "", key = "" } = texts[at] ?? {}
      const lines = text.split(/(?<=\n)/).slice(0, -1)
      const pieces = lines.map((line) => ({ key: `${role}\u0000${line}`, tokens: countTokens(line) }))
      const tokens = countTokens(text) - pieces.reduce((sum, piece) => sum + piece.tokens, 0)
      return { ...block, pieces: [...pieces, { key, tokens }] }
    }),
  }
}

/** One account: all that is sent to it shares one cache. */
function createBilling(): (sent: Sent) => Usage {
  const simulators = new Map<string, ReturnType<typeof createSimulator>>()
  return (sent) => {
    const rule = ruleFor(sent.model)
    const simulator = simulators.get(rule.id) ?? createSimulator({ rule })
    simulators.set(rule.id, simulator)
    return simulator(billedCall(sent)).usage
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
