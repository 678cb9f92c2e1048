// A connection to one MCP server: the only file that knows the protocol's client. It keeps to what the agent needs:
// what the server says about itself, its tools as they come, calls, and the notice that the tools have changed.
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { ErrorCode, McpError, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js"
import { z } from "zod"
import { guardedFetch } from "../guarded-fetch.ts"
import type { McpPlace } from "./config.ts"
import { ProcessTransport } from "./process.ts"
import { reasonOf } from "./text.ts"
import { within } from "./within.ts"

/** What a server offers, not yet looked at. */
export interface Offer {
  /** Said at the start; nothing when only the tools were asked for. */
  readonly instructions?: string
  readonly tools: readonly unknown[]
}

export type CallResult = z.infer<typeof CALL_RESULT>

export type CallOutcome =
  | { readonly kind: "answered"; readonly result: CallResult }
  /** The server says that the call itself was wrong. */
  | { readonly kind: "refused"; readonly text: string }
  | { readonly kind: "garbled" }
  | { readonly kind: "lost"; readonly why: string }
  | { readonly kind: "aborted" }

export interface Connection {
  start(): Promise<Offer>
  list(): Promise<readonly unknown[]>
  call(name: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<CallOutcome>
  /** Resolves when nothing of it is left. */
  close(): Promise<void>
}

export interface ConnectionEvents {
  /** What only somebody who looks for a fault wants to read. */
  readonly detail: (text: string) => void
  readonly listChanged: () => void
  /** It ended without having been closed. */
  readonly lost: (why: string) => void
}

const CALL_RESULT = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
})

// Each tool is looked at by itself: one that is not valid costs only itself.
const LIST_RESULT = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })

/** Limits are kept by the caller; the client's own are out of the way. */
const NO_LIMIT = { timeout: 2 ** 31 - 1 }
/** A list that never ends is cut short. */
const MOST_PAGES = 50
const FAREWELL_MS = 1_000

export function openConnection(place: McpPlace, events: ConnectionEvents): Connection {
  // The protocol wants a version, and no server has a use for it.
  const client = new Client({ name: "incipit", version: "1" })
  const transport = transportOf(place, events)
  let isClosing = false
  client.onerror = (error) => events.detail(reasonOf(error))
  client.onclose = () => {
    if (!isClosing) events.lost(endOf(transport) ?? "the connection was closed")
  }
  client.setNotificationHandler(ToolListChangedNotificationSchema, events.listChanged)
  const list = () => listTools(client)
  return {
    async start() {
      try {
        await client.connect(transport, NO_LIMIT)
        const tools = client.getServerCapabilities()?.tools === undefined ? [] : await list()
        return { instructions: client.getInstructions() ?? "", tools }
      } catch (error) {
        // A process that ended says more about it than the client does.
        const end = endOf(transport)
        throw end === undefined ? error : new Error(end)
      }
    },
    list,
    async call(name, input, signal) {
      const outcome = await call(client, { name, arguments: input }, signal)
      return outcome.kind === "lost" ? { kind: "lost", why: endOf(transport) ?? outcome.why } : outcome
    },
    async close() {
      isClosing = true
      if (transport instanceof StreamableHTTPClientTransport) await farewell(transport)
      await client.close()
      await transport.close()
    },
  }
}

type AnyTransport = ProcessTransport | StreamableHTTPClientTransport

function transportOf(place: McpPlace, { detail }: ConnectionEvents): AnyTransport {
  if (place.kind === "process") return new ProcessTransport(place, detail)
  return new StreamableHTTPClientTransport(new URL(place.url), {
    requestInit: { headers: { ...place.headers } },
    fetch: (url, init) => guardedFetch(globalThis.fetch)(url, init),
  })
}

function endOf(transport: AnyTransport): string | undefined {
  return transport instanceof ProcessTransport ? transport.end : undefined
}

async function listTools(client: Client): Promise<readonly unknown[]> {
  const found: unknown[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor }
    const { tools, nextCursor } = await client.request(
      { method: "tools/list", params },
      LIST_RESULT,
      NO_LIMIT,
    )
    found.push(...tools)
    cursor = nextCursor
    if (cursor === undefined) break
  }
  return found
}

async function call(
  client: Client,
  params: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
  signal: AbortSignal,
): Promise<CallOutcome> {
  try {
    const request = { method: "tools/call", params: { ...params } } as const
    return { kind: "answered", result: await client.request(request, CALL_RESULT, { ...NO_LIMIT, signal }) }
  } catch (error) {
    // Whatever the client throws, it is the server's fault or the network's, and the model is to know.
    if (signal.aborted) return { kind: "aborted" }
    if (error instanceof z.core.$ZodError) return { kind: "garbled" }
    const isAnswer = error instanceof McpError && error.code !== ErrorCode.ConnectionClosed
    return isAnswer ? { kind: "refused", text: error.message } : { kind: "lost", why: reasonOf(error) }
  }
}

/** Tells an HTTP server that the session is over; not every one wants to know. */
async function farewell(transport: StreamableHTTPClientTransport): Promise<void> {
  const said = transport.terminateSession().catch(() => undefined)
  await within(said, { limitMs: FAREWELL_MS, late: () => undefined })
}
