// Spans for an OTLP/HTTP endpoint, after the GenAI conventions, as plain JSON. Nothing is sent unless an endpoint is
// configured, and no text of people, tools or errors unless asked for. It never waits and never throws: what can not
// be sent is counted.
import { digest } from "../core/digest.ts"
import { withoutLookup } from "../core/this-machine.ts"
import { inputOf } from "../render/price.ts"
import type { RecordEvent } from "./event.ts"
import { jsonTexts } from "./json-texts.ts"
import { levelOf } from "./log.ts"
import type { Redact } from "./record.ts"

export interface OtelOptions {
  /** The base address, such as `http://localhost:4318`; nothing leaves the machine without one. */
  readonly endpoint?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly service?: string
  /** Also send what was said, asked and answered. */
  readonly content?: boolean
  readonly redact?: Redact
  /** How many spans may wait; older ones go first. */
  readonly most?: number
  readonly timeoutMs?: number
}

export interface Otel {
  append(event: RecordEvent): void
  /** Sends what waits. Resolves when it is sent or dropped; never rejects. */
  flush(): Promise<void>
  health(): { readonly waiting: number; readonly sent: number; readonly dropped: number }
}

/** What of the conventions is used; they are not stable, so the names are our own copy. */
const NAMES = {
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  model: "gen_ai.request.model",
  conversation: "gen_ai.conversation.id",
  agent: "gen_ai.agent.id",
  tool: "gen_ai.tool.name",
  input: "gen_ai.usage.input_tokens",
  output: "gen_ai.usage.output_tokens",
  read: "gen_ai.usage.cache_read.input_tokens",
  write: "gen_ai.usage.cache_creation.input_tokens",
  error: "error.type",
  cost: "incipit.cost_usd",
  turn: "incipit.turn",
  step: "incipit.step",
  data: "incipit.data",
} as const

const MOST_WAITING = 2_048
const BATCH = 256
const TIMEOUT_MS = 10_000

export function openOtel(options: OtelOptions): Otel {
  const { endpoint, content = false, most = MOST_WAITING } = options
  let waiting: Span[] = []
  let sent = 0
  let dropped = 0
  let working: Promise<void> = Promise.resolve()
  const started = new Map<string, RecordEvent>()
  const add = (span: Span) => {
    waiting.push(span)
    if (waiting.length <= most) return
    waiting.shift()
    dropped += 1
  }
  const sendWaiting = async () => {
    while (waiting.length > 0) {
      const spans = waiting.slice(0, BATCH)
      waiting = waiting.slice(spans.length)
      const isSent = endpoint !== undefined && (await send(endpoint, spans, options))
      if (isSent) sent += spans.length
      else dropped += spans.length
    }
  }
  const flush = () => {
    working = working.then(sendWaiting)
    return working
  }
  return {
    append(event) {
      if (endpoint === undefined) return
      try {
        for (const whole of finished(event, started, most)) add(spanOf(whole, content))
      } catch {
        // Data that is no JSON: the record says so too, and the turn goes on.
        dropped += 1
      }
      if (waiting.length >= BATCH) void flush()
    },
    flush,
    health: () => ({ waiting: waiting.length, sent, dropped }),
  }
}

/**
 * What can be sent now. A turn is one span, under the id by which its calls know it, so its start waits for its end;
 * of too many that never end the oldest is sent as it began.
 */
function finished(
  event: RecordEvent,
  started: Map<string, RecordEvent>,
  most: number,
): readonly RecordEvent[] {
  const { turn } = event
  if (turn === undefined) return [event]
  if (event.type === "turn_started") {
    started.set(turn, event)
    const [oldest] = started.size > most ? started : []
    if (oldest !== undefined) started.delete(oldest[0])
    return oldest === undefined ? [] : [oldest[1]]
  }
  const start = started.get(turn)
  if (event.type !== "turn_completed" || start === undefined) return [event]
  started.delete(turn)
  return [{ ...event, ...placeOf(start), durationMs: Math.max(0, event.at - start.at) }]
}

