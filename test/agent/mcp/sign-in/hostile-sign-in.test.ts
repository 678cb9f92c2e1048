// Sign-ins that a hostile service, or somebody between, tries to turn to their own ends. Each is refused with a line that
// says why, nothing is kept, and no code or token goes where it does not belong.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, beforeEach, expect, test } from "vitest"
import { SignInFailed } from "../../../../src/agent/mcp/sign-in/failures.ts"
import { browse, type OAuthWorld, openOAuth, type Twist } from "./oauth-world.ts"

/** Another server of this machine, which nobody should ask. */
let other: { readonly url: string; readonly asked: string[]; close(): Promise<unknown> }
const opened: OAuthWorld[] = []
beforeEach(async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end("{}")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  other = { url: `http://127.0.0.1:${port}`, asked, close: () => new Promise((done) => server.close(done)) }
})
afterEach(async () => {
  await other.close()
  await Promise.all(opened.splice(0).map((one) => one.close()))
})

const json = (value: unknown) => () => Response.json(value)
const to = (location: string) => () => new Response(null, { status: 307, headers: { location } })
const DESCRIBED = "/.well-known/oauth-authorization-server"
const RESOURCE = "/.well-known/oauth-protected-resource/mcp"

/** What it is, what the service does, and what the person is told. */
const TRICKS: readonly (readonly [string, (away: string) => Twist, string | RegExp])[] = [
  [
    "the authorization server says that it is another one",
    () => ({ metadata: (own) => ({ ...own, issuer: "https://login.example.org" }) }),
    /^the authorization server http:\/\/127\.0\.0\.1:\d+ says that it is https:\/\/login\.example\.org$/,
  ],
  [
    "the answer in the browser comes from another authorization server",
    () => ({ back: (at) => at.searchParams.set("iss", "https://evil.example.org") }),
    "the answer in the browser came from another authorization server, so it was not used",
  ],
  [
    "an answer without an issuer, where one was promised",
    () => ({ back: (at) => at.searchParams.delete("iss") }),
    "the answer in the browser came from another authorization server, so it was not used",
  ],
  [
    "an error that another server sends",
    () => ({
      back(at) {
        at.searchParams.delete("code")
        at.searchParams.set("error", "call 0900-evil")
        at.searchParams.set("iss", "https://evil.example.org")
      },
    }),
    "the answer in the browser came from another authorization server, so it was not used",
  ],
  [
    "the description of the server is for another resource",
    () => ({ resource: (own) => ({ ...own, resource: "https://bank.example.org/mcp" }) }),
    "its description is for another resource (https://bank.example.org/mcp)",
  ],
  [
    "the description redirects to another host",
    (away) => ({ answers: { [DESCRIBED]: to(`${away}/as`) } }),
    /^127\.0\.0\.1:\d+ redirects to 127\.0\.0\.1:\d+, which is not followed$/,
  ],
  [
    "the token endpoint redirects to another host",
    (away) => ({ answers: { "/token": to(`${away}/token`) } }),
    /^127\.0\.0\.1:\d+ redirects to 127\.0\.0\.1:\d+, which is not followed$/,
  ],
  [
    "the server itself redirects to another host",
    (away) => ({ serverAnswers: { "/mcp": to(`${away}/mcp`) } }),
    /redirects to 127\.0\.0\.1:\d+, which is not followed$/,
  ],
  [
    "the description is at an address of a private network",
    () => ({ describedAt: "https://10.0.0.1/keys" }),
    "it names 10.0.0.1, which is an address of a private network (10.0.0.1), and the server itself is elsewhere",
  ],
  [
    "the description is where a cloud keeps the keys of a machine",
    () => ({ describedAt: "https://169.254.169.254/latest/meta-data" }),
    /^it names 169\.254\.169\.254, which is a reserved address/,
  ],
  [
    "the same address, written in another way",
    () => ({ describedAt: "https://[::ffff:169.254.169.254]/latest" }),
    /which is a reserved address/,
  ],
  [
    "the authorization server is in a private network",
    () => ({ resource: (own) => ({ ...own, authorization_servers: ["https://192.168.1.1"] }) }),
    /^it names 192\.168\.1\.1, which is an address of a private network/,
  ],
  [
    "the authorization server is not https",
    () => ({ resource: (own) => ({ ...own, authorization_servers: ["http://login.example.org"] }) }),
    "it names http://login.example.org, which is not https",
  ],
  [
    "the token endpoint is not https",
    () => ({ metadata: (own) => ({ ...own, token_endpoint: "http://login.example.org/token" }) }),
    "its token endpoint http://login.example.org/token is not https, so it was not used",
  ],
  [
    "the page for the browser is not a page",
    () => ({ metadata: (own) => ({ ...own, authorization_endpoint: "file:///etc/passwd" }) }),
    /^its authorization endpoint file:\/\/\/etc\/passwd is not https/,
  ],
  [
    "registration is in a private network",
    () => ({ metadata: (own) => ({ ...own, registration_endpoint: "https://172.16.0.9/register" }) }),
    /^it names 172\.16\.0\.9, which is an address of a private network/,
  ],
  [
    "a description without end",
    () => ({ answers: { [DESCRIBED]: json({ issuer: "x".repeat(300_000) }) } }),
    /^127\.0\.0\.1:\d+ answers with more than 262144 bytes$/,
  ],
  [
    "a description of the server without end",
    () => ({ serverAnswers: { [RESOURCE]: json({ resource: "x".repeat(300_000) }) } }),
    /^127\.0\.0\.1:\d+ answers with more than 262144 bytes$/,
  ],
  [
    "no proof for the code",
    () => ({ metadata: ({ code_challenge_methods_supported: _none, ...own }) => own }),
    /^127\.0\.0\.1:\d+ does not say that it supports PKCE, which protects the sign-in$/,
  ],
  [
    "no registration",
    () => ({ metadata: ({ registration_endpoint: _none, ...own }) => own }),
    /does not register clients by itself; register one there, and set oauth\.client of the server in incipit\.yaml$/,
  ],
  ["tokens in another form", () => ({ answers: { "/token": json({ access_token: 7 }) } }), /access_token/],
]

