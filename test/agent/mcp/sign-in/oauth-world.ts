// An OAuth authorization server and the MCP server that it protects, on this machine: as a service would run them, and as a
// hostile one might.
import { createHash, randomUUID } from "node:crypto"
import { rmSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { McpServer } from "@modelcontextprotocol/server"
import { type SignInOptions, signIn } from "../../../../src/agent/mcp/sign-in/sign-in.ts"
import { type SignIns, signInsIn } from "../../../../src/agent/mcp/sign-in/stored-sign-ins.ts"
import { createSecrets } from "../../../../src/record/redact/secrets.ts"
import { listen, openHttp, openStateless } from "../mcp-over-http.ts"

type Json = Readonly<Record<string, unknown>>

/** What a service says and does otherwise. */
export interface Twist {
  /** Which protocol the MCP server speaks. */
  readonly era?: "old" | "new"
  /** Its description of itself, and that of the authorization server. */
  readonly resource?: (own: Json) => Json
  readonly metadata?: (own: Json) => Json
  /** Answers of the authorization server by path, in place of its own. */
  readonly answers?: Readonly<Record<string, () => Response>>
  /** The same for the MCP server. */
  readonly serverAnswers?: Readonly<Record<string, () => Response>>
  /** Changes where the browser is sent back to. */
  readonly back?: (location: URL) => void
  readonly expiresIn?: number
  /** No token to renew with. */
  readonly hasNoRefresh?: boolean
  /** What `WWW-Authenticate` says of the description; the MCP server's own address otherwise. */
  readonly describedAt?: string
}

interface Grant {
  readonly client: string
  readonly scope: string
  readonly resource: string
}

export interface OAuthWorld {
  /** Of the MCP server. */
  readonly url: string
  readonly issuer: string
  readonly signIns: SignIns
  readonly folder: string
  /** Requests at the authorization server, such as `POST /token refresh_token`. */
  readonly asked: readonly string[]
  /** Bodies of registrations. */
  readonly registered: readonly Json[]
  /** Requests for authorization. */
  readonly pages: readonly URL[]
  /** What the MCP server was asked, such as `initialize`. */
  readonly methods: readonly string[]
  /** The tokens that requests at the MCP server had. */
  readonly tokens: readonly (string | null)[]
  /** Ends all access tokens. */
  expire(): void
  /** Ends everything that was granted. */
  forget(): void
  /** Signs in, with a browser that agrees to everything. */
  signIn(options?: Partial<SignInOptions>): ReturnType<typeof signIn>
  close(): Promise<void>
}

export async function openOAuth(twist: Twist = {}): Promise<OAuthWorld> {
  const folder = await mkdtemp(join(tmpdir(), "incipit-sign-in-"))
  const signIns = signInsIn(join(folder, "mcp"))
  const codes = new Map<string, Grant & { readonly challenge: string; readonly redirect: string }>()
  const access = new Map<string, Grant>()
  const refresh = new Map<string, Grant>()
  const clients = new Map<string, readonly string[]>()
  const asked: string[] = []
  const registered: Json[] = []
  const pages: URL[] = []
  const tokens: (string | null)[] = []

  const granted = (grant: Grant) => {
    const [one, other] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`]
    access.set(one, grant)
    if (twist.hasNoRefresh !== true) refresh.set(other, grant)
    return Response.json({
      ...{
        access_token: one,
        token_type: "Bearer",
        expires_in: twist.expiresIn ?? 3_600,
        scope: grant.scope,
      },
      ...(twist.hasNoRefresh !== true && { refresh_token: other }),
    })
  }
  const refused = (error: string) => Response.json({ error }, { status: 400 })
  const own: Readonly<Record<string, (request: Request, url: URL) => Promise<Response> | Response>> = {
    "/.well-known/oauth-authorization-server": () => {
      const found = {
        ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
        ...{ registration_endpoint: `${issuer}/register`, revocation_endpoint: `${issuer}/revoke` },
        ...{ response_types_supported: ["code"], code_challenge_methods_supported: ["S256"] },
        ...{ token_endpoint_auth_methods_supported: ["none", "client_secret_basic"] },
        ...{ authorization_response_iss_parameter_supported: true, scopes_supported: ["offline_access"] },
      }
      return Response.json(twist.metadata?.(found) ?? found)
    },
    "/register": async (request) => {
      // The client writes JSON.
      const body = (await request.json()) as { readonly redirect_uris: readonly string[] }
      registered.push(body)
      const id = `client-${randomUUID()}`
      clients.set(id, body.redirect_uris)
      return Response.json({ ...body, client_id: id }, { status: 201 })
    },
    "/authorize": (_request, { searchParams: given }) => {
      const redirect = new URL(given.get("redirect_uri") ?? "")
      const client = given.get("client_id") ?? ""
      const isKnown = clients.get(client)?.includes(redirect.href) ?? client.startsWith("http")
      if (!isKnown || given.get("code_challenge_method") !== "S256") return refused("invalid_client")
      const code = `code-${randomUUID()}`
      const [challenge, resource] = [given.get("code_challenge") ?? "", given.get("resource") ?? ""]
      codes.set(code, {
        client,
        scope: given.get("scope") ?? "",
        resource,
        challenge,
        redirect: redirect.href,
      })
      for (const [name, value] of Object.entries({ code, state: given.get("state") ?? "", iss: issuer }))
        redirect.searchParams.set(name, value)
      twist.back?.(redirect)
      return new Response(null, { status: 302, headers: { location: redirect.href } })
    },
    "/token": async (request) => {
      const given = new URLSearchParams(await request.text())
      const basic = /^Basic (.*)$/.exec(request.headers.get("authorization") ?? "")?.[1]
      if (basic !== undefined) given.set("client_id", atob(basic).replace(/:s-1$/, ""))
      asked.push(`grant ${given.get("grant_type")}`)
      if (given.get("grant_type") === "refresh_token") {
        const old = given.get("refresh_token") ?? ""
        const grant = refresh.get(old)
        // Each works once.
        refresh.delete(old)
        return grant?.client === given.get("client_id") ? granted(grant) : refused("invalid_grant")
      }
      const code = codes.get(given.get("code") ?? "")
      const verifier = createHash("sha256")
        .update(given.get("code_verifier") ?? "")
        .digest("base64url")
      const isRight =
        verifier === code?.challenge &&
        code.redirect === given.get("redirect_uri") &&
        code.client === given.get("client_id") &&
        code.resource === given.get("resource")
      return isRight ? granted(code) : refused("invalid_grant")
    },
    "/revoke": async (request) => {
      refresh.delete(new URLSearchParams(await request.text()).get("token") ?? "")
      return new Response(null, { status: 200 })
    },
  }
  const authorization = await listen(0, async (request) => {
    const url = new URL(request.url)
    asked.push(`${request.method} ${url.pathname}`)
    if (url.pathname === "/authorize") pages.push(url)
    return (
      twist.answers?.[url.pathname]?.() ??
      own[url.pathname]?.(request, url) ??
      new Response(null, { status: 404 })
    )
  })
  const issuer = authorization.url.replace(/\/mcp$/, "")

  const gate = async (request: Request) => {
    const { origin, pathname } = new URL(request.url)
    const given = twist.serverAnswers?.[pathname]?.()
    if (given !== undefined) return given
    if (pathname === "/.well-known/oauth-protected-resource/mcp") {
      const found = {
        resource: `${origin}/mcp`,
        authorization_servers: [issuer],
        scopes_supported: ["tides:read"],
      }
      return Response.json(twist.resource?.(found) ?? found)
    }
    const token = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? null
    tokens.push(token)
    const grant = token === null ? undefined : access.get(token)
    const at = twist.describedAt ?? `${origin}/.well-known/oauth-protected-resource/mcp`
    if (grant?.resource !== `${origin}/mcp`)
      return challenge(401, `Bearer resource_metadata="${at}", scope="tides:read"`)
    const body = request.method === "POST" ? await request.clone().text() : ""
    const isWrite = body.includes('"tools/call"') && body.includes('"write"')
    if (isWrite && !grant.scope.split(" ").includes("tides:write"))
      return challenge(
        403,
        `Bearer error="insufficient_scope", scope="tides:write", resource_metadata="${at}"`,
      )
    return undefined
  }
  const setUp = (server: McpServer) => {
    for (const name of ["ask", "write"])
      server.registerTool(name, {}, ({ http }) => ({
        content: [
          { type: "text", text: `${name}: ${http?.req?.headers.get("authorization") ?? "no token"}` },
        ],
      }))
  }
  const mcp = twist.era === "new" ? await openStateless(setUp, gate) : await openHttp(setUp, 0, gate)
  const world: OAuthWorld = {
    ...{ url: mcp.url, issuer, signIns, folder, asked, registered, pages, tokens, methods: mcp.methods },
    expire: () => access.clear(),
    forget() {
      access.clear()
      refresh.clear()
    },
    signIn: (options = {}) =>
      signIn({
        ...{ url: mcp.url, headers: {}, oauth: {}, signIns, secrets: createSecrets(), limitMs: 60_000 },
        ...{ signal: new AbortController().signal, now: Date.now },
        show: (page) => void browse(page),
        ...options,
      }),
    async close() {
      await mcp.close()
      await authorization.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return world
}

function challenge(status: number, header: string): Response {
  return new Response(null, { status, headers: { "www-authenticate": header } })
}

/** A browser that follows the page to where it sends it, and tells what it was shown there. */
export async function browse(page: URL): Promise<string> {
  const answer = await fetch(page, { redirect: "manual" })
  const location = answer.headers.get("location")
  if (location === null) return answer.text()
  return (await fetch(location)).text()
}
