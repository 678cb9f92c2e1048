// Keeps a schedule running: waits for the next run, has the due ones done one after another, and goes on whatever becomes
// of them. Takes no run itself: who does it, takes it.
import type { Firing } from "./due-runs.ts"
import type { Schedule } from "./schedule.ts"

export interface SchedulerOptions {
  readonly schedule: Pick<Schedule, "due" | "next">
  /** Takes the run and does it; does nothing if it is taken. What it throws is told, and an untaken run comes again. */
  readonly run: (firing: Firing) => Promise<void>
  readonly now: () => number
  /** Calls back once after so many milliseconds, unless it is called off with what it returns. */
  readonly timer: (ms: number, wake: () => void) => () => void
  /** Told of a run that failed, or that the schedule could not be asked. */
  readonly trouble: (error: unknown, firing?: Firing) => void
}

export interface Scheduler {
  /** Resolves when the run that is being done has ended; no other is begun. */
  stop(): Promise<void>
}

/** Longer waits would sleep through a clock that is set, a machine that sleeps and an entry that another process adds. */
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

  /** Does what is due, each once, and says when the next run comes. */
  async function workOff(): Promise<number> {
    const tried = new Set<string>()
    for (;;) {
      const asked = now()
      const firing = attempt(() => schedule.due().find((due) => !tried.has(keyOf(due))))
      if (firing === undefined) return attempt(() => schedule.next(asked)) ?? Number.POSITIVE_INFINITY
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
  function attempt<T>(ask: () => T): T | undefined {
    try {
      return ask()
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
