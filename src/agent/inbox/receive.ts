// Receives a message: finds out who sent it, what they may see and which session it belongs to, then stores it.
import { defined } from "../../base/defined.ts"
import { IncipitError } from "../../base/error.ts"
import { misspelled } from "../../base/nearest.ts"
import type { Incoming, ScheduleRun, Waiting } from "../../database/contract/inbox.ts"
import type { SessionFacts, SessionKey } from "../../database/contract/sessions.ts"
import type { Scope } from "../../record/write/scope.ts"
import { duringTurn } from "../../sources/config/defaults.ts"
import { checkEffort } from "../models/effort.ts"
import type { SendOptions } from "../setup/agent.ts"
import type { Services } from "../setup/services.ts"
import type { OuterCall } from "../turn/calls/outer-call.ts"
import { isPlain } from "../turn/further-messages.ts"
import { originOf } from "../turn/work.ts"
import { checkedClientTools } from "./message/client-tools.ts"
import { checkedFiles } from "./message/message-files.ts"
import { checkLocale } from "./message/sender-locale.ts"
import { isSameKey, type SenderFacts } from "./people.ts"

export interface ReceiveOptions extends SendOptions {
  /** The id of its turn, if the caller chose one. */
  readonly turn?: string
  /** A delegated part of the work, which a tool waits for. */
  readonly isPart?: boolean
  readonly under?: NonNullable<Incoming["under"]>
  /** The call that waits for a delegated part. */
  readonly outerCall?: OuterCall
  /** The schedule entry that this is a run of. */
  readonly entry?: string
  /** Called once the message is stored, before any work on it, with the scope of its events. */
  readonly received?: (scope: Scope) => void
  /** The run of the schedule that it is; if that was claimed elsewhere, the message is not stored. */
  readonly scheduleRun?: ScheduleRun
}

type SessionServices = Pick<Services, "store" | "people" | "clock">

export type ReceiveServices = SessionServices & Pick<Services, "leases" | "secrets" | "events" | "workspace">

/** Returns undefined if its run of the schedule was claimed elsewhere, or its arrival was taken as something else. */
export async function receive(
  services: ReceiveServices,
  text: string,
  options: ReceiveOptions,
): Promise<Waiting | undefined> {
  const waiting = await receiveOnce(services, text, options)
  options.stored?.()
  return waiting
}

async function receiveOnce(
  services: ReceiveServices,
  text: string,
  options: ReceiveOptions,
): Promise<Waiting | undefined> {
  const { store, people, clock, leases, secrets, events } = services
  const { turn = clock.id(), scheduleRun, arrival } = options
  checkReceiveOptions(options)
  checkLocal(options)
  checkEffort(options.effort)
  checkLocale(options.locale)
  const files = checkedFiles(options.files)
  checkText(text, files)
  const clientTools = checkedClientTools(options.clientTools)
  const message: Incoming = {
    ...secrets.within({ ...messageOf(options), ...defined({ clientTools }), text }),
    ...defined({ files }),
  }
  const sendersId = messageId(people.keyOf(message), message, options)
  // Look it up before creating a session for it.
  const isNewTo = sendersId === undefined || scheduleRun !== undefined || arrival !== undefined
  const known = isNewTo ? undefined : await store.inbox.received(sendersId)
  if (known !== undefined) return known
  const { session, isNew } = await sessionFor(services, message, options)
  const span = clock.id()
  const waiting = await store.inbox.receive(
    {
      ...{ id: sendersId ?? turn, turn, session: session.id, takenBy: leases.owner },
      message: { ...message, span },
    },
    { scheduleRun, arrival, steers: steers(services, message, options) },
  )
  if (waiting === "taken") return undefined
  if (waiting.turn !== turn) return waiting
  const scope = events.scope(originOf(session, { turn, message }), message.under?.span)
  const received = scope.open("message_received", { data: { length: text.length } }, span)
  options.received?.(received)
  received.event("trust_resolved", { data: people.trustFacts(message, session) })
  if (isNew) received.event("session_created", { data: { who: session.who } })
  return waiting
}

