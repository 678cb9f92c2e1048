// What the agents of a gateway do without a request: the schedule, and messages that an earlier process left.
import { setTimeout as sleep } from "node:timers/promises"
import type { RunningAgent } from "../../agent/setup/agent.ts"

/** An agent comes back to its own queue in time; this finds what other processes have left. */
const LOOK_EVERY_MS = 30_000

export interface BackgroundWork {
  /** Begins nothing new. Resolves when nothing runs; close the agents meanwhile, which puts running work back. */
  stop(): Promise<void>
}

export function startBackgroundWork(
  agents: readonly RunningAgent[],
  trouble: (text: string) => void,
): BackgroundWork {
  const stopped = new AbortController()
  const schedules = agents.map((agent) => agent.keepSchedule({ onlyApproved: true, trouble }))
  const queues = agents.map((agent) => keepQueue(agent, stopped.signal, trouble))
  return {
    async stop() {
      stopped.abort()
      await Promise.all([...schedules.map((schedule) => schedule.stop()), ...queues])
    },
  }
}

async function keepQueue(
  agent: RunningAgent,
  stopped: AbortSignal,
  trouble: (text: string) => void,
): Promise<void> {
  while (!stopped.aborted) {
    try {
      await agent.resume()
    } catch (error) {
      // The store may be busy, or an answer may not be deliverable now. Both are tried again.
      if (!stopped.aborted) trouble(error instanceof Error ? error.message : String(error))
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal: stopped, ref: false }).catch(() => {})
  }
}
