// What a compatible surface is made with.
import type { Requests } from "../../database/contract/serve/requests.ts"
import type { Patience } from "./event-stream.ts"

export interface CompatibleOptions {
  /** Idempotency keys. */
  readonly requests: Requests
  readonly now: () => number
  readonly patience?: Patience
}
