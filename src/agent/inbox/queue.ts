// The queue: messages that could not be answered yet, and answers that were not delivered. Comes back to them when they
// are due, and delivers answers in the order of their messages.
import { IncipitError } from "../../base/error.ts"
import type { Waiting } from "../../database/contract/inbox.ts"
import type { Unsent } from "../../database/contract/outbox.ts"
import type { StoredReply } from "../../database/contract/reply.ts"
import type { SessionFacts } from "../../database/contract/sessions.ts"
import { quietly } from "../../database/tolerate.ts"
import type { AgentOptions, Deliver, RunningAgent } from "../setup/agent.ts"
import type { Services } from "../setup/services.ts"
import { NEVER_STOPPED } from "../turn/never-stopped.ts"
import { originOf, senderOf } from "../turn/work.ts"
import type { Awaited } from "./awaited.ts"
import { isGone } from "./lease.ts"
import { answerFor, NOBODY_LISTENS } from "./present-audience.ts"
import type { Worker } from "./worker.ts"

export interface Queue {
  readonly resume: RunningAgent["resume"]
  /** Marks the turn as awaited by a caller in this process while `work` runs: only `work` delivers its answer. */
  whileAwaited<T>(turn: string, work: () => Promise<T>): Promise<T>
  /** Delivers the answers to earlier messages of its session. */
  deliverBefore(waiting: Waiting): Promise<void>
  /**
   * Delivers its answer after those to earlier messages of its session. If one of them cannot be delivered now, it stays
   * in the store behind them. Returns false if there is no receiver.
   */
  deliverInOrder(waiting: Waiting): Promise<boolean>
  /** Looks when something is due: a message may be due earlier now. */
  lookAgain(): Promise<void>
  /** Puts running work back into the queue; resolves when nothing is running. Nothing is received from now on. */
  stop(): Promise<void>
}

type Observe = Parameters<RunningAgent["resume"]>[0]

const KEPT = "It is kept, and delivery is tried again in a minute."

/** How soon to look again when another process may be at it. */
const SOON_MS = 1_000
/** How long to wait before offering an undelivered answer again. */
const AGAIN_MS = 60_000
/** The longest single wait: the clock may be set, and timers have a limit. */
const LONGEST_MS = 3_600_000

export type QueueServices = DeliverServices &
  Pick<Services, "workspace" | "leases" | "secrets" | "clock"> & { readonly awaited: Awaited }

export function createQueue(
  services: QueueServices,
  worker: Worker,
  { deliver: give, trouble }: Pick<AgentOptions, "deliver" | "trouble">,
): Queue {
  const { workspace, events, secrets, clock, awaited } = services
  const free = (own?: Waiting) => freeAnswers(services, { hasReceiver: give !== undefined, own })
  const handOver = createHandOver(services)
  const recordTrouble = (error: unknown) =>
    events
      .scope({ agent: workspace.current().id, trust: "full" })
      .event("diagnostic", { level: "error", error: messageOf(error) })
  /** No caller could catch these failures. The record already has them. */
  const tellFailures = (failures: readonly unknown[]) => {
    for (const error of failures)
      trouble?.(secrets.redact(`An answer could not be delivered: ${messageOf(error)}. ${KEPT}`))
  }
  let isStopped = false
  const under = new Set<Promise<unknown>>()
  const tracked = <T>(work: Promise<T>): Promise<T> => {
    under.add(work)
    return work.finally(() => under.delete(work))
  }
  const timer = createTimer(clock.now, {
    due: () => nextDue(services, give !== undefined),
    wake: () => void tracked(comeBack()).catch(recordTrouble),
  })
  /** Answers stay in the store until there is a receiver. */
  const comeBack = async () => {
    if (give !== undefined) return tellFailures((await resumed(give)).failures)
    await workspace.refresh()
    await worker.drain({ ...NOBODY_LISTENS, signal: NEVER_STOPPED }).finally(timer.set)
    await events.record.flushIfFree()
  }
  const resumed = async (to: Deliver, observe: Observe = () => {}, signal = NEVER_STOPPED) => {
    try {
      await workspace.refresh()
      await worker.drain({ ...NOBODY_LISTENS, signal, observe })
      const outcome = await handOver(() => free(), to)
      await events.record.flushIfFree()
      return outcome
    } finally {
      await timer.set()
    }
  }
  const resume: RunningAgent["resume"] = async (...given) => {
    // Give them to this caller if there is no other receiver.
    const { handed, failures } = await resumed(give ?? (() => {}), ...given)
    for (const error of failures) throw error
    return handed
  }
  const deliverThose = async (own: Waiting, isMeant: (answer: Unsent) => boolean) => {
    if (give === undefined) return
    try {
      tellFailures((await handOver(async () => (await free(own)).filter(isMeant), give)).failures)
    } catch (error) {
      // They stay in the store, and the current caller does not wait for them.
      recordTrouble(error)
    }
  }
  return {
    resume: (...given) => tracked(resume(...given)),
    async whileAwaited(turn, work) {
      if (isStopped) throw new IncipitError("agent-closed", "the agent is closed")
      return tracked(awaited.during(turn, work).finally(timer.set))
    },
    deliverBefore: (own) => deliverThose(own, ({ message }) => isBefore(message, own)),
    async deliverInOrder(own) {
      if (give === undefined) return false
      awaited.release(own.turn)
      // Also later ones: another call may have left them to this one.
      await deliverThose(own, ({ message }) => message.session === own.session)
      return true
    },
    lookAgain: timer.set,
    async stop() {
      isStopped = true
      timer.stop()
      await worker.close()
      await Promise.allSettled(under)
    },
  }
}

