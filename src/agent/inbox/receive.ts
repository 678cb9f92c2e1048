// Receives a message: finds out who sent it, what they may see and which session it belongs to, then stores it.
import { given } from "../../base/defined.ts"
import { IncipitError } from "../../base/error.ts"
import type { Scope } from "../../record/write/scope.ts"
import { resolveAudience } from "../../sources/config/policy.ts"
import type { SendOptions } from "../setup/agent.ts"
import type { Runtime } from "../setup/runtime.ts"
import { keyText } from "../store/rows.ts"
import type { Incoming, SessionKey, StoredSession, Waiting } from "../store/stored.ts"
import { keyOf } from "../turn/gather.ts"
import { originOf } from "../turn/turn.ts"

export interface ReceiveOptions extends SendOptions {
  /** The id of its turn, if the caller chose one. */
  readonly turn?: string
  /** A delegated part of the work, which a tool waits for. */
  readonly isPart?: boolean
  readonly under?: NonNullable<Incoming["under"]>
  /** The schedule entry that this is a run of. */
  readonly entry?: string
  /** Called once the message is stored, before any work on it, with the scope of its events. */
  readonly received?: (scope: Scope) => void
  /** Called in the same transaction; if it returns false, the message is not stored. */
  readonly claim?: (turn: string) => boolean
}

/** Returns undefined if `claim` returned false. */
export function receive(runtime: Runtime, text: string, options: ReceiveOptions): Waiting | undefined {
  const { store, owner, now, id } = runtime
  const { turn = id(), claim } = options
  checkText(text)
  const message: Incoming = runtime.secrets.within({ ...messageOf(options), text })
  const own = messageId(keyFor(runtime, message), message, options)
  // Look it up before creating a session for it.
  const known = own === undefined || claim !== undefined ? undefined : store.received(own)
  if (known !== undefined) return known
  const { session, isNew } = sessionFor(runtime, message, options)
  const span = id()
  const waiting = store.receive(
    own ?? turn,
    { turn, session: session.id, at: now(), message: { ...message, span }, takenBy: owner },
    claim,
  )
  if (waiting === undefined || waiting.turn !== turn) return waiting
  const scope = runtime.scope(originOf(session, { turn, message }), message.under?.span)
  const received = scope.open("message_received", { data: { length: text.length } }, span)
  options.received?.(received)
  received.event("trust_resolved", { data: trustFacts(runtime, message, session) })
  if (isNew) received.event("session_created", { data: { who: session.who } })
  return waiting
}

/** Programs need not be type-checked, and every later turn reads what is stored. */
export function checkText(text: unknown): void {
  if (typeof text !== "string")
    throw new IncipitError("bad-argument", `the text of a message must be a string, not ${typeof text}`)
}

/** The sender's own trust, the situation's ceiling, and the effective trust. */
export function trustFacts(
  runtime: Pick<Runtime, "workspace">,
  message: Omit<Incoming, "text">,
  { situation, trust }: Pick<SessionKey, "situation" | "trust">,
) {
  const { own, ceiling } = resolveAudience(runtime.workspace().config, message, "incipit.yaml")
  return { user: own, situation, effective: trust, ceiling }
}

/** Scoped to the sender: other senders may use the same id. */
function messageId(
  { agent, who, mode }: SessionKey,
  { as = "", channel = "", sender = "" }: Omit<Incoming, "text">,
  { id }: ReceiveOptions,
): string | undefined {
  return id === undefined
    ? undefined
    : JSON.stringify([agent, who, mode, as, channel, ...(sender === "" ? [] : [sender]), id])
}

function messageOf(options: ReceiveOptions): Omit<Incoming, "text"> {
  const { as, channel, sender, situation, mode, task, background, planMode, isPart, under, entry } = options
  return given({ as, channel, sender, situation, mode, task, background, planMode, isPart, under, entry })
}

/** Returns the named session if it belongs to the sender; otherwise their current one, or a new one. */
export function sessionFor(
  runtime: Runtime,
  message: Omit<Incoming, "text">,
  { session: wanted, isNew: isWantedNew }: Pick<SendOptions, "session" | "isNew">,
): { readonly session: StoredSession; readonly isNew: boolean } {
  const { store, id, now } = runtime
  const key = keyFor(runtime, message)
  if (wanted !== undefined) {
    const found = store.session(wanted)
    // Report another person's session as missing, so that its existence is not revealed.
    if (found === undefined || !isSameKey(found, key))
      throw new IncipitError("no-session", `there is no session "${wanted}" for this sender`)
    return { session: found, isNew: false }
  }
  if (isWantedNew !== true) return store.sessionFor(key, id(), now())
  return { session: store.createSession(id(), key, now()), isNew: true }
}

export function keyFor(runtime: Pick<Runtime, "workspace">, message: Omit<Incoming, "text">): SessionKey {
  return keyOf(runtime.workspace(), message)
}

export function isSameKey(a: SessionKey, b: SessionKey): boolean {
  return keyText(a) === keyText(b)
}
