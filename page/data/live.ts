// Live events of this server, over one connection for the whole page. The browser connects again by itself; `missed`
// then says that something was lost, and what is shown is read again.
import { signal } from "@preact/signals"
import { checkSignIn } from "./ask.ts"

/** An event of a turn as `GET /api/events` sends it. */
export interface LiveMessage {
  readonly agent: string
  readonly session: string
  readonly turn: string
  readonly trace: string
  readonly event: { readonly kind: string } & Readonly<Record<string, unknown>>
}

type Listener = (message: LiveMessage) => void

const listeners = new Set<Listener>()
let source: EventSource | undefined

/** Counts up when something may have been missed, or a turn has ended: lists are then read again. */
export const changes = signal(0)
/** Counts up when events may have been missed: a turn that is shown as it is written is then read again. */
export const gaps = signal(0)
/** Whether the connection is open; undefined while nobody listens. */
export const isConnected = signal<boolean | undefined>(undefined)

/** Calls the listener for each event, until the returned function is called. */
export function listen(listener: Listener): () => void {
  listeners.add(listener)
  if (source === undefined) connect()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    source?.close()
    source = undefined
    isConnected.value = undefined
  }
}

let followed: EventSource | undefined
let followers = 0

/** For a server without an agent: reads again what has changed, until the returned function is called. */
export function followChanges(): () => void {
  followers += 1
  followed ??= openChanges()
  return () => {
    followers -= 1
    if (followers > 0) return
    followed?.close()
    followed = undefined
    isConnected.value = undefined
  }
}

function openChanges(): EventSource {
  const opened = new EventSource("/api/page/changes")
  opened.addEventListener("open", () => {
    // Nobody says what changed in between.
    if (isConnected.value === false) changes.value += 1
    isConnected.value = true
  })
  opened.addEventListener("error", () => {
    isConnected.value = false
  })
  opened.addEventListener("changed", () => {
    changes.value += 1
  })
  return opened
}

/** The kinds of events that the page shows; others change nothing on it. */
const LIVE_KINDS = [
  ...["turn-started", "message-joined", "step-started", "text", "reasoning", "step-discarded"],
  ...["tool-started", "tool-finished", "approval-requested", "approval-finished", "delegated"],
  ...["step-finished", "retrying", "queued", "cache-missed", "compacted", "notice", "diagnostic"],
  ...["plan-suggested", "plan-saved", "turn-finished"],
] as const

/** A browser gives up when the server answers with an error, such as while it restarts. */
const RETRY_MS = 3_000

function connect(): void {
  const opened = new EventSource("/api/events")
  source = opened
  // Without the id of an event, the server cannot know what was missed.
  let isKnown = false
  opened.addEventListener("open", () => {
    if (isConnected.value === false && !isKnown) missed()
    // What happened while the first connection was on its way was not heard either.
    if (isConnected.value === undefined) gaps.value += 1
    isConnected.value = true
  })
  opened.addEventListener("error", () => {
    isConnected.value = false
    if (opened.readyState === EventSource.CLOSED) setTimeout(() => connectAgain(opened), RETRY_MS)
  })
  opened.addEventListener("missed", missed)
  for (const kind of LIVE_KINDS)
    opened.addEventListener(kind, (event) => {
      isKnown ||= event.lastEventId !== ""
      // The server writes one JSON object for each event.
      const message = JSON.parse(event.data) as LiveMessage
      for (const listener of listeners) listener(message)
      if (kind === "turn-finished") changes.value += 1
    })
}

function missed(): void {
  gaps.value += 1
  changes.value += 1
}

/** A new connection does not know what the last one had. */
function connectAgain(closed: EventSource): void {
  if (source !== closed) return
  connect()
  missed()
  checkSignIn()
}
