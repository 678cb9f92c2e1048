// Checks whether the sender may still have a conversation. The configuration may change between receiving a message,
// working on it, streaming it and delivering the answer; each of these steps checks here.
import type { Trust } from "../../base/trust.ts"
import { atLeast } from "../../base/trust.ts"
import type { Incoming } from "../../database/contract/inbox.ts"
import type { SessionKey } from "../../database/contract/sessions.ts"
import { keyText } from "../../database/contract/sessions.ts"
import type { Runtime } from "../setup/runtime.ts"
import { fitFor, replyFor } from "../turn/fit-for.ts"
import { keyOf } from "../turn/gather.ts"
import type { LiveEvent, Reply } from "../turn/live.ts"

type From = Omit<Incoming, "text">

/** Thrown in the middle of a turn whose sender may no longer have the conversation. */
export class AudienceChanged extends Error {
  override readonly name = "AudienceChanged"
}

export function isCurrent(runtime: Pick<Runtime, "workspace">, session: SessionKey, from: From): boolean {
  return keyText(session) === keyText(keyOf(runtime.workspace(), from))
}

/** Whether the sender may still read the session: also true if they have more trust now than it had. */
function mayHear(runtime: Pick<Runtime, "workspace">, session: SessionKey, from: From): boolean {
  const now = keyOf(runtime.workspace(), from)
  const isSamePlace = session.who === now.who && session.situation === now.situation
  return isSamePlace && atLeast(now.trust, session.trust)
}

const WITHHELD =
  "This was answered before access here changed, so the answer is not sent. Ask again if you still need it."

/** The answer in the form that its sender may see now. */
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
  // Without a step, no model has contributed any text.
  const isWithheld = reply.steps > 0 && !isOpen
  const told: Reply = isWithheld ? { ...reply, state: "stopped", text: WITHHELD } : reply
  return { reply: replyFor(trust, told), isWithheld }
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
    // Only invalidates streamed text; it reveals nothing about that text.
    if (isOpen || event.kind === "step-discarded") tell(fit)
  }
}
