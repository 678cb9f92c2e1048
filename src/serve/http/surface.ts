// What the server mounts: a part of its address space with the scopes that it needs. The server checks limits, host,
// origin, token and scope before a surface sees the request, and logs the answer.
import type { RunningAgent } from "../../agent/setup/agent.ts"
import type { Caller, Scope } from "../auth/caller.ts"

/** Part of the server's address space, with everything below `prefix`; the longest prefix wins. */
export interface Surface {
  /** Such as "/v1/messages"; matches that path and everything below it. */
  readonly prefix: string
  /** The caller needs one of these. */
  readonly scopes: readonly Scope[]
  /** Answers an authenticated request. A path or method that it doesn't know is its own 404 or 405. */
  handle(request: Request, call: SurfaceCall): Response | Promise<Response>
  /** A refusal of the server in the surface's own shape, such as OpenAI's errors. Defaults to a plain JSON object. */
  refuse?(refusal: Refusal): RefusalBody
  /** Ends streams that have no end of their own: the server closes. */
  close?(): Promise<void>
}

/** A surface that checks its callers itself, such as a webhook with a signature; it gets no caller. */
export interface OpenSurface extends Omit<Surface, "scopes" | "handle"> {
  readonly scopes: "none"
  /** An answer that doesn't need the body, which is then not read. */
  early?(method: string, path: string): Response | undefined
  handle(request: Request, call: Omit<SurfaceCall, "caller" | "isCurrent">): Response | Promise<Response>
}

/** What a surface gets along with the request. */
export interface SurfaceCall {
  readonly caller: Caller
  readonly agents: ServedAgents
  /** Aborted when the client disconnects, or when the server stops waiting for the answer. */
  readonly signal: AbortSignal
  /** Whether the caller would still be let in as the same one: for answers that have no end of their own. */
  readonly isCurrent: () => Promise<boolean>
  /** Adds the reason of a failure to the line of the access log; clients don't get it. */
  readonly failed: (error: unknown) => void
  /** The id of the request, as in the access log and the header `x-request-id`. */
  readonly id: string
}

/** The agents of the workspace that this process serves. */
export interface ServedAgents {
  /** The main agent first. */
  readonly names: readonly string[]
  /** Undefined if there is none by that name. */
  named(name: string): RunningAgent | undefined
  readonly main: RunningAgent
}

/** Why the server did not pass a request on. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 413 | 421 | 429 | 500 | 503
  /** A stable word, such as "no-token". */
  readonly code: string
  /** One line for people: what is wrong and what to do. */
  readonly message: string
}

/** The JSON of a refusal; the server adds the status and headers such as `retry-after`. */
export type RefusalBody = Readonly<Record<string, unknown>>
