// What feeds the sections of a turn, as the runtime has it. create-feeding.ts makes it.
import type { Scope } from "../../record/write/scope.ts"
import type { StoredSession, Waiting } from "../store/stored.ts"
import type { GatheredTurn } from "../turn/gathered-turn.ts"
import type { Feeds } from "./feeds.ts"

export interface FeedFacts {
  readonly waiting: Waiting
  readonly session: StoredSession
  readonly gathered: GatheredTurn
  readonly scope: Scope
  /** A resumed turn's message was observed the first time. */
  readonly isResumed: boolean
  /** Tokens left in the conversation. */
  readonly remaining: number
}

export interface Feeding {
  /** Never throws: a feeder that fails leaves its section out and the failure is reported. */
  feed(facts: FeedFacts): Feeds
  /** Resolves when nothing started beside a turn is still running. */
  settled(): Promise<void>
}
