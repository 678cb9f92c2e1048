// How much of what was recorded about a session a reader sees.
import { atLeast } from "../../../base/trust.ts"
import type { Sight } from "../../../database/contract/record/event-log.ts"
import type { Receipt } from "../../../record/ask/replay.ts"
import { mayReadReasons } from "../../../record/ask/visibility.ts"
import { isAside } from "./aside.ts"
import { sightOf } from "./sight.ts"

export interface Seen {
  readonly sight: Sight | undefined
  /** Tokens, costs, errors, what tools did, and what the agent asked beside its turns. */
  readonly isWhole: boolean
}

export function seenBy(reader: Parameters<typeof sightOf>[0], session: string): Seen {
  const sight = sightOf(reader, session)
  return { sight, isWhole: mayReadReasons(sight) }
}

export function isSeen(receipt: Pick<Receipt, "trust" | "turn">, { sight, isWhole }: Seen): boolean {
  if (!isWhole && isAside(receipt)) return false
  return sight === undefined || atLeast(sight.trust, receipt.trust)
}
