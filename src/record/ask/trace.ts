// What happened to one message or turn, as a tree: from the message through trust, prompt, calls and tools to the
// reply. Built from stored events; repeated answers of one kind from a provider become one node.
import type { Sight } from "../../database/contract/record/event-log.ts"
import type { RecordStore } from "../../database/contract/record/record-store.ts"
import { type Origin, type RecordEvent, type StoredEvent, startOf } from "../write/event.ts"
import { bare, durationText, eventText, levelOf, quoted } from "./log.ts"
import { shownTo } from "./visibility.ts"

/** One event of a trace, with the events below it. */
export interface TraceNode {
  readonly event: StoredEvent
  /** When it began, relative to the trace; for the end of a turn, when it ended. */
  readonly startMs: number
  readonly status: "ok" | "error"
  /** How many answers of the same kind this node represents. */
  readonly times: number
  /** The wait after each of them, if any. */
  readonly waitsMs: readonly number[]
  readonly children: readonly TraceNode[]
}

/** The events of a turn as a tree. */
export interface Trace {
  /** When its first event began. */
  readonly at: number
  readonly nodes: readonly TraceNode[]
  /** Events beyond the limit, which were not read. */
  readonly more: number
}

/** A longer trace is a loop, and reading all of it does not help. */
const MOST_EVENTS = 5_000

/**
 * The trace that contains a turn, or the one with this id. Returns undefined if there is none that the caller may see.
 */
export async function traceOf(store: RecordStore, id: string, sight?: Sight): Promise<Trace | undefined> {
  const { rows, count } = await store.events.trace(id, { sight, limit: MOST_EVENTS })
  const events = shownTo(sight, rows)
  if (events.length === 0) return undefined
  const inOrder = events.toSorted(
    (one, other) => sortPlace(one) - sortPlace(other) || Number(isPart(one)) - Number(isPart(other)),
  )
  const at = inOrder[0] === undefined ? 0 : sortPlace(inOrder[0])
  return { at, nodes: treeOf(inOrder, at), more: count - events.length }
}

/** The position of an event in its trace: when it began. The end of a turn has the turn's duration. */
function sortPlace(event: StoredEvent): number {
  return event.type === "turn_completed" ? event.at : startOf(event)
}

/** A delegated part's message. If it arrived in the millisecond in which the call began that sent it, the call is first. */
function isPart({ type, parent }: StoredEvent): boolean {
  return type === "message_received" && parent !== undefined
}

/** A trace as lines for people, indented by two spaces per level. `shown` leaves out what the reader may not see. */
export function traceLines(
  { nodes, more }: Trace,
  shown: (event: StoredEvent) => StoredEvent = (event) => event,
): readonly string[] {
  const lines: string[] = []
  // Not recursive: the depth of a trace is not bounded.
  const open = nodes.map((node) => ({ node, depth: 0 })).toReversed()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next
    lines.push(`${"  ".repeat(Math.min(depth, DEEPEST))}${nodeText({ ...node, event: shown(node.event) })}`)
    open.push(...node.children.map((child) => ({ node: child, depth: depth + 1 })).toReversed())
  }
  return more > 0 ? [...lines, `${more} more events`] : lines
}

const DEEPEST = 12

function nodeText(node: TraceNode): string {
  const { event, startMs } = node
  const name = event.type === "turn_completed" ? "end" : "start"
  const start = startMs > 0 ? ` ${name}=+${durationText(startMs)}` : ""
  return `${node.times > 1 ? repeatedText(node) : eventText(event)}${start}`
}

/**
 * `[provider] api_call model=… 429 ×3 (1 s, 2 s, 4 s) error="…"`; the error is the last one. An event that is not a
 * refusal is its own line with a count.
 */
export function repeatedText(
  { event, times, waitsMs }: Pick<TraceNode, "event" | "times" | "waitsMs">,
  origin?: readonly (keyof Origin)[],
): string {
  if (!isRefusal(event)) return `${eventText(event, origin)} ×${times}`
  const { data, error, durationMs, usage, ...rest } = event
  return [
    eventText({ ...rest, type: "api_call" }, origin),
    bare(String(data?.status)),
    `×${times}`,
    ...(waitsMs.length > 0 ? [`(${waitsText(waitsMs)})`] : []),
    ...(error === undefined ? [] : [`error=${quoted(error)}`]),
  ].join(" ")
}

const MOST_WAITS = 6

