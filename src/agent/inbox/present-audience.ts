// What a sender gets of a conversation now: live events while it is worked on, and the answer. The configuration may
// change in between, so each is checked when it is passed on.
import type { SessionKey } from "../../database/contract/sessions.ts"
import { eventFor, replyFor } from "../turn/event-for-person.ts"
import type { LiveEvent, Reply } from "../turn/live-event.ts"
import type { People, SenderFacts } from "./people.ts"

/** Thrown in the middle of a turn whose sender may no longer have the conversation. */
export class AudienceChanged extends Error {
  override readonly name = "AudienceChanged"
}

const WITHHELD =
  "Access to this conversation changed after this was answered, so the answer is not sent. Ask again if you still need it."

export interface AnswerFacts {
  /** Undefined if it could not be read. */
  readonly session: SessionKey | undefined
  readonly from: SenderFacts
  readonly reply: Reply
}

/** The answer in the form that its sender may see now. */
export function answerFor(
  people: Pick<People, "keyOf" | "mayRead">,
  { session, from, reply }: AnswerFacts,
): { readonly reply: Reply; readonly isWithheld: boolean } {
  const { trust } = people.keyOf(from)
  const isOpen = session === undefined ? trust === "full" : people.mayRead(session, from)
  const { calls, ...rest } = reply
  // Without a step or a call, no model has contributed anything.
  const isWithheld = (reply.steps > 0 || calls !== undefined) && !isOpen
  const shown: Reply = isWithheld ? { ...rest, state: "stopped", text: WITHHELD } : reply
  return { reply: replyFor(trust, shown), isWithheld }
}

export interface Listening {
  /** For the person: limited to what they may see. */
  readonly tell: (event: LiveEvent) => void
  /** For the operator: everything. */
  readonly observe: (event: LiveEvent) => void
}

export const NOBODY_LISTENS: Listening = { tell: () => {}, observe: () => {} }

/** Passes events to both. Once the sender may no longer have the session, they receive no more of it. */
export function listener(
  people: Pick<People, "keyOf" | "mayRead">,
  { session, from }: { readonly session?: SessionKey; readonly from: SenderFacts },
  { tell, observe }: Listening,
): (event: LiveEvent) => void {
  return (event) => {
    observe(event)
    const fit = eventFor(people.keyOf(from).trust, event)
    if (fit === undefined) return
    const mayRead = session === undefined || people.mayRead(session, from)
    // Only invalidates streamed text; it reveals nothing about that text.
    if (mayRead || event.kind === "step-discarded") tell(fit)
  }
}
