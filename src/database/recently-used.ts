// Keeps what was used last, up to a size. What was not used for longest is forgotten first, so that many users in turn
// don't drive out each other's at once.

export interface RecentlyUsed<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V, size: number): void
}

/** `most`: the sum of the sizes. A value that is larger by itself isn't kept. */
export function createRecentlyUsed<K, V>(most: number): RecentlyUsed<K, V> {
  // A map lists its keys in the order in which they were added.
  const kept = new Map<K, { readonly value: V; readonly size: number }>()
  let held = 0
  const forget = (key: K) => {
    held -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }
  return {
    get(key) {
      const found = kept.get(key)
      if (found === undefined) return undefined
      kept.delete(key)
      kept.set(key, found)
      return found.value
    },
    set(key, value, size) {
      forget(key)
      if (size > most) return
      kept.set(key, { value, size })
      held += size
      for (const oldest of kept.keys()) {
        if (held <= most) return
        forget(oldest)
      }
    },
  }
}
