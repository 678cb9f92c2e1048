// A connection to one MCP server. It covers what the agent needs: the
// server's description of itself, its unchecked tools, calls, and the notice that the tools have changed.
import type { Client } from "@modelcontextprotocol/client"
import { z } from "zod"
import type { Secrets } from "../../record/redact/secrets.ts"
import { boundedLines } from "./bounded-lines.ts"
import { type CallOutcome, callTool, NO_LIMIT, type ToolCall } from "./calls/call-tool.ts"
import type { McpPlace } from "./config.ts"
import { keepListening, type Wait } from "./listening.ts"
import type { SignIns } from "./sign-in/stored-sign-ins.ts"
import {
  causeOf,
  endWire,
  hasInputHeaders,
  isExpired,
  isHandshakeRefused,
  openWire,
  type Wire,
} from "./wire.ts"

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

export interface Connection {
  start(): Promise<Offer>
  /** Returns undefined if the server has forgotten the session. */
  list(): Promise<Listed | undefined>
  call(call: ToolCall): Promise<CallOutcome>
  /** Resolves when nothing of it is left running. */
  close(): Promise<void>
}

export interface ConnectionEvents {
  /** Receives details for troubleshooting. */
  readonly detail: (text: string) => void
  /** A question of the server was declined without asking anybody. */
  readonly declined: (why: string) => void
  readonly listChanged: () => void
  /** The connection ended, on its own or because it was closed. */
  readonly lost: (why: string) => void
}

export interface ConnectionOptions extends ConnectionEvents {
  /** The server's name in the configuration. */
  readonly server: string
  /** The folder that the server is told about, if it asks. */
  readonly announced: string | undefined
  /** Where tokens are; undefined where nobody signs in. */
  readonly signIns: SignIns | undefined
  readonly wait: Wait
  /** Keys to hide in all text from the server. */
  readonly secrets: Secrets
}

// Each tool is checked separately, so an invalid one does not affect the others.
const LIST_RESULT = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })

/** Cuts off an endless list. */
const MOST_PAGES = 500
const MOST_LISTED = 10_000

/**
 * Over HTTP, ask the server first which protocol it speaks, as the newer one requires. Do not ask a program: some older
 * ones exit on, or never answer, anything before `initialize`.
 */
const FIRST_MODE = { process: "legacy", http: "auto" } as const

export function openConnection(place: McpPlace, options: ConnectionOptions): Connection {
  const closing = new AbortController()
  const { signal } = closing
  const details = boundedLines(options.detail, () => performance.now())
  const own = { ...options, detail: details.add, signal }
  const { secrets } = options
  let wire = openWire(place, FIRST_MODE[place.kind], own)
  const connect = async () => {
    try {
      await wire.client.connect(wire.transport, NO_LIMIT)
    } catch (error) {
      if (signal.aborted || wire.mode !== "legacy" || !isHandshakeRefused(error)) throw error
      await endWire(wire)
      wire = openWire(place, "auto", own)
      await wire.client.connect(wire.transport, NO_LIMIT)
    }
  }
  return {
    async start() {
      try {
        await connect()
        const offer = await offerOf(wire)
        listenIn(wire, own)
        return secrets.within(offer)
      } catch (error) {
        throw causeOf(error, wire)
      }
    },
    list: async () => secrets.within(await listAgain(wire)),
    call: (call) => callTool(wire, call),
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
  return { ...rest, ...(hasInputHeaders(wire) ? wire.headers.take(tools) : { tools, faults: [] }) }
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
