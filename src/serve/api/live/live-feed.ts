// The events of all turns of this process as they happen, and the last of them for clients that come back. Memory stays
// bounded whoever listens, and however slowly.
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

interface Kept extends FedEvent {
  readonly place: number
  readonly size: number
}

export function createLiveFeed(limits = { events: MOST_EVENTS, characters: MOST_CHARACTERS }): LiveFeed {
  const kept: Kept[] = []
  const closed = new AbortController()
  let next = 0
  let size = 0
  let news = Promise.withResolvers<void>()
  const wake = () => {
    const before = news
    news = Promise.withResolvers<void>()
    before.resolve()
  }
  const forget = () => {
    while (kept.length > limits.events || size > limits.characters) size -= kept.shift()?.size ?? size
  }
  return {
    watch(event) {
      const own = sizeOf(event)
      kept.push({ id: randomUUID(), event, place: next, size: own })
      next += 1
      size += own
      forget()
      wake()
    },
    async *follow(after, signal) {
      const known = after === undefined ? undefined : kept.find(({ id }) => id === after)
      if (after !== undefined && known === undefined) yield "missed"
      const end = AbortSignal.any([signal, closed.signal])
      end.addEventListener("abort", wake, { once: true })
      for (let place = known === undefined ? next : known.place + 1; !end.aborted; ) {
        const first = kept[0]?.place ?? next
        if (place < first) {
          place = first
          yield "missed"
          continue
        }
        const found = kept[place - first]
        if (found === undefined) {
          await news.promise
          continue
        }
        place += 1
        yield found
      }
    },
    close: () => closed.abort(),
  }
}

/** About how much memory it takes, in characters: texts are what varies. */
function sizeOf({ length }: WatchedEvent): number {
  return 500 + length
}
