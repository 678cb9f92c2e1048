// One attempt to connect to a server: the protocol's client and its transport, which cannot be used again after its end.
import { pathToFileURL } from "node:url"
import {
  Client,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type VersionNegotiationMode,
} from "@modelcontextprotocol/client"
import type { Secrets } from "../../record/redact/secrets.ts"
import { guardedFetch } from "../turn/provider/guarded-fetch.ts"
import { type Callers, openCallers } from "./ask/callers.ts"
import { answerServer } from "./ask/elicitation.ts"
import type { McpPlace } from "./config.ts"
import { boundedFetch } from "./http/bounded-answer.ts"
import { HttpTransport } from "./http/http-transport.ts"
import { type InputHeaders, inputHeaders } from "./http/input-headers.ts"
import { MOST_MESSAGE } from "./lines.ts"
import { ProcessTransport } from "./process.ts"
import { type Bearer, bearerFor } from "./sign-in/bearer.ts"
import { SignInNeeded } from "./sign-in/failures.ts"
import type { SignIns } from "./sign-in/stored-sign-ins.ts"
import { reasonOf } from "./text.ts"
import { within } from "./with-timeout.ts"

export interface WireOptions {
  /** The server's name in the configuration. */
  readonly server: string
  /** The folder that the server is told about, if it asks. */
  readonly announced: string | undefined
  /** Where tokens are; undefined where nobody signs in. */
  readonly signIns: SignIns | undefined
  /** Keys to hide in all text from the server. */
  readonly secrets: Secrets
  readonly detail: (text: string) => void
  /** Hears what the person should know, and nobody asked them. */
  readonly declined: (why: string) => void
  readonly listChanged: () => void
  readonly lost: (why: string) => void
  /** Aborted when the connection is closed. */
  readonly signal: AbortSignal
}

export interface Wire {
  readonly server: string
  readonly mode: VersionNegotiationMode
  readonly client: Client
  readonly transport: ProcessTransport | HttpTransport
  readonly secrets: Secrets
  readonly callers: Callers
  readonly headers: InputHeaders
}

export function openWire(place: McpPlace, mode: VersionNegotiationMode, options: WireOptions): Wire {
  const { server, secrets, announced, declined } = options
  const client = new Client(
    // The protocol requires a version, and no server uses it.
    { name: "incipit", version: "1" },
    {
      versionNegotiation: { mode },
      capabilities: {
        // A question that nobody can answer is declined, and that is said.
        elicitation: { form: {}, url: {} },
        ...(announced !== undefined && { roots: {} }),
      },
    },
  )
  const callers = openCallers()
  const transport = transportOf(place, options)
  const wire = { server, mode, client, secrets, callers, transport, headers: inputHeaders() }
  client.onerror = (error) => options.detail(reasonOf(error, secrets.redact))
  client.onclose = () => options.lost(endOf(wire) ?? "the connection was closed")
  client.setNotificationHandler("notifications/tools/list_changed", options.listChanged)
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    const answer = await answerServer(params, { server, callers, declined })
    if (answer.action !== "accept") return { action: answer.action }
    // A list is one of the values; the protocol's type wants one that may be changed.
    const content = Object.entries(answer.content).map(([name, value]) => [
      name,
      typeof value === "object" ? [...value] : value,
    ])
    return { action: "accept", content: Object.fromEntries(content) }
  })
  if (announced !== undefined)
    client.setRequestHandler("roots/list", () => ({ roots: [{ uri: pathToFileURL(announced).href }] }))
  return wire
}

function transportOf(place: McpPlace, options: WireOptions): Wire["transport"] {
  const { detail, secrets } = options
  if (place.kind === "process")
    return new ProcessTransport(place, { line: detail, secrets: secrets.stream() })
  const fetch = boundedFetch(guardedFetch(globalThis.fetch), () => {
    transport.isTooLong = true
    // Fail pending requests at once.
    void transport.close()
  })
  const bearer = bearerOf(place, options)
  const transport = new HttpTransport(new URL(place.url), {
    requestInit: { headers: { ...place.headers } },
    async fetch(url, init) {
      const answer = await fetch(url, init)
      bearer?.sent(answer, init?.headers)
      return answer
    },
    // Only the person can give more rights.
    onInsufficientScope: "throw",
    ...(bearer && { authProvider: bearer }),
  })
  return transport
}

/** A server with a key of its own in the configuration needs no sign-in. */
function bearerOf(
  { url, headers, oauth }: Extract<McpPlace, { readonly kind: "http" }>,
  { server, signIns, secrets, signal }: WireOptions,
): Bearer | undefined {
  const hasOwn = Object.keys(headers).some((name) => name.toLowerCase() === "authorization")
  if (signIns === undefined || hasOwn) return undefined
  return bearerFor({ server, url, signIns, secrets, signal, clientSecret: oauth.secret })
}

/** Whether inputs go into headers of the request as well. */
export function hasInputHeaders({ client, transport }: Wire): boolean {
  return transport instanceof HttpTransport && client.getProtocolEra() === "modern"
}

const FAREWELL_MS = 1_000

export async function endWire({ client, transport }: Wire): Promise<void> {
  if (transport instanceof HttpTransport) await farewell(transport)
  await client.close()
  await transport.close()
}

/** Tells an HTTP server that the session is over; servers may ignore it. */
async function farewell(transport: HttpTransport): Promise<void> {
  const said = transport.terminateSession().catch(() => undefined)
  await within(said, { limitMs: FAREWELL_MS, late: () => undefined })
}

/** How the server's process ended, or why the connection was given up; undefined otherwise. */
export function endOf({ transport }: Pick<Wire, "transport">): string | undefined {
  if (transport instanceof ProcessTransport) return transport.end
  return transport.isTooLong ? `sent a message that is too long (more than ${MOST_MESSAGE} bytes)` : undefined
}

/** Error codes with which a server that speaks only the newer protocol answers `initialize`. */
const REFUSALS: readonly number[] = [
  ProtocolErrorCode.UnsupportedProtocolVersion,
  ProtocolErrorCode.MethodNotFound,
]

export function isHandshakeRefused(error: unknown): boolean {
  return error instanceof ProtocolError && REFUSALS.includes(error.code)
}

/** Why it did not start: the end of the process or the network error explains more than the client's error. */
export function causeOf(error: unknown, wire: Wire): unknown {
  const end = endOf(wire)
  if (end !== undefined) return new Error(end)
  const isWrapped = error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed
  const cause = isWrapped && error.cause instanceof Error ? error.cause : error
  return isUnauthorized(cause) ? new SignInNeeded(wire.server, "it refuses the sign-in") : cause
}

/** It refused a token that was new. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof SdkHttpError && error.code === SdkErrorCode.ClientHttpAuthentication
}

/** The protocol specifies 404, but restarted servers often answer 400 and name the session. */
export function isExpired(error: unknown, { transport }: Wire): boolean {
  const hasSession = transport instanceof HttpTransport && transport.sessionId !== undefined
  if (!hasSession || !(error instanceof SdkHttpError)) return false
  return error.status === 404 || (error.status === 400 && /session|not initiali[sz]ed/i.test(error.message))
}
