// Signs a person in to a server over HTTP, as OAuth 2.1 and MCP describe it: finds out where, registers the client if it
// has to, has the person's browser ask there, and exchanges the code that comes back for tokens.
import { randomBytes } from "node:crypto"
import {
  type AuthorizationServerMetadata,
  exchangeAuthorization,
  type FetchLike,
  type OAuthClientInformationMixed,
  registerClient,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from "@modelcontextprotocol/client"
import { defined } from "../../../base/defined.ts"
import type { Secrets } from "../../../record/redact/secrets.ts"
import type { OAuthClient } from "../config.ts"
import { reasonOf } from "../text.ts"
import { awaitBrowser, type BrowserAnswer } from "./browser-answer.ts"
import { carefulFetch } from "./careful-fetch.ts"
import { type Discovered, discover, revocationEndpointOf } from "./discover.ts"
import { SignInFailed } from "./failures.ts"
import { isSafeUrl, reachOf } from "./reach.ts"
import type { SignIn, SignIns } from "./stored-sign-ins.ts"

export interface SignInOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly oauth: OAuthClient
  readonly signIns: SignIns
  /** Learns codes and tokens, so that no message has them. */
  readonly secrets: Secrets
  /** Shows the person where to go. */
  readonly show: (url: URL) => void
  /** How long the person may take. */
  readonly limitMs: number
  readonly signal: AbortSignal
  readonly now: () => number
}

/** Throws `SignInFailed` with a line for the person, or the signal's reason. Nothing is kept then. */
export async function signIn(options: SignInOptions): Promise<SignIn> {
  const { url, signIns, secrets, signal } = options
  const server = new URL(url)
  if (!isSafeUrl(server))
    throw new SignInFailed(`${server.origin} is not https, so a token would be readable`)
  try {
    const limit = { server: await reachOf(server), signal }
    const fetch = carefulFetch(limit)
    const knock = carefulFetch({ ...limit, readsBody: () => false })
    const found = await discover({ url, headers: options.headers, fetch, knock })
    const known = signIns.read(url)
    const before = known?.issuer === found.authorization.issuer ? known : undefined
    const browser = await browserFor(before, options)
    try {
      const done = await asked({ ...options, found, before, browser, fetch })
      signIns.write(done)
      return done
    } finally {
      await browser.close()
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof SignInFailed) throw error
    throw new SignInFailed(reasonOf(error, secrets.redact))
  }
}

/** At the port of the last time, if it is free: then the client need not be registered again. */
async function browserFor(before: SignIn | undefined, { oauth }: SignInOptions): Promise<BrowserAnswer> {
  if (oauth.port !== undefined) {
    const browser = await awaitBrowser(oauth.port)
    if (browser === undefined)
      throw new SignInFailed(`another program uses port ${oauth.port} of this machine`)
    return browser
  }
  const last = before?.client.redirect
  const browser = (last && (await awaitBrowser(Number(new URL(last).port)))) || (await awaitBrowser(0))
  if (browser === undefined) throw new SignInFailed("no port of this machine is free")
  return browser
}

interface Asking extends SignInOptions {
  readonly found: Discovered
  /** The last sign-in at the same authorization server. */
  readonly before: SignIn | undefined
  readonly browser: BrowserAnswer
  readonly fetch: FetchLike
}

async function asked(asking: Asking): Promise<SignIn> {
  const { url, found, browser, fetch, secrets, show, now } = asking
  const { authorization, resource } = found
  const scope = scopeOf(asking)
  const client = await clientOf(asking, scope)
  const clientInformation = informationOf(client, asking.oauth.secret)
  const state = randomBytes(32).toString("base64url")
  const { authorizationUrl, codeVerifier } = await startAuthorization(authorization.issuer, {
    ...{ metadata: authorization, clientInformation, redirectUrl: browser.redirect, state },
    ...defined({ scope, resource }),
  })
  secrets.learn([codeVerifier])
  show(authorizationUrl)
  const { code, iss } = await codeOf(asking, state)
  secrets.learn([code])
  const tokens = await exchangeAuthorization(authorization.issuer, {
    ...{ metadata: authorization, clientInformation, authorizationCode: code, codeVerifier },
    ...{ redirectUri: browser.redirect, fetchFn: fetch },
    ...defined({ iss, resource }),
  })
  secrets.learn([tokens.access_token, tokens.refresh_token ?? ""])
  return {
    ...{ url, issuer: authorization.issuer, client, ...defined({ resource }) },
    ...endpointsOf(authorization),
    tokens: tokensOf(tokens, now(), scope),
  }
}

