// `incipit mcp` in folders of all kinds, for people with less trust, and beside a server that uses the same store.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import { expect, onTestFinished, test } from "vitest"
import { incipit } from "../run.ts"
import { INITIALIZE, openStdio } from "./stdio-client.ts"

test("a folder without a configuration is answered for as it is", async () => {
  const client = openStdio({})
  await client.request("initialize", INITIALIZE)
  const text = async (name: string) => (await client.call(name)).result.content[0].text
  expect(await text("trace")).toContain("no call of this workspace is known yet")
  expect(await text("logs")).toBe("this workspace has no record yet")
  expect(await text("compile")).toContain("<incipit-compile")
  expect(await client.end()).toBe(0)
  expect(client.stderr()).toBe("")
})

test.each<[what: string, args: readonly string[], problem: RegExp]>([
  ["a folder that is not there", ["--workspace", "nowhere"], /nowhere/],
  ["a file in the place of a folder", ["--workspace", "SOUL.md"], /SOUL\.md/],
  ["a person that nobody knows", ["--as", "nobody"], /incipit\.yaml has no user "nobody"/],
  ["a situation that nobody knows", ["--in", "mars"], /there is no situation "mars"/],
])("%s ends it before anything is on stdout", async (_what, args, problem) => {
  const folder = mkdtempSync(join(tmpdir(), "incipit-mcp-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, "SOUL.md"), "Kind.\n")
  const { stdout, stderr, status } = incipit(["mcp", ...args], { cwd: folder })
  expect({ stdout, status }).toEqual({ stdout: "", status: 2 })
  expect(stderr).toMatch(problem)
  expect(stderr.trimEnd().split("\n")).toHaveLength(1)
})

test("--as shows what that person may see, and no bill", async () => {
  const files = {
    "incipit.yaml": "users: { bo: { trust: familiar } }\n",
    "memory/private/key.md": "The key of the winch is under the third stone.\n",
    "memory/social/cable.md": "Jonas replaced the winch cable on Thursday.\n",
  }
  const search = async (args: readonly string[]) => {
    const client = openStdio({ files, args })
    await client.request("initialize", INITIALIZE)
    const tools = (await client.request("tools/list")).result.tools.map(({ name }: { name: string }) => name)
    const { result } = await client.call("memory", { do: "search", query: "winch" })
    const refused = await client.call("bill")
    expect(await client.end()).toBe(0)
    const text: string = result.content[0].text
    return {
      bill: tools.includes("bill"),
      isBillRefused: refused.error !== undefined || refused.result.isError === true,
      key: text.includes("third stone"),
      cable: text.includes("Thursday"),
    }
  }
  expect(await search([])).toEqual({ bill: true, isBillRefused: false, key: true, cable: true })
  expect(await search(["--as", "bo"])).toEqual({
    ...{ bill: false, isBillRefused: true, key: false, cable: true },
  })
})

/** A workspace whose agent has answered once. */
function newAgent() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "incipit-mcp-beside-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const folder = join(root, "workspace")
  mkdirSync(folder)
  writeFileSync(join(folder, "SOUL.md"), "You keep the lighthouse.\n")
  writeFileSync(join(folder, "incipit.yaml"), "serve: { port: 0 }\n")
  const env = { HOME: root, INCIPIT_STATE_DIR: join(root, "state") }
  const say = (message: string) => incipit(["run", message, "--new"], { cwd: folder, env })
  expect(say("hello").status).toBe(0)
  const open = () => openStdio({ args: ["--workspace", folder], env })
  return { root, folder, env, say, open }
}

test("the store of an agent is read while a server uses it, and without one", async () => {
  const { folder, env, say, open } = newAgent()
  const newest = async (client: ReturnType<typeof openStdio>) =>
    (await client.call("trace")).result.structuredContent
  const alone = open()
  await alone.request("initialize", INITIALIZE)
  const first = await newest(alone)
  expect(first.call.id).toBeTypeOf("string")
  const server = spawn("node", [resolve("bin/incipit.js"), "serve", "--json", "--workspace", folder], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  })
  onTestFinished(() => void server.kill("SIGKILL"))
  const [line] = await once(createInterface(server.stdout), "line")
  const { url } = JSON.parse(String(line)) as { readonly url: string }
  const beside = open()
  await beside.request("initialize", INITIALIZE)
  expect((await newest(beside)).call.id).toBe(first.call.id)
  const written = await beside.call("memory", { do: "write", text: "The lamp is green." })
  expect(written.result.isError ?? false).toBe(false)
  // A conversation that is new is seen by both, also by the one that began before.
  expect(say("hello again").status).toBe(0)
  const [one, other] = [await newest(alone), await newest(beside)]
  expect(one.call.id).not.toBe(first.call.id)
  expect(other.call.id).toBe(one.call.id)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  server.kill("SIGTERM")
  await once(server, "exit")
  const found = await alone.call("memory", { do: "search", query: "lamp green" })
  expect(found.result.content[0].text).toContain("The lamp is green.")
  expect([await alone.end(), await beside.end()]).toEqual([0, 0])
  expect([alone.stderr(), beside.stderr()]).toEqual(["", ""])
})
