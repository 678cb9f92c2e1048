// Conversations that a client holds: sessions that begin with messages from elsewhere, or branch off at an earlier
// place. For clients that send the whole conversation with every request.
import { defined } from "../../base/defined.ts"
import { guardPart } from "../../core/layout/guard-part.ts"
import type { Message } from "../../core/model/message.ts"
import type { Waiting } from "../../database/contract/inbox.ts"
import type { SessionFacts } from "../../database/contract/sessions.ts"
import type { Item } from "../../database/contract/transcripts.ts"
import { isSameKey, type SenderFacts } from "../inbox/people.ts"
import type { Services } from "../setup/services.ts"
import { forkAfter } from "./fork.ts"
import type { Conversations, FoundPlace, Place } from "./held-conversations.ts"

type ConversationServices = Pick<Services, "store" | "people" | "clock" | "secrets" | "events">

export function createConversations(services: ConversationServices): Conversations {
  const { store, people, clock } = services
  return {
    async place(from, session) {
      if ((await ownSession(services, from, session)) === undefined) return undefined
      const last = await store.inbox.last(session)
      if (last === undefined) return undefined
      const items = await store.transcripts.read(session)
      const seq = items.reduce((most, item) => Math.max(most, item.seq), 0)
      return { session, turn: last.turn, seq, isLast: true, ...factsOf(last) }
    },
    remember: ({ session, turn, seq }, names) => store.places.remember({ session, turn, seq, ...names }),
    async find(from, by) {
      const key = people.keyOf(from)
      const found =
        "response" in by
          ? await store.places.byResponse(key, by.response)
          : await store.places.byDigest(key, by.digests)
      return found && { ...found, ...factsOf(await store.inbox.message(found.turn)) }
    },
    async begin(from, messages) {
      const { id } = await store.sessions.create(clock.id(), people.keyOf(from))
      await store.transcripts.add(id, ...messages.map((message) => itemOf(services, message)))
      return id
    },
    async branch(from, place, messages) {
      const session = await wholeSession(services, from, place)
      if (session === undefined) return undefined
      const append = messages.map((message) => itemOf(services, message))
      return (await forkAfter(services, session.id, { upTo: place.seq, append }))?.session
    },
  }
}

/** Retention may have removed the message. */
function factsOf(waiting: Waiting | undefined): Pick<FoundPlace, "isWaiting" | "brought"> {
  const { clientTools, instructions } = waiting?.message ?? {}
  return { isWaiting: waiting?.state === "suspended", brought: defined({ clientTools, instructions }) }
}

/** The session, if it is the sender's. */
async function ownSession(
  { store, people }: ConversationServices,
  from: SenderFacts,
  session: string,
): Promise<SessionFacts | undefined> {
  const found = await store.sessions.facts(session)
  return found !== undefined && isSameKey(found, people.keyOf(from)) ? found : undefined
}

/** The same, if it still has its conversation up to there. */
async function wholeSession(
  services: ConversationServices,
  from: SenderFacts,
  { session, seq }: Place,
): Promise<SessionFacts | undefined> {
  const found = await ownSession(services, from, session)
  if (found === undefined) return undefined
  return (await services.store.transcripts.read(session)).some((item) => item.seq === seq) ? found : undefined
}

/** Anybody can write such messages, so none of their text may pass for the compiler's own. */
function itemOf({ secrets }: Pick<Services, "secrets">, { role, parts }: Message): Item {
  const message = { role, parts: parts.map((part) => guardPart(part)) }
  return secrets.within({ kind: "message", message })
}
