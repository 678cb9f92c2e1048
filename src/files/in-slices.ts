// Long work on many files, in slices: timers and sockets are served in between.
import { setImmediate } from "node:timers/promises"

/** How long to work before others get their turn. */
export const SLICE_MS = 15

/** Returns a function to await after each piece of work. It lets others work once a slice is over. */
export function slices(): () => Promise<void> | undefined {
  let end = performance.now() + SLICE_MS
  return () => {
    if (performance.now() < end) return undefined
    return setImmediate().then(() => {
      end = performance.now() + SLICE_MS
    })
  }
}

/** Work that others may interrupt at each `yield`, which returns whether they did. */
export type Sliceable<T> = Generator<undefined, T, boolean>

export function atOnce<T>(work: Sliceable<T>): T {
  for (;;) {
    const step = work.next(false)
    if (step.done === true) return step.value
  }
}

export async function inSlices<T>(work: Sliceable<T>): Promise<T> {
  const pause = slices()
  for (let wasPaused = false; ; ) {
    const step = work.next(wasPaused)
    if (step.done === true) return step.value
    const pausing = pause()
    wasPaused = pausing !== undefined
    if (wasPaused) await pausing
  }
}
