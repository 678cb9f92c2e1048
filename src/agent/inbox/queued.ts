// The queue as people see it: which messages wait and why, trying one again at once, and taking one out.
import { IncipitError } from "../../base/error.ts"
import type { Waiting } from "../../database/contract/inbox.ts"
import type { Sender } from "../../database/contract/sender.ts"
import type { QueuedMessages } from "../setup/agent.ts"
import type { Services } from "../setup/services.ts"
import { NEVER_STOPPED } from "../turn/never-stopped.ts"
import { mayKnowWhy } from "../turn/provider/failure-words.ts"
import { isQueued, type QueuedMessage, queuedOf } from "./message/queued-message.ts"
import { isSameKey } from "./people.ts"
import { NOBODY_LISTENS } from "./present-audience.ts"
import { answerTo, type SendServices } from "./send.ts"
import { type StopServices, takeBack } from "./stops.ts"

type ListServices = Pick<Services, "store" | "people" | "workspace" | "clock">

export function createQueued(services: SendServices & StopServices): QueuedMessages {
  const { store, workspace, queue, worker } = services
  return {
    list: (from) => queuedMessages(services, from),
    async retry(turn, { from, ...given } = {}) {
      await workspace.refresh()
      const waiting = await queuedMessage(services, turn, from)
      return queue.whileAwaited(turn, () => answerTo(services, waiting, { ...given, isUrgent: true }))
    },
    async drop(turn, from) {
      const waiting = await queuedMessage(services, turn, from)
      if ((await takeBack(services, waiting)) === undefined) {
        await store.inbox.stop(turn)
        // Ended by whoever comes to it, which is now if nothing is before it.
        if ((await store.inbox.next(waiting.session))?.turn === turn)
          await worker.settle(waiting, { ...NOBODY_LISTENS, signal: NEVER_STOPPED })
      }
      // Who dropped it knows; a channel still tells its sender.
      if (waiting.message.channel === undefined) await store.outbox.markSent(turn)
    },
  }
}

async function queuedMessages(
  services: ListServices,
  from: Sender | undefined,
): Promise<readonly QueuedMessage[]> {
  const { store, people, workspace, clock } = services
  const queued = queuedOf(await store.inbox.open(workspace.current().id), clock.now())
  if (from === undefined) return queued
  const own = await Promise.all(queued.map((message) => isOf(services, message, from)))
  const mayKnow = mayKnowWhy(people.listenersTrust(from))
  return queued
    .filter((_, at) => own[at])
    .map((message) => (mayKnow ? message : { ...message, error: undefined }))
}

/** Another sender's message is reported as missing, so that its existence is not revealed. */
async function queuedMessage(
  services: ListServices,
  turn: string,
  from: Sender | undefined,
): Promise<Waiting> {
  const waiting = await services.store.inbox.message(turn)
  const isThere = waiting !== undefined && isQueued(waiting, services.clock.now())
  if (isThere && (await isOf(services, waiting, from))) return waiting
  throw new IncipitError("not-queued", `there is no queued message "${turn}"`)
}

async function isOf(
  { store, people }: Pick<Services, "store" | "people">,
  { session }: Pick<Waiting, "session">,
  from: Sender | undefined,
): Promise<boolean> {
  if (from === undefined) return true
  const facts = await store.sessions.facts(session)
  return facts !== undefined && isSameKey(facts, people.keyOf(from))
}
