// A message of the queue, as people see it.
import { defined } from "../../../base/defined.ts"
import type { Waiting } from "../../../database/contract/inbox.ts"
import type { Sender } from "../../../database/contract/sender.ts"
import { isGone } from "../lease.ts"

/** A message that waits to be tried again. */
export interface QueuedMessage {
  readonly turn: string
  readonly session: string
  readonly from: Sender
  readonly text: string
  /** When it was received. */
  readonly at: number
  /** How often it was tried. */
  readonly attempts: number
  /** When it is tried next by an agent that is open; undefined if it is due. */
  readonly notBefore: number | undefined
  /** Why the last try failed, for whom may know. */
  readonly error: string | undefined
  /** The message of its session that is answered first. */
  readonly behind: string | undefined
}

/** Those that wait, of the open messages of an agent in their order. */
export function queuedOf(open: readonly Waiting[], now: number): readonly QueuedMessage[] {
  return open
    .filter((waiting) => isQueued(waiting, now))
    .map(({ turn, session, message, at, attempts, notBefore, error, order }) => {
      const { as, channel, sender, isLocal, situation } = message
      return {
        ...{ turn, session, at, attempts, error },
        from: defined({ as, channel, sender, isLocal, situation }),
        text: message.text,
        notBefore: notBefore > now ? notBefore : undefined,
        behind: open.find((one) => one.session === session && one.order < order)?.turn,
      }
    })
}

/** It was put back, or its process is gone. A caller waits for the answer to a delegated part. */
export function isQueued({ message, state, notBefore, takenBy, at }: Waiting, now: number): boolean {
  if (message.isPart === true || (state !== "waiting" && state !== "working")) return false
  return isGone(takenBy, now - at) || (state === "waiting" && notBefore > 0)
}
