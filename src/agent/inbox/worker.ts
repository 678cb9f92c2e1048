// Processes messages: those of one session in order, whoever sent them and whichever process received them. Sessions do
// not wait for each other. `lease.ts` holds the session during the work.
import { setTimeout as sleep } from "node:timers/promises"
import { IncipitError } from "../../base/error.ts"
import type { Waiting } from "../../database/contract/inbox.ts"
import type { Lease } from "../../database/contract/lease.ts"
import { quietly } from "../../database/tolerate.ts"
import { clockText } from "../../profiles/parts.ts"
import type { Approve } from "../setup/agent.ts"
import type { Runtime } from "../setup/runtime.ts"
import type { SentReply } from "../turn/live.ts"
import { NEVER_STOPPED } from "../turn/never-stopped.ts"
import { KEPT_FOR_LATER, mayKnowWhy, plainFailure, toldTrust } from "../turn/provider/failure-words.ts"
import { providerOf, queueWait } from "../turn/provider/retry.ts"
import { originOf, type TurnOptions, workTurn } from "../turn/turn.ts"
import { replyWithoutSteps } from "../turn/work.ts"
import { claim, claimed, createLine, isGone, whileHeld } from "./lease.ts"
import { isInPlace } from "./place.ts"
import { AudienceChanged, type Listening, listener, NOBODY_LISTENS } from "./present-audience.ts"

export interface WorkerOptions extends Listening {
  readonly signal: AbortSignal
  /** Applies only to the message passed to `settle`. */
  readonly approve?: Approve | undefined
}

export interface Worker {
  /** Resolves with the message's reply, even if another process answered it. */
  settle(waiting: Waiting, options: WorkerOptions): Promise<SentReply>
  /** Processes everything that is due: interrupted turns and waiting messages. */
  drain(options: WorkerOptions): Promise<readonly SentReply[]>
  /** Runs `work` on a session while no message is being processed. Throws if another process has the session. */
  alone<T>(session: string, work: (lease: Lease) => Promise<T>): Promise<T>
  /** Puts back messages that no caller waits for; resolves when that is done. */
  close(): Promise<void>
}

/** How often to check whether another process has finished with the session. */
const POLL_MS = 50

export function createWorker(runtime: Runtime): Worker {
  const others = createOthers()
  const inLine = createLine()
  return {
    settle: (waiting, options) =>
      orTakenBack(
        runtime,
        waiting,
        options,
        whereItIs(runtime, waiting, (own) =>
          inLine(own.session, () => settle(runtime, own, { ...options, others })),
        ),
      ),
    async drain(options) {
      const open = await runtime.store.inbox.open(agentOf(runtime))
      const replies = await Promise.all(
        open
          .filter((waiting) => isAbandoned(runtime, waiting))
          .map((waiting) =>
            whereItIs(runtime, waiting, (one) =>
              inLine(one.session, () => resumeOne(runtime, one, { ...options, others })),
            ),
          ),
      )
      return replies.filter((reply) => reply !== undefined)
    },
    alone: (session, work) => inLine(session, () => claimed(runtime, session, work)),
    close: others.close,
  }
}

/** The message was moved to another session. */
const MOVED = Symbol("moved")

/** Each session has its own line, so a moved message joins the line of its new session. */
async function whereItIs<T>(
  { store }: Runtime,
  waiting: Waiting,
  work: (waiting: Waiting) => Promise<T | typeof MOVED>,
): Promise<T> {
  for (let own = waiting; ; own = (await store.inbox.message(own.turn)) ?? own) {
    const done = await work(own)
    if (done !== MOVED) return done
  }
}

async function isElsewhere({ store }: Runtime, { turn, session }: Waiting): Promise<boolean> {
  return ((await store.inbox.message(turn))?.session ?? session) !== session
}

/** Messages being processed that no caller in this process waits for. */
interface Others {
  readonly closing: AbortSignal
  during<T>(work: Promise<T>): Promise<T>
  close(): Promise<void>
}

function createOthers(): Others {
  const closing = new AbortController()
  const working = new Set<Promise<unknown>>()
  return {
    closing: closing.signal,
    during: (work) => {
      working.add(work)
      return work.finally(() => working.delete(work))
    },
    async close() {
      closing.abort()
      await Promise.allSettled(working)
    },
  }
}

interface InnerOptions extends WorkerOptions {
  readonly others: Others
}

/** A message of a session that this process holds. */
interface HeldMessage {
  readonly lease: Lease
  readonly waiting: Waiting
}

