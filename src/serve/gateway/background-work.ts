// What the agents of a gateway do without a request: the schedule, and messages that an earlier process left.
import { setTimeout as sleep } from "node:timers/promises"
import type { RunningAgent } from "../../agent/setup/agent.ts"
import type { WakeUps } from "../../database/contract/wake.ts"

/** An agent comes back to its own queue in time; this finds what other processes have left. */
const LOOK_EVERY_MS = 10_000

export interface BackgroundWork {
  /** Begins nothing new. Resolves when nothing runs; close the agents meanwhile, which puts running work back. */
  stop(): Promise<void>
}

export function startBackgroundWork(
  agents: readonly RunningAgent[],
  wakeUps: WakeUps,
  trouble: (text: string) => void,
): BackgroundWork {
  const stopped = new AbortController()
  const schedules = agents.map((agent) => agent.keepSchedule({ onlyApproved: true, trouble }))
  const queues = agents.map((agent) => keepQueue(agent, { stopped: stopped.signal, wakeUps, trouble }))
  return {
    async stop() {
      stopped.abort()
      await Promise.all([...schedules.map((schedule) => schedule.stop()), ...queues])
    },
  }
}

interface QueueKeeping {
  readonly stopped: AbortSignal
  readonly wakeUps: WakeUps
  readonly trouble: (text: string) => void
}

async function keepQueue(agent: RunningAgent, { stopped, wakeUps, trouble }: QueueKeeping): Promise<void> {
  while (!stopped.aborted) {
    try {
      await agent.resume()
    } catch (error) {
      // The store may be busy, or an answer may not be deliverable now. Both are tried again.
      if (!stopped.aborted) trouble(error instanceof Error ? error.message : String(error))
    }
    await untilNextLook(wakeUps, stopped)
  }
}

/** A wake-up about one session is for those who wait for it; one that may be about any follows a time without them. */
async function untilNextLook({ listen }: WakeUps, stopped: AbortSignal): Promise<void> {
  const woken = new AbortController()
  const stop = listen(({ kind, session }) => {
    if (kind === "message" && session === undefined) woken.abort()
  })
  const signal = AbortSignal.any([stopped, woken.signal])
  await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => {})
  stop()
}
