// Where earlier answers are found again: by their turn, or by the conversation up to them. Only by the person they were
// for.
import type { Place } from "../../agent/inbox/held-conversations.ts"
import { type Digest, digestOf } from "../../base/digest.ts"
import type { Said } from "./talk-request.ts"

/** Finds the sessions of conversations that clients hold. */
export interface ConversationIndex {
  /** `owner`: agent, user, situation and trust as one text. */
  byTurn(owner: string, turn: string): Promise<Place | undefined>
  byDigest(owner: string, digest: Digest): Promise<Place | undefined>
  /** `digest`: of the conversation up to and with the answer of that turn. A later place replaces an earlier one. */
  remember(owner: string, digest: Digest, place: Place): Promise<void>
  /** What was first requested under an idempotency key. */
  claimed(owner: string, key: string): Promise<Claim | undefined>
  /** Stores it unless there is one, and returns what is stored. */
  claim(owner: string, key: string, claim: Claim): Promise<Claim>
}

/** A request with an idempotency key. */
export interface Claim {
  /** Of its body. */
  readonly body: Digest
  /** Resolved for the first request; its repetitions use the same. */
  readonly session: string | undefined
}

/** Trailing space is not compared: clients remove it. */
export function conversationDigest(said: readonly Said[]): Digest {
  return digestOf(said.flatMap(({ role, text }) => [role, text.trim()]))
}

/**
 * In the memory of this process, for `most` answers. One that is forgotten costs a new session, which begins with the
 * messages that the client sends.
 */
export function createConversationIndex(most = 20_000): ConversationIndex {
  const places = newest<Place>(most)
  const claims = newest<Claim>(most)
  return {
    byTurn: async (owner, turn) => places.get(keyOf("turn", owner, turn)),
    byDigest: async (owner, digest) => places.get(keyOf("digest", owner, digest)),
    async remember(owner, digest, place) {
      places.set(keyOf("turn", owner, place.turn), place)
      places.set(keyOf("digest", owner, digest), place)
    },
    claimed: async (owner, key) => claims.get(keyOf("claim", owner, key)),
    async claim(owner, key, claim) {
      const name = keyOf("claim", owner, key)
      const first = claims.get(name) ?? claim
      claims.set(name, first)
      return first
    },
  }
}

/** Forgets the oldest entries. */
function newest<Value>(most: number) {
  const entries = new Map<string, Value>()
  return {
    get: (key: string) => entries.get(key),
    set(key: string, value: Value) {
      entries.delete(key)
      entries.set(key, value)
      const [oldest] = entries.keys()
      if (entries.size > most && oldest !== undefined) entries.delete(oldest)
    },
  }
}

function keyOf(kind: "turn" | "digest" | "claim", owner: string, what: string): string {
  return JSON.stringify([kind, owner, what])
}
