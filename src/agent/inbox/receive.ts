// Receives a message: finds out who sent it, what they may see and which session it belongs to, then stores it.
import { given } from "../../base/defined.ts"
import { IncipitError } from "../../base/error.ts"
import type { Incoming, ScheduleRun, Waiting } from "../../database/contract/inbox.ts"
import type { SessionKey, StoredSession } from "../../database/contract/sessions.ts"
import { keyText } from "../../database/contract/sessions.ts"
import type { Scope } from "../../record/write/scope.ts"
import { resolveAudience } from "../../sources/config/policy.ts"
import type { SendOptions } from "../setup/agent.ts"
import type { Runtime } from "../setup/runtime.ts"
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
  /** The run of the schedule that it is; if that was claimed elsewhere, the message is not stored. */
  readonly scheduleRun?: ScheduleRun
}

/** Returns undefined if its run of the schedule was claimed elsewhere. */
export async function receive(
  runtime: Runtime,
  text: string,
  options: ReceiveOptions,
): Promise<Waiting | undefined> {
  const { store, owner, id } = runtime
  const { turn = id(), scheduleRun } = options
  checkText(text)
  const message: Incoming = runtime.secrets.within({ ...messageOf(options), text })
  const own = messageId(keyFor(runtime, message), message, options)
  // Look it up before creating a session for it.
  const known = own === undefined || scheduleRun !== undefined ? undefined : await store.inbox.received(own)
  if (known !== undefined) return known
  const { session, isNew } = await sessionFor(runtime, message, options)
  const span = id()
  const waiting = await store.inbox.receive(
    { id: own ?? turn, turn, session: session.id, message: { ...message, span }, takenBy: owner },
    given({ scheduleRun }),
  )
  if (waiting === "taken") return undefined
  if (waiting.turn !== turn) return waiting
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
export async function sessionFor(
  runtime: Runtime,
  message: Omit<Incoming, "text">,
  { session: wanted, isNew: isWantedNew }: Pick<SendOptions, "session" | "isNew">,
): Promise<{ readonly session: StoredSession; readonly isNew: boolean }> {
  const { store, id } = runtime
  const key = keyFor(runtime, message)
  if (wanted !== undefined) {
    const found = await store.sessions.get(wanted)
    // Report another person's session as missing, so that its existence is not revealed.
    if (found === undefined || !isSameKey(found, key))
      throw new IncipitError("no-session", `there is no session "${wanted}" for this sender`)
    return { session: found, isNew: false }
  }
  if (isWantedNew !== true) return store.sessions.currentOrNew(key, id())
  return { session: await store.sessions.create(id(), key), isNew: true }
}

export function keyFor(runtime: Pick<Runtime, "workspace">, message: Omit<Incoming, "text">): SessionKey {
  return keyOf(runtime.workspace(), message)
}

export function isSameKey(a: SessionKey, b: SessionKey): boolean {
  return keyText(a) === keyText(b)
}
