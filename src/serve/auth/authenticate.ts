// From a request to its caller. Every way to fail gives the same answer, so that nobody learns which tokens exist.
import type { Trust } from "../../base/trust.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import { resolveAudience } from "../../sources/config/policy.ts"
import type { Refusal } from "../http/surface.ts"
import type { Caller, Scope } from "./caller.ts"
import { credentialsOf } from "./credentials.ts"
import { hashSecret, isSecretShaped } from "./secret.ts"

/** A token as the look-up returns it: neither expired nor revoked. */
export interface ValidToken {
  readonly id: string
  readonly user: string | undefined
  readonly situation: string
  readonly scopes: readonly Scope[]
}

export interface Authentication {
  /** Finds a token that is neither expired nor revoked. Asks the store each time, so that revoking takes effect at once. */
  readonly find: (hash: string) => Promise<ValidToken | undefined>
  readonly config: () => Config
  readonly cookie: string
}

export type Authenticated =
  | { readonly caller: Caller; readonly isCookie: boolean }
  | { readonly refusal: Refusal }

/** Says who is calling, or refuses. */
export async function authenticate(headers: Headers, options: Authentication): Promise<Authenticated> {
  const shown = credentialsOf(headers, options.cookie)
  if (shown === undefined) return { refusal: NO_TOKEN }
  if (shown === "several" || !isSecretShaped(shown.secret)) return { refusal: BAD_TOKEN }
  const token = await options.find(hashSecret(shown.secret))
  const caller = token && callerOf(token, options.config())
  return caller === undefined ? { refusal: BAD_TOKEN } : { caller, isCookie: shown.isCookie }
}

/** Undefined if incipit.yaml no longer has the user or the situation: the token was made for something else. */
export function callerOf({ id, user, situation, scopes }: ValidToken, config: Config): Caller | undefined {
  const from = user === undefined ? { situation } : { as: user, situation }
  const { audience, diagnostics } = resolveAudience(config, from, "incipit.yaml")
  if (diagnostics.length > 0) return undefined
  const trust: Trust = audience.trust
  return { user, situation, trust, scopes, token: id, from }
}

/** Whether the caller may do one of these. */
export function hasScope({ scopes }: Caller, needed: readonly Scope[]): boolean {
  return needed.some((scope) => scopes.includes(scope))
}

const NO_TOKEN: Refusal = {
  status: 401,
  code: "no-token",
  message: "This server needs a token. Make one with `incipit token add`, and send it as a bearer token.",
}
const BAD_TOKEN: Refusal = {
  status: 401,
  code: "bad-token",
  message: "This token isn't valid here. `incipit token list` shows the tokens with their expiry.",
}
