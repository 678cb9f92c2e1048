// Conversations that a client holds: sessions that begin with messages from elsewhere, or branch off at an earlier
// place. For clients that send the whole conversation with every request.
import type { Message } from "../../core/model/message.ts"
import type { Services } from "../setup/services.ts"
import type { Conversations, Place } from "./held-conversations.ts"
import { isSameKey, type SenderFacts } from "./people.ts"

type ConversationServices = Pick<Services, "store" | "people" | "clock" | "secrets">

export function createConversations(services: ConversationServices): Conversations {
  const { store, people, clock } = services
  return {
    async place(session) {
      const last = await store.inbox.last(session)
      if (last === undefined) return undefined
      const items = await store.transcripts.read(session)
      return { session, turn: last.turn, seq: items.reduce((most, { seq }) => Math.max(most, seq), 0) }
    },
    async begin(from, messages) {
      const { id } = await store.sessions.create(clock.id(), people.keyOf(from))
      await addAll(services, id, messages)
      return id
    },
    async branch(from, place, messages) {
      if (!(await isWhole(services, from, place))) return undefined
      const made = await store.transcripts.fork(place.session, { as: clock.id(), upTo: place.seq })
      if (made === undefined) return undefined
      await addAll(services, made.session, messages)
      return made.session
    },
  }
}

/** Whether the session is the sender's and still has its conversation up to there. */
async function isWhole(
  { store, people }: ConversationServices,
  from: SenderFacts,
  { session, seq }: Place,
): Promise<boolean> {
  const found = await store.sessions.get(session)
  if (found === undefined || !isSameKey(found, people.keyOf(from))) return false
  return (await store.transcripts.read(session)).some((item) => item.seq === seq)
}

async function addAll(
  { store, secrets }: ConversationServices,
  session: string,
  messages: readonly Message[],
): Promise<void> {
  for (const message of messages)
    await store.transcripts.add(session, secrets.within({ kind: "message", message }))
}
