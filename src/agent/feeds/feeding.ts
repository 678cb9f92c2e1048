// The feeders of a running agent. `read` fills the sections of a prompt and has no effects.
// Anything that asks a model or writes happens with a turn or after it. `create-feeding.ts` makes it.
import type { Waiting } from "../../database/contract/inbox.ts"
import type { StoredSession } from "../../database/contract/sessions.ts"
import type { Scope } from "../../record/write/scope.ts"
import type { GatheredTurn } from "../turn/prompt/gathered-turn.ts"
import type { Feeds } from "./feeds.ts"

export interface FeedFacts {
  readonly message: string
  readonly session: StoredSession
  readonly gathered: Pick<GatheredTurn, "session">
  /** Tokens left in the conversation. */
  readonly remaining: number
}

/** The part of the feeders that a preview has. */
export interface FeedReader {
  /** Has no effects and never throws: a feeder that fails leaves its section out and the failure is reported. */
  read(facts: FeedFacts): Promise<Feeds>
}

/** A turn in progress. */
export interface FedTurn {
  readonly waiting: Waiting
  readonly session: StoredSession
  readonly gathered: GatheredTurn
  readonly scope: Scope
}

export interface Feeding extends FeedReader {
  /** Starts what only this turn can use: asking a model how its message reads. Never waits for the answer. */
  beginTurn(turn: FedTurn): void
  /**
   * Does the work that a finished turn leaves: learns from its message, and makes a new bulletin if one is due. Never
   * throws and never waits for a model. `feeds`: what was read for the turn.
   */
  afterTurn(turn: FedTurn & { readonly feeds: Feeds }): Promise<void>
  /** Resolves when nothing started for a turn is still running. */
  settled(): Promise<void>
}
