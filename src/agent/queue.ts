// What waits: messages that could not be answered yet, and answers that nobody has been given. Comes back for them when
// they are due, and hands answers over in the order of their messages.
import type { AgentOptions, Deliver, RunningAgent } from "./agent.ts"
import type { LiveEvent, Reply } from "./live.ts"
import type { Runtime } from "./runtime.ts"
import type { StoredReply, Unsent, Waiting } from "./stored.ts"
import { originOf } from "./turn.ts"
import { isGone, quietly, type Worker } from "./worker.ts"

export interface Queue {
  readonly resume: RunningAgent["resume"]
  /** Somebody waits for this message's answer; nobody else is given it. `work` hands it over. */
  whileAwaited(waiting: Waiting, work: () => Promise<Reply>): Promise<Reply>
  /** Hands over what was answered before this message, in its session. */
  deliverBefore(waiting: Waiting): Promise<void>
  stop(): void
}

const NEVER = new AbortController().signal
/** Another process may be at it: it is looked again so soon. */
const SOON_MS = 1_000
/** An answer that could not be handed over is offered again after so long. */
const AGAIN_MS = 60_000
/** A clock may be set, and timers can not wait for ever. */
const LONGEST_MS = 3_600_000

export function createQueue(
  runtime: Runtime,
  worker: Worker,
  { deliver: give = () => {} }: AgentOptions,
): Queue {
  const { store, record, now, owner } = runtime
  /** How many wait for each turn, in this process. */
  const awaited = new Map<string, number>()
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const agent = () => runtime.workspace().id
  const isFree = ({ message, at }: Unsent) =>
    !awaited.has(message.turn) &&
    message.message.isPart !== true &&
    (message.takenBy === owner || isGone(message.takenBy, now() - at))
  const free = () => store.unsent(agent()).filter(isFree)

  const resume = async (tell: (event: LiveEvent) => void = () => {}, signal = NEVER) => {
    try {
      await worker.drain({ signal, tell })
      const handed = await handOver(runtime, free(), give)
      await record.flush()
      return handed.map((reply) => ({ ...reply, prompt: undefined }))
    } finally {
      arm()
    }
  }
  const arm = () => {
    clearTimeout(timer)
    const due = isStopped ? undefined : quietly(nextDue)
    if (due === undefined) return
    const waitMs = Math.min(LONGEST_MS, Math.max(SOON_MS, due - now()))
    timer = setTimeout(() => void resume().catch(told), waitMs).unref()
  }
  const nextDue = (): number | undefined => {
    const waiting = store
      .open(agent())
      .filter(({ takenBy, notBefore, turn }) => takenBy === owner && notBefore > 0 && !awaited.has(turn))
    const dues = [...waiting.map(({ notBefore }) => notBefore), ...free().map(() => now() + AGAIN_MS)]
    return dues.length === 0 ? undefined : Math.min(...dues)
  }
  const told = (error: unknown) => {
    runtime
      .scope({ agent: agent(), trust: "full" })
      .event("finding", { level: "error", error: String(error) })
  }
  return {
    resume,
    async whileAwaited({ turn }, work) {
      awaited.set(turn, (awaited.get(turn) ?? 0) + 1)
      try {
        return await work()
      } finally {
        const left = (awaited.get(turn) ?? 1) - 1
        if (left > 0) awaited.set(turn, left)
        else awaited.delete(turn)
        arm()
      }
    },
    async deliverBefore({ session, order }) {
      try {
        const before = free().filter(({ message }) => message.session === session && message.order < order)
        await handOver(runtime, before, give)
      } catch (error) {
        // They stay where they are, and the one who waits now is not kept waiting for them.
        told(error)
      }
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** One that can not be handed over keeps back those after it in its session, and no others. Throws at the end. */
async function handOver(
  runtime: Runtime,
  unsent: readonly Unsent[],
  give: Deliver,
): Promise<readonly StoredReply[]> {
  const handed: StoredReply[] = []
  const failures = new Map<string, unknown>()
  for (const { reply } of unsent) {
    if (failures.has(reply.session)) continue
    try {
      await deliver(runtime, reply, give)
      handed.push(reply)
    } catch (error) {
      failures.set(reply.session, error)
    }
  }
  for (const error of failures.values()) throw error
  return handed
}

/** It counts as sent when it was handed over: who dies in between hands it over again. */
export async function deliver(runtime: Runtime, reply: StoredReply, give: Deliver): Promise<void> {
  const { store, now } = runtime
  if (reply.state === "queued") return
  if (quietly(() => store.isSent(reply.turn)) === true) return
  await give(reply)
  // If it can not be marked it may be handed over once more, which does no harm.
  if (quietly(() => store.markSent(reply.turn, now())) !== true) return
  const session = store.session(reply.session)
  const waiting = store.waiting(reply.turn)
  if (session === undefined || waiting === undefined) return
  runtime
    .scope(originOf(session, waiting), waiting.message.span)
    .event("message_sent", { data: { length: reply.text.length, state: reply.state } })
}
