// The clock of a store that has its own, such as the server's, read without asking it each time. Between two readings it
// goes by the time since this process started, which nobody sets: a wrong clock of this machine changes nothing.
import { performance } from "node:perf_hooks"

/** Clocks drift apart by less than a millisecond in this time. */
const READ_EVERY_MS = 60_000

export async function storeClock(read: () => Promise<number>): Promise<() => number> {
  let offset = 0
  let readAt = 0
  const look = async () => {
    const before = performance.now()
    const there = await read()
    readAt = performance.now()
    offset = there - (before + readAt) / 2
  }
  await look()
  return () => {
    if (performance.now() - readAt >= READ_EVERY_MS) {
      readAt = performance.now()
      // Until the store can be read again, the last reading counts.
      void look().catch(() => {})
    }
    return Math.round(offset + performance.now())
  }
}