function placeOf({ at, span, parent }: RecordEvent): Pick<RecordEvent, "at" | "span" | "parent"> {
  return { at, ...(span !== undefined && { span }), ...(parent !== undefined && { parent }) }
}

async function send(endpoint: string, spans: readonly Span[], options: OtelOptions): Promise<boolean> {
  const { headers, service = "incipit", redact, timeoutMs = TIMEOUT_MS } = options
  try {
    const shown = redact === undefined ? spans : await redactedSpans(spans, redact)
    const answer = await post(withoutLookup(addressOf(endpoint)), {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(requestOf(shown, service)),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "error",
    })
    await answer.body?.cancel()
    return answer.ok
  } catch {
    // A collector that is away, or an address that is none: the turn goes on, and the count says so.
    return false
  }
}

/** At the first address that anybody listens at. */
async function post([first = "", ...others]: readonly string[], request: RequestInit): Promise<Response> {
  try {
    return await fetch(first, request)
  } catch (error) {
    if (others.length === 0) throw error
    return post(others, request)
  }
}

/** Text by text: in the request as a whole, times and ids could be taken for something, and line breaks are escaped. */
async function redactedSpans(spans: readonly Span[], redact: Redact): Promise<readonly Span[]> {
  const given: string[] = []
  for (const span of spans) withTexts(span, (text) => given[given.push(text) - 1] ?? "")
  const shown = await redact(given)
  if (shown.length !== given.length) throw new Error("the redactor lost a text")
  let next = 0
  return spans.map((span) => withTexts(span, () => shown[next++] ?? ""))
}

/** Every text of a span that is not ours through a function, in the same order each time. */
function withTexts(span: Span, change: (text: string) => string): Span {
  const { name, attributes, status } = span
  return {
    ...span,
    name: change(name),
    attributes: attributes.map(({ key, value }) => {
      if (!("stringValue" in value)) return { key, value }
      const { stringValue: text } = value
      if (key !== NAMES.data) return { key, value: { stringValue: change(text) } }
      const { texts, fill } = jsonTexts(text)
      return { key, value: { stringValue: fill(texts.map(change)) } }
    }),
    ...(status && {
      status: { ...status, ...(status.message !== undefined && { message: change(status.message) }) },
    }),
  }
}

function addressOf(endpoint: string): string {
  return endpoint.endsWith("/v1/traces") ? endpoint : `${endpoint.replace(/\/+$/, "")}/v1/traces`
}

function requestOf(spans: readonly Span[], service: string) {
  const resource = { attributes: attributesOf({ "service.name": service }) }
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "incipit" }, spans }] }] }
}

const INTERNAL = 1
const CLIENT = 3
const STATUS_ERROR = 2

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly status?: { readonly code: number; readonly message?: string }
}

interface Attribute {
  readonly key: string
  readonly value:
    | { readonly stringValue: string }
    | { readonly intValue: string }
    | { readonly doubleValue: number }
}

type Attributes = Readonly<Record<string, string | number | undefined>>

function spanOf(event: RecordEvent, content: boolean): Span {
  const { at, durationMs = 0, trace, turn, session, span, parent, error } = event
  const isCall = event.type === "api_call" || event.type === "api_error"
  const failed = levelOf(event) === "error"
  return {
    traceId: hexId(trace ?? turn ?? session ?? `${at}`, 32),
    spanId: hexId(span ?? JSON.stringify(event), 16),
    ...(parent !== undefined && { parentSpanId: hexId(parent, 16) }),
    name: nameOf(event),
    kind: isCall ? CLIENT : INTERNAL,
    startTimeUnixNano: nanoseconds(at),
    endTimeUnixNano: nanoseconds(at + durationMs),
    attributes: attributesOf({
      ...operationOf(event),
      ...usageOf(event),
      [NAMES.conversation]: session,
      [NAMES.agent]: event.agent,
      [NAMES.turn]: turn,
      [NAMES.step]: event.step,
      [NAMES.error]: failed ? errorType(event) : undefined,
      [NAMES.cost]: event.costUsd ?? undefined,
      [NAMES.data]: content && event.data ? JSON.stringify(event.data) : undefined,
    }),
    ...(failed && {
      status: { code: STATUS_ERROR, ...(content && error !== undefined && { message: error }) },
    }),
  }
}

