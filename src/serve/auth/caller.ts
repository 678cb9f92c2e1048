// Who makes a request: the person behind a token, where they talk, and what they may therefore see and do.
import type { Trust } from "../../base/trust.ts"
import type { Sender, SenderLocale } from "../../database/contract/sender.ts"
import type { TokenScope } from "../../database/contract/serve/tokens.ts"

/** What a token may be used for: to talk to the agent, to read sessions and prompts, to operate the server. */
export type Scope = TokenScope

/** The person behind a request, as their token says; the trust follows from incipit.yaml at the time of the request. */
export interface Caller {
  /** A user of incipit.yaml; undefined for the owner. */
  readonly user: string | undefined
  readonly situation: string
  readonly trust: Trust
  readonly scopes: readonly Scope[]
  /** The token's id, for logs and limits; never its secret. */
  readonly token: string
  /** The same person, as `agent.send` takes them. */
  readonly from: Sender
  /** Where their browser says they are, in a conversation of their own. */
  readonly locale?: SenderLocale | undefined
}
