// Processes messages: those of one session in order, whoever sent them and whichever process received them. Sessions do
// not wait for each other. `lease.ts` holds the session during the work.
import { IncipitError } from "../../base/error.ts"
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { Waiting } from "../../database/contract/inbox.ts"
import type { Lease } from "../../database/contract/lease.ts"
import type { StoredSession } from "../../database/contract/sessions.ts"
import { isOfStore, quietly } from "../../database/tolerate.ts"
import { clockText } from "../../profiles/parts.ts"
import { providerOf } from "../models/provider-of.ts"
import type { Approve } from "../setup/agent.ts"
import type { Services } from "../setup/services.ts"
import type { TurnOptions } from "../turn/begin.ts"
import { callIn } from "../turn/calls/client-call.ts"
import type { OuterCall } from "../turn/calls/outer-call.ts"
import type { SentReply } from "../turn/live-event.ts"
import { NEVER_STOPPED } from "../turn/never-stopped.ts"
import { CLOSED_AND_KEPT, KEPT_FOR_LATER, mayKnowWhy, plainFailure } from "../turn/provider/failure-words.ts"
import { queueWait } from "../turn/provider/retry.ts"
import type { Turns } from "../turn/turn.ts"
import { originOf, replyWithoutSteps } from "../turn/work.ts"
import type { Awaited } from "./awaited.ts"
import { createLine, isGone, NOT_HELD } from "./lease.ts"
import { createLooks, type Looks } from "./looks.ts"
import { type HeldMessage, MOVED, type PlaceServices, placeOf } from "./place.ts"
import { AudienceChanged, type Listening, listener, NOBODY_LISTENS } from "./present-audience.ts"
import { createRunning, type Running } from "./running.ts"
import { type Stops, type TakeBackServices, takeBack } from "./stops.ts"

export interface WorkerOptions extends Listening {
  readonly signal: AbortSignal
  /** Applies only to the message passed to `settle`. */
  readonly approve?: Approve | undefined
  /** The same, for a delegated part: the call that waits for it. */
  readonly outerCall?: OuterCall | undefined
  /** A person wants it tried now, whenever the provider asked to come back. */
  readonly isUrgent?: boolean | undefined
}

export interface Worker {
  /** Resolves with the message's reply, even if another process answered it. */
  settle(waiting: Waiting, options: WorkerOptions): Promise<SentReply>
  /** Processes everything that is due: interrupted turns and waiting messages. */
  drain(options: WorkerOptions): Promise<readonly SentReply[]>
  /** Runs `work` on a session while no message is being processed. Throws if another process has the session. */
  alone<T>(session: string, work: (lease: Lease) => Promise<T>): Promise<T>
  /** Puts back the messages being processed; resolves when that is done. */
  close(): Promise<void>
}

export type WorkerServices = PlaceServices &
  Pick<Services, "leases" | "workspace" | "models" | "secrets"> & {
    readonly turns: Turns
    readonly awaited: Pick<Awaited, "has">
    readonly stops: Pick<Stops, "during">
  }

export function createWorker(services: WorkerServices): Worker {
  const { store, workspace, leases } = services
  const running = createRunning()
  const inLine = createLine()
  return {
    settle(waiting, options) {
      const work = whereItIs(services, waiting, (own) =>
        inLine(own.session, () => settle(services, own, { ...options, running })),
      )
      return orTakenBack(services, waiting, options.signal, work)
    },
    async drain(options) {
      const resume = (waiting: Waiting) =>
        whereItIs(services, waiting, (one) =>
          inLine(one.session, () => resumeOne(services, one, { ...options, running })),
        )
      const agent = workspace.current().id
      await store.waits.expire(agent)
      const open = await store.inbox.open(agent)
      const abandoned = open.filter((waiting) => isAbandoned(services, waiting))
      const replies = await Promise.all(abandoned.map(resume))
      return replies.filter((reply) => reply !== undefined)
    },
    async alone(session, work) {
      const done = await inLine(session, () => leases.whileHeld(session, work))
      if (done === NOT_HELD)
        throw new IncipitError("session-lost", `another process is working on the session ${session}`)
      return done
    },
    close: running.close,
  }
}

