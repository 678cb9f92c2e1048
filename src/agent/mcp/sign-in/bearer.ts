// The token for a server's requests, as the last sign-in left it. Renews it when it has expired, and never asks anybody:
// where only the person can help, it says so.
import {
  type AuthProvider,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
} from "@modelcontextprotocol/client"
import { defined } from "../../../base/defined.ts"
import type { Secrets } from "../../../record/redact/secrets.ts"
import { reasonOf } from "../text.ts"
import { carefulFetch } from "./careful-fetch.ts"
import { SignInFailed, SignInNeeded } from "./failures.ts"
import { reachOf } from "./reach.ts"
import { informationOf, tokensOf } from "./sign-in.ts"
import type { SignIn, SignIns } from "./stored-sign-ins.ts"

export interface BearerOptions {
  /** The server's name, for messages. */
  readonly server: string
  readonly url: string
  readonly signIns: SignIns
  /** The secret of a client that the configuration names. */
  readonly clientSecret: string | undefined
  /** Learns each token, so that no record or message has it. */
  readonly secrets: Pick<Secrets, "learn" | "redact">
  readonly signal: AbortSignal
}

/** Before its end: a request takes time, and clocks differ. */
const EARLY_MS = 30_000

export interface Bearer extends AuthProvider {
  /** Notes which token a request had: several run at once, and each may be refused for its own. */
  sent(answer: Response, headers: RequestInit["headers"]): void
}

export function bearerFor(options: BearerOptions): Bearer {
  const { server, url, signIns, secrets } = options
  const sent = new WeakMap<Response, string | null>()
  const current = () => {
    const found = signIns.read(url)
    const { tokens, client } = found ?? {}
    secrets.learn([tokens?.access ?? "", tokens?.refresh ?? "", client?.secret ?? ""])
    return tokens
  }
  return {
    async token() {
      const tokens = current()
      const isOver = tokens?.expiresAt !== undefined && tokens.expiresAt - Date.now() < EARLY_MS
      if (isOver && tokens.refresh !== undefined) await renewedEarly(options, tokens)
      return current()?.access
    },
    sent: (answer, headers) => void sent.set(answer, new Headers(headers).get("authorization")),
    async onUnauthorized({ response }) {
      const tokens = current()
      if (tokens === undefined) throw new SignInNeeded(server)
      // Another process has renewed it, or the person has signed in again.
      if (sent.get(response) !== `Bearer ${tokens.access}`) return
      if (tokens.refresh === undefined) throw new SignInNeeded(server, EXPIRED)
      await renewed(options, tokens.access)
    },
  }
}

const EXPIRED = "the sign-in has expired"

/** A token that is still good for a moment is used if it cannot be renewed right now. */
async function renewedEarly(
  options: BearerOptions,
  { access, expiresAt = 0 }: NonNullable<SignIn["tokens"]>,
): Promise<void> {
  try {
    await renewed(options, access)
  } catch (error) {
    if (!(error instanceof SignInFailed) || expiresAt <= Date.now()) throw error
  }
}

/** Gets new tokens, unless another process was faster. Throws `SignInNeeded` if the sign-in is over. */
async function renewed(options: BearerOptions, old: string): Promise<void> {
  const { server, url, signIns, secrets } = options
  await signIns.alone(url, async () => {
    const known = signIns.read(url)
    if (known?.tokens?.access !== old) return
    const { refresh, scope } = known.tokens
    if (refresh === undefined) throw new SignInNeeded(server, EXPIRED)
    try {
      const tokens = await refreshAuthorization(known.issuer, {
        ...{
          metadata: metadataOf(known),
          clientInformation: informationOf(known.client, options.clientSecret),
        },
        ...{ refreshToken: refresh, ...defined({ resource: known.resource }) },
        fetchFn: carefulFetch({ server: await reachOf(new URL(url)), signal: options.signal }),
      })
      signIns.write({ ...known, tokens: tokensOf(tokens, Date.now(), scope) })
    } catch (error) {
      if (isOver(error)) {
        const { tokens: _over, ...rest } = known
        signIns.write(rest)
        throw new SignInNeeded(server, EXPIRED)
      }
      throw new SignInFailed(`the sign-in could not be renewed: ${reasonOf(error, secrets.redact)}`)
    }
  })
}

const OVER: readonly string[] = [
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
]

function isOver(error: unknown): boolean {
  return error instanceof OAuthError && OVER.includes(error.code)
}

/** What was found at the sign-in: a refresh token is never sent anywhere else. */
function metadataOf({ issuer, authorizationEndpoint, tokenEndpoint, authMethods }: SignIn) {
  return {
    ...{ issuer, authorization_endpoint: authorizationEndpoint, token_endpoint: tokenEndpoint },
    response_types_supported: ["code"],
    ...defined({ token_endpoint_auth_methods_supported: authMethods }),
  }
}
