// Moves a message to the session it belongs to now. The session is chosen when a message arrives. If the configuration
// has changed since, the sender may no longer see that session's transcript, or the prompt may no longer match the
// session.
import { mostOf } from "../../base/trust.ts"
import type { Waiting } from "../../database/contract/inbox.ts"
import type { Lease } from "../../database/contract/lease.ts"
import type { StoredSession } from "../../database/contract/sessions.ts"
import type { Services } from "../setup/services.ts"
import { noteOf, withoutSent } from "../turn/provider/refused.ts"
import { originOf, replyWithoutSteps } from "../turn/work.ts"
import { isGone } from "./lease.ts"

export type PlaceServices = Pick<Services, "store" | "people" | "events" | "clock">

/** The message has left its session: it was moved to another one, or ended. */
export const MOVED = Symbol("moved")

/**
 * Returns the session of a message if it is the right one. If not, moves the message to the session of its present
 * audience, or ends its turn if that has already run tools, which would run again.
 */
export async function placeOf(
  services: PlaceServices,
  { lease, waiting }: HeldMessage,
): Promise<StoredSession | undefined | typeof MOVED> {
  const { store, people } = services
  const session = await store.sessions.get(waiting.session)
  if (session === undefined || people.isCurrent(session, waiting.message)) return session
  const misplaced = { lease, waiting, session }
  if (await store.runs.any(waiting.turn)) await end(services, misplaced)
  else await move(services, misplaced)
  return MOVED
}

/** A message of a session that this process holds. */
export interface HeldMessage {
  readonly lease: Lease
  readonly waiting: Waiting
}

interface Misplaced extends HeldMessage {
  readonly session: StoredSession
}

async function move(
  { store, people, events, clock }: PlaceServices,
  { lease, waiting, session: from }: Misplaced,
): Promise<void> {
  const { session: to } = await store.sessions.currentOrNew(people.keyOf(waiting.message), clock.id())
  const state = { was: from.state, now: withoutSent(from.state) }
  await store.inbox.move(lease, { turn: waiting.turn, to: to.id }, state)
  // Only people with the higher trust may learn that such a conversation existed.
  const origin = { ...originOf(to, waiting), trust: mostOf(from.trust, to.trust) }
  events.scope(origin, waiting.message.span).event("trust_resolved", {
    level: "warn",
    data: { ...people.trustFacts(waiting.message, to), moved_from: from.id },
  })
}

const ENDED =
  "Stopped: access to this conversation changed while I was working on this. Part of it may be done. Ask again if you still need it."
const NOTE = "A message of mine was stopped because access changed, and is left out here."

async function end(
  { store, events, clock }: PlaceServices,
  { lease, waiting, session }: Misplaced,
): Promise<void> {
  const { turn } = waiting
  const items = (await store.transcripts.read(session.id)).filter((item) => item.turn === turn)
  const change = {
    ...{ turn, past: items.map(({ seq }) => seq), append: noteOf(items, NOTE) },
    state: { was: session.state, now: withoutSent(session.state) },
  }
  const reply = replyWithoutSteps(waiting, "stopped", ENDED)
  // Deliver its answer ourselves if the process that received the message is gone.
  await store.inbox.begin(lease, turn, { takesOver: isGone(waiting.takenBy, clock.now() - waiting.at) })
  await store.inbox.finish(lease, change, reply)
  events
    .scope(originOf(session, waiting), waiting.message.span)
    .event("turn_completed", { level: "warn", error: "the audience has changed", data: { state: "stopped" } })
}