/** Each session has its own line, so a moved message joins the line of its new session. */
async function whereItIs<T>(
  { store }: Pick<Services, "store">,
  waiting: Waiting,
  work: (waiting: Waiting) => Promise<T | typeof MOVED>,
): Promise<T> {
  for (let own = waiting; ; own = (await store.inbox.message(own.turn)) ?? own) {
    const done = await work(own)
    if (done !== MOVED) return done
  }
}

async function isElsewhere({ store }: Pick<Services, "store">, { turn, session }: Waiting): Promise<boolean> {
  return ((await store.inbox.message(turn))?.session ?? session) !== session
}

interface InnerOptions extends WorkerOptions {
  readonly running: Running
}

/** If `close` interrupts it, it is resumed another time. */
function workOn(
  services: WorkerServices,
  placed: MaybePlaced,
  { signal, running, ...listening }: InnerOptions,
): Promise<SentReply | typeof MOVED> {
  return running.during(signal, (closing) => {
    // Nobody resumes a delegated part; the turn that delegated it stops it.
    if (placed.waiting.message.isPart === true)
      return workOrGiveUp(services, placed, { ...listening, signal })
    const stop = AbortSignal.any([signal, closing])
    return workOrGiveUp(services, placed, { ...listening, signal: stop, closing })
  })
}

/** Whether the message is due, and neither a caller nor another living process will come back to it. */
function isAbandoned(
  { leases, clock, awaited }: Pick<WorkerServices, "leases" | "clock" | "awaited">,
  waiting: Waiting,
): boolean {
  const { turn, takenBy, state, notBefore, at, message } = waiting
  // Its caller is gone, or still working on it.
  if (message.isPart === true || awaited.has(turn)) return false
  if (state === "waiting" && notBefore > clock.now()) return false
  return takenBy === leases.owner || notBefore > 0 || isGone(takenBy, clock.now() - at)
}

async function settle(
  services: WorkerServices,
  own: Waiting,
  options: InnerOptions,
): Promise<SentReply | typeof MOVED> {
  const looks = createLooks(services.store.wakeUps, own.session)
  try {
    return await settleBetween(services, own, { options, looks })
  } finally {
    looks.end()
  }
}

async function settleBetween(
  services: WorkerServices,
  own: Waiting,
  { options, looks }: { readonly options: InnerOptions; readonly looks: Looks },
): Promise<SentReply | typeof MOVED> {
  for (;;) {
    if (options.running.isClosing)
      return { ...replyWithoutSteps(own, "queued", CLOSED_AND_KEPT), prompt: undefined }
    const work = (lease: Lease) => workUpTo(services, { lease, waiting: own }, options)
    const reply = (await doneReply(services, own.turn)) ?? (await asHolder(services, own.session, work))
    if (reply !== undefined) return reply
    const now = await services.store.inbox.message(own.turn)
    const joined = now?.state === "joined" ? await joinedReply(services.store, now) : undefined
    if (joined !== undefined) return joined
    // Sent again while its turn waits for its client.
    if (now?.state === "suspended") return stillWaiting(services.store, now)
    // Its conversation was erased, and no process will ever answer it.
    if (now === undefined)
      throw new IncipitError("no-session", `the session ${own.session} was deleted in the meantime`)
    if (now.session !== own.session) return MOVED
    await looks.next()
  }
}

async function stillWaiting({ waits }: Pick<AgentStore, "waits">, waiting: Waiting): Promise<SentReply> {
  const calls = (await waits.of(waiting.turn)).filter(({ answer }) => answer === undefined).map(callIn)
  return { ...replyWithoutSteps(waiting, "waiting", ""), calls, prompt: undefined }
}

