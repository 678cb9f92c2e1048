// Waits for a promise, up to a time limit.

export interface Limit<T> {
  readonly limitMs: number
  /** Returns the replacement, or throws. */
  readonly late: () => T
}

/** The promise's value, or the result of `late` once the time is up. The promise itself keeps running. */
export async function within<T>(promise: Promise<T>, { limitMs, late }: Limit<T>): Promise<T> {
  const { promise: up, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), limitMs)
  const done = promise.then((value) => ({ value }))
  try {
    const first = await Promise.race([done, up])
    return first === undefined ? late() : first.value
  } finally {
    clearTimeout(timer)
  }
}