function waitsText(waits: readonly number[]): string {
  const shown = waits.slice(0, MOST_WAITS).map((wait) => durationText(wait).replace(/(\d)(m?s)$/, "$1 $2"))
  return [...shown, ...(waits.length > MOST_WAITS ? ["..."] : [])].join(", ")
}

/** The provider answered with an error status. */
function isRefusal({ type, data }: RecordEvent): boolean {
  return type === "api_error" && data?.status !== undefined
}

/** Merges adjacent events of one kind: those with the same line, and refusals with the same status. */
export function foldRepeats(events: readonly StoredEvent[]): readonly {
  readonly events: readonly StoredEvent[]
  readonly times: number
  readonly waitsMs: readonly number[]
}[] {
  const runs: StoredEvent[][] = []
  let last: string | undefined
  for (const event of events) {
    const kind = nodeKind(event)
    if (kind === last) runs.at(-1)?.push(event)
    else runs.push([event])
    last = kind
  }
  return runs.map((run) => ({
    events: run,
    times: run.length,
    waitsMs: run.flatMap(({ data }) => (typeof data?.waitMs === "number" ? [data.waitMs] : [])),
  }))
}

function nodeKind(event: StoredEvent): string {
  const { session, user, channel, model, data, turn, durationMs, ...rest } = event
  const whose = [session, user, channel, levelOf(event), event.type]
  return JSON.stringify(
    isRefusal(event)
      ? [...whose, turn, model, data?.status]
      : [...whose, turn, eventText({ ...rest, ...(model && { model }), ...(data && { data }) })],
  )
}

function treeOf(events: readonly StoredEvent[], start: number): readonly TraceNode[] {
  const bySpan = new Map<string, StoredEvent>()
  for (const event of events)
    if (event.span !== undefined && !bySpan.has(event.span)) bySpan.set(event.span, event)
  const parents = parentsOf(events, bySpan)
  const under = Map.groupBy(events, (event) => parents.get(event))
  const nodes = new Map<StoredEvent | undefined, readonly TraceNode[]>()
  // Children first, so that each parent finds them built.
  for (const parent of [...deepestFirst(events, parents), undefined])
    nodes.set(parent, nodesOf(under.get(parent) ?? [], start, nodes))
  return nodes.get(undefined) ?? []
}

function nodesOf(
  siblings: readonly StoredEvent[],
  start: number,
  made: ReadonlyMap<StoredEvent | undefined, readonly TraceNode[]>,
): readonly TraceNode[] {
  const childrenOf = (event: StoredEvent) => made.get(event) ?? []
  const nodeOf = (event: StoredEvent, times: number, waitsMs: readonly number[], at: number): TraceNode => ({
    event,
    startMs: Math.max(0, at - start),
    status: levelOf(event) === "error" ? "error" : "ok",
    times,
    waitsMs,
    children: childrenOf(event),
  })
  return foldRepeats(siblings).flatMap(({ events, times, waitsMs }) => {
    const [first] = events
    const last = events.at(-1)
    const isOne = first !== undefined && last !== undefined && first.type === "api_error"
    if (isOne && events.every((event) => childrenOf(event).length === 0))
      return [nodeOf(last, times, waitsMs, sortPlace(first))]
    return events.map((event) => nodeOf(event, 1, [], sortPlace(event)))
  })
}

/** The parent of each event. An event in a cycle goes to the top. */
function parentsOf(
  events: readonly StoredEvent[],
  bySpan: ReadonlyMap<string, StoredEvent>,
): ReadonlyMap<StoredEvent, StoredEvent> {
  const parents = new Map<StoredEvent, StoredEvent>()
  for (const event of events) {
    const parent = event.parent === undefined ? undefined : bySpan.get(event.parent)
    if (parent === undefined || parent === event) continue
    let above: StoredEvent | undefined = parent
    while (above !== undefined && above !== event) above = parents.get(above)
    if (above === undefined) parents.set(event, parent)
  }
  return parents
}

function deepestFirst(
  events: readonly StoredEvent[],
  parents: ReadonlyMap<StoredEvent, StoredEvent>,
): readonly StoredEvent[] {
  const depths = new Map<StoredEvent, number>()
  for (const event of events) {
    const path: StoredEvent[] = []
    let above: StoredEvent | undefined = event
    while (above !== undefined && !depths.has(above)) {
      path.push(above)
      above = parents.get(above)
    }
    let depth = above === undefined ? -1 : (depths.get(above) ?? -1)
    for (const item of path.toReversed()) depths.set(item, ++depth)
  }
  return events.toSorted((one, other) => (depths.get(other) ?? 0) - (depths.get(one) ?? 0))
}
