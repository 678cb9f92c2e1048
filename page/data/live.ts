// Live events of this server, over one connection for the whole page. The browser connects again by itself; `missed`
// then says that something was lost, and what is shown is read again.
import { signal } from "@preact/signals"

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
export const LIVE_KINDS = [
  ...["turn-started", "message-joined", "step-started", "text", "reasoning", "step-discarded"],
  ...["tool-started", "tool-finished", "approval-requested", "approval-finished", "delegated"],
  ...["step-finished", "retrying", "queued", "cache-missed", "compacted", "notice", "diagnostic"],
  ...["turn-finished"],
] as const

function connect(): void {
  const opened = new EventSource("/api/events")
  source = opened
  opened.addEventListener("open", () => {
    isConnected.value = true
  })
  opened.addEventListener("error", () => {
    isConnected.value = false
  })
  opened.addEventListener("missed", () => {
    changes.value += 1
  })
  for (const kind of LIVE_KINDS)
    opened.addEventListener(kind, (event) => {
      // The server writes one JSON object for each event.
      const message = JSON.parse(event.data) as LiveMessage
      for (const listener of listeners) listener(message)
      if (kind === "turn-finished") changes.value += 1
    })
}
