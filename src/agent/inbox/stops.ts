// Stops turns from anywhere: from this process at once, from others through the store, where the process that works on a
// turn looks. What was done until then is kept, and the turn ends with what was written.
import { atLeast } from "../../base/trust.ts"
import type { Waiting } from "../../database/contract/inbox.ts"
import type { Sender } from "../../database/contract/sender.ts"
import { quietly } from "../../database/tolerate.ts"
import type { Services } from "../setup/services.ts"
import type { SentReply } from "../turn/live-event.ts"
import { originOf, replyWithoutSteps } from "../turn/work.ts"
import { sessionFor } from "./receive.ts"

export interface Stops {
  /** Runs `work` with a signal that is also aborted when somebody asks to stop the turn. */
  during<T>(
    waiting: Pick<Waiting, "turn" | "isStopping">,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  /** Stops the unfinished turns of a session that the sender may stop, and returns how many there were. */
  stop(session: string, from: Sender): Promise<number>
}

/** How often to look whether another process wants a turn of this one to stop. */
const LOOK_MS = 500
/** The same if the store wakes this process; one wake-up may be missed. */
const MISSED_MS = 5_000

export type StopServices = TakeBackServices & Pick<Services, "people" | "clock" | "workspace">

export function createStops(services: StopServices): Stops {
  const { store, workspace } = services
  const running = new Map<string, AbortController>()
  let rest: (() => void) | undefined
  const look = async () => {
    const turns = (await quietly(() => store.inbox.toStop(workspace.current().id))) ?? []
    for (const turn of turns) running.get(turn)?.abort()
  }
  const watch = () => {
    const { areSent, listen } = store.wakeUps
    const timer = setInterval(() => void look(), areSent ? MISSED_MS : LOOK_MS).unref()
    const stop = listen(({ kind }) => {
      if (kind === "stop") void look()
    })
    return () => {
      clearInterval(timer)
      stop()
    }
  }
  return {
    async during({ turn, isStopping }, signal, work) {
      const stop = new AbortController()
      if (isStopping) stop.abort()
      running.set(turn, stop)
      rest ??= watch()
      try {
        return await work(AbortSignal.any([signal, stop.signal]))
      } finally {
        running.delete(turn)
        if (running.size === 0) {
          rest?.()
          rest = undefined
        }
      }
    },
    async stop(session, from) {
      const unfinished = await stoppable(services, session, from)
      for (const waiting of unfinished) {
        if ((await takeBack(services, waiting)) !== undefined) continue
        await store.inbox.stop(waiting.turn)
        running.get(waiting.turn)?.abort()
      }
      return unfinished.length
    },
  }
}

/** In a room, nobody stops what somebody with more trust has asked for. */
async function stoppable(services: StopServices, id: string, from: Sender): Promise<readonly Waiting[]> {
  const { store, people } = services
  const { session } = await sessionFor(services, from, { session: id })
  const trust = people.listenersTrust(from)
  const unfinished = await store.inbox.unfinished(session.id)
  return unfinished.filter(({ message }) => atLeast(trust, people.listenersTrust(message)))
}

export type TakeBackServices = Pick<Services, "store" | "events">

/** Ends a message that no worker has begun; returns undefined if one has. */
export async function takeBack(
  { store, events }: TakeBackServices,
  taken: Waiting,
): Promise<SentReply | undefined> {
  const waiting = (await quietly(() => store.inbox.message(taken.turn))) ?? taken
  const reply = replyWithoutSteps(waiting, "stopped", "Stopped: no answer was written yet.")
  // If this fails, the message is not taken back, and its worker will hit and report the same error.
  return quietly(async () => {
    const session = await store.sessions.facts(waiting.session)
    if (session === undefined || !(await store.inbox.takeBack(reply))) return undefined
    const scope = events.scope(originOf(session, waiting), waiting.message.span)
    scope.event("turn_completed", { data: { state: "stopped", steps: 0 } })
    return { ...reply, prompt: undefined }
  })
}
