// Who asks, and what they may see of the record: the owner, at full trust in a direct conversation, sees all; anybody
// else what happened in their own session.
import type { Trust } from "../../base/trust.ts"
import type { Counter } from "../../core/model/counter.ts"
import type { Memory } from "../../memory/memory.ts"
import type { Sight } from "../../record/ask/visibility.ts"
import type { Recorder } from "../../record/write/record.ts"
import type { Scope } from "../../record/write/scope.ts"
import type { ToolHost } from "../host.ts"

/** The session in which a tool is called. `trust` is the effective one. */
export interface Asker {
  readonly session: string
  readonly user?: string
  readonly trust: Trust
  readonly situation: string
  /** Whoever runs the agent, and not in a room; a room may be configured like a direct conversation. */
  readonly isOwner: boolean
}

/** What a tool may use, besides its input. */
export interface ToolContext extends Asker {
  readonly record: Pick<Recorder, "read" | "flush" | "health">
  readonly now: () => number
  /** An IANA name; times are told in it. */
  readonly timeZone: string
  readonly counter: Counter
  /** The most that an answer may take. */
  readonly mostTokens?: number
  /** Where tools that act say what they did. */
  readonly scope?: Pick<Scope, "event"> & Partial<Pick<Scope, "origin">>
  /** Who is named as the author of what is written for the asker; `user` if absent. */
  readonly author?: string
  /** Asked with the asker's trust, always. */
  readonly memory?: Memory
  /** Explains from what this session was told. */
  readonly explain?: (what: string) => readonly string[]
  /** The agent that runs; tools that act need it. */
  readonly host?: ToolHost
}

export function sightOf({ session, user, trust, situation, isOwner }: Asker): Sight | undefined {
  return isOwner && trust === "full" && situation === "dm" ? undefined : { session, user, trust }
}
