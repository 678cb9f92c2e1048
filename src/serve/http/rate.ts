// How often somebody may call: a bucket each, which refills evenly and holds a minute's worth.

/** Buckets that are full again say nothing; they are removed when there are this many. */
const MANY = 10_000
const MINUTE_MS = 60_000

/** Counts calls by key. */
export interface Rate {
  /** Takes one. Returns undefined if there was one, else the seconds until there is. */
  take(key: string): number | undefined
}

interface Bucket {
  readonly left: number
  readonly at: number
}

/** A rate of so many calls a minute for each key. */
export function createRate(perMinute: number, now: () => number): Rate {
  const buckets = new Map<string, Bucket>()
  const perMs = perMinute / MINUTE_MS
  const leftIn = (key: string): number => {
    const bucket = buckets.get(key)
    if (bucket === undefined) return perMinute
    return Math.min(perMinute, bucket.left + Math.max(0, now() - bucket.at) * perMs)
  }
  const secondsUntil = (left: number) =>
    left >= 1 ? undefined : Math.max(1, Math.ceil((1 - left) / perMs / 1000))
  return {
    take(key) {
      if (buckets.size >= MANY) forgetFull(buckets, (one) => leftIn(one) >= perMinute)
      const left = leftIn(key)
      const seconds = secondsUntil(left)
      if (seconds === undefined) buckets.set(key, { left: left - 1, at: now() })
      return seconds
    },
  }
}

/** If all are in use, the oldest goes: memory stays bounded whoever calls. */
function forgetFull(buckets: Map<string, Bucket>, isFull: (key: string) => boolean): void {
  for (const key of buckets.keys()) if (isFull(key)) buckets.delete(key)
  for (const key of buckets.keys()) {
    if (buckets.size < MANY) return
    buckets.delete(key)
  }
}
