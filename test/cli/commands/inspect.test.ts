// `incipit inspect` over real HTTP: what it shows of a folder, of sessions and of files, what it refuses, and that it
// leaves everything as it was.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { browserCommand } from "../../../src/cli/commands/inspect/open-browser.ts"
import { texts } from "../../../src/core/read/diff.ts"
import type { Report } from "../../../src/core/read/report.ts"
import type { CallRow } from "../../../src/serve/page/shown.ts"
import { callsOf, drafts } from "../../capture/bill/conversation.ts"
import { answer, lines, SESSION } from "../../capture/clients/claude-code-rows.ts"
import { createSession } from "../../capture/clients/claude-code-session.ts"
import { writeCalls } from "../../serve/page/captured-files.ts"
import { incipitOnTerminal } from "../pty.ts"
import { incipit } from "../run.ts"
import { inspecting, postCode, type Signed } from "./inspected.ts"

function machine() {
  const folder = mkdtempSync(join(tmpdir(), "incipit-inspect-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [home, cwd] = [join(folder, "home"), join(folder, "boats")]
  for (const path of [home, cwd]) mkdirSync(path)
  return { folder, home, cwd }
}

/** A conversation that Claude Code has written down. */
function transcript(home: string, name = SESSION): string {
  const session = createSession({ session: name })
  session.say("Which boats are free?")
  session.call([{ type: "text", text: "Two." }], { tokens: { short: 900 } })
  session.say("And tomorrow?")
  session.call([{ type: "text", text: "Three." }], { tokens: { read: 900, short: 40 } })
  const path = join(home, ".claude", "projects", "-work-boats", `${name}.jsonl`)
  mkdirSync(join(path, ".."), { recursive: true })
  writeFileSync(path, lines(session.rows))
  return path
}

/** Paths with sizes and times of change. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => {
      const { size, mtimeMs, ino } = statSync(join(folder, name))
      return `${name} ${size} ${mtimeMs} ${ino}`
    })
}

async function only<T>(list: Promise<readonly T[]>): Promise<T> {
  const [one, ...others] = await list
  if (one === undefined || others.length > 0) throw new Error(`there are ${others.length + 1}, or none`)
  return one
}

const at = (source: string, signed: Signed) => ({
  rows: async () => signed.calls(source, (await only(signed.sessions(source))).id),
})

test("a folder: its prompt as it is now, and the calls of coding agents on this machine", async () => {
  const { home, cwd } = machine()
  writeFileSync(join(cwd, "SOUL.md"), "# Soul\n\nBoats come first.\n")
  writeFileSync(
    join(cwd, "incipit.yaml"),
    "model: anthropic/claude-sonnet-5-5\nusers: { nora: { trust: inner } }\n",
  )
  transcript(home)
  const before = [filesIn(cwd), filesIn(home)]
  const page = await inspecting({ cwd, home })
  const signed = await page.signIn()
  expect(await signed.info()).toMatchObject({
    ...{ title: "boats", mode: "inspect", agents: [], models: ["anthropic/claude-sonnet-5-5"] },
    sources: [
      { id: "captures", title: "Coding agents" },
      { id: "folder", title: "boats as it is now" },
    ],
    people: [{ name: "nora", trust: "inner", isOwner: false }],
    caller: { user: null, trust: "full", isOperator: true },
  })
  const [row] = await at("folder", signed).rows()
  const { report, parts } = await signed.call("folder", row?.id ?? "")
  const built: Report = JSON.parse(incipit(["build", "--json"], { cwd, env: { HOME: home } }).stdout)
  expect(report?.prefix).toBe(built.prefix)
  const [soul] = parts.flatMap(({ text, spans }) =>
    spans.flatMap(({ section, owner, start, end }) =>
      section === "soul" && owner !== null ? [{ text: text.slice(start, end), owner }] : [],
    ),
  )
  expect(soul).toEqual({
    text: "# Soul\n\nBoats come first.",
    owner: { kind: "file", path: "SOUL.md", lines: [1, 3], match: "exact" },
  })
  const session = await only(signed.sessions("captures"))
  expect(session).toMatchObject({ title: "boats", client: "Claude Code", calls: 2 })
  const [, second] = await signed.calls("captures", session.id)
  const said = (await signed.call("captures", second?.id ?? "")).parts.filter(
    ({ tier }) => tier === "messages",
  )
  expect(said.map(({ role, text }) => `${role}: ${text}`)).toEqual([
    ...["user: Which boats are free?", "assistant: Two.", "user: And tomorrow?"],
  ])
  expect(await page.end()).toBe(0)
  expect([filesIn(cwd), filesIn(home)]).toEqual(before)
})

test("what is printed: the link, or one line of JSON", async () => {
  const { home, cwd } = machine()
  const page = await inspecting({ cwd, home })
  const { out, err } = page.shown()
  expect(out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login\?code=inc_[\w-]{43}\n$/)
  expect(err).toContain(
    "Open the link; its code works once, for an hour. Nothing is changed or sent anywhere. Press Ctrl-C to stop.\n",
  )
  const json = await inspecting({ cwd, home, flags: { json: true } })
  expect(json.shown().err).toBe("")
  expect(Object.keys(JSON.parse(json.shown().out))).toEqual(["url", "code"])
  await json.signIn()
})

test("a folder that changes: the page is told, and keeps the versions", { timeout: 30_000 }, async () => {
  const { home, cwd } = machine()
  const soul = join(cwd, "SOUL.md")
  writeFileSync(soul, "Boats come first.\n")
  const page = await inspecting({ cwd, home })
  const signed = await page.signIn()
  const rows = at("folder", signed).rows
  expect((await rows()).map(({ step }) => step)).toEqual([1])
  const follow = await fetch(`${page.url}/api/page/changes`, { headers: { cookie: signed.cookie } })
  const told = changesIn(follow)
  writeFileSync(soul, "People come first.\n")
  expect(await told.next()).toEqual({ done: false, value: { source: "folder" } })
  writeFileSync(join(cwd, "incipit.yaml"), "model: [\n")
  expect(await told.next()).toEqual({ done: false, value: { source: "folder" } })
  const [first, second, broken] = await rows()
  const said = async (row: CallRow | undefined) => {
    const { report } = await signed.call("folder", row?.id ?? "")
    return report === null ? null : texts(report).get("soul")
  }
  expect([await said(first), await said(second), await said(broken)]).toEqual([
    expect.stringContaining("Boats come first."),
    expect.stringContaining("People come first."),
    null,
  ])
  expect(broken?.error).toMatch(/^incipit\.yaml:/)
  // Whoever follows does not hold it up.
  expect(await page.end()).toBe(0)
  expect(await told.next()).toMatchObject({ done: true })
})

test("whoever has signed out is told no more", async () => {
  const { home, cwd } = machine()
  writeFileSync(join(cwd, "SOUL.md"), "Boats come first.\n")
  const page = await inspecting({ cwd, home })
  const { cookie } = await page.signIn()
  const follow = await fetch(`${page.url}/api/page/changes?source=folder`, { headers: { cookie } })
  const told = changesIn(follow)
  writeFileSync(join(cwd, "SOUL.md"), "People come first.\n")
  expect(await told.next()).toMatchObject({ done: false })
  const headers = { cookie, origin: page.url }
  expect((await fetch(`${page.url}/logout`, { method: "POST", headers, redirect: "manual" })).status).toBe(
    303,
  )
  writeFileSync(join(cwd, "SOUL.md"), "Gulls come first.\n")
  expect(await told.next()).toMatchObject({ done: true })
})

async function* changesIn(response: Response): AsyncGenerator<unknown> {
  let text = ""
  for await (const bytes of response.body ?? []) {
    text += new TextDecoder().decode(bytes)
    const events = text.split("\n\n")
    text = events.pop() ?? ""
    for (const event of events) {
      const [, data] = /^event: changed\ndata: (.*)$/.exec(event) ?? []
      if (data !== undefined) yield JSON.parse(data)
    }
  }
}

test("the agent of a folder: its sessions and calls, which go on while it is open", {
  timeout: 60_000,
}, async () => {
  const { home, cwd } = machine()
  const env = { HOME: home, XDG_STATE_HOME: `${home}/state` }
  const cli = (...args: string[]) => incipit(args, { cwd, env })
  writeFileSync(join(cwd, "SOUL.md"), "Boats come first.\n")
  cli("folder", "approve", ".", "--yes")
  expect(cli("run", "hello").status).toBe(0)
  const page = await inspecting({ cwd, home })
  const signed = await page.signIn()
  expect((await signed.info()).sources.map(({ id }) => id)).toEqual(["agent", "folder"])
  const session = await only(signed.sessions("agent"))
  expect(session).toMatchObject({ title: "hello", client: "incipit", calls: 1 })
  const [row] = await signed.calls("agent", session.id)
  expect((await signed.call("agent", row?.id ?? "")).answer).toContain("Hello")
  const follow = await fetch(`${page.url}/api/page/changes?source=agent`, {
    headers: { cookie: signed.cookie },
  })
  const told = changesIn(follow)
  expect(cli("run", "what time is it?").status).toBe(0)
  expect(await told.next()).toEqual({ done: false, value: { source: "agent" } })
  expect(await signed.calls("agent", session.id)).toHaveLength(2)
  // By the beginning of its id, it is the only one.
  cli("run", "--new", "hello again")
  const one = await (await inspecting({ cwd, home, words: [session.id.slice(0, 19)] })).signIn()
  expect((await one.sessions("agent")).map(({ id }) => id)).toEqual([session.id])
  const [other] = (await signed.sessions("agent")).filter(({ id }) => id !== session.id)
  expect(await signed.calls("agent", other?.id ?? "")).toHaveLength(1)
  const path = `/api/calls?source=agent&session=${other?.id}`
  expect((await fetch(`${one.url}${path}`, { headers: { cookie: one.cookie } })).status).toBe(404)
})

test("delegated work of an agent, by the beginning of its id", async () => {
  const { home, cwd } = machine()
  const env = { HOME: home, XDG_STATE_HOME: `${home}/state` }
  const cli = (...args: string[]) => incipit(args, { cwd, env })
  writeFileSync(join(cwd, "SOUL.md"), "Boats come first.\n")
  cli("folder", "approve", ".", "--yes")
  const said = cli("run", "--json", "delegate: what time is it?").stdout
  const delegated = said
    .split("\n")
    .find((line) => line.includes('"turn-started"') && line.includes('"delegated"'))
  const part = JSON.parse(delegated ?? "{}").event.session as string
  const all = await (await inspecting({ cwd, home })).signIn()
  expect((await all.sessions("agent")).map(({ id }) => id)).not.toContain(part)
  const one = await (await inspecting({ cwd, home, words: [part] })).signIn()
  expect(await only(one.sessions("agent"))).toMatchObject({ id: part, title: "what time is it?" })
  expect(await one.calls("agent", part)).not.toEqual([])
})

test("a session of a client, by the beginning of its id", async () => {
  const { home, cwd } = machine()
  transcript(home)
  transcript(home, "7777aaaa-0000-4000-8000-000000000000")
  const page = await inspecting({ cwd, home, words: ["7777"] })
  const signed = await page.signIn()
  expect(await signed.info()).toMatchObject({ title: "7777", sources: [{ id: "captures" }], people: [] })
  expect(await only(signed.sessions("captures"))).toMatchObject({ calls: 2 })
  const unknown = inspecting({ cwd, home, words: ["8888"] })
  await expect(unknown).rejects.toMatchObject({
    code: "nothing-to-inspect",
    message: `there is no session 8888, neither of an agent in ${cwd} nor of your coding agents`,
  })
})

test("a saved report", async () => {
  const { home, cwd } = machine()
  writeFileSync(join(cwd, "SOUL.md"), "Boats come first.\n")
  const { stdout } = incipit(["build", "--json", "--tools", "agent"], { cwd, env: { HOME: home } })
  writeFileSync(join(cwd, "prompt.json"), stdout)
  const saved: Report = JSON.parse(stdout)
  const signed = await (await inspecting({ cwd, home, words: ["prompt.json"] })).signIn()
  expect(await signed.info()).toMatchObject({
    title: "prompt.json",
    sources: [{ id: "report", title: "prompt.json" }],
  })
  const row = await only(at("report", signed).rows())
  const { report, parts, request, isExact, call } = await signed.call("report", row.id)
  expect(report).toEqual(saved)
  expect({ request, isExact, usage: call.usage }).toEqual({ request: null, isExact: false, usage: null })
  expect(parts.filter(({ tier }) => tier === "tools").map(({ tool }) => tool)).toEqual(
    saved.tools.map(({ name }) => name),
  )
  expect(parts.filter(({ tier }) => tier !== "tools").map(({ text }) => text)).toEqual(
    saved.blocks.map(({ text }) => text),
  )
  expect(parts.map(({ pace }) => pace)).toEqual([
    ...saved.tools.map(() => "stable"),
    ...saved.blocks.map(({ pace }) => pace),
  ])
})

test("a file with calls, and a real transcript of a client", async () => {
  const { folder, home, cwd } = machine()
  const file = writeCalls(folder, "calls.jsonl", callsOf(drafts(3)))
  const signed = await (await inspecting({ cwd, home, words: [file] })).signIn()
  expect(await only(signed.sessions("captures"))).toMatchObject({ title: "tides", calls: 3 })
  const name = "2026-11-18T20-26-56-495Z_01a1f057-506e-761d-a6ca-053299f25960.jsonl"
  cpSync(join("examples/bill", name), join(cwd, name))
  const other = await (await inspecting({ cwd, home, words: [name] })).signIn()
  const session = await only(other.sessions("captures"))
  const rows = await other.calls("captures", session.id)
  expect([session.client, rows.length]).toEqual(["pi", session.calls])
  for (const { id, usage } of rows) {
    const { parts } = await other.call("captures", id)
    const input = (usage?.uncached ?? 0) + (usage?.read ?? 0) + (usage?.written ?? 0)
    expect(parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(input)
  }
})

test.each([
  ["nothing.json", "there is no file CWD/nothing.json"],
  ["../nothing", "there is no file DIR/nothing"],
  [".", "CWD is a folder: run `incipit inspect` in it, or with --workspace"],
  ["/dev/zero", "/dev/zero is not a regular file"],
  ["half.json", "CWD/half.json was not written by `incipit build --json`, and no calls can be read from it"],
  [
    "other.json",
    "CWD/other.json was not written by `incipit build --json`, and no calls can be read from it",
  ],
  [
    "lines.jsonl",
    "CWD/lines.jsonl was not written by `incipit build --json`, and no calls can be read from it: line 1: This line is not a call (session: Invalid input: expected string, received number), so it was skipped",
  ],
])("%s is refused in one line", async (word, message) => {
  const { folder, home, cwd } = machine()
  writeFileSync(join(cwd, "half.json"), '{"profile":')
  writeFileSync(join(cwd, "other.json"), "{}")
  writeFileSync(join(cwd, "lines.jsonl"), `${JSON.stringify({ session: 1, usage: {} })}\n`)
  const refused = inspecting({ cwd, home, words: [word] })
  await expect(refused).rejects.toMatchObject({
    code: "nothing-to-inspect",
    message: message.replace("CWD", cwd).replace("DIR", folder),
  })
})

test("only the person with the code gets in, once, from this machine, and nothing can be changed", async () => {
  const { home, cwd } = machine()
  const page = await inspecting({ cwd, home })
  const link = new URL(page.shown().out.trim())
  expect(link.hostname).toBe("127.0.0.1")
  expect((await postCode(link, { origin: "http://evil.example" })).status).toBe(403)
  const { cookie } = await page.signIn()
  const again = await postCode(link)
  expect([again.status, await again.text()]).toEqual([
    403,
    expect.stringContaining("start <code>incipit inspect</code> again"),
  ])
  const ask = async (path: string, init: RequestInit = {}) => (await fetch(`${page.url}${path}`, init)).status
  expect(await ask("/api/page")).toBe(401)
  expect(
    await ask("/api/page", { headers: { authorization: `Bearer ${link.searchParams.get("code")}` } }),
  ).toBe(401)
  const own = { cookie, origin: page.url, "content-type": "application/json" }
  expect(await ask("/api/page", { headers: own })).toBe(200)
  expect(await ask("/api/page", { method: "POST", headers: own, body: "{}" })).toBe(405)
  for (const path of ["/api/compile", "/api/sessions", "/v1/messages"])
    expect([path, await ask(path, { method: "POST", headers: own, body: "{}" })]).toEqual([path, 404])
  const index = await fetch(page.url, { headers: { cookie } })
  expect(index.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'")
  expect(readFileSync("dist/page/index.html", "utf8")).toBe(await index.text())
})

test("two at once have ports of their own, and a port that is taken is named", async () => {
  const { home, cwd } = machine()
  const [one, other] = [await inspecting({ cwd, home }), await inspecting({ cwd, home })]
  expect(one.url).not.toBe(other.url)
  const port = Number(new URL(one.url).port)
  await expect(inspecting({ cwd, home, flags: { port } })).rejects.toMatchObject({
    code: "cannot-listen",
    message: expect.stringContaining(`127.0.0.1:${port}`),
  })
})

test("a transcript that grows shows its new calls", { timeout: 30_000 }, async () => {
  const { home, cwd } = machine()
  const path = transcript(home)
  const page = await inspecting({ cwd, home })
  const signed = await page.signIn()
  const follow = await fetch(`${page.url}/api/page/changes?source=captures`, {
    headers: { cookie: signed.cookie },
  })
  const told = changesIn(follow)
  // All files have been read.
  expect(await told.next()).toMatchObject({ done: false })
  writeFileSync(path, lines([answer({ n: 99 })]), { flag: "a" })
  expect(await told.next()).toEqual({ done: false, value: { source: "captures" } })
  expect(await at("captures", signed).rows()).toHaveLength(3)
})

test("the browser is opened for a person at a terminal, and for nobody else", {
  timeout: 60_000,
}, async () => {
  const { folder, cwd } = machine()
  const opened = join(folder, "opened")
  const bin = join(folder, "bin")
  mkdirSync(bin)
  writeFileSync(
    join(bin, "xdg-open"),
    `#!/bin/sh\nprintf '%s' "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`,
  )
  chmodSync(join(bin, "xdg-open"), 0o755)
  const env = { PATH: `${bin}:${process.env.PATH}`, DISPLAY: ":0", SSH_CONNECTION: "", CI: "" }
  const linkOn = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const session = incipitOnTerminal(["inspect", ...args], { cwd, env: { ...env, ...more }, columns: 200 })
    await session.shows("Press Ctrl-C to stop.")
    if (args.length === 0 && more.CI === undefined && more.SSH_CONNECTION === undefined)
      await expect.poll(() => existsSync(opened), { timeout: 20_000 }).toBe(true)
    session.type("\u0003")
    expect(await session.ended).toBe(0)
    const [link] = /http:\S+/.exec(session.written()) ?? []
    const text = existsSync(opened) ? readFileSync(opened, "utf8") : undefined
    rmSync(opened, { force: true })
    return { link, text }
  }
  const seen = await linkOn([])
  expect(seen.text).toBe(seen.link)
  expect((await linkOn(["--no-open"])).text).toBe(undefined)
  expect((await linkOn([], { CI: "true" })).text).toBe(undefined)
  expect((await linkOn([], { SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" })).text).toBe(undefined)
})

test.each([
  ["darwin", {}, ["open", "LINK"]],
  ["win32", {}, ["cmd", "/c", "start", "", "LINK"]],
  ["linux", { WAYLAND_DISPLAY: "wayland-0" }, ["xdg-open", "LINK"]],
  ["linux", {}, undefined],
  ["linux", { DISPLAY: ":0", SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, undefined],
  ["darwin", { SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, undefined],
] as const)("on %s with %o the browser is %o", (platform, env, command) => {
  expect(browserCommand("LINK", platform, env)).toEqual(command)
})
