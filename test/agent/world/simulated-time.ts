// Time that passes only when a test says so: a clock, and a timer for one who waits. Nothing sleeps.

export interface SimulatedTime {
  readonly now: () => number
  readonly timer: (ms: number, wake: () => void) => () => void
  set(now: number): void
  /** Resolves with the moment for which somebody waits, as soon as somebody does. */
  waiting(): Promise<number>
  /** Sets the clock and wakes who waits, on time or not. */
  wake(now: number): void
}

export function simulatedTime(start: number): SimulatedTime {
  let time = start
  let wait = Promise.withResolvers<{ at: number; wake: () => void }>()
  let pending: (() => void) | undefined
  return {
    now: () => time,
    timer(ms, wake) {
      pending = wake
      wait.resolve({ at: time + ms, wake })
      return () => {
        pending = undefined
      }
    },
    set(now) {
      time = now
    },
    waiting: async () => (await wait.promise).at,
    wake(now) {
      time = now
      const woken = pending
      pending = undefined
      wait = Promise.withResolvers()
      woken?.()
    },
  }
}
