// Who is asking, and what they may see of the record: the owner, at full trust in a direct conversation, sees
// everything; others see only their own session.
import type { Trust } from "../base/trust.ts"
import type { Counter } from "../core/model/counter.ts"
import type { MessageFile } from "../database/contract/message-file.ts"
import type { Sight } from "../database/contract/record/event-log.ts"
import type { SharedMemory } from "../memory/shared-memory.ts"
import type { Recorder } from "../record/write/record.ts"
import type { Scope } from "../record/write/scope.ts"
import type { ToolHost } from "./host.ts"

/** The session in which a tool is called. `trust` is the effective one. */
export interface Caller {
  readonly session: string
  readonly user?: string
  readonly trust: Trust
  readonly situation: string
  /** The person who runs the agent, and not in a room; a room may be configured like a direct conversation. */
  readonly isOwner: boolean
}

/** What a tool may use in addition to its input. */
export interface ToolContext extends Caller {
  readonly record: Pick<Recorder, "read" | "flushIfFree" | "health">
  readonly now: () => number
  /** An IANA name; times are shown in this zone. */
  readonly timeZone: string
  readonly counter: Counter
  /** The token limit for an answer. */
  readonly mostTokens?: number
  /** Where acting tools record what they did. */
  readonly scope?: Pick<Scope, "event"> & Partial<Pick<Scope, "origin">>
  /** The author of what is written for the caller. Default: `user`. */
  readonly author?: string
  /** Always queried with the caller's trust. */
  readonly memory?: SharedMemory
  /** Explains from what was sent in this session. */
  readonly explain?: (what: string) => readonly string[]
  /** Gives the model an image beside the result. Returns false if it isn't taken: too large, too many, or no image. */
  readonly attach?: (file: MessageFile) => boolean
  /** The running agent; acting tools need it. */
  readonly host?: ToolHost
}

export function sightOf({ session, user, trust, situation, isOwner }: Caller): Sight | undefined {
  return isOwner && trust === "full" && situation === "dm" ? undefined : { session, user, trust }
}
