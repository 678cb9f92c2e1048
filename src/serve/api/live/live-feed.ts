// The events of all turns of this process as they happen, and the last of them for clients that come back. Memory stays
// bounded whoever listens, and however slowly; nothing is kept that nobody can ask for.
import { randomUUID } from "node:crypto"
import type { WatchedEvent } from "../../../agent/turn/live-event.ts"

const MOST_EVENTS = 10_000
const MOST_CHARACTERS = 16_000_000

/** An event with an id that says nothing about the events of others, such as how many there were. */
export interface FedEvent {
  readonly id: string
  readonly event: WatchedEvent
}

export interface LiveFeed {
  /** Takes the next event. */
  watch(event: WatchedEvent): void
  /**
   * What came after the event with this id, then what comes, until the signal aborts or the feed is closed. "missed" if
   * there are events in between that are no longer known.
   */
  follow(after: string | undefined, signal: AbortSignal): AsyncGenerator<FedEvent | "missed", void>
  /** Ends all followers. */
  close(): void
}

export function createLiveFeed(
  limits: Limits = { events: MOST_EVENTS, characters: MOST_CHARACTERS },
): LiveFeed {
  const kept = createKeptEvents(limits)
  const closed = new AbortController()
  let followers = 0
  let news = Promise.withResolvers<void>()
  const wake = () => {
    const before = news
    news = Promise.withResolvers<void>()
    before.resolve()
  }
  async function* from(start: number, end: AbortSignal): AsyncGenerator<FedEvent | "missed", void> {
    for (let place = start; !end.aborted; ) {
      if (place < kept.first()) {
        place = kept.first()
        yield "missed"
        continue
      }
      const found = kept.shown(place)
      if (found === undefined) {
        await news.promise
        continue
      }
      place += 1
      yield found
    }
  }
  return {
    watch(event) {
      kept.add(event)
      // Then no client can come back to any of them.
      if (followers === 0 && kept.lastShown() < kept.first()) kept.clear()
      wake()
    },
    async *follow(after, signal) {
      const known = after === undefined ? undefined : kept.placeOf(after)
      followers += 1
      try {
        if (after !== undefined && known === undefined) yield "missed"
        const end = AbortSignal.any([signal, closed.signal])
        end.addEventListener("abort", wake, { once: true })
        yield* from(known === undefined ? kept.next() : known + 1, end)
      } finally {
        followers -= 1
      }
    },
    close: () => closed.abort(),
  }
}

type Limits = Readonly<Record<"events" | "characters", number>>

interface Kept {
  readonly event: WatchedEvent
  readonly size: number
  /** Only once it was shown: a client cannot come back to an event that it has not seen. */
  id?: string
}

/** The last events. Each has a place, counted from the first event of all. */
function createKeptEvents(limits: Limits) {
  let kept: (Kept | undefined)[] = []
  /** How many at the beginning of `kept` are forgotten and empty: removing one at the front moves all others. */
  let gone = 0
  let first = 0
  let size = 0
  let lastShown = -1
  const next = () => first + kept.length - gone
  const clear = () => {
    first = next()
    kept = []
    gone = 0
    size = 0
  }
  const forget = () => {
    while (kept.length > gone && (kept.length - gone > limits.events || size > limits.characters)) {
      size -= kept[gone]?.size ?? 0
      kept[gone] = undefined
      gone += 1
      first += 1
    }
    if (gone <= limits.events / 10) return
    kept = kept.slice(gone)
    gone = 0
  }
  return {
    next,
    clear,
    first: () => first,
    lastShown: () => lastShown,
    add(event: WatchedEvent) {
      kept.push({ event, size: sizeOf(event) })
      size += sizeOf(event)
      forget()
    },
    placeOf(id: string): number | undefined {
      const at = kept.findLastIndex((one) => one?.id === id)
      return at < gone ? undefined : first + at - gone
    },
    shown(place: number): FedEvent | undefined {
      const found = kept[gone + place - first]
      if (found === undefined) return undefined
      found.id ??= randomUUID()
      lastShown = Math.max(lastShown, place)
      return { id: found.id, event: found.event }
    },
  }
}

/** About how much memory it takes, in characters: texts are what varies. */
function sizeOf({ length }: WatchedEvent): number {
  return 500 + length
}
