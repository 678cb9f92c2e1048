// The turns whose answers a caller in this process waits for. Only that caller works on such a message and delivers its
// answer: nobody else has its listeners and its approvals.

export interface Awaited {
  has(turn: string): boolean
  /** The turn counts as awaited while `work` runs. Begin before its message is stored, so that nobody sees it without. */
  during<T>(turn: string, work: () => Promise<T>): Promise<T>
  /** Its answer is in the store, and anybody in this process may deliver it, though its caller is not done yet. */
  release(turn: string): void
}

export function createAwaited(): Awaited {
  const counts = new Map<string, number>()
  const released = new Set<string>()
  return {
    has: (turn) => counts.has(turn) && !released.has(turn),
    release: (turn) => void released.add(turn),
    async during(turn, work) {
      counts.set(turn, (counts.get(turn) ?? 0) + 1)
      try {
        return await work()
      } finally {
        const left = (counts.get(turn) ?? 1) - 1
        if (left > 0) counts.set(turn, left)
        else {
          counts.delete(turn)
          released.delete(turn)
        }
      }
    },
  }
}
