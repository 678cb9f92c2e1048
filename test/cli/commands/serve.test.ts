// `incipit serve` as a process: what a folder from elsewhere may not do, and what signals do to running work.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, expect, test, vi } from "vitest"
import { flagsFor } from "../../../src/cli/command-line/invocation.ts"
import { run } from "../../../src/cli/commands/serve/serve.ts"
import type { Terminal } from "../../../src/cli/terminal.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import { makeToken } from "../../../src/serve/auth/stored-tokens.ts"
import { incipit } from "../run.ts"

const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-serve-")))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function workspace(name: string, yaml: string) {
  const root = join(folder, name)
  const home = join(folder, `home-${name}`)
  for (const path of [root, home]) mkdirSync(path)
  writeFileSync(join(root, "incipit.yaml"), yaml)
  return { root, env: { HOME: home, INCIPIT_STATE_DIR: join(folder, `state-${name}`) } }
}

const BOT = `serve: { port: 0, channels: { webhook: { secret: HOOK, url: "http://127.0.0.1:9/" } } }\n`

/** A terminal whose user stops the server as soon as it runs. */
function screen(root: string, env: Readonly<Record<string, string>>) {
  let text = ""
  const write = (more: string) => {
    text += more
  }
  const terminal: Terminal = {
    ...{ out: write, exact: write, err: write, drained: async () => {}, columns: 80, colour: false },
    ...{ cwd: root, home: env.HOME, env, timeZone: "UTC", now: Date.now, stopped: async () => {} },
  }
  return { terminal, shown: () => text }
}

test("a folder cannot open the machine or name its owner before somebody has approved that", () => {
  const serve =
    "serve: { host: 0.0.0.0, port: 0, owner: 'telegram:1', channels: { telegram: { token: BOT } } }\n"
  const { root, env } = workspace("cloned", serve)
  const cli = (...args: string[]) => incipit(args, { cwd: root, env })
  expect(cli("serve")).toMatchObject({ status: 2, stdout: "" })
  const { stderr } = cli("folder", "approve", root, "--yes")
  expect(stderr).toContain(
    "set of server settings  serve: host: 0.0.0.0; channels: telegram; owner: telegram:1",
  )
  expect(cli("serve").stderr).toContain(
    "\nincipit: `serve` in incipit.yaml says who may reach this machine, and you have not approved it.",
  )
  expect(cli("hooks", "approve", "serve", "--yes").status).toBe(0)
  expect(cli("serve").stderr).toContain("names the environment variable BOT, which is not set")
  writeFileSync(join(root, "incipit.yaml"), serve.replace("telegram:1", "telegram:2"))
  expect(cli("serve").stderr).toContain("you have not approved it")
})

test("no link with a code leads to a host that nobody has approved", async () => {
  const { root, env } = workspace("linked", "serve: { host: evil.example }\n")
  const store = await openStore(join(env.INCIPIT_STATE_DIR, "agent.db"))
  const { terminal, shown } = screen(root, env)
  const link = () => run({ words: [], flags: flagsFor("serve", { link: true }), terminal })
  await expect(link()).rejects.toMatchObject({ code: "folder-not-approved" })
  expect([shown(), await store.tokens.list()]).toEqual(["", []])
  writeFileSync(join(root, "incipit.yaml"), "serve: { port: 4000 }\n")
  expect(await link()).toBe(0)
  expect(shown()).toMatch(/^http:\/\/127\.0\.0\.1:4000\/login\?code=/)
  await store.close()
})

test("mistakes in incipit.yaml are named when the server starts", async () => {
  const users = "users: { nora: { trust: fulll }, sam: { trust: fulll } }\n"
  const { root, env } = workspace("misspelt", `${users}serve: { port: 0, prot: 80 }\n`)
  const { terminal, shown } = screen(root, env)
  expect(await run({ words: [], flags: flagsFor("serve", {}), terminal })).toBe(0)
  expect(shown().replace(/^http:\S+/m, "URL")).toBe(`\
error: incipit.yaml:2: unknown key "serve.prot". Did you mean "port"? [unknown-key]
error: incipit.yaml: unknown trust "fulll". To be safe, "public" is used. [unknown-trust]
URL
Serving main from ${root}. Open the link to sign in as the owner; its code works once, for an hour.
No API key found, so the offline model is answering. Set ANTHROPIC_API_KEY to use anthropic/claude-sonnet-5-5. The offline model's calls are free; its prices and cache figures are simulated.
hint: the workspace: has no instructions: no AGENTS.md, CLAUDE.md, SOUL.md or skills, here or in the working directory. The prompt has only the bundled texts; \`incipit init\` writes a first set of files. [no-files]
Stopping: waiting for current answers. Press Ctrl-C again to stop at once.
`)
})

