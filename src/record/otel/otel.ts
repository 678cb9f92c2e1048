// Sends spans and metrics to an OTLP/HTTP endpoint by the GenAI conventions, as plain JSON. Sends nothing unless an
// endpoint is configured, and no text of people, tools or errors unless enabled. Never blocks and never throws: what
// cannot be sent is counted.
import { withoutLookup } from "../../base/loopback.ts"
import type { RecordEvent } from "../write/event.ts"
import type { Redact } from "../write/record.ts"
import { attributesOf } from "./attributes.ts"
import { openMetrics } from "./metrics.ts"
import { openPlaces } from "./place.ts"
import { type Span, spanOf, withSpanTexts } from "./span.ts"

/** Where spans and metrics are sent, and whether they contain texts. */
export interface OtelOptions {
  /** The base URL, such as `http://localhost:4318`. Without one, nothing leaves the machine. */
  readonly endpoint?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly service?: string
  /** Also send content: messages, the system prompt, tool inputs and results, error texts. */
  readonly content?: boolean
  readonly redact?: Redact
  /** How many spans may be queued; older ones are dropped first. */
  readonly most?: number
  readonly timeoutMs?: number
}

/** An exporter of events to OpenTelemetry. */
export interface Otel {
  append(event: RecordEvent): void
  /** Sends the queue. Resolves when it is sent or dropped; never rejects. */
  flush(): Promise<void>
  health(): { readonly waiting: number; readonly sent: number; readonly dropped: number }
}

const MOST_WAITING = 2_048
const BATCH = 256
/** Characters of content in the queue, and in one request: collectors reject bodies of many megabytes. */
const MOST_WAITING_SIZE = 16_000_000
const BATCH_SIZE = 2_000_000
const TIMEOUT_MS = 10_000

/** Sends events as spans and metrics to an OTLP endpoint. */
export function openOtel(options: OtelOptions): Otel {
  const { endpoint, content = false, most = MOST_WAITING } = options
  const places = openPlaces(most)
  const metrics = openMetrics()
  const waiting = openWaiting(most)
  let sent = 0
  let dropped = 0
  let working: Promise<void> = Promise.resolve()
  const sendSpans = async (base: string) => {
    const before = sent
    for (let spans = waiting.take(); spans.length > 0; spans = waiting.take()) {
      const isSent = await sendTexts(options, { base, path: "/v1/traces" }, (change) => ({
        resourceSpans: [
          {
            resource: resourceOf(options),
            scopeSpans: [{ scope: SCOPE, spans: spans.map((span) => withSpanTexts(span, change)) }],
          },
        ],
      }))
      if (isSent) sent += spans.length
      else dropped += spans.length
    }
    return sent > before
  }
  const sendMetrics = async (base: string) => {
    const taken = metrics.take()
    const isSent =
      taken === undefined ||
      (await sendTexts(options, { base, path: "/v1/metrics" }, (change) => ({
        resourceMetrics: [
          { resource: resourceOf(options), scopeMetrics: [{ scope: SCOPE, metrics: taken.metrics(change) }] },
        ],
      })))
    if (!isSent) taken.putBack()
  }
  const sendAll = async () => {
    // Send metrics only if the collector accepted the spans, so as not to wait twice for one that is down.
    if (endpoint !== undefined && (await sendSpans(baseOf(endpoint)))) await sendMetrics(baseOf(endpoint))
  }
  const flush = () => {
    working = working.then(sendAll)
    return working
  }
  return {
    append(event) {
      if (endpoint === undefined) return
      try {
        for (const placed of places.add(event)) dropped += waiting.add(spanOf(placed, content))
        metrics.add(event)
      } catch {
        // Data that is not JSON: the record reports it, too, and the turn continues.
        dropped += 1
      }
      if (waiting.isMany()) void flush()
    },
    flush,
    health: () => ({ waiting: waiting.count(), sent, dropped }),
  }
}

/** Unsent spans. Drops the oldest when there are too many or they are too long. */
function openWaiting(most: number) {
  let spans: Span[] = []
  let size = 0
  return {
    /** Returns how many were dropped to make room. */
    add(span: Span): number {
      spans.push(span)
      size += sizeOf(span)
      let lost = 0
      while (spans.length > most || (size > MOST_WAITING_SIZE && spans.length > 1)) {
        const oldest = spans.shift()
        size -= oldest === undefined ? 0 : sizeOf(oldest)
        lost += 1
      }
      return lost
    },
    /** As many as fit into one request. */
    take(): readonly Span[] {
      let room = BATCH_SIZE
      const end = spans.slice(0, BATCH).findIndex((span, at) => {
        room -= sizeOf(span)
        return room < 0 && at > 0
      })
      const taken = spans.slice(0, end === -1 ? BATCH : end)
      spans = spans.slice(taken.length)
      for (const span of taken) size -= sizeOf(span)
      return taken
    },
    count: () => spans.length,
    isMany: () => spans.length >= BATCH || size >= BATCH_SIZE,
  }
}

/** The size of its texts; the rest is small. */
function sizeOf({ attributes, status }: Span): number {
  const texts = attributes.map(({ value }) => ("stringValue" in value ? value.stringValue.length : 0))
  return texts.reduce((sum, length) => sum + length, status?.message?.length ?? 0)
}

type WithTexts = (change: (text: string) => string) => object

const SCOPE = { name: "incipit" }

function resourceOf({ service = "incipit" }: OtelOptions) {
  return { attributes: attributesOf({ "service.name": service }) }
}

interface Target {
  readonly base: string
  readonly path: "/v1/traces" | "/v1/metrics"
}

async function sendTexts(options: OtelOptions, { base, path }: Target, body: WithTexts): Promise<boolean> {
  const { headers, redact, timeoutMs = TIMEOUT_MS } = options
  try {
    const shown = redact === undefined ? body((text) => text) : await redacted(body, redact)
    const answer = await post(withoutLookup(`${base}${path}`), {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(shown),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "error",
    })
    await answer.body?.cancel()
    return answer.ok
  } catch {
    // The collector is down or the URL is invalid: the turn continues, and the span counts as dropped.
    return false
  }
}

/** Uses the first address that accepts a connection. */
async function post([first = "", ...others]: readonly string[], request: RequestInit): Promise<Response> {
  try {
    return await fetch(first, request)
  } catch (error) {
    if (others.length === 0) throw error
    return post(others, request)
  }
}

/**
 * Redacts text by text: in the request as a whole, times and ids could look like secrets, and line breaks are escaped.
 */
async function redacted(body: WithTexts, redact: Redact): Promise<object> {
  const given: string[] = []
  body((text) => given[given.push(text) - 1] ?? "")
  const shown = await redact(given)
  if (shown.length !== given.length) throw new Error("the redactor returned too few texts")
  let next = 0
  return body(() => shown[next++] ?? "")
}

/** Some users configure the URL of the traces. */
function baseOf(endpoint: string): string {
  return endpoint.replace(/\/v1\/traces$/, "").replace(/\/+$/, "")
}
