// A connection to one MCP server: the only file that knows the protocol's client. It covers what the agent needs: the
// server's description of itself, its unchecked tools, calls, and the notice that the tools have changed.
import {
  Client,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from "@modelcontextprotocol/client"
import { z } from "zod"
import type { Secrets } from "../../record/redact/secrets.ts"
import { guardedFetch } from "../turn/provider/guarded-fetch.ts"
import { boundedFetch } from "./bounded-answer.ts"
import { boundedLines } from "./bounded-lines.ts"
import type { McpPlace } from "./config.ts"
import { type InputHeaders, inputHeaders } from "./input-headers.ts"
import { MOST_MESSAGE } from "./lines.ts"
import { keepListening, type Wait } from "./listening.ts"
import { ProcessTransport } from "./process.ts"
import { reasonOf } from "./text.ts"
import { within } from "./with-timeout.ts"

/** What a server offers, not yet checked. */
export interface Offer extends Listed {
  /** Sent at the start; undefined when only the tools were listed. */
  readonly instructions?: string
}

export interface Listed {
  readonly tools: readonly unknown[]
  /** Why tools were left out: what the protocol forbids to use. */
  readonly faults: readonly string[]
  /** Why the list may be incomplete. */
  readonly cut?: string
}

export type CallResult = z.infer<typeof CALL_RESULT>

export type CallOutcome =
  | { readonly kind: "answered"; readonly result: CallResult }
  /** The server says that the call itself was wrong. */
  | { readonly kind: "refused"; readonly text: string }
  | { readonly kind: "garbled" }
  | { readonly kind: "lost"; readonly why: string }
  /** The server has forgotten the session and ignored the call. */
  | { readonly kind: "expired" }
  | { readonly kind: "aborted" }

export interface Connection {
  start(): Promise<Offer>
  /** Returns undefined if the server has forgotten the session. */
  list(): Promise<Listed | undefined>
  call(name: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<CallOutcome>
  /** Resolves when nothing of it is left running. */
  close(): Promise<void>
}

export interface ConnectionEvents {
  /** Receives details for troubleshooting. */
  readonly detail: (text: string) => void
  readonly listChanged: () => void
  /** The connection ended, on its own or because it was closed. */
  readonly lost: (why: string) => void
}

export interface ConnectionOptions extends ConnectionEvents {
  readonly wait: Wait
  /** Keys to hide in all text from the server. */
  readonly secrets: Secrets
}

const CALL_RESULT = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
})

// Each tool is checked separately, so an invalid one does not affect the others.
const LIST_RESULT = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })

/** The caller enforces the limits, so the client's own are set out of the way. */
const NO_LIMIT = { timeout: 2 ** 31 - 1 }
/** Cuts off an endless list. */
const MOST_PAGES = 500
const MOST_LISTED = 10_000
const FAREWELL_MS = 1_000

export function openConnection(place: McpPlace, options: ConnectionOptions): Connection {
  const closing = new AbortController()
  const { signal } = closing
  const details = boundedLines(options.detail, () => performance.now())
  const events: ConnectionEvents = {
    detail: details.add,
    listChanged: options.listChanged,
    lost: options.lost,
  }
  const { secrets } = options
  let wire = openWire(place, FIRST_MODE[place.kind], { ...events, secrets })
  const connect = async () => {
    try {
      await wire.client.connect(wire.transport, NO_LIMIT)
    } catch (error) {
      if (signal.aborted || wire.mode !== "legacy" || !isHandshakeRefused(error)) throw error
      await endWire(wire)
      wire = openWire(place, "auto", { ...events, secrets })
      await wire.client.connect(wire.transport, NO_LIMIT)
    }
  }
  return {
    async start() {
      try {
        await connect()
        const offer = await offerOf(wire)
        listenIn(wire, { ...options, ...events, signal })
        return secrets.within(offer)
      } catch (error) {
        throw causeOf(error, wire)
      }
    },
    list: async () => secrets.within(await listAgain(wire)),
    call: (name, input, stop) => call(wire, { name, arguments: input }, stop),
    async close() {
      closing.abort()
      await endWire(wire)
      details.end()
    },
  }
}

async function offerOf(wire: Wire): Promise<Offer> {
  const { client } = wire
  const hasTools = client.getServerCapabilities()?.tools !== undefined
  const listed = hasTools ? await listTools(wire) : { tools: [], faults: [] }
  return { ...listed, instructions: client.getInstructions() ?? "" }
}

class HttpTransport extends StreamableHTTPClientTransport {
  /** Closed because a message was too long. */
  isTooLong = false
}

/** One attempt to connect: a client cannot be used after its transport has ended. */
interface Wire {
  readonly mode: VersionNegotiationMode
  readonly client: Client
  readonly transport: ProcessTransport | HttpTransport
  readonly secrets: Secrets
  readonly headers: InputHeaders
}

/**
 * Over HTTP, ask the server first which protocol it speaks, as the newer one requires. Do not ask a program: some older
 * ones exit on, or never answer, anything before `initialize`.
 */
const FIRST_MODE = { process: "legacy", http: "auto" } as const

type WireOptions = ConnectionEvents & Pick<ConnectionOptions, "secrets">

function openWire(place: McpPlace, mode: VersionNegotiationMode, events: WireOptions): Wire {
  // The protocol requires a version, and no server uses it.
  const client = new Client({ name: "incipit", version: "1" }, { versionNegotiation: { mode } })
  const { secrets } = events
  const transport = transportOf(place, events)
  const wire = { mode, client, secrets, transport, headers: inputHeaders() }
  client.onerror = (error) => events.detail(reasonOf(error, secrets.redact))
  client.onclose = () => events.lost(endOf(wire) ?? "the connection was closed")
  client.setNotificationHandler("notifications/tools/list_changed", events.listChanged)
  return wire
}

