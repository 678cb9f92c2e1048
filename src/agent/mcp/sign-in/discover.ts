// Where to sign in to a server: its own description (RFC 9728), then that of the authorization server it names (RFC 8414).
// Refuses what does not belong together, or would send a key unprotected.
import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  type FetchLike,
  IssuerMismatchError,
  type OAuthProtectedResourceMetadata,
} from "@modelcontextprotocol/client"
import { reasonOf } from "../text.ts"
import { SignInFailed } from "./failures.ts"
import { isSafeUrl } from "./reach.ts"

export interface Discovered {
  /** What tokens are for, as the server writes it. */
  readonly resource: string | undefined
  readonly authorization: AuthorizationServerMetadata
  /** The rights to ask for, if the server names any. */
  readonly scope: string | undefined
}

export interface DiscoverOptions {
  readonly url: string
  /** The configured headers, which only the server itself gets. */
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: FetchLike
  /** The same, without reading the body of an answer. */
  readonly knock: FetchLike
}

type Challenge = ReturnType<typeof extractWWWAuthenticateParams>

export async function discover(options: DiscoverOptions): Promise<Discovered> {
  const challenge = await challengeOf(options)
  const resource = await resourceOf(challenge, options)
  if (
    resource !== undefined &&
    !checkResourceAllowed({ requestedResource: options.url, configuredResource: resource.resource })
  )
    throw new SignInFailed(`its description is for another resource (${shown(resource.resource)})`)
  const authorization = await authorizationOf(resource, options)
  const scope = challenge.scope ?? resource?.scopes_supported?.join(" ")
  return { resource: resource?.resource, authorization, scope: scope === "" ? undefined : scope }
}

/** What a server says to a request without a token. */
async function challengeOf({ url, headers, knock }: DiscoverOptions): Promise<Challenge> {
  const answer = await knock(url, {
    method: "POST",
    headers: {
      ...headers,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "ping" }),
  })
  return answer.status === 401 ? extractWWWAuthenticateParams(answer) : {}
}

/** Returns undefined for an older server without a description. */
async function resourceOf(
  { resourceMetadataUrl }: Challenge,
  { url, fetch }: DiscoverOptions,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  try {
    return await discoverOAuthProtectedResourceMetadata(
      url,
      resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl },
      fetch,
    )
  } catch (error) {
    if (error instanceof SignInFailed) throw error
    if (resourceMetadataUrl !== undefined)
      throw new SignInFailed(`its description at ${resourceMetadataUrl.host} cannot be used: ${plain(error)}`)
    return undefined
  }
}

async function authorizationOf(
  resource: OAuthProtectedResourceMetadata | undefined,
  { url, fetch }: DiscoverOptions,
): Promise<AuthorizationServerMetadata> {
  const named = resource?.authorization_servers?.[0]
  const at = named ?? new URL("/", url).href
  const found = await metadataOf(at, fetch)
  if (found === undefined)
    throw new SignInFailed(
      named === undefined
        ? "it offers no sign-in: neither it nor its host describes one"
        : `the authorization server ${new URL(at).host} has no description`,
    )
  const { authorization_endpoint, token_endpoint, registration_endpoint } = found
  const revocation_endpoint = revocationEndpointOf(found)
  const endpoints = { authorization_endpoint, token_endpoint, registration_endpoint, revocation_endpoint }
  for (const [name, endpoint] of Object.entries(endpoints))
    if (typeof endpoint === "string" && !(URL.canParse(endpoint) && isSafeUrl(new URL(endpoint))))
      throw new SignInFailed(
        `its ${name.replaceAll("_", " ")} ${shown(endpoint)} is not https, so it was not used`,
      )
  if (found.code_challenge_methods_supported?.includes("S256") !== true)
    throw new SignInFailed(
      `${new URL(at).host} does not say that it supports PKCE, which protects the sign-in`,
    )
  return found
}

/** Only one of the two kinds of description has a name for it. */
export function revocationEndpointOf(found: AuthorizationServerMetadata): string | undefined {
  return "revocation_endpoint" in found && typeof found.revocation_endpoint === "string"
    ? found.revocation_endpoint
    : undefined
}

async function metadataOf(at: string, fetch: FetchLike): Promise<AuthorizationServerMetadata | undefined> {
  try {
    return await discoverAuthorizationServerMetadata(at, { fetchFn: fetch })
  } catch (error) {
    if (error instanceof SignInFailed) throw error
    if (error instanceof IssuerMismatchError)
      throw new SignInFailed(
        `the authorization server ${shown(at)} says that it is ${shown(error.received ?? "another one")}`,
      )
    throw new SignInFailed(`the authorization server ${shown(at)} cannot be used: ${plain(error)}`)
  }
}

const MOST_SHOWN = 120

/** A text of the server's, on one line. */
function shown(text: string): string {
  return plain(text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}...` : text)
}

/** Nothing secret is known before the sign-in. */
function plain(error: unknown): string {
  return reasonOf(error, (text) => text)
}
