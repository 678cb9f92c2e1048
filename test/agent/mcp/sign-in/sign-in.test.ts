// Signing in to a real MCP server behind a real authorization server, and using what comes of it.
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { Mcp } from "../../../../src/agent/mcp/mcp.ts"
import { signOut } from "../../../../src/agent/mcp/sign-in/sign-out.ts"
import { createSecrets } from "../../../../src/record/redact/secrets.ts"
import type { ToolHost } from "../../../../src/tools/host.ts"
import { enterWorld, SOON, type World } from "../mcp-world.ts"
import { type OAuthWorld, openOAuth, type Twist } from "./oauth-world.ts"

let world: World
const opened: OAuthWorld[] = []
beforeEach(() => {
  world = enterWorld()
})
afterEach(async () => {
  await world.leave()
  await Promise.all(opened.splice(0).map((one) => one.close()))
})

async function oauth(twist?: Twist): Promise<OAuthWorld> {
  const service = await openOAuth(twist)
  opened.push(service)
  return service
}

const secrets = createSecrets()
const used = (service: OAuthWorld) =>
  world.open({ maps: { url: service.url } }, { signIns: service.signIns, secrets })
/** As an agent does, which hides its own keys. */
const run = (mcp: Mcp, name: string) => {
  const host: Partial<ToolHost> = { redact: secrets.redact }
  return world.run(mcp, name, {}, { host: host as ToolHost })
}

test.each(["old", "new"] as const)(
  "a sign-in is found, asked for, kept and used (%s protocol)",
  async (era) => {
    const service = await oauth({ era })
    const done = await service.signIn()
    const [page] = service.pages
    expect(Object.fromEntries(page?.searchParams ?? [])).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      scope: "tides:read offline_access",
      resource: service.url,
    })
    expect(service.registered).toMatchObject([
      { client_name: "Incipit", token_endpoint_auth_method: "none", application_type: "native" },
    ])
    expect(done).toEqual(service.signIns.read(service.url))
    const mcp = used(service)
    await mcp.settled
    expect(mcp.servers()).toEqual([{ name: "maps", state: "ready", tools: 2 }])
    // The server says the token back, and nobody gets to see it.
    const said = await run(mcp, "ask")
    expect(said).toContain("ask: Bearer [")
    expect(said).not.toContain(done.tokens?.access)
    expect(service.tokens.at(-1)).toBe(done.tokens?.access)
  },
)

test("the file of a sign-in is for its owner only, and says nothing in its name", async () => {
  const service = await oauth()
  const { tokens } = await service.signIn()
  const folder = join(service.folder, "mcp")
  const [file = "", ...others] = readdirSync(folder)
  expect([others, statSync(folder).mode & 0o777, statSync(join(folder, file)).mode & 0o777]).toEqual([
    [],
    0o700,
    0o600,
  ])
  expect(file).toMatch(/^[0-9a-f]{32}\.json$/)
  expect(readFileSync(join(folder, file), "utf8")).toContain(tokens?.access)
  // A file that was copied to the name of another server is not used for it.
  const other = new URL(service.url)
  other.pathname = "/other"
  service.signIns.write({ ...(service.signIns.read(service.url) ?? never()), url: other.href })
  const [copy = ""] = readdirSync(folder).filter((name) => name !== file)
  writeFileSync(join(folder, copy), readFileSync(join(folder, file)))
  expect(service.signIns.read(other.href)).toBeUndefined()
  writeFileSync(join(folder, file), "{")
  expect(service.signIns.read(service.url)).toBeUndefined()
})

function never(): never {
  throw new Error("there is no sign-in")
}

test.each(["old", "new"] as const)(
  "a token that has ended is renewed once for all who wait (%s)",
  async (era) => {
    const service = await oauth({ era })
    const before = await service.signIn()
    const mcp = used(service)
    await mcp.settled
    service.expire()
    const said = await Promise.all(["ask", "ask", "ask"].map((name) => run(mcp, name)))
    expect(said.map((text) => text.includes("ask: Bearer ["))).toEqual([true, true, true])
    expect(service.asked.filter((one) => one === "grant refresh_token")).toHaveLength(1)
    const after = service.signIns.read(service.url)
    expect(after?.tokens?.access).not.toBe(before.tokens?.access)
    expect(after?.tokens?.refresh).not.toBe(before.tokens?.refresh)
    expect(world.troubles()).toEqual([])
  },
)

test("a token that is about to end is renewed before a request is made with it", async () => {
  const service = await oauth({ expiresIn: 20 })
  const { tokens } = await service.signIn()
  const mcp = used(service)
  await mcp.settled
  expect(service.tokens).not.toContain(tokens?.access)
  expect(mcp.servers()).toMatchObject([{ state: "ready" }])
})

test("a sign-in that is over says which command helps, and the agent goes on", async () => {
  const service = await oauth()
  await service.signIn()
  const mcp = used(service)
  await mcp.settled
  service.forget()
  const said = await run(mcp, "ask")
  expect(said).toContain('The server "maps" did nothing: the operator has to sign in to it again.')
  expect(said).toContain("incipit mcp login maps")
  expect(world.troubles()).toEqual(["warn maps: the sign-in has expired; run: incipit mcp login maps"])
  // The registration of the client stays, the tokens don't.
  expect(service.signIns.read(service.url)).toMatchObject({ client: { id: expect.any(String) } })
  expect(service.signIns.read(service.url)?.tokens).toBeUndefined()
  await service.signIn()
  expect(await run(mcp, "ask")).toContain("ask: Bearer [")
})

