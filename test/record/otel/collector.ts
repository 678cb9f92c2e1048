// A collector that takes OTLP over HTTP, and what it was sent.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

interface Received {
  readonly url: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: unknown
}

/** `status`: what it answers, or what it answers to the first requests and then to all others. */
export async function listening(
  status: number | readonly number[],
  work: (endpoint: string, received: readonly Received[]) => Promise<void>,
) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let text = ""
    for await (const part of request.setEncoding("utf8")) text += part
    received.push({ url: request.url, headers: request.headers, body: JSON.parse(text) })
    const answers = [status].flat()
    response.writeHead(answers[received.length - 1] ?? answers.at(-1) ?? 200).end("{}")
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as AddressInfo
  try {
    await work(`http://127.0.0.1:${port}`, received)
  } finally {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
}

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
  readonly links?: readonly { readonly spanId: string }[]
}

interface TracesBody {
  readonly resourceSpans?: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[]
  }[]
}

export function spansIn(received: readonly Pick<Received, "body">[]): readonly ReceivedSpan[] {
  // What a collector reads is up to the test that sent it.
  return received.flatMap(({ body }) =>
    ((body as TracesBody).resourceSpans ?? []).flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) => spans),
    ),
  )
}

export function attribute({ attributes }: ReceivedSpan, name: string): unknown {
  const found = attributes.find(({ key }) => key === name)
  return found && Object.values(found.value)[0]
}

/** Spans that end before they start, or that are not within the span they stand under. */
export function misplaced(spans: readonly ReceivedSpan[]): readonly string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const start = (span: ReceivedSpan) => BigInt(span.startTimeUnixNano)
  const end = (span: ReceivedSpan) => BigInt(span.endTimeUnixNano)
  return spans
    .filter((span) => {
      const parent = byId.get(span.parentSpanId ?? "")
      const isOutside = parent && (start(span) < start(parent) || end(span) > end(parent))
      return end(span) < start(span) || isOutside
    })
    .map(({ name, startTimeUnixNano, endTimeUnixNano }) => `${name} ${startTimeUnixNano} ${endTimeUnixNano}`)
}
