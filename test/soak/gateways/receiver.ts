// Receives the answers of the gateways' webhook, and notes each as often as it arrives.
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A delivery, in the order of arrival. */
export interface Received {
  readonly id: string
  /** The id of the message that it answers. */
  readonly replyTo: string
  readonly to: string
  readonly text: string
}

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** Which messages have an answer. */
  readonly answered: ReadonlySet<string>
  close(): void
}

export async function openReceiver(arrived: () => void): Promise<Receiver> {
  const received: Received[] = []
  const answered = new Set<string>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const answer: Received = JSON.parse(Buffer.concat(chunks).toString("utf8"))
    received.push(answer)
    answered.add(answer.replyTo)
    arrived()
    response.end()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received, answered },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
