// Decides who works on a session: one job at a time in this process, and one process at a time, which holds a lease and
// renews it. What the work is, the caller decides.
import type { Lease } from "../../database/contract/lease.ts"
import type { Sessions } from "../../database/contract/sessions.ts"
import { quietly } from "../../database/tolerate.ts"
import { isOfThisMachine, mayBeAlive } from "./owner.ts"

const LEASE_MS = 30_000
const RENEW_MS = 10_000

export interface Leases {
  /** This open agent, as other agents on the same store know it. */
  readonly owner: string
  /**
   * Claims the session and renews the lease until `work` is done. Returns `NOT_HELD`, without any work, if another
   * process has the session.
   */
  whileHeld<T>(session: string, work: (lease: Lease) => Promise<T>): Promise<T | typeof NOT_HELD>
}

/** Another process works on the session. */
export const NOT_HELD = Symbol("not held")

type SessionLeases = Pick<Sessions, "claim" | "renew" | "release">

export function createLeases(owner: string, sessions: SessionLeases): Leases {
  return {
    owner,
    async whileHeld(session, work) {
      const lease = await claim(sessions, session, owner)
      if (lease === undefined) return NOT_HELD
      // Renew, never claim again: an agent that lost the session and finds it free has missed the work in between.
      const renew = () => void quietly(() => sessions.renew(lease, LEASE_MS))
      const timer = setInterval(renew, RENEW_MS)
      try {
        return await work(lease)
      } finally {
        clearInterval(timer)
        await quietly(() => sessions.release(lease))
      }
    },
  }
}

/** Returns undefined if another worker has it that may still be alive. */
async function claim(sessions: SessionLeases, session: string, owner: string): Promise<Lease | undefined> {
  const deadOwners: string[] = []
  for (;;) {
    const claimed = await sessions.claim(session, { owner, leaseMs: LEASE_MS, deadOwners })
    if (claimed.kind === "claimed") return claimed.lease
    if (claimed.kind === "no-session" || mayBeAlive(claimed.by)) return undefined
    deadOwners.push(claimed.by)
  }
}

/** Runs `work` after everything queued before it in the session. */
type Line = <T>(session: string, work: () => Promise<T>) => Promise<T>

/** One job at a time per session, within this process. */
export function createLine(): Line {
  const lines = new Map<string, Promise<unknown>>()
  return (session, work) => {
    const next = (lines.get(session) ?? Promise.resolve()).then(work, work)
    // Keep neither the result nor an empty line.
    const done = () => void (lines.get(session) === last && lines.delete(session))
    const last: Promise<void> = next.then(done, done)
    lines.set(session, last)
    return next
  }
}

/** An owner on another machine cannot be checked, so it counts as gone once its lease has run out unrenewed. */
export function isGone(owner: string, silentMs: number): boolean {
  return isOfThisMachine(owner) ? !mayBeAlive(owner) : silentMs > LEASE_MS
}