/** Whether a turn that is being worked on may take the message up. */
function steers(
  { workspace }: Pick<Services, "workspace">,
  message: Incoming,
  { duringTurn: wanted = duringTurn(workspace.current().config) }: ReceiveOptions,
): boolean {
  return wanted === "steer" && isPlain(message)
}

/** Programs need not be type-checked, and every later turn reads what is stored. */
export function checkText(text: unknown, files: readonly unknown[] = []): void {
  if (typeof text !== "string")
    throw new IncipitError("no-text", `the text of a message must be a string, not ${typeof text}`)
  // Providers refuse it, so it would only wait in the queue.
  if (text.trim() === "" && files.length === 0)
    throw new IncipitError("no-text", "the text of a message is empty")
}

const OPTIONS: Readonly<Record<keyof ReceiveOptions, true>> = {
  as: true,
  channel: true,
  sender: true,
  isLocal: true,
  situation: true,
  session: true,
  isNew: true,
  id: true,
  arrival: true,
  stored: true,
  mode: true,
  task: true,
  background: true,
  planMode: true,
  locale: true,
  via: true,
  duringTurn: true,
  effort: true,
  files: true,
  clientTools: true,
  instructions: true,
  signal: true,
  tell: true,
  observe: true,
  deliver: true,
  approve: true,
  turn: true,
  isPart: true,
  under: true,
  outerCall: true,
  entry: true,
  received: true,
  scheduleRun: true,
}

/** With a misspelled `as`, or one that a look-up did not find, the message of a stranger would be the owner's. */
function checkReceiveOptions(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTIONS, name)) {
      const meant = misspelled(name, Object.keys(OPTIONS))
      const rest = meant === undefined ? "" : `; did you mean ${meant}?`
      throw new IncipitError("bad-option", `send has no option "${name}"${rest}`)
    }
    if (name === "via" && value !== undefined && value !== "http")
      throw new IncipitError("bad-option", 'the option via of send can only be "http"')
    if (WHO.includes(name) && typeof value !== "string")
      throw new IncipitError(
        "bad-option",
        `the option ${name} of send must be a string, not ${value === null ? "null" : typeof value}; without it, the message may count as the owner's`,
      )
  }
}

/** What comes over a channel is never the owner's for want of an id. */
function checkLocal({ isLocal, arrival, sender }: ReceiveOptions): void {
  if (isLocal === undefined || (isLocal === true && arrival === undefined && sender === undefined)) return
  throw new IncipitError(
    "bad-option",
    "the option isLocal of send can only be true, and only without arrival and sender",
  )
}

/** What decides whose message it is. */
const WHO: readonly string[] = ["as", "channel", "sender", "situation"]

/** Scoped to the sender: other senders may use the same id. */
function messageId(
  { agent, who, mode }: SessionKey,
  { as = "", channel = "", sender = "" }: SenderFacts,
  { id }: ReceiveOptions,
): string | undefined {
  return id === undefined
    ? undefined
    : JSON.stringify([agent, who, mode, as, channel, ...(sender === "" ? [] : [sender]), id])
}

function messageOf(options: ReceiveOptions): SenderFacts {
  const { as, channel, sender, isLocal, situation, mode, task, background, planMode, effort } = options
  const { locale, via, instructions, isPart, under, entry } = options
  return defined({
    ...{ as, channel, sender, isLocal, situation, mode, task, background, planMode, effort },
    ...{ locale, via, instructions, isPart, under, entry },
  })
}

/** Returns the named session if it belongs to the sender; otherwise their current one, or a new one. */
export async function sessionFor(
  { store, people, clock }: SessionServices,
  message: SenderFacts,
  { session: wanted, isNew: isWantedNew }: Pick<SendOptions, "session" | "isNew">,
): Promise<{ readonly session: SessionFacts; readonly isNew: boolean }> {
  const key = people.keyOf(message)
  if (wanted !== undefined) {
    const found = await store.sessions.facts(wanted)
    // Report another person's session as missing, so that its existence is not revealed.
    if (found === undefined || !isSameKey(found, key))
      throw new IncipitError("no-session", `there is no session "${wanted}" for this sender`)
    return { session: found, isNew: false }
  }
  if (isWantedNew !== true) return store.sessions.currentOrNew(key, clock.id())
  return { session: await store.sessions.create(clock.id(), key), isNew: true }
}
