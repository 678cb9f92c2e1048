// Works messages off: those of one session one after another, whoever sent them and whichever process took them in.
// Sessions do not wait for each other.

import { IncipitError } from "../core/error.ts"
import type { Deliver } from "./agent.ts"
import type { LiveEvent, Reply } from "./live.ts"
import { mayBeAlive } from "./owner.ts"
import type { Runtime } from "./runtime.ts"
import type { StoredReply, Waiting } from "./stored.ts"
import { originOf, workTurn } from "./turn.ts"

export interface WorkerOptions {
  readonly signal: AbortSignal
  readonly tell: (event: LiveEvent) => void
}

export interface Worker {
  /** Resolves with what became of the message, whoever worked it off. */
  settle(waiting: Waiting, options: WorkerOptions): Promise<Reply>
  /** Works off what is due: turns that were cut short, messages that wait. */
  drain(options: WorkerOptions): Promise<readonly Reply[]>
}

const LEASE_MS = 30_000
const RENEW_MS = 10_000
/** How often it is looked whether another process has done with the session. */
const POLL_MS = 50

export function createWorker(runtime: Runtime): Worker {
  /** In this process, one at a time for each session. */
  const lines = new Map<string, Promise<unknown>>()
  const inLine = <T>(session: string, work: () => Promise<T>): Promise<T> => {
    const next = (lines.get(session) ?? Promise.resolve()).then(work, work)
    lines.set(
      session,
      next.catch(() => undefined),
    )
    return next
  }
  return {
    settle: (waiting, options) => inLine(waiting.session, () => settle(runtime, waiting, options)),
    async drain(options) {
      const open = runtime.store.open(agentOf(runtime)).filter((waiting) => isAbandoned(runtime, waiting))
      const replies: Reply[] = []
      for (const waiting of open) {
        const reply = await inLine(waiting.session, () => resumeOne(runtime, waiting, options))
        if (reply !== undefined) replies.push(reply)
      }
      return replies
    },
  }
}

function agentOf(runtime: Runtime): string {
  return runtime.workspace().id
}

/** Nobody is working on it, or will come back for it before it is due. */
function isAbandoned({ owner, now }: Runtime, { takenBy, state, notBefore }: Waiting): boolean {
  if (state === "waiting" && notBefore > now()) return false
  return takenBy === owner || notBefore > 0 || !mayBeAlive(takenBy)
}

async function settle(runtime: Runtime, own: Waiting, options: WorkerOptions): Promise<Reply> {
  for (;;) {
    const done = doneReply(runtime, own.turn)
    if (done !== undefined) return done
    if (claim(runtime, own.session)) {
      const reply = await whileHeld(runtime, own.session, () => workUpTo(runtime, own, options))
      if (reply !== undefined) return reply
    }
    await runtime.wait(POLL_MS, options.signal).catch(() => undefined)
  }
}

/** What stands before it in the session is worked off first; its own reply comes back. */
async function workUpTo(runtime: Runtime, own: Waiting, options: WorkerOptions): Promise<Reply | undefined> {
  for (;;) {
    const next = runtime.store.nextOf(own.session)
    if (next === undefined || next.order > own.order) return doneReply(runtime, own.turn)
    const isOwn = next.turn === own.turn
    const reply = await workTurn(runtime, next, isOwn ? options : { ...options, tell: () => {} })
    if (isOwn) return reply
    // It has to wait, and so does what comes after it.
    if (reply.state === "queued") return queuedBehind(runtime, own, reply)
  }
}

/** Answers keep the order of the messages, so this one waits as long as the one before it. */
function queuedBehind(runtime: Runtime, own: Waiting, before: Reply): Reply {
  const first = runtime.store.waiting(before.turn)
  runtime.store.postpone(own.turn, first?.notBefore ?? 0, "an earlier message waits")
  return { ...before, turn: own.turn, steps: 0 }
}

async function resumeOne(
  runtime: Runtime,
  waiting: Waiting,
  options: WorkerOptions,
): Promise<Reply | undefined> {
  if (doneReply(runtime, waiting.turn) !== undefined || !claim(runtime, waiting.session)) return undefined
  return whileHeld(runtime, waiting.session, async () => {
    const next = runtime.store.nextOf(waiting.session)
    return next?.turn === waiting.turn ? workTurn(runtime, next, options) : undefined
  })
}

function claim({ store, owner, now }: Runtime, session: string): boolean {
  return store.claim(session, owner, { now: now(), leaseMs: LEASE_MS, mayBeAlive })
}

export async function whileHeld<T>(runtime: Runtime, session: string, work: () => Promise<T>): Promise<T> {
  const { store, owner } = runtime
  if (!claim(runtime, session))
    throw new IncipitError("session-lost", `another process works on the session ${session}`)
  const timer = setInterval(() => claim(runtime, session), RENEW_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    store.release(session, owner)
  }
}

/** From the store: the prompt is in the record. */
function doneReply({ store }: Runtime, turn: string): Reply | undefined {
  const reply = store.reply(turn)
  return reply && { ...reply, prompt: undefined }
}

/** It counts as sent when it was handed over: who dies in between hands it over again. */
export async function deliver(runtime: Runtime, reply: StoredReply, give: Deliver): Promise<void> {
  const { store, now } = runtime
  if (reply.state === "queued") return
  await give(reply)
  if (!store.markSent(reply.turn, now())) return
  const session = store.session(reply.session)
  const waiting = store.waiting(reply.turn)
  if (session === undefined || waiting === undefined || reply.state === "silent") return
  runtime
    .scope(originOf(session, waiting), waiting.message.span)
    .event("message_sent", { data: { length: reply.text.length, state: reply.state } })
}