function transportOf(place: McpPlace, { detail, secrets }: WireOptions): Wire["transport"] {
  if (place.kind === "process")
    return new ProcessTransport(place, { line: detail, secrets: secrets.stream() })
  const fetch = boundedFetch(guardedFetch(globalThis.fetch), () => {
    transport.isTooLong = true
    // Fail pending requests at once.
    void transport.close()
  })
  const transport = new HttpTransport(new URL(place.url), {
    requestInit: { headers: { ...place.headers } },
    fetch: (url, init) => fetch(url, init),
  })
  return transport
}

/** Under the older protocol, a server reports changes without being asked. */
function listenIn({ client }: Wire, options: ConnectionOptions & { readonly signal: AbortSignal }): void {
  if (client.getProtocolEra() !== "modern" || client.getServerCapabilities()?.tools?.listChanged !== true)
    return
  void keepListening({
    ...options,
    open: () => client.listen({ toolsListChanged: true }, NO_LIMIT),
    listens: options.listChanged,
  })
}

async function endWire({ client, transport }: Wire): Promise<void> {
  if (transport instanceof HttpTransport) await farewell(transport)
  await client.close()
  await transport.close()
}

/** Tells an HTTP server that the session is over; servers may ignore it. */
async function farewell(transport: StreamableHTTPClientTransport): Promise<void> {
  const said = transport.terminateSession().catch(() => undefined)
  await within(said, { limitMs: FAREWELL_MS, late: () => undefined })
}

/** How the server's process ended, or why the connection was given up; undefined otherwise. */
function endOf({ transport }: Wire): string | undefined {
  if (transport instanceof ProcessTransport) return transport.end
  return transport.isTooLong ? `sent a message that is too long (more than ${MOST_MESSAGE} bytes)` : undefined
}

/** Error codes with which a server that speaks only the newer protocol answers `initialize`. */
const REFUSALS: readonly number[] = [
  ProtocolErrorCode.UnsupportedProtocolVersion,
  ProtocolErrorCode.MethodNotFound,
]

function isHandshakeRefused(error: unknown): boolean {
  return error instanceof ProtocolError && REFUSALS.includes(error.code)
}

/** Why it did not start: the end of the process or the network error explains more than the client's error. */
function causeOf(error: unknown, wire: Wire): unknown {
  const end = endOf(wire)
  if (end !== undefined) return new Error(end)
  const isWrapped = error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed
  return isWrapped && error.cause instanceof Error ? error.cause : error
}

async function listAgain(wire: Wire): Promise<Listed | undefined> {
  try {
    return await listTools(wire)
  } catch (error) {
    if (isExpired(error, wire)) return undefined
    throw error
  }
}

async function listTools(wire: Wire): Promise<Listed> {
  const { tools, ...rest } = await listPages(wire.client)
  return { ...rest, ...(hasHeaders(wire) ? wire.headers.take(tools) : { tools, faults: [] }) }
}

/** Whether inputs go into headers as well. */
function hasHeaders({ client, transport }: Wire): boolean {
  return transport instanceof HttpTransport && client.getProtocolEra() === "modern"
}

async function listPages(client: Client): Promise<Omit<Listed, "faults">> {
  const tools: unknown[] = []
  const cursors = new Set<string>()
  for (let cursor: string | undefined; ; ) {
    const request = { method: "tools/list", params: cursor === undefined ? {} : { cursor } } as const
    const page = await client.request(request, LIST_RESULT, NO_LIMIT)
    for (const tool of page.tools) tools.push(tool)
    cursor = page.nextCursor
    if (cursor === undefined) return { tools }
    if (cursors.has(cursor)) return { tools, cut: "starts over after its last page" }
    cursors.add(cursor)
    if (tools.length > MOST_LISTED) return { tools, cut: `continues after ${tools.length} tools` }
    if (cursors.size >= MOST_PAGES) return { tools, cut: `continues after ${MOST_PAGES} pages` }
  }
}

async function call(
  wire: Wire,
  params: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
  signal: AbortSignal,
): Promise<CallOutcome> {
  try {
    const request = { method: "tools/call", params: { ...params } } as const
    const headers = hasHeaders(wire) ? wire.headers.of(params.name, params.arguments) : {}
    const result = await wire.client.request(request, CALL_RESULT, { ...NO_LIMIT, signal, headers })
    return { kind: "answered", result }
  } catch (error) {
    // Anything the client throws is the fault of the server or the network, and the model should see it.
    if (signal.aborted) return { kind: "aborted" }
    if (isExpired(error, wire)) return { kind: "expired" }
    if (error instanceof ProtocolError) return { kind: "refused", text: error.message }
    const code = error instanceof SdkError ? error.code : undefined
    if (code === SdkErrorCode.InvalidResult) return { kind: "garbled" }
    if (code === SdkErrorCode.UnsupportedResultType)
      return { kind: "refused", text: reasonOf(error, wire.secrets.redact) }
    return { kind: "lost", why: endOf(wire) ?? reasonOf(error, wire.secrets.redact) }
  }
}

/** The protocol specifies 404, but restarted servers often answer 400 and name the session. */
function isExpired(error: unknown, { transport }: Wire): boolean {
  const hasSession = transport instanceof HttpTransport && transport.sessionId !== undefined
  if (!hasSession || !(error instanceof SdkHttpError)) return false
  return error.status === 404 || (error.status === 400 && /session|not initiali[sz]ed/i.test(error.message))
}
