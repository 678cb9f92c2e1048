// Keeps a schedule running: waits for the next run, starts the due ones one after another, and continues if one fails.
// The callback `run` claims the runs.
import type { Firing } from "./due-runs.ts"
import type { Schedule } from "./schedule.ts"

export interface SchedulerOptions {
  readonly schedule: Pick<Schedule, "due" | "next">
  /**
   * Claims and does the run; does nothing if it was claimed before. Errors are reported, and an unclaimed run comes
   * again.
   */
  readonly run: (firing: Firing) => Promise<void>
  readonly now: () => number
  /** Calls `wake` once after `ms`. The returned function cancels it. */
  readonly timer: (ms: number, wake: () => void) => () => void
  /** Called when a run fails, or when the schedule cannot be read. */
  readonly trouble: (error: unknown, firing?: Firing) => void
}

export interface Scheduler {
  /** Resolves when the current run has ended; no other is started. */
  stop(): Promise<void>
}

/** Longer waits would miss a clock that is set, a machine waking up, or an entry added by another process. */
const LOOK_MS = 60_000

export function startScheduler({ schedule, run, now, timer, trouble }: SchedulerOptions): Scheduler {
  let isStopped = false
  let wake = () => {}
  const ended = keepRunning()

  async function keepRunning(): Promise<void> {
    while (!isStopped) {
      const next = await workOff()
      if (isStopped) return
      await pause(Math.max(0, Math.min(next - now(), LOOK_MS)))
    }
  }

  /** Does everything that is due, each run once, and returns when the next run comes. */
  async function workOff(): Promise<number> {
    const tried = new Set<string>()
    for (;;) {
      const asked = now()
      const firing = await attempt(async () => (await schedule.due()).find((due) => !tried.has(keyOf(due))))
      if (firing === undefined) return (await attempt(() => schedule.next(asked))) ?? Number.POSITIVE_INFINITY
      tried.add(keyOf(firing))
      try {
        await run(firing)
      } catch (error) {
        trouble(error, firing)
      }
      if (isStopped) return asked
    }
  }

  /** A store that cannot be read now may be readable in a minute. */
  async function attempt<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask()
    } catch (error) {
      trouble(error)
      return undefined
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = timer(ms, resolve)
      wake = () => {
        cancel()
        resolve()
      }
    })
  }

  return {
    stop() {
      isStopped = true
      wake()
      return ended
    },
  }
}

function keyOf({ entry, due }: Firing): string {
  return `${entry} ${due}`
}
