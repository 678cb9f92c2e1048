// Whether a conversation is still one that its sender may have. The configuration may change between the moment when a
// message comes in and those when it is worked on, told and answered: each of them asks here.
import type { Trust } from "../../base/trust.ts"
import { atLeast } from "../../base/trust.ts"
import type { Runtime } from "../setup/runtime.ts"
import { keyText } from "../store/rows.ts"
import type { Incoming, SessionKey } from "../store/stored.ts"
import { fitFor, replyFor } from "../turn/fit-for.ts"
import { keyOf } from "../turn/gather.ts"
import type { LiveEvent, Reply } from "../turn/live.ts"

type From = Omit<Incoming, "text">

/** Thrown in the middle of a turn whose sender may no longer have its conversation. */
export class AudienceChanged extends Error {
  override readonly name = "AudienceChanged"
}

export function isCurrent(runtime: Pick<Runtime, "workspace">, session: SessionKey, from: From): boolean {
  return keyText(session) === keyText(keyOf(runtime.workspace(), from))
}

/** Whether what was said in the session may still reach its sender: a conversation with less trust than now may. */
function mayHear(runtime: Pick<Runtime, "workspace">, session: SessionKey, from: From): boolean {
  const now = keyOf(runtime.workspace(), from)
  const isSamePlace = session.who === now.who && session.situation === now.situation
  return isSamePlace && atLeast(now.trust, session.trust)
}

const WITHHELD =
  "This was answered before access here changed, so the answer is not sent. Ask again if you still need it."

/** An answer as its sender may have it now. */
export function answerFor(
  runtime: Pick<Runtime, "workspace">,
  {
    session,
    from,
    reply,
  }: { readonly session: SessionKey | undefined; readonly from: From; readonly reply: Reply },
): { readonly reply: Reply; readonly isWithheld: boolean } {
  const { trust } = keyOf(runtime.workspace(), from)
  const isOpen = session === undefined ? trust === "full" : mayHear(runtime, session, from)
  // Where no step was made, no model has said anything.
  const isWithheld = reply.steps > 0 && !isOpen
  const told: Reply = isWithheld ? { ...reply, state: "stopped", text: WITHHELD } : reply
  return { reply: replyFor(trust, told), isWithheld }
}

export interface Listening {
  /** For the person: fit for what they may know. */
  readonly tell: (event: LiveEvent) => void
  /** For those who run the agent: everything. */
  readonly observe: (event: LiveEvent) => void
}

export const NOBODY_LISTENS: Listening = { tell: () => {}, observe: () => {} }

/** Passes events on to both. Once the sender may not have the session any more, they hear nothing more of it. */
export function listener(
  runtime: Pick<Runtime, "workspace">,
  { session, from }: { readonly session?: SessionKey; readonly from: From },
  { tell, observe }: Listening,
): (event: LiveEvent) => void {
  let known: { readonly config: unknown; readonly trust: Trust; readonly mayHear: boolean } | undefined
  const now = () => {
    const { config } = runtime.workspace()
    if (known?.config === config) return known
    const { trust } = keyOf(runtime.workspace(), from)
    known = { config, trust, mayHear: session === undefined || mayHear(runtime, session, from) }
    return known
  }
  return (event) => {
    observe(event)
    const { trust, mayHear: isOpen } = now()
    const fit = fitFor(trust, event)
    if (fit === undefined) return
    // What was streamed is void, which says nothing of what it was.
    if (isOpen || event.kind === "step-discarded") tell(fit)
  }
}