test.each(["old", "new"] as const)(
  "a server that nobody is signed in to is left out, and used once somebody is (%s)",
  async (era) => {
    const service = await oauth({ era })
    const mcp = used(service)
    const config = { maps: { url: service.url, tools: { "*": "allow" as const } } }
    await mcp.settled
    expect(mcp.servers()).toMatchObject([{ state: "failed" }])
    expect(world.troubles()).toEqual([
      "error maps: could not be started: you are not signed in; run: incipit mcp login maps",
    ])
    const asked = service.methods.length
    // Before each turn; nothing has changed, so nobody is asked.
    await mcp.use(config)
    expect([service.methods.length, world.troubles().length, mcp.isBlocked()]).toEqual([asked, 1, true])
    await service.signIn()
    await mcp.use(config)
    expect(mcp.servers()).toMatchObject([{ state: "ready", tools: 2 }])
  },
)

test("rights that a call needs are asked for by the next sign-in", async () => {
  const service = await oauth()
  await service.signIn()
  const mcp = used(service)
  await mcp.settled
  const said = await run(mcp, "write")
  expect(said).toContain('The server "maps" did nothing: this call needs more rights than the sign-in has.')
  expect(world.troubles()).toEqual([
    "warn maps: a call needs more rights (tides:write); to grant them, run: incipit mcp login maps",
  ])
  await service.signIn()
  const scope = service.pages.at(-1)?.searchParams.get("scope")?.split(" ").toSorted()
  expect(scope).toEqual(["offline_access", "tides:read", "tides:write"])
  expect(await run(mcp, "write")).toContain("write: Bearer [")
  expect(service.signIns.read(service.url)?.wanted).toBeUndefined()
})

test("a second sign-in uses the client of the first, and a client can be configured", async () => {
  const service = await oauth({
    metadata: (own) => ({ ...own, client_id_metadata_document_supported: true }),
  })
  await service.signIn()
  await service.signIn()
  expect(service.registered).toHaveLength(1)
  const client = "https://example.org/incipit.json"
  const done = await service.signIn({ oauth: { client, secret: "s-1", scope: "tides:all" } })
  expect([service.registered.length, done.client]).toEqual([1, { id: client }])
  expect(service.pages.at(-1)?.searchParams.get("scope")).toBe("tides:all offline_access")
})

test("signing out forgets the sign-in here and there", async () => {
  const service = await oauth()
  await service.signIn()
  const { signal } = new AbortController()
  expect(await signOut(service.url, service.signIns, signal)).toEqual({ wasSignedIn: true, told: true })
  expect(service.asked.at(-1)).toBe("POST /revoke")
  expect(readdirSync(join(service.folder, "mcp"))).toEqual([])
  expect(await signOut(service.url, service.signIns, signal)).toEqual({ wasSignedIn: false, told: undefined })
})

test("a key in the configuration is used instead of a sign-in", async () => {
  const service = await oauth()
  await service.signIn()
  const mcp = world.open(
    { maps: { url: service.url, headers: { Authorization: "Bearer own-key-1" } } },
    { signIns: service.signIns },
  )
  await mcp.settled
  expect(new Set(service.tokens.filter((token) => token !== null))).toEqual(new Set(["own-key-1"]))
  await expect.poll(() => mcp.servers()[0]?.state, SOON).toBe("failed")
})

test("a token is renewed where the sign-in was, whatever the service says since", async () => {
  let isTurned = false
  const service = await oauth({
    metadata: (own) => (isTurned ? { ...own, token_endpoint: "https://elsewhere.example.org/token" } : own),
  })
  await service.signIn()
  const mcp = used(service)
  await mcp.settled
  isTurned = true
  service.expire()
  expect(await run(mcp, "ask")).toContain("ask: Bearer [")
  expect(service.asked.at(-1)).toBe("grant refresh_token")
})

test("two agents that share a sign-in renew it once", async () => {
  const service = await oauth()
  await service.signIn()
  const all = [used(service), used(service)]
  await Promise.all(all.map(({ settled }) => settled))
  service.expire()
  const said = await Promise.all(all.map((mcp) => run(mcp, "ask")))
  expect(said.map((text) => text.includes("ask: Bearer ["))).toEqual([true, true])
  expect(service.asked.filter((one) => one === "grant refresh_token")).toHaveLength(1)
})

test("a lock that a process left behind is taken over", async () => {
  const service = await oauth()
  await service.signIn()
  const [file = ""] = readdirSync(join(service.folder, "mcp"))
  const lock = join(service.folder, "mcp", `${file}.lock`)
  mkdirSync(lock)
  utimesSync(lock, 0, 0)
  const mcp = used(service)
  await mcp.settled
  service.expire()
  expect(await run(mcp, "ask")).toContain("ask: Bearer [")
  expect(readdirSync(join(service.folder, "mcp"))).toEqual([file])
})
