// Whose turn it is to work on a session: one at a time in this process, and one process at a time, which holds a lease
// and renews it. What is done meanwhile is decided elsewhere.
import { IncipitError } from "../../base/error.ts"
import type { Runtime } from "../setup/runtime.ts"
import { quietly } from "../store/tolerate.ts"
import { isOfThisMachine, mayBeAlive } from "./owner.ts"

const LEASE_MS = 30_000
const RENEW_MS = 10_000

/** Does the work once all that stands before it in the session is done. */
type Line = <T>(session: string, work: () => Promise<T>) => Promise<T>

/** In this process, one at a time for each session. */
export function createLine(): Line {
  const lines = new Map<string, Promise<unknown>>()
  return (session, work) => {
    const next = (lines.get(session) ?? Promise.resolve()).then(work, work)
    // Neither what came of it is kept, nor a line that nobody stands in.
    const done = () => void (lines.get(session) === last && lines.delete(session))
    const last: Promise<void> = next.then(done, done)
    lines.set(session, last)
    return next
  }
}

/** Whether the session is this agent's now. */
export function claim({ store, owner, now }: Runtime, session: string): boolean {
  return store.claim(session, owner, { now: now(), leaseMs: LEASE_MS, mayBeAlive })
}

/** The lease is renewed until the work is done. */
export async function whileHeld<T>(runtime: Runtime, session: string, work: () => Promise<T>): Promise<T> {
  const { store, owner, now } = runtime
  if (!claim(runtime, session))
    throw new IncipitError("session-lost", `another process works on the session ${session}`)
  // Never claimed anew: who has lost it, and sees it free again, has missed what was done meanwhile.
  const renew = () => quietly(() => store.renew(session, owner, now() + LEASE_MS))
  const timer = setInterval(renew, RENEW_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    quietly(() => store.release(session, owner))
  }
}

/** Who is on another machine cannot be seen; nobody is waited for longer than a lease that is not renewed. */
export function isGone(owner: string, silentMs: number): boolean {
  return isOfThisMachine(owner) ? !mayBeAlive(owner) : silentMs > LEASE_MS
}
