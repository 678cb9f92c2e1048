// Notifications, on a connection of their own that comes back with back-off. After each new connection, listeners are told
// that some may have been missed.
import type { Client } from "pg"
import { backOff } from "./back-off.ts"

export interface Listener {
  listen(channel: string, heard: Heard): () => void
  close(): Promise<void>
}

/** Undefined: notifications may have been missed. */
type Heard = (payload: string | undefined) => void

/** `isOn`: false behind a pooler, where notifications don't arrive. */
export function createListener(connect: () => Client, isOn: boolean): Listener {
  const listeners = new Map<string, Set<Heard>>()
  const closing = new AbortController()
  const { signal } = closing
  let current: Client | undefined
  /** The connection, once it listens. */
  let client: Client | undefined
  let kept: Promise<void> | undefined
  const tell = (channel: string, payload: string | undefined) => {
    for (const heard of listeners.get(channel) ?? []) heard(payload)
  }
  const listenOn = (one: Client, channel: string) => one.query(`LISTEN "${channel}"`)
  const keep = async () => {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const one = connect()
      current = one
      const ended = new Promise<void>((resolve) => {
        one.on("error", () => resolve())
        one.on("end", () => resolve())
      })
      one.on("notification", ({ channel, payload }) => tell(channel, payload ?? ""))
      try {
        await one.connect()
        // A program that has nothing else to do ends.
        socketOf(one).unref?.()
        for (const channel of listeners.keys()) await listenOn(one, channel)
        client = one
        attempt = 0
        for (const channel of listeners.keys()) tell(channel, undefined)
        await ended
      } catch {
        // The server is away; whoever writes says so.
      }
      client = undefined
      await one.end().catch(() => {})
      await backOff(attempt, signal)
    }
  }
  return {
    listen(channel, heard) {
      if (!isOn) return () => {}
      const known = listeners.get(channel)
      const all = known ?? new Set()
      all.add(heard)
      listeners.set(channel, all)
      if (known === undefined && client !== undefined) void listenOn(client, channel).catch(() => {})
      kept ??= keep()
      return () => void all.delete(heard)
    },
    async close() {
      closing.abort()
      if (current === undefined) return
      // The end of the connection is waited for.
      socketOf(current).ref?.()
      await current.end().catch(() => {})
      await kept
    },
  }
}

/** The methods are there; the driver's types don't have them. */
function socketOf(client: Client): { ref?(): void; unref?(): void } {
  return client as Client & { ref?(): void; unref?(): void }
}