test.each(TRICKS)("%s", async (_what, twist, line) => {
  const service = await openOAuth(twist(other.url))
  opened.push(service)
  const refused = await service.signIn().catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(SignInFailed)
  const { message } = refused as SignInFailed
  if (typeof line === "string") expect(message).toBe(line)
  else expect(message).toMatch(line)
  expect(message).not.toMatch(/evil|code-|access-|refresh-/)
  expect([other.asked, service.signIns.read(service.url)]).toEqual([[], undefined])
})

test("an answer with another state is none, and the real one still counts", async () => {
  const service = await openOAuth()
  opened.push(service)
  const shown: string[] = []
  const done = await service.signIn({
    async show(page) {
      const forged = new URL(page.searchParams.get("redirect_uri") ?? "")
      forged.search = "?code=code-of-somebody-else&state=guess"
      shown.push(await browse(forged), await browse(page))
    },
  })
  expect(done.tokens?.access).toContain("access-")
  expect(service.asked.filter((one) => one.startsWith("grant"))).toEqual(["grant authorization_code"])
  expect(shown.map((text) => text.replaceAll(/<[^>]*>/g, "").trim())).toEqual([
    "IncipitThere is nothing here.",
    "IncipitYou can close this page and go back to the terminal.",
  ])
})

test("a person who says no is not signed in, and the page does not stay open", async () => {
  const service = await openOAuth({
    back(at) {
      at.searchParams.delete("code")
      at.searchParams.set("error", "access_denied")
    },
  })
  opened.push(service)
  let back = ""
  const refused = service.signIn({
    show(page) {
      back = page.searchParams.get("redirect_uri") ?? ""
      void browse(page)
    },
  })
  await expect(refused).rejects.toThrow("it was refused in the browser")
  await expect(fetch(back)).rejects.toThrow("fetch failed")
})

test("nobody comes back in time, or the person stops", async () => {
  const service = await openOAuth()
  opened.push(service)
  const nobody = service.signIn({ show: () => {}, limitMs: 20 })
  await expect(nobody).rejects.toThrow("nobody signed in within 0 minutes")
  const stop = new AbortController()
  const stopped = service.signIn({ show: () => stop.abort(new Error("stopped")), signal: stop.signal })
  await expect(stopped).rejects.toThrow("stopped")
  expect(service.signIns.read(service.url)).toBeUndefined()
})
