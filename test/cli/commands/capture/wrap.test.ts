// `incipit wrap` around a client of our own making: its streams, signals and exit status are its own, its calls are kept,
// and nothing stays behind.
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { expect, onTestFinished, test } from "vitest"
import { billSchema } from "../../../../src/capture/bill/bill-schema.ts"
import { bodyOf, provider } from "../../../capture/proxy/upstream.ts"

const MAIN = resolve("bin/incipit.js")
const CLIENT = `
const body = JSON.stringify({ model: "claude-sonnet-5-5", messages: [{ role: "user", content: "hello" }] })
const headers = { "x-api-key": "sk-ant-api03-not-a-real-key-0123456789" }
const answer = await fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", { method: "POST", headers, body })
process.stdout.write((await answer.json()).id)
process.exit(Number(process.argv[2]))
`

function newHome(): string {
  const folder = mkdtempSync(join(tmpdir(), "incipit-wrap-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, "client.mjs"), CLIENT)
  return folder
}

function start(home: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: home, TZ: "UTC", ...variables }
  return spawn(process.execPath, [MAIN, ...args], { cwd: home, env, stdio: ["ignore", "pipe", "pipe"] })
}

async function ended(child: ReturnType<typeof start>) {
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk))
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk))
  const [status] = (await once(child, "close")) as [number]
  return { status, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }
}

test("the command's output and status are its own; its call is billed on stderr and kept", async () => {
  const usage = { input_tokens: 1_000, output_tokens: 10 }
  const url = await provider(async (incoming, outgoing) => {
    await bodyOf(incoming)
    outgoing.end(JSON.stringify({ id: "msg_wrap", type: "message", model: "claude-sonnet-5-5", usage }))
  })
  const home = newHome()
  // What a process left that was killed.
  const stale = join(home, "incipit", "captures", "runs", "999999999-left")
  mkdirSync(stale, { recursive: true })
  // A record that cannot be read is said in the form of `bill --json`.
  const damaged = join(home, "incipit", "captures", "other")
  mkdirSync(damaged)
  writeFileSync(join(damaged, "record.db"), "not a database")
  const args = ["wrap", "--json", "--", process.execPath, "client.mjs", "7"]
  const got = await ended(start(home, args, { ANTHROPIC_BASE_URL: url }))
  expect({ status: got.status, out: got.out }).toEqual({ status: 7, out: "msg_wrap" })
  expect(billSchema.parse(JSON.parse(got.err))).toMatchObject({
    calls: 1,
    exact: true,
    tokens: { uncached: 1_000, output: 10 },
    diagnostics: [{ code: "capture-unreadable", level: "warning" }],
  })
  expect(readdirSync(join(home, "incipit", "captures", "runs"))).toEqual([])
  const logs = await ended(start(home, ["replay", "msg_wrap", "--captures"]))
  expect(JSON.parse(logs.out)).toEqual({
    model: "claude-sonnet-5-5",
    messages: [{ role: "user", content: "hello" }],
  })
})

test("a conversation that goes on in another run is compared with the run before", async () => {
  const usages = [
    { input_tokens: 0, cache_creation_input_tokens: 9_000, output_tokens: 10 },
    { input_tokens: 0, cache_creation_input_tokens: 9_000, cache_read_input_tokens: 0, output_tokens: 10 },
  ]
  let asked = 0
  const url = await provider(async (incoming, outgoing) => {
    await bodyOf(incoming)
    const answer = {
      id: `msg_run_${asked}`,
      type: "message",
      model: "claude-sonnet-5-5",
      usage: usages[asked],
    }
    asked += 1
    outgoing.end(JSON.stringify(answer))
  })
  const home = newHome()
  writeFileSync(
    join(home, "client.mjs"),
    CLIENT.replace("messages:", 'system: "Rules.\\n" + "word ".repeat(9000) + process.argv[3], messages:'),
  )
  const run = (rule: string) => {
    const args = ["wrap", "--json", "--", process.execPath, "client.mjs", "0", rule]
    return ended(start(home, args, { ANTHROPIC_BASE_URL: url }))
  }
  expect(JSON.parse((await run("old rule")).err)).toMatchObject({ calls: 1, misses: [] })
  const second = JSON.parse((await run("new rule")).err)
  expect(second).toMatchObject({ calls: 1, misses: [{ cause: "text-changed" }] })
})

test("a command that is ended by a signal, one that is not there, and one that cannot run", async () => {
  const home = newHome()
  const killed = start(home, ["wrap", "--", "sh", "-c", "echo up; exec sleep 600"])
  await once(killed.stdout, "data")
  killed.kill("SIGTERM")
  expect((await ended(killed)).status).toBe(143)
  const missing = await ended(start(home, ["wrap", "--", "no-such-program-here"]))
  expect(missing).toMatchObject({ status: 127, out: "" })
  expect(missing.err).toContain("there is no such command")
  expect((await ended(start(home, ["wrap", "--", "./client.mjs"]))).status).toBe(126)
})

test("flags after the command are the command's", () => {
  const home = newHome()
  const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: home }
  const got = spawnSync(process.execPath, [MAIN, "wrap", "sh", "-c", 'printf %s "$0"', "--json"], { env })
  expect({ status: got.status, out: got.stdout.toString() }).toEqual({ status: 0, out: "--json" })
})
