// Who a token of a request belongs to. What cannot be shown to be somebody's is the client's own; nothing is guessed.

export const OWNER_KINDS = [
  "file",
  "field",
  "tool",
  "mcp-tool",
  "hook",
  "envelope",
  "client",
  "conversation",
  "tool-result",
  "output",
] as const
export type OwnerKind = (typeof OWNER_KINDS)[number]

/**
 * `exact`: the same text, line by line. `inferred`: lines between or right after owned lines of the same envelope, as the
 * file was then. `one-of`: several files have this text, and nothing says which one was read.
 */
export const MATCHES = ["exact", "inferred", "one-of"] as const
export type Match = (typeof MATCHES)[number]

export interface Owner {
  readonly kind: OwnerKind
  /** Of a file or of the file that a field is in. */
  readonly path?: string | undefined
  /** First and last line, from 1, in the file as it was then. */
  readonly lines?: readonly [number, number] | undefined
  /** A tool, skill, agent, command or hook; for a conversation the role; for the client the place (system, tools, …). */
  readonly name?: string | undefined
  readonly server?: string | undefined
  /** For a tool result: what the tool was called with, shortened to one line. */
  readonly input?: string | undefined
  readonly match: Match
}

/** A stretch of a part's text and its owner. The stretches of a part cover it without gaps. */
export interface OwnedSpan {
  /** UTF-16 offsets in the part's text. */
  readonly start: number
  readonly end: number
  readonly tokens: number
  readonly owner: Owner
}
