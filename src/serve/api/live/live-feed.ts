// The events of all turns of this process as they happen, and the last of them: for clients that come back, and what
// running turns have done so far for those that come now. Memory stays bounded whoever listens, and however slowly;
// nothing is kept that nobody can ask for.
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
   * there are events in between that are no longer known. Without an id, it begins with the turns that are running, from
   * their first event, as far as that is still known.
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
  const running = createRunningTurns(kept)
  let followers = 0
  let news = Promise.withResolvers<void>()
  const wake = () => {
    const before = news
    news = Promise.withResolvers<void>()
    before.resolve()
  }
  async function* from(
    start: number,
    end: AbortSignal,
    isWanted: IsWanted = () => true,
  ): AsyncGenerator<FedEvent | "missed", void> {
    for (let place = start; !end.aborted; ) {
      if (place < kept.first()) {
        place = kept.first()
        yield "missed"
        continue
      }
      if (!isWanted(place)) {
        place += 1
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
      running.note(event)
      kept.add(event)
      // Then no client can come back to any of them.
      if (followers === 0 && kept.lastShown() < kept.first()) kept.forgetBefore(running.earliest())
      wake()
    },
    async *follow(after, signal) {
      const known = after === undefined ? undefined : kept.placeOf(after)
      followers += 1
      try {
        if (after !== undefined && known === undefined) yield "missed"
        const end = AbortSignal.any([signal, closed.signal])
        end.addEventListener("abort", wake, { once: true })
        if (after === undefined) yield* from(running.earliest(), end, running.wanted())
        else yield* from(known === undefined ? kept.next() : known + 1, end)
      } finally {
        followers -= 1
      }
    },
    close: () => closed.abort(),
  }
}

/** Whether a new client gets the event at this place. */
type IsWanted = (place: number) => boolean

/** Where the turns that are running began. A session has one at a time. */
function createRunningTurns(kept: KeptEvents) {
  /** By session; the oldest first. */
  const begun = new Map<string, number>()
  return {
    /** Called before the event is kept. */
    note({ session, event: { kind } }: WatchedEvent): void {
      if (kind === "turn-started" || kind === "turn-finished") begun.delete(session)
      if (kind === "turn-started") begun.set(session, kept.next())
    },
    /** Without those whose beginning is no longer known. */
    earliest(): number {
      for (const [session, place] of begun) {
        if (place >= kept.first()) return place
        begun.delete(session)
      }
      return kept.next()
    },
    /** Of what came before now, only what belongs to a turn that is running now. */
    wanted(): IsWanted {
      const [now, places] = [kept.next(), new Map(begun)]
      return (place) => {
        const start = place < now ? places.get(kept.sessionAt(place) ?? "") : 0
        return start !== undefined && place >= start
      }
    },
  }
}

type Limits = Readonly<Record<"events" | "characters", number>>

interface Kept {
  readonly event: WatchedEvent
  readonly size: number
  /** Only once it was shown: a client cannot come back to an event that it has not seen. */
  id?: string
}

type KeptEvents = ReturnType<typeof createKeptEvents>

/** The last events. Each has a place, counted from the first event of all. */
function createKeptEvents(limits: Limits) {
  let kept: (Kept | undefined)[] = []
  /** How many at the beginning of `kept` are forgotten and empty: removing one at the front moves all others. */
  let gone = 0
  let first = 0
  let size = 0
  let lastShown = -1
  const next = () => first + kept.length - gone
  const forgetWhile = (mustGo: () => boolean) => {
    while (kept.length > gone && mustGo()) {
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
    forgetBefore: (place: number) => forgetWhile(() => first < place),
    first: () => first,
    lastShown: () => lastShown,
    add(event: WatchedEvent) {
      kept.push({ event, size: sizeOf(event) })
      size += sizeOf(event)
      forgetWhile(() => kept.length - gone > limits.events || size > limits.characters)
    },
    sessionAt: (place: number) => kept[gone + place - first]?.event.session,
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