/** If `close` interrupts it, it is resumed another time. */
function workOnOther(
  runtime: Runtime,
  { lease, waiting }: HeldMessage,
  { signal, others, ...listening }: InnerOptions,
): Promise<SentReply | typeof MOVED> {
  const { closing } = others
  const stop = AbortSignal.any([signal, closing])
  return others.during(workOrGiveUp(runtime, waiting, { ...listening, lease, signal: stop, closing }))
}

function agentOf(runtime: Runtime): string {
  return runtime.workspace().id
}

/** Whether the message is due and no other living process will come back to it. */
function isAbandoned({ owner, now }: Runtime, waiting: Waiting): boolean {
  const { takenBy, state, notBefore, at, message } = waiting
  // Its caller is gone, or still working on it.
  if (message.isPart === true) return false
  if (state === "waiting" && notBefore > now()) return false
  return takenBy === owner || notBefore > 0 || isGone(takenBy, now() - at)
}

async function settle(
  runtime: Runtime,
  own: Waiting,
  options: InnerOptions,
): Promise<SentReply | typeof MOVED> {
  for (;;) {
    if (await isElsewhere(runtime, own)) return MOVED
    const reply = (await doneReply(runtime, own.turn)) ?? (await workOnIt(runtime, own, options))
    if (reply !== undefined) return reply
    await sleep(POLL_MS)
  }
}

/** Returns undefined if another process has the session, or took it over during the work. */
async function workOnIt(
  runtime: Runtime,
  own: Waiting,
  options: InnerOptions,
): Promise<SentReply | typeof MOVED | undefined> {
  const lease = await claim(runtime, own.session)
  if (lease === undefined) return undefined
  try {
    return await whileHeld(runtime, lease, () => workUpTo(runtime, { lease, waiting: own }, options))
  } catch (error) {
    if (error instanceof IncipitError && error.code === "session-lost") return undefined
    throw error
  }
}

