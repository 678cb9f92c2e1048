// Decides who works on a session: one job at a time in this process, and one process at a time, which holds a lease and
// renews it. What the work is, the caller decides.
import { IncipitError } from "../../base/error.ts"
import type { Runtime } from "../setup/runtime.ts"
import { quietly } from "../store/tolerate.ts"
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

/** Claims the session; returns whether this agent has it now. */
export function claim({ store, owner, now }: Runtime, session: string): boolean {
  return store.claim(session, owner, { now: now(), leaseMs: LEASE_MS, mayBeAlive })
}

/** Renews the lease until `work` is done. */
export async function whileHeld<T>(runtime: Runtime, session: string, work: () => Promise<T>): Promise<T> {
  const { store, owner, now } = runtime
  if (!claim(runtime, session))
    throw new IncipitError("session-lost", `another process works on the session ${session}`)
  // Renew, never claim again: an agent that lost the session and finds it free has missed the work in between.
  const renew = () => quietly(() => store.renew(session, owner, now() + LEASE_MS))
  const timer = setInterval(renew, RENEW_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    quietly(() => store.release(session, owner))
  }
}

/** An owner on another machine cannot be checked, so it counts as gone once its lease has run out unrenewed. */
export function isGone(owner: string, silentMs: number): boolean {
  return isOfThisMachine(owner) ? !mayBeAlive(owner) : silentMs > LEASE_MS
}
