// Requests with an idempotency key: the agent receives a message with the same id once, and this keeps a key from being
// used for two different messages.
import { canonicalJson, digest } from "../../../base/digest.ts"
import type { Requests } from "../../../database/contract/serve/requests.ts"
import type { Caller } from "../../auth/caller.ts"
import { SurfaceError } from "../../talk/surface-error.ts"

const LEASE_MS = 1_000
const DAY_MS = 24 * 3_600_000

export interface KeyedMessage {
  readonly key: string
  readonly caller: Caller
  /** Everything that the request says, as plain data. */
  readonly said: unknown
}

/** The id under which the agent receives the message. Throws if the key was used for something else. */
export async function messageIdFor(
  requests: Pick<Requests, "begin" | "answer">,
  { key, caller, said }: KeyedMessage,
): Promise<string> {
  const { user = null, situation, trust } = caller
  const claim = { caller: JSON.stringify(["api", user, situation, trust]), key }
  const attempt = { digest: digest(canonicalJson(said)), turn: "", leaseMs: LEASE_MS, expiresInMs: DAY_MS }
  const begun = await requests.begin({ ...claim, ...attempt })
  if (begun.kind === "differs")
    throw new SurfaceError(
      422,
      "idempotency-key-reused",
      "This idempotency key was used for another message. Use a new key for each one.",
      "idempotency-key",
    )
  // The agent finds the answer by the id, so there is nothing to store with the key.
  if (begun.kind === "begun") await requests.answer(claim, "null")
  // As in the claim: with another situation or trust, it is another message.
  return `api:${JSON.stringify([situation, trust, key])}`
}
