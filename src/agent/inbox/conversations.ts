// Conversations that a client holds: sessions that begin with messages from elsewhere, or branch off at an earlier
// place. For clients that send the whole conversation with every request.
import type { Message } from "../../core/model/message.ts"
import type { StoredSession } from "../../database/contract/sessions.ts"
import type { Item } from "../../database/contract/transcripts.ts"
import { forkAfter } from "../branch/fork.ts"
import type { Services } from "../setup/services.ts"
import type { Conversations, Place } from "./held-conversations.ts"
import { isSameKey, type SenderFacts } from "./people.ts"

type ConversationServices = Pick<Services, "store" | "people" | "clock" | "secrets" | "events">

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
      for (const message of messages) await store.transcripts.add(id, itemOf(services, message))
      return id
    },
    async branch(from, place, messages) {
      const session = await wholeSession(services, from, place)
      if (session === undefined) return undefined
      const append = messages.map((message) => itemOf(services, message))
      return (await forkAfter(services, session, { upTo: place.seq, append }))?.session
    },
  }
}

/** The session, if it is the sender's and still has its conversation up to there. */
async function wholeSession(
  { store, people }: ConversationServices,
  from: SenderFacts,
  { session, seq }: Place,
): Promise<StoredSession | undefined> {
  const found = await store.sessions.get(session)
  if (found === undefined || !isSameKey(found, people.keyOf(from))) return undefined
  return (await store.transcripts.read(session)).some((item) => item.seq === seq) ? found : undefined
}

function itemOf({ secrets }: Pick<Services, "secrets">, message: Message): Item {
  return secrets.within({ kind: "message", message })
}
