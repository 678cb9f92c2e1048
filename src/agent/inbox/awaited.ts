// The turns whose answers a caller in this process waits for. Only that caller works on such a message and delivers its
// answer: nobody else has its listeners and its approvals.

export interface Awaited {
  has(turn: string): boolean
  /** The turn counts as awaited while `work` runs. Begin before its message is stored, so that nobody sees it without. */
  during<T>(turn: string, work: () => Promise<T>): Promise<T>
}

export function createAwaited(): Awaited {
  const counts = new Map<string, number>()
  return {
    has: (turn) => counts.has(turn),
    async during(turn, work) {
      counts.set(turn, (counts.get(turn) ?? 0) + 1)
      try {
        return await work()
      } finally {
        const left = (counts.get(turn) ?? 1) - 1
        if (left === 0) counts.delete(turn)
        else counts.set(turn, left)
      }
    },
  }
}
