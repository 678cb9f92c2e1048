// Decides who works on a session: one job at a time in this process, and one process at a time, which holds a lease and
// renews it. What the work is, the caller decides.
import { IncipitError } from "../../base/error.ts"
import type { Lease } from "../../database/contract/lease.ts"
import { quietly } from "../../database/tolerate.ts"
import type { Runtime } from "../setup/runtime.ts"
import { isOfThisMachine, mayBeAlive } from "./owner.ts"

const LEASE_MS = 30_000
const RENEW_MS = 10_000

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

/** Claims the session. Returns undefined if another worker has it that may still be alive. */
export async function claim({ store, owner }: Runtime, session: string): Promise<Lease | undefined> {
  const deadOwners: string[] = []
  for (;;) {
    const claimed = await store.sessions.claim(session, { owner, leaseMs: LEASE_MS, deadOwners })
    if (claimed.kind === "claimed") return claimed.lease
    if (claimed.kind === "no-session" || mayBeAlive(claimed.by)) return undefined
    deadOwners.push(claimed.by)
  }
}

/** Renews the lease until `work` is done, then releases it. */
export async function whileHeld<T>(
  { store }: Pick<Runtime, "store">,
  lease: Lease,
  work: () => Promise<T>,
): Promise<T> {
  // Renew, never claim again: an agent that lost the session and finds it free has missed the work in between.
  const renew = () => void quietly(() => store.sessions.renew(lease, LEASE_MS))
  const timer = setInterval(renew, RENEW_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await quietly(() => store.sessions.release(lease))
  }
}

/** Claims the session for `work`. Throws if another process has it. */
export async function claimed<T>(
  runtime: Runtime,
  session: string,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const lease = await claim(runtime, session)
  if (lease === undefined)
    throw new IncipitError("session-lost", `another process works on the session ${session}`)
  return whileHeld(runtime, lease, () => work(lease))
}

/** An owner on another machine cannot be checked, so it counts as gone once its lease has run out unrenewed. */
export function isGone(owner: string, silentMs: number): boolean {
  return isOfThisMachine(owner) ? !mayBeAlive(owner) : silentMs > LEASE_MS
}
