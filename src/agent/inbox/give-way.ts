// Takes turns on the event loop. Preparing a prompt takes several milliseconds of one thread. When many sessions do so
// at once, timers and sockets are served in between.

const waiting: (() => void)[] = []
let isTurning = false

/** Resolves in a later turn of the event loop, for one caller in each turn, in the order in which they came. */
export function giveWay(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(resolve)
  if (!isTurning) setImmediate(next)
  isTurning = true
  return promise
}

/** A callback that is set within `setImmediate` runs in the next turn of the loop. */
function next(): void {
  const resolve = waiting.shift()
  isTurning = waiting.length > 0
  if (isTurning) setImmediate(next)
  resolve?.()
}
