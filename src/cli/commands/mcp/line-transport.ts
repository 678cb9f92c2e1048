// MCP over stdin and stdout: each message is one line, and no key of the environment is in any that goes out. A client
// that asks much and reads little is held back: a request counts as open until its answer has left the process, and no
// more than some are open. What isn't a message is answered, too, and the next line is read.
import type { Readable, Writable } from "node:stream"
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/server"
import type { Secrets } from "../../../record/redact/secrets.ts"
import { inputLines } from "./input-lines.ts"
import { openRequests } from "./open-requests.ts"
import { readMessage } from "./read-message.ts"

const MOST_LINE_BYTES = 4_000_000
const MOST_OPEN = 32

export interface LineTransportOptions {
  readonly input: Readable
  readonly output: Writable
  readonly secrets: Pick<Secrets, "within">
}

export interface LineTransport extends Transport {
  /** Resolves when the client is gone, or when it has ended its input and got all answers. */
  readonly ended: Promise<void>
}

export function lineTransport({ input, output, secrets }: LineTransportOptions): LineTransport {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const open = openRequests(MOST_OPEN)
  const waiting = new Set<string>()
  let isClosed = false
  const write = (message: object): Promise<void> => {
    const text = withoutControls(serializeMessage(message as JSONRPCMessage))
    waiting.add(text)
    return new Promise((resolve) => {
      output.write(text, () => {
        waiting.delete(text)
        resolve()
      })
    })
  }
  const read = async () => {
    for await (const line of inputLines(input, MOST_LINE_BYTES)) {
      const found = readMessage(line, MOST_LINE_BYTES)
      if ("refusal" in found) await write(found.refusal)
      else await pass(found.message)
    }
    await open.none()
  }
  const pass = async (message: JSONRPCMessage) => {
    if (isJSONRPCRequest(message) && isAnswered(message.method)) await open.begin(message.id)
    transport.onmessage?.(message)
    // A cancelled request gets no answer.
    if (isJSONRPCNotification(message) && message.method === "notifications/cancelled")
      open.end(message.params?.requestId)
  }
  /** Something newer says the same, or it has lost its use. */
  const isNeedless = (message: JSONRPCMessage) =>
    isJSONRPCNotification(message) &&
    output.writableNeedDrain &&
    (message.method === "notifications/progress" || waiting.has(withoutControls(serializeMessage(message))))
  const transport: LineTransport = {
    ended,
    async start() {
      // A client that is gone needs no answer.
      output.on("error", end).once("close", end)
      read().then(end, (error: Error) => {
        // Closing breaks reading off.
        if (!isClosed) transport.onerror?.(error)
        end()
      })
    },
    async send(message) {
      if (isNeedless(message)) return
      await write(redacted(message, secrets))
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) open.end(message.id)
    },
    async close() {
      if (isClosed) return
      isClosed = true
      input.destroy()
      end()
      transport.onclose?.()
    },
  }
  return transport
}

/** A subscription is open for as long as the client likes. */
function isAnswered(method: string): boolean {
  return method !== "subscriptions/listen"
}

/** All but what says whose answer it is. */
function redacted(message: JSONRPCMessage, { within }: Pick<Secrets, "within">): object {
  const { jsonrpc, ...rest } = message
  const { id, ...content } = "id" in rest ? rest : { ...rest, id: undefined }
  return { jsonrpc, ...(id !== undefined && { id }), ...within(content) }
}

/**
 * Names of files have characters that move the cursor or turn text around, and what is written may be shown on a
 * terminal. Escaped, they mean the same to whoever reads JSON.
 */
function withoutControls(json: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
  return json.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) => found.split("").map(escaped).join(""))
}
