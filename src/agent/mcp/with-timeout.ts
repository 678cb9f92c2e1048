// Waits for something, but not for ever.

export interface Limit<T> {
  readonly limitMs: number
  /** Gives what is returned instead, or throws. */
  readonly late: () => T
}

/** What the promise gives, or what `late` says once the time is up. The promise itself goes on. */
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
