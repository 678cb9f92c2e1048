// Moves a message to the session it belongs to now. The session is chosen when a message arrives. If the configuration
// has changed since, the sender may no longer see that session's transcript, or the prompt may no longer match the
// session.
import { mostOf } from "../../base/trust.ts"
import type { Waiting } from "../../database/contract/inbox.ts"
import type { Lease } from "../../database/contract/lease.ts"
import type { StoredSession } from "../../database/contract/sessions.ts"
import type { Runtime } from "../setup/runtime.ts"
import { noteOf, withoutTold } from "../turn/provider/refused.ts"
import { originOf } from "../turn/turn.ts"
import { replyWithoutSteps } from "../turn/work.ts"
import { isGone } from "./lease.ts"
import { isCurrent } from "./present-audience.ts"
import { keyFor, trustFacts } from "./receive.ts"

/**
 * Returns whether the message is in the right session. If not, moves it to the session of its present audience, or ends
 * its turn if that has already run tools, which would run again. Call it only while holding the session.
 */
export async function isInPlace(runtime: Runtime, lease: Lease, waiting: Waiting): Promise<boolean> {
  const session = await runtime.store.sessions.get(waiting.session)
  if (session === undefined || isCurrent(runtime, session, waiting.message)) return true
  const misplaced = { lease, waiting, session }
  if (await runtime.store.runs.any(waiting.turn)) await end(runtime, misplaced)
  else await move(runtime, misplaced)
  return false
}

interface Misplaced {
  readonly lease: Lease
  readonly waiting: Waiting
  readonly session: StoredSession
}

async function move(runtime: Runtime, { lease, waiting, session: from }: Misplaced): Promise<void> {
  const { store, id } = runtime
  const { session: to } = await store.sessions.currentOrNew(keyFor(runtime, waiting.message), id())
  const state = { was: from.state, now: withoutTold(from.state) }
  await store.inbox.move(lease, { turn: waiting.turn, to: to.id }, state)
  // Only people with the higher trust may learn that such a conversation existed.
  const origin = { ...originOf(to, waiting), trust: mostOf(from.trust, to.trust) }
  runtime.scope(origin, waiting.message.span).event("trust_resolved", {
    level: "warn",
    data: { ...trustFacts(runtime, waiting.message, to), moved_from: from.id },
  })
}

const ENDED =
  "Stopped: access here changed while this was being worked on. Part of it may have been done. Ask again if you still need it."
const NOTE = "A message of mine was stopped because access changed, and is left out here."

async function end(runtime: Runtime, { lease, waiting, session }: Misplaced): Promise<void> {
  const { store, now } = runtime
  const { turn } = waiting
  const items = (await store.transcripts.read(session.id)).filter((item) => item.turn === turn)
  const change = {
    ...{ turn, past: items.map(({ seq }) => seq), append: noteOf(items, NOTE) },
    state: { was: session.state, now: withoutTold(session.state) },
  }
  const reply = replyWithoutSteps(waiting, "stopped", ENDED)
  // Deliver its answer ourselves if the process that received the message is gone.
  await store.inbox.begin(lease, turn, { takesOver: isGone(waiting.takenBy, now() - waiting.at) })
  await store.inbox.finish(lease, change, reply)
  runtime
    .scope(originOf(session, waiting), waiting.message.span)
    .event("turn_completed", { level: "warn", error: "the audience has changed", data: { state: "stopped" } })
}
