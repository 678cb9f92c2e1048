// A server on loopback with the HTTP interface that signal-cli's documentation describes: a stream of events that begins
// with those that it has kept if the client names an id it doesn't know, and JSON-RPC.
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface FakeSignal {
  readonly url: string
  /** The texts that people were sent. */
  readonly sent: readonly string[]
  say(from: string, text: string, group?: string): void
  /** A receipt, an unknown event and a broken one. */
  babble(): void
  /** Passes on the last event again. */
  repeat(): void
  close(): Promise<void>
}

export async function fakeSignal(): Promise<FakeSignal> {
  const events: string[] = []
  const streams = new Set<ServerResponse>()
  const sent: string[] = []
  let time = 1_631_458_508_784
  const http = createServer(async (request, response) => {
    if (request.url === "/api/v1/events") {
      streams.add(response)
      response.on("close", () => streams.delete(response))
      response.writeHead(200, { "content-type": "text/event-stream" })
      return void response.write(
        `:\n\n${request.headers["last-event-id"] === undefined ? "" : events.join("")}`,
      )
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString("utf8"))
    if (method === "send") sent.push(params.message)
    time += 1
    response.end(JSON.stringify({ jsonrpc: "2.0", result: { timestamp: time }, id }))
  })
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  const emit = (data: string) => {
    const event = `event:receive\nid:${events.length}\ndata:${data}\n\n`
    events.push(event)
    for (const stream of streams) stream.write(event)
  }
  const envelope = (sourceUuid: string, content: object) => {
    time += 1
    const source = { source: sourceUuid, sourceNumber: null, sourceUuid, sourceName: "Bo", sourceDevice: 1 }
    emit(JSON.stringify({ envelope: { ...source, timestamp: time, ...content }, account: "+15550100" }))
  }
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    sent,
    say(from, message, group) {
      const groupInfo = group === undefined ? {} : { groupInfo: { groupId: group, type: "DELIVER" } }
      const rest = { expiresInSeconds: 0, viewOnce: false, mentions: [], attachments: [], contacts: [] }
      envelope(from, { dataMessage: { timestamp: time, message, ...rest, ...groupInfo } })
    },
    babble() {
      envelope("u-1", { receiptMessage: { when: time, isDelivery: true } })
      envelope("u-1", { typingMessage: { action: "STARTED", timestamp: time } })
      emit("{broken")
    },
    repeat() {
      for (const stream of streams) stream.write(events.at(-1))
    },
    async close() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
