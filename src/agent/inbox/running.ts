// Messages that are being processed, and how closing the agent interrupts them.

export interface Running {
  readonly isClosing: boolean
  /** `closing` is aborted by `close`, unless `signal` was aborted before: what was stopped is over, and not resumed. */
  during<T>(signal: AbortSignal, work: (closing: AbortSignal) => Promise<T>): Promise<T>
  /** Interrupts everything; resolves when nothing runs. */
  close(): Promise<void>
}

export function createRunning(): Running {
  const closing = new AbortController()
  const working = new Set<Promise<unknown>>()
  return {
    get isClosing() {
      return closing.signal.aborted
    },
    during(signal, work) {
      const interrupted = new AbortController()
      const interrupt = () => {
        if (!signal.aborted) interrupted.abort()
      }
      closing.signal.addEventListener("abort", interrupt, { once: true })
      if (closing.signal.aborted) interrupt()
      const done = work(interrupted.signal).finally(() => {
        closing.signal.removeEventListener("abort", interrupt)
        working.delete(done)
      })
      working.add(done)
      return done
    },
    async close() {
      closing.abort()
      await Promise.allSettled(working)
    },
  }
}