/** A message stopped before its work has begun does not wait for those before it. */
async function orTakenBack(
  runtime: Runtime,
  waiting: Waiting,
  { signal }: WorkerOptions,
  work: Promise<SentReply>,
): Promise<SentReply> {
  const { promise, resolve } = Promise.withResolvers<SentReply>()
  const stop = async () => {
    const reply = await takeBack(runtime, waiting)
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

async function takeBack(runtime: Runtime, taken: Waiting): Promise<SentReply | undefined> {
  const { store } = runtime
  const waiting = (await quietly(() => store.inbox.message(taken.turn))) ?? taken
  const reply = replyWithoutSteps(waiting, "stopped", "Stopped: nothing was answered yet.")
  // If this fails, the message is not taken back, and its worker will hit and report the same error.
  return quietly(async () => {
    const session = await store.sessions.get(waiting.session)
    if (session === undefined || !(await store.inbox.takeBack(reply))) return undefined
    const scope = runtime.scope(originOf(session, waiting), waiting.message.span)
    scope.event("turn_completed", { data: { state: "stopped", steps: 0 } })
    return { ...reply, prompt: undefined }
  })
}

/** A caller's signal and approvals apply only to their own message. */
const UNHEARD: WorkerOptions = { ...NOBODY_LISTENS, signal: NEVER_STOPPED, approve: undefined }

/** Processes the messages before it in the session first, then returns its own reply. */
async function workUpTo(
  runtime: Runtime,
  { lease, waiting: own }: HeldMessage,
  options: InnerOptions,
): Promise<SentReply | typeof MOVED | undefined> {
  for (;;) {
    if (await isElsewhere(runtime, own)) return MOVED
    const next = await runtime.store.inbox.next(own.session)
    if (next === undefined || next.order > own.order) return doneReply(runtime, own.turn)
    if (!(await isInPlace(runtime, lease, next))) continue
    if (isToWait(runtime, next)) return queuedUntil(runtime, { lease, waiting: own }, next, options)
    if (!(await begin(runtime, { lease, waiting: next }))) continue
    const isOwn = next.turn === own.turn
    const reply = isOwn
      ? await workOrGiveUp(runtime, next, { ...options, lease })
      : await workOnOther(runtime, { lease, waiting: next }, { ...options, ...UNHEARD })
    // The audience changed during the work: look at the message again.
    if (reply === MOVED) continue
    if (isOwn) return reply
    // It has to wait, and so do the messages after it.
    if (reply.state === "queued") return queuedBehind(runtime, { lease, waiting: own }, reply)
  }
}

function isToWait({ now, model }: Runtime, { asked }: Waiting): boolean {
  return asked !== undefined && asked.until > now() && asked.by === providerOf(model().id)
}

/** The provider said when to try again; a new message is no reason to ask earlier. */
function queuedUntil(
  runtime: Runtime,
  held: HeldMessage,
  before: Waiting,
  listening: Listening,
): SentReply | Promise<SentReply> {
  const { notBefore } = before
  const { waiting: own } = held
  const when = clockText(notBefore, runtime.timeZone)
  const isTold = mayKnowWhy(toldTrust(runtime, own))
  const text = isTold
    ? `The provider asked to wait. Your message is kept and will be tried again: ${when}.`
    : KEPT_FOR_LATER
  const reply = { ...replyWithoutSteps(own, "queued", text), prompt: undefined }
  const tell = listener(runtime, { from: own.message }, listening)
  tell({ kind: "queued", why: "the provider asked to wait", notBefore })
  return before.turn === own.turn ? reply : queuedBehind(runtime, held, { ...reply, turn: before.turn })
}

/** Answers keep the order of their messages, so this one waits as long as the one before it. */
async function queuedBehind(
  { store }: Runtime,
  { lease, waiting: own }: HeldMessage,
  before: SentReply,
): Promise<SentReply> {
  const wait = { behind: before.turn }
  await store.inbox.postpone(lease, { turn: own.turn, wait, error: "an earlier message waits" })
  return { ...before, turn: own.turn, steps: 0 }
}

async function resumeOne(
  runtime: Runtime,
  waiting: Waiting,
  options: InnerOptions,
): Promise<SentReply | typeof MOVED | undefined> {
  if (options.others.closing.aborted) return undefined
  if (await isElsewhere(runtime, waiting)) return MOVED
  if ((await doneReply(runtime, waiting.turn)) !== undefined) return undefined
  const lease = await claim(runtime, waiting.session)
  if (lease === undefined) return undefined
  return whileHeld(runtime, lease, async () => {
    const next = await runtime.store.inbox.next(waiting.session)
    if (next?.turn !== waiting.turn) return undefined
    if (!(await isInPlace(runtime, lease, next))) return MOVED
    const held = { lease, waiting: next }
    return (await begin(runtime, held)) ? workOnOther(runtime, held, options) : undefined
  })
}

/** A turn that breaks off every time would block its session for ever. */
const MOST_ATTEMPTS = 3

async function workOrGiveUp(
  runtime: Runtime,
  waiting: Waiting,
  options: TurnOptions,
): Promise<SentReply | typeof MOVED> {
  try {
    return await workTurn(runtime, waiting, options)
  } catch (error) {
    if (error instanceof AudienceChanged) return MOVED
    const { lease } = options
    const reply = isOfStore(error)
      ? undefined
      : await quietly(() => countOrGiveUp(runtime, { lease, waiting }, String(error)))
    if (reply === undefined) throw error
    return reply
  }
}

/** The store failed, so the message is not to blame. */
function isOfStore(error: unknown): boolean {
  return error instanceof IncipitError && ["session-lost", "unusable-database"].includes(error.code)
}

async function countOrGiveUp(
  runtime: Runtime,
  { lease, waiting }: HeldMessage,
  error: string,
): Promise<SentReply | undefined> {
  const { store } = runtime
  const { turn, session: id, attempts } = waiting
  if (attempts + 1 < MOST_ATTEMPTS) {
    await store.inbox.postpone(lease, { turn, wait: { ms: queueWait(attempts, runtime) }, error })
    return undefined
  }
  const text = mayKnowWhy(toldTrust(runtime, waiting))
    ? `This cannot be answered: it broke off ${attempts + 1} times (${runtime.secrets.redact(error)}).`
    : plainFailure("broken", false)
  const reply = replyWithoutSteps(waiting, "failed", text)
  await store.inbox.finish(lease, { turn }, reply)
  const session = await store.sessions.get(id)
  if (session !== undefined)
    runtime
      .scope(originOf(session, waiting), waiting.message.span)
      .event("turn_completed", { level: "error", error, data: { state: "failed", steps: 0 } })
  return { ...reply, prompt: undefined }
}

/** If the process that received it is still alive, that process delivers the answer. */
function begin({ store, now }: Runtime, { lease, waiting }: HeldMessage): Promise<boolean> {
  const { turn, takenBy, at } = waiting
  return store.inbox.begin(lease, turn, { takesOver: isGone(takenBy, now() - at) })
}

/** Read from the store; the record has the prompt. */
async function doneReply({ store }: Runtime, turn: string): Promise<SentReply | undefined> {
  const reply = await store.outbox.reply(turn)
  return reply && { ...reply, prompt: undefined }
}
