// Some clients keep no id of the provider, so a call that was seen on the wire has another id in their own files. The two
// are known by what was used and when: each call of the wire stands for at most one of a file.
import { inputOf } from "../render/cache/price.ts"
import type { CalledUsage } from "./call.ts"

export interface Twins {
  /** Remembers a call if it was seen on the wire. */
  add(call: CalledUsage): void
  /** Whether a call of a client's own file is one of those; that one is then taken. */
  take(call: CalledUsage): boolean
}

/** A client may write an answer down a while after it came. */
const MOST_APART_MS = 60_000

export function createTwins(): Twins {
  const times = new Map<string, number[]>()
  return {
    add(call) {
      if (call.via !== "wire") return
      const key = keyOf(call)
      const known = times.get(key)
      if (known === undefined) times.set(key, [call.at])
      else known.push(call.at)
    },
    take(call) {
      const known = call.via === "wire" ? undefined : times.get(keyOf(call))
      if (known === undefined || known.length === 0) return false
      const apart = known.map((at) => Math.abs(at - call.at))
      const nearest = Math.min(...apart)
      if (nearest > MOST_APART_MS) return false
      known.splice(apart.indexOf(nearest), 1)
      return true
    },
  }
}

/** Without the model, which a client may name in its own way. */
function keyOf({ client, usage }: CalledUsage): string {
  return [client, inputOf(usage), usage.read, usage.output].join(" ")
}