type DueServices = Pick<QueueServices, "store" | "leases" | "clock" | "workspace" | "awaited">

interface Handing {
  readonly hasReceiver: boolean
  /** The message whose answer this process delivers itself, after those before it. */
  readonly own?: Waiting | undefined
}

/**
 * Answers that no living process will deliver. Those before them in their session go first, even if another process has
 * received their messages: its channels send them from the store, which has each once.
 */
async function freeAnswers(services: DueServices, { hasReceiver, own }: Handing): Promise<readonly Unsent[]> {
  const { store, workspace } = services
  const unsent = (await store.outbox.unsent(workspace.current().id))
    // The report of a delegated part is for the agent, not for the person.
    .filter(({ message: { message } }) => message.isPart !== true)
  const free = unsent.filter((answer) => isFree(services, answer))
  if (!hasReceiver) return free
  const later = [...free.map(({ message }) => message), ...(own === undefined ? [] : [own])]
  const overtaken = unsent.filter(
    (answer) => !free.includes(answer) && later.some((one) => isBefore(answer.message, one)),
  )
  const arrivals = await Promise.all(overtaken.map(({ message }) => store.channels.arrivalOf(message.turn)))
  const first = overtaken.filter((_, at) => arrivals[at] !== undefined)
  return unsent.filter((answer) => free.includes(answer) || first.includes(answer))
}

function isFree(
  { leases, clock, awaited }: DueServices,
  { message: { turn, takenBy }, at }: Unsent,
): boolean {
  if (awaited.has(turn)) return false
  return takenBy === leases.owner || isGone(takenBy, clock.now() - at)
}

function isBefore(one: Waiting, other: Waiting): boolean {
  return one.session === other.session && one.order < other.order
}

/** When to come back; undefined if the queue is empty. */
async function nextDue(services: DueServices, hasReceiver: boolean): Promise<number | undefined> {
  const { store, leases, clock, workspace, awaited } = services
  const waiting = (await store.inbox.openBeside(workspace.current().id, leases.owner))
    .filter(({ turn, message }) => !awaited.has(turn) && message.isPart !== true)
    .filter(({ takenBy, at }) => takenBy === leases.owner || isGone(takenBy, clock.now() - at))
  const free = hasReceiver ? await freeAnswers(services, { hasReceiver }) : []
  const asked = await store.waits.open(workspace.current().id, "client-tools")
  const dues = [
    ...waiting.map(({ notBefore }) => notBefore),
    ...asked.map(({ expiresAt }) => expiresAt),
    ...free.map(() => clock.now() + AGAIN_MS),
  ]
  return dues.length === 0 ? undefined : Math.min(...dues)
}

