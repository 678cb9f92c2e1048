// Requests with an idempotency key. What the first one is about counts for all that repeat it, in any process: they get
// the answer of the same turn.
import { randomUUID } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import type { RequestKey, Requests } from "../../database/contract/serve/requests.ts"
import type { Target } from "./find-target.ts"
import { SurfaceError } from "./surface-error.ts"

/** Longer than finding a session takes. If the process dies meanwhile, a repetition waits as long. */
const LEASE_MS = 10_000
const DAY_MS = 24 * 3_600_000
const POLL_MS = 20

export interface Claim extends RequestKey {
  /** Of the body. */
  readonly digest: string
}

/** Finds the target once for all requests with this key. Throws if the key was used for something else. */
export async function claimTarget(
  requests: Requests,
  claim: Claim,
  find: () => Promise<Target>,
): Promise<Target> {
  const attempt = { ...claim, turn: randomUUID(), leaseMs: LEASE_MS, expiresInMs: DAY_MS }
  for (;;) {
    const begun = await requests.begin(attempt)
    if (begun.kind === "differs") throw reused()
    // Only this function writes it, from a value of this type.
    if (begun.kind === "answered") return JSON.parse(begun.answer) as Target
    if (begun.kind === "running") await wait(POLL_MS)
    else await requests.answer(claim, JSON.stringify(await foundOrReleased(requests, claim, find)))
  }
}

async function foundOrReleased(
  requests: Requests,
  claim: Claim,
  find: () => Promise<Target>,
): Promise<Target> {
  try {
    return await find()
  } catch (error) {
    await requests.release(claim)
    throw error
  }
}

function reused(): SurfaceError {
  return new SurfaceError(
    422,
    "idempotency_key_reused",
    "this idempotency key was used for another request; use a new key for each request",
  )
}
