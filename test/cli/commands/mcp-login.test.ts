// `incipit mcp login`, `status` and `logout` as a person runs them, with a real authorization server and a browser that
// agrees; and a run of the agent before and after.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join, resolve } from "node:path"
import { text } from "node:stream/consumers"
import { afterEach, beforeEach, expect, test } from "vitest"
import { browse, type OAuthWorld, openOAuth } from "../../agent/mcp/sign-in/oauth-world.ts"

let service: OAuthWorld
let folder: string
beforeEach(async () => {
  service = await openOAuth()
  folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-login-")))
  mkdirSync(join(folder, "home"))
  mkdirSync(join(folder, "agent"))
  writeFileSync(
    join(folder, "agent", "incipit.yaml"),
    `profile: incipit\nmcp:\n  maps: { url: "${service.url}" }\n  local: { command: node, args: [no.js] }\n`,
  )
  for (const words of [
    ["folder", "approve", join(folder, "agent"), "--yes"],
    ["hooks", "approve", "maps", "--yes"],
  ])
    expect(await incipit(...words)).toMatchObject({ status: 0 })
})
afterEach(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Ran {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

/** In a process of its own, while this one answers as the service. */
function start(...args: readonly string[]) {
  const child = spawn("node", [resolve("bin/incipit.js"), ...args], {
    cwd: join(folder, "agent"),
    env: {
      PATH: [resolve("test/cli/installed"), process.env.PATH].join(delimiter),
      ...{ HOME: join(folder, "home"), TZ: "UTC", COLUMNS: "80" },
    },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const ran = Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]).then(
    // The status is the first that the event has.
    ([out, err, [status]]): Ran => ({ out, err, status: status as number | null }),
  )
  return { child, ran }
}

const incipit = (...args: readonly string[]) => start(...args).ran

/** Opens the page as soon as it is printed. */
async function login(...more: readonly string[]): Promise<Ran> {
  const { child, ran } = start("mcp", "login", "maps", ...more)
  let printed = ""
  child.stderr.on("data", (chunk: Buffer) => {
    const before = printed
    printed += chunk.toString()
    const page = (all: string) => /^(http:\S+authorize\S*)\n/m.exec(all)?.[1]
    const found = page(printed)
    if (found !== undefined && page(before) === undefined) void browse(new URL(found))
  })
  return ran
}

test("somebody signs in, is seen to be signed in, and signs out", { timeout: 120_000 }, async () => {
  const before = await incipit("mcp", "status")
  expect([before.status, before.out.split("\n")]).toEqual([
    0,
    [`maps   not signed in  ${service.url}`, "local  program; waits for approval  node no.js", ""],
  ])
  const { status, out, err } = await login()
  expect([status, out]).toEqual([
    0,
    "Signed in to maps: signed in with the rights tides:read offline_access.\n",
  ])
  expect(err).toContain(`To sign in to maps, open this page at ${new URL(service.issuer).host}:\n`)
  const after = await incipit("mcp", "status", "--json")
  expect(JSON.parse(after.out)[0]).toMatchObject({ name: "maps", approved: true, state: "signed-in" })
  const { tokens } = JSON.parse((await incipit("mcp", "status", "--json")).out)[0]
  expect([tokens, `${out}${err}${after.out}`.match(/access-|refresh-|code-/)]).toEqual([undefined, null])
  const left = await incipit("mcp", "logout", "maps")
  expect([left.status, left.out, service.asked.at(-1)]).toEqual([0, "Signed out of maps.\n", "POST /revoke"])
  expect((await incipit("mcp", "logout", "maps")).out).toBe("Nobody was signed in to maps.\n")
})

test("what cannot be signed in to is said in one line", { timeout: 120_000 }, async () => {
  const lines = async (...args: readonly string[]) => {
    const { status, err } = await incipit("mcp", ...args)
    // What to do follows.
    return [status, err.split(". `incipit ")[0]]
  }
  expect(await lines("login", "charts")).toEqual([2, 'incipit: incipit.yaml has no MCP server "charts"'])
  expect(await lines("login", "local")).toEqual([
    2,
    'incipit: "local" is a program, which signs in by itself if it has to',
  ])
  writeFileSync(join(folder, "agent", "incipit.yaml"), `mcp: { maps: { url: "${service.url}?other" } }\n`)
  expect(await lines("login", "maps")).toEqual([
    2,
    'incipit: the MCP server "maps" is not approved; run: incipit hooks approve maps',
  ])
})

test("Ctrl-C ends the wait, and nobody is signed in", { timeout: 120_000 }, async () => {
  const { child, ran } = start("mcp", "login", "maps")
  child.stderr.on("data", (chunk: Buffer) => {
    if (chunk.toString().includes("Waiting for the browser")) child.kill("SIGINT")
  })
  const { status, err } = await ran
  expect([status, err.split("\n").at(-2)]).toEqual([2, "Stopped; nobody was signed in."])
  expect((await incipit("mcp", "status")).out).toContain("maps   not signed in")
})

test("a run without a sign-in names the command and goes on", { timeout: 120_000 }, async () => {
  const { status, out, err } = await incipit("run", "Hello")
  expect([status, out !== ""]).toEqual([0, true])
  expect(err).toContain(
    "MCP server maps: could not be started: you are not signed in; run: incipit mcp login maps",
  )
})