/** The reply of the turn that has taken the message up; undefined while that turn is being worked on. */
async function joinedReply(
  { outbox, inbox }: Pick<AgentStore, "outbox" | "inbox">,
  { into = "" }: Waiting,
): Promise<SentReply | undefined> {
  const reply = await outbox.reply(into)
  if (reply !== undefined) return { ...reply, prompt: undefined }
  const turn = await inbox.message(into)
  if (turn === undefined || turn.state === "working") return undefined
  return { ...replyWithoutSteps(turn, "queued", JOINED_LATER), prompt: undefined }
}

const JOINED_LATER = "Your message was taken up by a turn that has to wait. It will be answered later."

/** Returns undefined if another process has the session, or took it over during the work. */
async function asHolder<T>(
  { leases }: Pick<Services, "leases">,
  session: string,
  work: (lease: Lease) => Promise<T>,
): Promise<T | undefined> {
  try {
    const done = await leases.whileHeld(session, work)
    return done === NOT_HELD ? undefined : done
  } catch (error) {
    if (error instanceof IncipitError && error.code === "session-lost") return undefined
    throw error
  }
}

/** A message stopped before its work has begun does not wait for those before it. */
async function orTakenBack(
  services: TakeBackServices,
  waiting: Waiting,
  signal: AbortSignal,
  work: Promise<SentReply>,
): Promise<SentReply> {
  const { promise, resolve } = Promise.withResolvers<SentReply>()
  const stop = async () => {
    const reply = await takeBack(services, waiting)
    if (reply !== undefined) resolve(reply)
  }
  const stopped = () => void stop()
  signal.addEventListener("abort", stopped, { once: true })
  if (signal.aborted) stopped()
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener("abort", stopped)
  }
}

/** A caller's signal and approvals apply only to their own message. */
const UNHEARD: WorkerOptions = {
  ...{ ...NOBODY_LISTENS, signal: NEVER_STOPPED },
  ...{ approve: undefined, outerCall: undefined },
}

/** Processes the messages before it in the session first, then returns its own reply. */
async function workUpTo(
  services: WorkerServices,
  held: HeldMessage,
  options: InnerOptions,
): Promise<SentReply | typeof MOVED | undefined> {
  const { store, workspace } = services
  const { lease, waiting: own } = held
  for (;;) {
    if (await isElsewhere(services, own)) return MOVED
    const next = await store.inbox.next(own.session)
    if (next === undefined && (await store.waits.expire(workspace.current().id)) > 0) continue
    if (next === undefined || next.order > own.order) return doneReply(services, own.turn)
    const session = await placeOf(services, { lease, waiting: next })
    if (session === MOVED) continue
    if (options.isUrgent !== true && isToWait(services, next))
      return queuedUntil(services, held, next, options)
    if (!(await begin(services, { lease, waiting: next }))) continue
    const isOwn = next.turn === own.turn
    const placed = { lease, waiting: next, session }
    const reply = await workOn(services, placed, isOwn ? options : { ...options, ...UNHEARD })
    // The audience changed during the work: look at the message again.
    if (reply === MOVED) continue
    if (isOwn) return reply
    // It has to wait, and so do the messages after it.
    if (reply.state === "queued") return queuedBehind(services.store, held, reply)
  }
}

function isToWait(
  { clock, models }: Pick<Services, "clock" | "models">,
  { asked, isStopping }: Waiting,
): boolean {
  if (isStopping) return false
  return asked !== undefined && asked.until > clock.now() && asked.by === providerOf(models.current().id)
}

/** The provider said when to try again; a new message is no reason to ask earlier. */
async function queuedUntil(
  { store, people, clock }: Pick<Services, "store" | "people" | "clock">,
  held: HeldMessage,
  before: Waiting,
  listening: Listening,
): Promise<SentReply> {
  const { notBefore } = before
  const { waiting: own } = held
  const when = clockText(notBefore, clock.timeZone)
  const text = mayKnowWhy(people.listenersTrust(own.message))
    ? `The provider asked us to wait. Your message is kept and will be retried: ${when}.`
    : KEPT_FOR_LATER
  const reply = { ...replyWithoutSteps(own, "queued", text), prompt: undefined }
  const tell = listener(people, { from: own.message }, listening)
  tell({ kind: "queued", why: "the provider asked us to wait", notBefore })
  return before.turn === own.turn ? reply : queuedBehind(store, held, { ...reply, turn: before.turn })
}

