// One call of a server's tool, and what became of it. Never throws: whatever goes wrong is an outcome.
import {
  InsufficientScopeError,
  type ProgressCallback,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/client"
import { z } from "zod"
import type { Caller } from "../ask/callers.ts"
import { CUT_OFF } from "../http/http-transport.ts"
import { SignInFailed, SignInNeeded } from "../sign-in/failures.ts"
import { reasonOf } from "../text.ts"
import { endOf, hasInputHeaders, isExpired, isUnauthorized, type Wire } from "../wire.ts"

export type CallResult = z.infer<typeof CALL_RESULT>

export type CallOutcome =
  | { readonly kind: "answered"; readonly result: CallResult }
  /** The server says that the call itself was wrong. */
  | { readonly kind: "refused"; readonly text: string }
  /** The server wants the person to finish something on these pages first. */
  | { readonly kind: "pages"; readonly pages: readonly unknown[] }
  | { readonly kind: "garbled" }
  | { readonly kind: "lost"; readonly why: string }
  /** It was not even sent: nothing listens there. */
  | { readonly kind: "unreached"; readonly why: string }
  /** The server has forgotten the session and ignored the call. */
  | { readonly kind: "expired" }
  /** The server did nothing, because the person has to sign in. `scope`: the rights that are missing. */
  | { readonly kind: "unauthorized"; readonly why: string; readonly scope?: string }
  | { readonly kind: "aborted" }

export interface ToolCall {
  /** The server's name for the tool. */
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  /** Whom the server may ask; undefined for nobody. */
  readonly caller: Caller | undefined
  /** Hears that the server is at work. */
  readonly progressed: (progress: Progress) => void
}

/** What a server says of a call that is running. */
export interface Progress {
  readonly done: number
  readonly total: number | undefined
  readonly text: string | undefined
}

const CALL_RESULT = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
})

/** The caller enforces the limits, so the client's own are set out of the way. */
export const NO_LIMIT = { timeout: 2 ** 31 - 1 }

export async function callTool(wire: Wire, call: ToolCall): Promise<CallOutcome> {
  const { name, input, signal, caller, progressed } = call
  const request = { method: "tools/call", params: { name, arguments: input } } as const
  const onprogress: ProgressCallback = ({ progress: done, total, message: text }) =>
    progressed({ done, total, text })
  const headers = hasInputHeaders(wire) ? wire.headers.of(name, input) : {}
  try {
    const result = await wire.callers.during(caller, () =>
      wire.client.request(request, CALL_RESULT, { ...NO_LIMIT, signal, onprogress, headers }),
    )
    return { kind: "answered", result }
  } catch (error) {
    return outcomeOf(error, wire, signal)
  }
}

/** Anything the client throws is the fault of the server or the network, and the model should see it. */
function outcomeOf(error: unknown, wire: Wire, signal: AbortSignal): CallOutcome {
  const why = reasonOf(error, wire.secrets.redact)
  if (signal.aborted) return { kind: "aborted" }
  if (isExpired(error, wire)) return { kind: "expired" }
  if (error instanceof InsufficientScopeError)
    return { kind: "unauthorized", why, scope: error.requiredScope ?? "" }
  if (error instanceof SignInNeeded || error instanceof SignInFailed) return { kind: "unauthorized", why }
  if (isUnauthorized(error))
    return { kind: "unauthorized", why: new SignInNeeded(wire.server, "it refuses the sign-in").message }
  if (error instanceof UrlElicitationRequiredError) return { kind: "pages", pages: error.elicitations }
  if (error instanceof ProtocolError && error.code === CUT_OFF)
    return { kind: "lost", why: endOf(wire) ?? why }
  if (error instanceof ProtocolError) return { kind: "refused", text: error.message }
  const code = error instanceof SdkError ? error.code : undefined
  if (code === SdkErrorCode.InvalidResult) return { kind: "garbled" }
  if (code === SdkErrorCode.UnsupportedResultType || code === SdkErrorCode.InputRequiredRoundsExceeded)
    return { kind: "refused", text: why }
  if (isUnreached(error)) return { kind: "unreached", why }
  return { kind: "lost", why: endOf(wire) ?? why }
}

/** No connection was made, so nothing was sent. */
function isUnreached(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof AggregateError) return cause.errors.every(isRefusedConnection)
  return isRefusedConnection(cause)
}

function isRefusedConnection(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNREFUSED"
}
