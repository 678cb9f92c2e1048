// What a program gets to know about a session: a line of a list, or all of it.
import type { Trust } from "../../base/trust.ts"
import type { Mode } from "../../core/model/mode.ts"
import type { StoredItem } from "../../database/contract/transcripts.ts"

/** One session, as listed for people. */
export interface SessionInfo {
  readonly id: string
  readonly who: string
  readonly situation: string
  readonly trust: Trust
  readonly createdAt: number
  readonly usedAt: number
  readonly turns: number
  /** The first words of the first message. */
  readonly title: string
}

/** A part of a list of sessions. */
export interface SessionPage {
  /** How many, at most. */
  readonly limit: number
  /** The last session of the page before. */
  readonly after?: Pick<SessionInfo, "usedAt" | "id"> | undefined
  /** Also those of delegated parts; only without a sender. */
  readonly withParts?: boolean | undefined
}

/** A session and what was said in it. */
export interface SessionTranscript extends Omit<SessionInfo, "turns" | "title"> {
  /** `subagent`: a delegated part, which nobody continues. */
  readonly mode: Mode
  /** What the model reads, oldest first: messages with their turn context, and a summary of what came before. */
  readonly items: readonly StoredItem[]
}
