// How many requests of a client are being answered: no more than a number of them, and the next one waits.

export interface OpenRequests {
  /** Resolves when there is room. Ids may come twice. */
  begin(id: string | number): Promise<void>
  /** Does nothing for one that isn't open. */
  end(id: unknown): void
  /** Resolves when none is open. */
  none(): Promise<void>
}

export function openRequests(most: number): OpenRequests {
  const open = new Map<unknown, number>()
  let count = 0
  let changed = Promise.withResolvers<void>()
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await changed.promise
  }
  return {
    async begin(id) {
      await until(() => count < most)
      open.set(id, (open.get(id) ?? 0) + 1)
      count += 1
    },
    end(id) {
      const same = open.get(id)
      if (same === undefined) return
      if (same === 1) open.delete(id)
      else open.set(id, same - 1)
      count -= 1
      changed.resolve()
      changed = Promise.withResolvers()
    },
    none: () => until(() => count === 0),
  }
}