test("what a folder says about people is shown line by line", () => {
  const people = `users: { "nora\\n  x": { trust: full, match: ["webhook:nora"] }, leo: { trust: familiar } }\n`
  const { root, env } = workspace("bot", `${people}${BOT}`)
  incipit(["folder", "approve", root, "--yes"], { cwd: root, env })
  const { stderr } = incipit(["hooks", "approve", "serve", "--yes"], { cwd: root, env })
  expect(stderr.replace(/sha256:\w+/, "DIGEST")).toBe(String.raw`serve: server settings, DIGEST
  channels:
    "webhook": {"secret":"HOOK","url":"http://127.0.0.1:9/"}
  users:
    {"id":"nora\n  x","match":["webhook:nora"],"trust":"full"}
    {"id":"leo","trust":"familiar"}
`)
})

test("a channel without an owner whom the agent could ask is named", async () => {
  const { root, env } = workspace("unowned", BOT)
  expect(incipit(["folder", "approve", root, "--yes"], { cwd: root, env }).status).toBe(0)
  expect(incipit(["hooks", "approve", "serve", "--yes"], { cwd: root, env }).status).toBe(0)
  const { terminal, shown } = screen(root, { ...env, HOOK: "a secret of some length, 32 bytes" })
  expect(await run({ words: [], flags: flagsFor("serve", {}), terminal })).toBe(0)
  expect(shown().split("\n").slice(4, 6)).toEqual([
    "Channels: webhook",
    "hint: questions for approval are not sent to a channel, and count as refused without an answer. To get them, set serve.owner, such as telegram:4711.",
  ])
})

test("each token is listed with until when, or since when it is not valid", async () => {
  const { root, env } = workspace("listed", "users: { leo: { trust: familiar } }\n")
  const cli = (...args: string[]) => incipit(["token", ...args], { cwd: root, env })
  const id = (name: string, expires: string) =>
    JSON.parse(cli("add", "--user", "leo", "--name", name, "--expires", expires, "--json").stdout).id
  const ids = [id("tablet", "never"), id("phone", "3650d"), id("door", "never"), id("shed", "90d")]
  for (const revoked of ids.slice(2)) cli("revoke", revoked)
  const list = cli("list").stdout.replaceAll(/\d{4}-\d\d-\d\d/g, "DAY")
  expect(ids.reduce((text, one, at) => text.replace(one, `id${at}`), list)).toBe(`\
id0  tablet: leo in dm, talk+read, never expires
id1  phone: leo in dm, talk+read, expires DAY
id2  door: leo in dm, talk+read, revoked DAY
id3  shed: leo in dm, talk+read, revoked DAY
`)
})

test("a port that is in use is said in words", async () => {
  const taken = createServer().listen(0, "127.0.0.1")
  await once(taken, "listening")
  // A TCP server has an address of this kind.
  const { port } = taken.address() as AddressInfo
  const { root, env } = workspace("second", `serve: { port: ${port} }\n`)
  expect(incipit(["serve"], { cwd: root, env })).toEqual({
    status: 2,
    stdout: "",
    stderr: `incipit: cannot listen on 127.0.0.1:${port}: another program uses this port. Use another port with \`--port\`; \`--port 0\` finds a free one. \`serve\` also takes an address, with \`--host\`.\n`,
  })
  taken.close()
})

test("the first signal waits for answers and takes no new ones, the second ends the process, and nothing is lost", async () => {
  const { root, env } = workspace("served", "serve: { port: 0 }\n")
  const path = join(env.INCIPIT_STATE_DIR, "agent.db")
  const child = spawn("node", [resolve("bin/incipit.js"), "serve", "--json", "--workspace", root], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [line] = await once(createInterface(child.stdout), "line")
  const { url } = JSON.parse(String(line)) as { readonly url: string }
  const store = await openStore(path)
  const owner = { user: undefined, situation: "dm", name: "test", expiresInMs: undefined } as const
  const { secret } = await makeToken(store.tokens, { ...owner, scopes: ["talk"] })
  const ask = () =>
    fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model: "main", messages: [{ role: "user", content: "run `echo hi`" }] }),
    })
  // It waits for an approval.
  const cut = ask().catch(() => "cut")
  await vi.waitUntil(async () => (await store.questions.open()).length > 0, { timeout: 60_000 })
  child.kill("SIGTERM")
  await vi.waitUntil(async () => (await fetch(`${url}/readyz`)).status === 503, { timeout: 60_000 })
  expect((await ask()).status).toBe(503)
  child.kill("SIGINT")
  expect(await once(child, "exit")).toEqual([null, "SIGINT"])
  expect(await cut).toBe("cut")
  expect((await store.inbox.open("main")).map(({ message }) => message.text)).toEqual(["run `echo hi`"])
  await store.close()
})