/** One timer for the whole queue. */
function createTimer(
  now: () => number,
  { due, wake }: { readonly due: () => Promise<number | undefined>; readonly wake: () => void },
) {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let asked = 0
  return {
    async set() {
      asked += 1
      const own = asked
      const at = isStopped ? undefined : await quietly(due)
      // Another call asked later, or the queue was stopped.
      if (own !== asked || isStopped) return
      clearTimeout(timer)
      if (at === undefined) return
      timer = setTimeout(wake, Math.min(LONGEST_MS, Math.max(SOON_MS, at - now()))).unref()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

interface HandedOver {
  readonly handed: readonly StoredReply[]
  /** One for each session whose answers are held back. */
  readonly failures: readonly unknown[]
}

type HandOver = (unsent: () => Promise<readonly Unsent[]>, give: Deliver) => Promise<HandedOver>

/**
 * An answer that cannot be delivered holds back the later ones of its session, and no others. The timer and callers of
 * `resume` may deliver at the same time. Each session then belongs to the first of them, which looks again if another
 * one skipped it. None of them waits for another: a receiver may itself send a message.
 */
function createHandOver(services: DeliverServices): HandOver {
  const busy = new Set<string>()
  const missed = new Set<string>()
  return async (unsent, give) => {
    const own = new Set<string>()
    const handed: StoredReply[] = []
    const failures = new Map<string, unknown>()
    const handOne = async (answer: Unsent): Promise<void> => {
      const { session } = answer.reply
      if (busy.has(session) && !own.has(session)) return void missed.add(session)
      if (failures.has(session)) return
      busy.add(session)
      own.add(session)
      try {
        const session = await quietly(() => services.store.sessions.facts(answer.reply.session))
        const to = isForNobody(answer) ? undefined : give
        if (await deliver(services, { ...answer, session }, to)) handed.push(answer.reply)
      } catch (error) {
        failures.set(session, error)
      }
    }
    do {
      for (const answer of await unsent()) await handOne(answer)
    } while (release(own, { busy, missed }))
    return { handed, failures: [...failures.values()] }
  }
}

/** Returns true if another call skipped a session of this one. */
function release(
  own: Set<string>,
  { busy, missed }: Readonly<Record<"busy" | "missed", Set<string>>>,
): boolean {
  const again = [...own].filter((session) => missed.delete(session))
  for (const session of own) busy.delete(session)
  own.clear()
  return again.length > 0
}

/** The answer of a scheduled run is never delivered: it has a tool to reach people. */
function isForNobody({ message: { message } }: Pick<Unsent, "message">): boolean {
  return message.entry !== undefined
}

export type DeliverServices = Pick<Services, "store" | "people" | "events">

/** An answer on its way to its sender. */
export interface Delivery extends Pick<Unsent, "reply" | "message"> {
  /** Undefined if it could not be read. */
  readonly session: SessionFacts | undefined
}

/**
 * Delivers an answer; returns false if there was no answer or no receiver that took it. It is marked as sent after the delivery, so
 * a crash in between delivers it twice.
 */
export async function deliver(
  { store, people, events }: DeliverServices,
  { reply, message: waiting, session }: Delivery,
  give: Deliver | undefined,
): Promise<boolean> {
  if (reply.state === "queued" || reply.state === "waiting") return false
  if ((await quietly(() => store.outbox.isSent(reply.turn))) === true) return false
  const scope = session && events.scope(originOf(session, waiting), waiting.message.span)
  const { reply: shown, isWithheld } = answerFor(people, { session, from: waiting.message, reply })
  try {
    if ((await give?.(shown, senderOf(waiting.message))) === false) return false
  } catch (error) {
    scope?.event("channel_error", { error: messageOf(error), data: { state: shown.state } })
    throw error
  }
  // If marking fails, the answer may be delivered twice, which is allowed.
  const isMarked = (await quietly(() => store.outbox.markSent(reply.turn))) === true
  if (give === undefined) return false
  if (isMarked)
    scope?.event("message_sent", {
      ...(isWithheld && { level: "warn" as const }),
      data: { length: shown.text.length, state: shown.state, ...(isWithheld && { withheld: true }) },
    })
  return true
}
