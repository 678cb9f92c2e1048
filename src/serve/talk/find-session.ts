// Which session a request belongs to: the one that the client names, else the one whose conversation the request's
// earlier messages continue, else a new one. An edit or a second answer to the same message branches.
import type { Conversations, Place } from "../../agent/inbox/held-conversations.ts"
import type { Sender } from "../../database/contract/sender.ts"
import { type ConversationIndex, conversationDigest } from "./conversation-index.ts"
import { SurfaceError } from "./surface-error.ts"
import { messageOf, type Said, type TalkRequest } from "./talk-request.ts"

export interface SessionFinder {
  readonly index: ConversationIndex
  readonly conversations: Conversations
  readonly owner: string
  readonly from: Sender
}

/** Returns undefined for a conversation that begins. */
export async function findSession(
  finder: SessionFinder,
  { session, previous, earlier }: Pick<TalkRequest, "session" | "previous" | "earlier">,
): Promise<string | undefined> {
  if (session !== undefined) return session
  if (previous !== undefined) {
    const place = await finder.index.byTurn(finder.owner, previous)
    return (place && (await continued(finder, place, earlier))) ?? notThere(previous)
  }
  if (earlier.length === 0) return undefined
  const known = await longestKnown(finder, earlier)
  const found = known && (await continued(finder, known.place, earlier.slice(known.length)))
  return found ?? finder.conversations.begin(finder.from, earlier.map(messageOf))
}

function notThere(turn: string): never {
  throw new SurfaceError(
    404,
    "previous_response_not_found",
    `there is no response "resp_${turn}" for this caller; send the conversation in input instead`,
    "previous_response_id",
  )
}

/** The longest beginning of the conversation that ends with an answer of ours. */
async function longestKnown({ index, owner }: SessionFinder, earlier: readonly Said[]) {
  for (let length = earlier.length; length > 0; length -= 1) {
    if (earlier[length - 1]?.role !== "assistant") continue
    const place = await index.byDigest(owner, conversationDigest(earlier.slice(0, length)))
    if (place !== undefined) return { place, length }
  }
  return undefined
}

/** The same session if nothing came after that place, else a branch of it. */
async function continued(
  { conversations, from }: SessionFinder,
  place: Place,
  rest: readonly Said[],
): Promise<string | undefined> {
  const now = await conversations.place(place.session)
  if (now?.turn === place.turn && rest.length === 0) return place.session
  return conversations.branch(from, place, rest.map(messageOf))
}
