// Messages that come during a turn and steer it: the turn takes them up with its next step, and its answer is theirs.
// Those that it cannot take up wait for turns of their own.
import { atLeast } from "../../base/trust.ts"
import type { Incoming, Waiting } from "../../database/contract/inbox.ts"
import type { Item } from "../../database/contract/transcripts.ts"
import type { Services } from "../setup/services.ts"
import { type OpeningServices, personsItem } from "./opening.ts"
import { senderOf, type Work } from "./work.ts"

export type FurtherServices = Pick<OpeningServices, "workspace" | "secrets"> &
  Pick<Services, "store" | "people">

/** The items for the next step. They count as taken once that step has stored them. */
export async function furtherMessages(services: FurtherServices, work: Work): Promise<readonly Item[]> {
  const { store, people } = services
  const waiting = await store.steering.take(work.lease, work.turn.id)
  const taken = inOrder(waiting, ({ message }) => mayJoin(services, work, message))
  work.joining = taken.map(({ turn }) => turn)
  return taken.map(({ turn, message }) => {
    work.scope.event("message_received", { data: { length: message.text.length, joined: turn } })
    work.tell({ kind: "message-joined", turn, text: message.text })
    return personsItem(services, work, { message, trust: people.actingTrust(message, work.gathered.session) })
  })
}

/** A message that has to wait holds back the later ones of its sender, so that each sender's stay in order. */
function inOrder(waiting: readonly Waiting[], mayJoin: (one: Waiting) => boolean): readonly Waiting[] {
  const heldBack = new Set<string>()
  return waiting.filter((one) => {
    const sender = JSON.stringify(senderOf(one.message))
    if (!heldBack.has(sender) && mayJoin(one)) return true
    heldBack.add(sender)
    return false
  })
}

/**
 * The turn acts with the rights of whom it answers. Nobody with less trust may tell it what to do with them, and access
 * may have changed since the message came.
 */
function mayJoin({ people }: FurtherServices, work: Work, message: Incoming): boolean {
  const { session, gathered, trust, turn } = work
  if (!people.isCurrent(session, message)) return false
  const isSameMode = message.planMode === undefined || message.planMode === turn.planMode
  return isSameMode && atLeast(people.actingTrust(message, gathered.session), trust)
}

/** Whether a message is only words and files. Anything else is about a turn of its own. */
export function isPlain(message: Incoming): boolean {
  const { clientTools, instructions, mode, task, background, isPart, entry } = message
  return [clientTools, instructions, mode, task, background, isPart, entry].every((one) => one === undefined)
}
