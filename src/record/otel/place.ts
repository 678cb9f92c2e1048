// Places events as spans: start, end and parent. A turn is one span from its start to its end, and every span covers
// its children. A message is a moment, so what it causes is linked to it instead of nested below it.
import type { EventType } from "../../base/event-types.ts"
import { type RecordEvent, startOf } from "../write/event.ts"

export interface Placed {
  readonly event: RecordEvent
  readonly start: number
  readonly end: number
  readonly parent?: string
  /** The span that caused this one and ended before it. */
  readonly link?: string
}

export interface Places {
  /** Returns the spans that end with this event. If too many turns never end, returns the oldest as far as it got. */
  add(event: RecordEvent): readonly Placed[]
}

/** Children of a message, which another process may have received. */
const AFTER_A_MESSAGE: ReadonlySet<EventType> = new Set([
  "turn_started",
  "turn_completed",
  "trust_resolved",
  "session_created",
  "message_sent",
  "channel_error",
])

interface Extent {
  readonly start: number
  readonly end: number
}

interface OpenTurn extends Pick<Placed, "parent" | "link"> {
  readonly started: RecordEvent
}

/** `most`: how many turns, and how many ended spans, are remembered. */
export function openPlaces(most: number): Places {
  const turns = new Map<string, OpenTurn>()
  const running = new Set<string>()
  /** Ended spans, with their parents. */
  const over = new Map<string, string | undefined>()
  /** The time range covered by the children of a span that has not ended. */
  const covers = new Map<string, Extent>()

  const above = ({ type, span, parent }: RecordEvent): Pick<Placed, "parent" | "link"> => {
    if (parent === undefined || parent === span) return {}
    if (running.has(parent)) return { parent }
    if (!over.has(parent)) return AFTER_A_MESSAGE.has(type) ? { link: parent } : { parent }
    // Spans in a cycle have no parent.
    const passed = new Set([span])
    let next: string | undefined = parent
    while (next !== undefined && over.has(next) && !passed.has(next)) {
      passed.add(next)
      next = over.get(next)
    }
    return { link: parent, ...(next !== undefined && !passed.has(next) && { parent: next }) }
  }
  const close = (event: RecordEvent, own: Extent, at: Pick<Placed, "parent" | "link">): Placed => {
    const { span } = event
    const inner = span === undefined ? undefined : covers.get(span)
    const extent = inner === undefined ? own : union(own, inner)
    if (span !== undefined) {
      covers.delete(span)
      running.delete(span)
      remember(over, span, at.parent, most)
    }
    const { parent } = at
    if (parent !== undefined) remember(covers, parent, union(extent, covers.get(parent) ?? extent), most)
    return { event, ...extent, ...at }
  }
  const endTurn = (turn: string, { started, ...at }: OpenTurn, completed: RecordEvent): Placed => {
    turns.delete(turn)
    return close(
      wholeTurn(started, completed),
      { start: started.at, end: Math.max(started.at, completed.at) },
      at,
    )
  }
  const startTurn = (turn: string, started: RecordEvent): readonly Placed[] => {
    const before = turns.get(turn)
    const ended = before === undefined ? [] : [endTurn(turn, before, before.started)]
    turns.set(turn, { started, ...above(started) })
    if (started.span !== undefined) running.add(started.span)
    const [oldest] = turns.size > most ? turns : []
    return oldest === undefined ? ended : [...ended, endTurn(...oldest, oldest[1].started)]
  }
  return {
    add(event) {
      const { turn, type } = event
      if (turn !== undefined && type === "turn_started") return startTurn(turn, event)
      const open = turn === undefined || type !== "turn_completed" ? undefined : turns.get(turn)
      if (turn !== undefined && open !== undefined) return [endTurn(turn, open, event)]
      return [close(event, { start: startOf(event), end: event.at }, above(event))]
    },
  }
}

/** The end of the turn, with the span id that its calls refer to. */
function wholeTurn(started: RecordEvent, completed: RecordEvent): RecordEvent {
  const { span, parent, model, exchange } = started
  const content = { ...exchange?.content, ...completed.exchange?.content }
  return {
    ...(model !== undefined && { model }),
    ...completed,
    ...(span !== undefined && { span }),
    ...(parent !== undefined && { parent }),
    exchange: { content },
  }
}

function union(one: Extent, other: Extent): Extent {
  return { start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) }
}

/** Drops the oldest when there are too many. */
function remember<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.set(key, value)
  const [oldest] = map.size > most ? map.keys() : []
  if (oldest !== undefined) map.delete(oldest)
}
