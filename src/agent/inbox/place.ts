// Moves a message to the session it belongs to now. The session is chosen when a message arrives. If the configuration
// has changed since, the sender may no longer see that session's transcript, or the prompt may no longer match the
// session.
import { mostOf } from "../../base/trust.ts"
import type { Runtime } from "../setup/runtime.ts"
import type { StoredSession, Waiting } from "../store/stored.ts"
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
export function isInPlace(runtime: Runtime, waiting: Waiting): boolean {
  const session = runtime.store.session(waiting.session)
  if (session === undefined || isCurrent(runtime, session, waiting.message)) return true
  if (runtime.store.hasRun(waiting.turn)) end(runtime, waiting, session)
  else move(runtime, waiting, session)
  return false
}

function move(runtime: Runtime, waiting: Waiting, from: StoredSession): void {
  const { store, owner, id, now } = runtime
  const at = now()
  const { session: to } = store.sessionFor(keyFor(runtime, waiting.message), id(), at)
  const state = { was: from.state, now: withoutTold(from.state) }
  store.move({ session: from.id, owner }, { turn: waiting.turn, to: to.id, at }, state)
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

function end(runtime: Runtime, waiting: Waiting, session: StoredSession): void {
  const { store, owner, now } = runtime
  const { turn } = waiting
  const items = store.items(session.id).filter((item) => item.turn === turn)
  const change = {
    ...{ turn, at: now(), past: items.map(({ id }) => id), append: noteOf(items, NOTE) },
    state: { was: session.state, now: withoutTold(session.state) },
  }
  const reply = replyWithoutSteps(waiting, "stopped", ENDED)
  // Deliver its answer ourselves if the process that received the message is gone.
  store.begin({ session: session.id, owner }, turn, isGone(waiting.takenBy, now() - waiting.at))
  store.finish({ session: session.id, owner }, change, reply)
  runtime
    .scope(originOf(session, waiting), waiting.message.span)
    .event("turn_completed", { level: "warn", error: "the audience has changed", data: { state: "stopped" } })
}