export function tokensOf(
  {
    access_token: access,
    refresh_token: refresh,
    expires_in: seconds,
    scope: granted,
  }: Awaited<ReturnType<typeof exchangeAuthorization>>,
  now: number,
  asked: string | undefined,
): NonNullable<SignIn["tokens"]> {
  const expiresAt = seconds === undefined ? undefined : now + seconds * 1_000
  // Without a scope, it is the one that was asked for.
  return { access, ...defined({ refresh, expiresAt, scope: granted ?? asked }) }
}

function endpointsOf(authorization: AuthorizationServerMetadata) {
  const {
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: tokenEndpoint,
    token_endpoint_auth_methods_supported: authMethods,
  } = authorization
  const revocationEndpoint = revocationEndpointOf(authorization)
  return { authorizationEndpoint, tokenEndpoint, ...defined({ revocationEndpoint, authMethods }) }
}

/** What the configuration names, else what the server asks for; and what it asked for since the last sign-in. */
function scopeOf({ oauth, found, before }: Asking): string | undefined {
  const { scope, authorization } = found
  const wanted = before?.wanted === undefined ? [] : [before.wanted, before.tokens?.scope ?? ""]
  const named = [oauth.scope ?? scope ?? "", ...wanted].flatMap((text) => text.split(/\s+/)).filter(Boolean)
  if (named.length === 0) return undefined
  // Without it, some services give no refresh token.
  const isOffered = authorization.scopes_supported?.includes("offline_access") === true
  return [...new Set([...named, ...(isOffered ? ["offline_access"] : [])])].join(" ")
}

/** The configured client, the one of the last time, or a new one. */
async function clientOf(asking: Asking, scope: string | undefined): Promise<SignIn["client"]> {
  const { oauth, found, before, browser, fetch } = asking
  const { authorization } = found
  const { host } = new URL(authorization.issuer)
  const isDocument = /^https:/i.test(oauth.client ?? "")
  const knowsDocuments =
    "client_id_metadata_document_supported" in authorization &&
    authorization.client_id_metadata_document_supported === true
  if (oauth.client !== undefined && (!isDocument || knowsDocuments)) return { id: oauth.client }
  if (before?.client.redirect === browser.redirect && !isExpired(asking)) return before.client
  if (authorization.registration_endpoint === undefined)
    throw new SignInFailed(
      `${host} does not register clients by itself; register one there, and set oauth.client of the server in incipit.yaml`,
    )
  const registered = await registerClient(authorization.issuer, {
    metadata: authorization,
    clientMetadata: {
      client_name: "Incipit",
      redirect_uris: [browser.redirect],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "native",
    },
    ...defined({ scope }),
    fetchFn: fetch,
  })
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: authMethod } = registered
  return { id, redirect: browser.redirect, ...defined({ secret, authMethod }) }
}

/** A client without tokens may be one that is no longer known there. */
function isExpired({ before }: Asking): boolean {
  return before?.tokens === undefined
}

/** `configured`: the secret of a client that the configuration names, which is not kept with the tokens. */
export function informationOf(
  { id, secret, authMethod, redirect }: SignIn["client"],
  configured: string | undefined,
): OAuthClientInformationMixed {
  const client_secret = redirect === undefined ? configured : secret
  const information = { client_id: id, client_secret, token_endpoint_auth_method: authMethod }
  // Checked by the protocol's client when it was registered.
  return defined(information) as OAuthClientInformationMixed
}

async function codeOf(asking: Asking, state: string) {
  const { browser, found, limitMs, signal } = asking
  const late = AbortSignal.timeout(limitMs)
  const answer = await browser.wait(state, AbortSignal.any([signal, late])).catch((error: unknown) => {
    if (signal.aborted) throw signal.reason
    if (!late.aborted) throw error
    throw new SignInFailed(`nobody signed in within ${Math.round(limitMs / 60_000)} minutes`)
  })
  const iss = answer.get("iss") ?? undefined
  checkIssuer(found.authorization, iss)
  const code = answer.get("code")
  if (code !== null) return { code, iss }
  const error = answer.get("error") ?? ""
  const why = /^[\w.-]{1,60}$/.test(error) ? error : "unknown reason"
  throw new SignInFailed(
    why === "access_denied" ? "it was refused in the browser" : `it failed there (${why})`,
  )
}

/** Before anything of an answer is used or shown: it may come from another server (RFC 9207). */
function checkIssuer(authorization: AuthorizationServerMetadata, iss: string | undefined): void {
  const isSent =
    "authorization_response_iss_parameter_supported" in authorization &&
    authorization.authorization_response_iss_parameter_supported === true
  try {
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: authorization.issuer,
      issParameterSupported: isSent,
    })
  } catch {
    throw new SignInFailed(
      "the answer in the browser came from another authorization server, so it was not used",
    )
  }
}
