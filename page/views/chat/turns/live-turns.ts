// The turns that this page hears of while they run, of all sessions, so that one can look at another session and come
// back. A turn is whole if it was heard from its beginning without a gap; of others, the transcript has the rest.
import { effect, signal } from "@preact/signals"
import type { LiveEvent } from "../../../../src/agent/turn/live-event.ts"
import { gaps, type LiveMessage, listen } from "../../../data/live.ts"
import { applyEvent } from "./apply-event.ts"
import type { Entry, TurnState } from "./entry.ts"

export interface LiveTurn {
  readonly turn: string
  readonly session: string
  readonly agent: string
  readonly at: number
  readonly isWhole: boolean
  readonly state: TurnState
  readonly entries: readonly Entry[]
}

/** Finished turns of other sessions are in their transcripts. */
const MOST_TURNS = 300

const turns = new Map<string, LiveTurn>()
/** Counts up at most once for each picture that the browser draws. */
export const liveVersion = signal(0)
/** Sessions whose transcript has news that the events do not have, such as what another client said. */
export const stale = signal<ReadonlySet<string>>(new Set())

export function turnsOf(session: string): readonly LiveTurn[] {
  return [...turns.values()].filter((turn) => turn.session === session)
}

export function isRunning(session: string): boolean {
  return turnsOf(session).some(({ state }) => state === "running")
}

/**
 * Before a transcript is read. Afterwards, call what it returns: of turns that are not whole, the transcript then has
 * what was finished before.
 */
export function beforeReading(session: string): (stored: ReadonlySet<string>) => void {
  const finished = new Set(
    turnsOf(session).flatMap(({ entries }) => entries.filter((entry) => !isOpen(entry))),
  )
  if (stale.value.has(session)) stale.value = new Set([...stale.value].filter((one) => one !== session))
  return (stored) => {
    for (const turn of turnsOf(session))
      if (!turn.isWhole && stored.has(turn.turn))
        turns.set(turn.turn, { ...turn, entries: turn.entries.filter((entry) => !finished.has(entry)) })
  }
}

function isOpen(entry: Entry): boolean {
  if (entry.kind === "tool") return entry.result === undefined
  return entry.kind === "line" || (entry.kind === "answer" && entry.isOpen)
}

let isFollowing = false

/** From the first time that the chat is shown, for as long as the page is open. */
export function followTurns(): void {
  if (isFollowing) return
  isFollowing = true
  listen(hear)
  effect(() => {
    if (gaps.value === 0) return
    for (const turn of turns.values())
      if (turn.state === "running") turns.set(turn.turn, { ...turn, isWhole: false })
    changed()
  })
}

function hear(message: LiveMessage): void {
  const { session, turn: id, agent, trace } = message
  // The server sends its own events, of this type.
  const event = message.event as LiveEvent
  // Delegated work is shown inside of the turn that delegated it.
  if (trace !== id) return
  const begins = event.kind === "turn-started"
  // A new connection hears running turns from their beginning again.
  const known = begins ? undefined : turns.get(id)
  const begun: LiveTurn = known ?? {
    ...{ turn: id, session, agent, at: Date.now(), isWhole: begins && !event.isResumed },
    ...{ state: "running", entries: [] },
  }
  turns.delete(id)
  turns.set(id, {
    ...begun,
    state: stateAfter(begun.state, event),
    entries: applyEvent(begun.entries, event),
  })
  if (known === undefined || event.kind === "turn-finished" || !begun.isWhole) markStale(session, event)
  forget()
  changed()
}

function stateAfter(before: TurnState, event: LiveEvent): TurnState {
  if (event.kind === "turn-started") return "running"
  if (event.kind !== "turn-finished") return before
  const { state } = event.reply
  return state === "queued" || state === "failed" || state === "stopped" ? state : "done"
}

/** Pieces of a text say nothing that a transcript would have. */
function markStale(session: string, { kind }: LiveEvent): void {
  if (kind !== "text" && kind !== "reasoning") stale.value = new Set([...stale.value, session])
}

function forget(): void {
  for (const [id, { state }] of turns) {
    if (turns.size <= MOST_TURNS) return
    if (state !== "running") turns.delete(id)
  }
}

let isDrawing = false

function changed(): void {
  if (isDrawing) return
  isDrawing = true
  requestAnimationFrame(() => {
    isDrawing = false
    liveVersion.value += 1
  })
}
