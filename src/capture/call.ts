// One model call of any client, in the form that everything else in this folder works on: who called, what was used, and
// as much of the request as is known. Plain data; readers in clients/ and the proxy make it.

import type { JsonObject } from "../record/write/request-marks.ts"
import type { Usage } from "../render/cache/price.ts"

/** Clients whose calls can be read. `other`: anything in our own JSON Lines form, or seen by the proxy. */
export const CLIENTS = [
  "claude-code",
  "agent-sdk",
  "codex",
  "pi",
  "opencode",
  "gemini-cli",
  "openclaw",
  "incipit",
  "other",
] as const
export type Client = (typeof CLIENTS)[number]

/** The provider's format of a request. */
export const FORMATS = ["anthropic", "openai-responses", "openai-chat", "google"] as const
export type Format = (typeof FORMATS)[number]

/**
 * How much of the request is known. `exact`: everything that counts for the cache, from the wire or verified by a digest.
 * `partial`: some of its text, in its order; the rest is the client's own. `none`: only what was used.
 */
export const COVERAGES = ["exact", "partial", "none"] as const
export type Coverage = (typeof COVERAGES)[number]

/** What was used by one call: all that the totals need. Reading it is fast, because no request is put together. */
export interface CalledUsage {
  /** The same for the same call wherever it is read, so that a call that is found twice counts once. */
  readonly id: string
  readonly client: Client
  /** As the client names it. */
  readonly session: string
  /** The folder that the client worked in. */
  readonly project?: string | undefined
  /** When it was answered, in milliseconds since 1970. */
  readonly at: number
  readonly model: string
  readonly usage: Usage
  /** What the client itself says that it cost. */
  readonly reportedUsd?: number | undefined
  /** Seen on its way to the provider. The client's own files may hold the same call under another id. */
  readonly via?: "wire" | undefined
}

/** A whole call. */
export interface CapturedCall extends CalledUsage {
  readonly version?: string | undefined
  /** Calls of a sub-agent, a title or a summary have prefixes of their own: they are compared only with each other. */
  readonly thread: string
  readonly format: Format
  readonly coverage: Coverage
  /** As sent, in the provider's format, with its cache marks. For `partial`: the part that is known. */
  readonly request?: JsonObject | undefined
  /** Files that the client says it has put into a request, as they were then. */
  readonly files: readonly SeenFile[]
}

/** A file as a client read it. */
export interface SeenFile {
  readonly path: string
  readonly text: string
}