/** Answers keep the order of their messages, so this one waits as long as the one before it. */
async function queuedBehind(
  { inbox }: Pick<AgentStore, "inbox">,
  { lease, waiting: own }: HeldMessage,
  before: SentReply,
): Promise<SentReply> {
  const wait = { behind: before.turn }
  await inbox.postpone(lease, { turn: own.turn, wait, error: "an earlier message is still queued" })
  return { ...before, turn: own.turn, steps: 0 }
}

async function resumeOne(
  services: WorkerServices,
  waiting: Waiting,
  options: InnerOptions,
): Promise<SentReply | typeof MOVED | undefined> {
  if (options.running.isClosing) return undefined
  if (await isElsewhere(services, waiting)) return MOVED
  if ((await doneReply(services, waiting.turn)) !== undefined) return undefined
  return asHolder(services, waiting.session, async (lease) => {
    const next = await services.store.inbox.next(waiting.session)
    if (next?.turn !== waiting.turn) return undefined
    const held = { lease, waiting: next }
    const session = await placeOf(services, held)
    if (session === MOVED) return MOVED
    return (await begin(services, held)) ? workOn(services, { ...held, session }, options) : undefined
  })
}

/** A turn that breaks off every time would block its session for ever. */
const MOST_ATTEMPTS = 3

/** A message with its session; undefined if the session is gone. */
interface MaybePlaced extends HeldMessage {
  readonly session: StoredSession | undefined
}

async function workOrGiveUp(
  services: WorkerServices,
  { lease, waiting, session }: MaybePlaced,
  options: TurnOptions,
): Promise<SentReply | typeof MOVED> {
  try {
    if (session === undefined) throw new Error(`the session ${waiting.session} is not in the store`)
    const placed = { lease, waiting, session }
    return await services.stops.during(waiting, options.signal, (signal) =>
      services.turns.run(placed, { ...options, signal }),
    )
  } catch (error) {
    if (error instanceof AudienceChanged) return MOVED
    // If the store failed, the message is not to blame.
    const reply = isOfStore(error)
      ? undefined
      : await quietly(() => countOrGiveUp(services, { lease, waiting }, String(error)))
    if (reply === undefined) throw error
    return reply
  }
}

async function countOrGiveUp(
  services: Pick<Services, "store" | "people" | "events" | "clock" | "secrets">,
  { lease, waiting }: HeldMessage,
  error: string,
): Promise<SentReply | undefined> {
  const { store, people, events, clock, secrets } = services
  const { turn, session: id, attempts } = waiting
  if (attempts + 1 < MOST_ATTEMPTS) {
    await store.inbox.postpone(lease, { turn, wait: { ms: queueWait(attempts, clock) }, error })
    return undefined
  }
  const text = mayKnowWhy(people.listenersTrust(waiting.message))
    ? `This message cannot be answered: it failed ${attempts + 1} times (${secrets.redact(error)}).`
    : plainFailure("broken", false)
  const reply = replyWithoutSteps(waiting, "failed", text)
  await store.inbox.finish(lease, { turn }, reply)
  const session = await store.sessions.facts(id)
  if (session !== undefined)
    events
      .scope(originOf(session, waiting), waiting.message.span)
      .event("turn_completed", { level: "error", error, data: { state: "failed", steps: 0 } })
  return { ...reply, prompt: undefined }
}

/** If the process that received it is still alive, that process delivers the answer. */
function begin(
  { store, clock }: Pick<Services, "store" | "clock">,
  { lease, waiting: { turn, takenBy, at } }: HeldMessage,
): Promise<boolean> {
  return store.inbox.begin(lease, turn, { takesOver: isGone(takenBy, clock.now() - at) })
}

/** Read from the store; the record has the prompt. */
async function doneReply({ store }: Pick<Services, "store">, turn: string): Promise<SentReply | undefined> {
  const reply = await store.outbox.reply(turn)
  return reply && { ...reply, prompt: undefined }
}