/** Ids of the right form are kept, others made into one. */
function hexId(id: string, digits: 16 | 32): string {
  const isOne = id.length === digits && /^[0-9a-f]+$/.test(id) && /[^0]/.test(id)
  return isOne ? id : digest(id).slice("sha256:".length, "sha256:".length + digits)
}

/** As text, since a number could not hold it. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms)}000000`
}

function nameOf(event: RecordEvent): string {
  const { operation, subject } = partsOf(event)
  return subject === undefined ? operation : `${operation} ${subject}`
}

function partsOf(event: RecordEvent): { readonly operation: string; readonly subject?: string | undefined } {
  const { type, model, agent } = event
  if (type === "api_call" || type === "api_error") return { operation: "chat", subject: model }
  if (type === "tool_call" || type === "tool_error")
    return { operation: "execute_tool", subject: toolOf(event) }
  if (type === "turn_started" || type === "turn_completed")
    return { operation: "invoke_agent", subject: agent }
  return { operation: type }
}

function operationOf(event: RecordEvent): Attributes {
  const { operation } = partsOf(event)
  if (operation === event.type) return {}
  return {
    [NAMES.operation]: operation,
    [NAMES.provider]: operation === "execute_tool" ? undefined : providerOf(event.model),
    [NAMES.model]: event.model,
    [NAMES.tool]: operation === "execute_tool" ? toolOf(event) : undefined,
  }
}

function toolOf({ data }: RecordEvent): string | undefined {
  return typeof data?.tool === "string" ? data.tool : undefined
}

/** Ours and the conventions' names of who sells a model; others are the same. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ["google", "gcp.gemini"],
  ["gemini", "gcp.gemini"],
  ["google-vertex", "gcp.vertex_ai"],
  ["vertex", "gcp.vertex_ai"],
  ["bedrock", "aws.bedrock"],
  ["amazon-bedrock", "aws.bedrock"],
  ["azure", "azure.ai.openai"],
  ["xai", "x_ai"],
  ["x-ai", "x_ai"],
  ["mistral", "mistral_ai"],
  ["moonshotai", "moonshot_ai"],
])

/** Who makes the models whose ids begin so. */
const MAKERS = [
  [/^claude/, "anthropic"],
  [/^(?:gpt|o\d|chatgpt)/, "openai"],
  [/^gemini/, "gcp.gemini"],
  [/^deepseek/, "deepseek"],
  [/^grok/, "x_ai"],
] as const

function providerOf(model: string | undefined): string | undefined {
  if (model === undefined) return undefined
  const slash = model.indexOf("/")
  if (slash < 0) return MAKERS.find(([begins]) => begins.test(model))?.[1] ?? "_OTHER"
  const seller = model.slice(0, slash).toLowerCase()
  return PROVIDERS.get(seller) ?? seller
}

/** The input is all of it: what was read from the cache and written to it are parts of the same number. */
function usageOf({ type, usage }: RecordEvent): Attributes {
  // The turn's own sum would count every call twice.
  if (usage === undefined || type === "turn_completed") return {}
  const input = inputOf(usage)
  return {
    [NAMES.input]: input,
    [NAMES.read]: usage.read,
    [NAMES.write]: input - usage.fresh - usage.read,
    [NAMES.output]: usage.output,
  }
}

/** Of a bounded set, as the convention wants it: the status, or the kind of event. */
function errorType({ type, data }: RecordEvent): string {
  const status = data?.status
  return typeof status === "number" ? String(status) : type
}

function attributesOf(values: Attributes): readonly Attribute[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined) return []
    return [{ key, value: typeof value === "string" ? { stringValue: value } : numberOf(key, value) }]
  })
}

/** An attribute keeps its type, also where a sum of dollars happens to be whole. */
function numberOf(key: string, value: number): Attribute["value"] {
  return key === NAMES.cost ? { doubleValue: value } : { intValue: String(Math.round(value)) }
}
