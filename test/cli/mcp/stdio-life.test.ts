// `incipit mcp` from its first line to its last: both eras of the protocol, a call, a cancelled one, and how it ends.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test, vi } from "vitest"
import { lines } from "../../capture/clients/claude-code-rows.ts"
import { createSession, text } from "../../capture/clients/claude-code-session.ts"
import { INITIALIZE, openStdio } from "./stdio-client.ts"

const FILES = {
  "SOUL.md": "# Soul\n\nYou keep the lighthouse.\n",
  "memory/social/cable.md": "Jonas replaced the winch cable on Thursday.\n",
}
const TOOLS = ["memory", "explain", "trace", "cost", "logs", "compile", "bill"]
/** The least that a request of 2026-07-28 has. */
const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
}
const named = (one: { readonly name: string }) => one.name

test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
  "a client of %s shakes hands, lists and calls",
  async (protocolVersion) => {
    const client = openStdio({ files: FILES })
    const { result } = await client.request("initialize", { ...INITIALIZE, protocolVersion })
    expect(result).toMatchObject({ protocolVersion, serverInfo: { name: "incipit" } })
    expect(result.instructions).toContain("Incipit shows what was sent to the model")
    client.send({ jsonrpc: "2.0", method: "notifications/initialized" })
    expect((await client.request("tools/list")).result.tools.map(named)).toEqual(TOOLS)
    const found = await client.call("memory", { do: "search", query: "winch cable" })
    expect(found.result.content[0].text).toContain("Jonas replaced the winch cable")
    expect(await client.end()).toBe(0)
    expect(client.stderr()).toBe("")
  },
)

test("a client of 2026-07-28 asks at once, without a handshake", async () => {
  const client = openStdio({ files: FILES })
  const { result } = await client.request("server/discover", { _meta: MODERN })
  expect(result).toMatchObject({ supportedVersions: expect.arrayContaining(["2026-07-28"]) })
  const { tools } = (await client.request("tools/list", { _meta: MODERN })).result
  expect(tools.map(named)).toEqual(TOOLS)
  const input = { name: "memory", arguments: { do: "write", text: "The lamp is green." } }
  const written = await client.request("tools/call", { ...input, _meta: MODERN })
  expect(written.result.isError ?? false).toBe(false)
  const found = { name: "memory", arguments: { do: "search", query: "lamp green" } }
  const { content } = (await client.request("tools/call", { ...found, _meta: MODERN })).result
  expect(content[0].text).toContain("The lamp is green.")
  expect(await client.end()).toBe(0)
})

/** So many sessions that reading them takes longer than a line through two pipes. */
function keepSessions({ folder: workspace }: { readonly folder: string }): void {
  const folder = join(dirname(workspace), "home", ".claude", "projects", "-tmp-a")
  mkdirSync(folder, { recursive: true })
  for (let at = 0; at < 60; at += 1) {
    const id = `${at}`.padStart(8, "0")
    const session = createSession({ session: `${id}-6d0a-4a7e-9c11-5d2f6a3e8c01` })
    session.say("Tell me.")
    session.call([text("One. ".repeat(60_000))])
    writeFileSync(join(folder, `${id}.jsonl`), lines(session.rows))
  }
}

test("a call that is cancelled gets no answer, and the next one does", async () => {
  const client = openStdio({ files: FILES })
  keepSessions(client)
  await client.request("initialize", INITIALIZE)
  const params = { name: "bill", arguments: { since: "2020-01-01" } }
  const _meta = { progressToken: "p" }
  client.send({ jsonrpc: "2.0", id: "long", method: "tools/call", params: { ...params, _meta } })
  // It is reading.
  const isReading = () => client.answers.some(({ method }) => method === "notifications/progress")
  await vi.waitUntil(isReading, { timeout: 120_000 })
  client.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "long" } })
  const found = await client.call("memory", { do: "search", query: "winch" })
  expect(found.result.content[0].text).toContain("winch cable")
  expect(await client.end()).toBe(0)
  expect(client.answers.filter((one) => one.id === "long")).toEqual([])
})

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "%s ends it as the end of its input does",
  async (signal) => {
    const client = openStdio({ files: FILES })
    await client.request("initialize", INITIALIZE)
    client.child.kill(signal)
    expect(await new Promise((ended) => client.child.once("exit", (...how) => ended(how)))).toEqual([0, null])
    expect(client.stderr()).toBe("")
  },
)

test("input that ends in the middle of a call ends it, too", async () => {
  const client = openStdio({ files: FILES })
  keepSessions(client)
  await client.request("initialize", INITIALIZE)
  client.send({ jsonrpc: "2.0", id: "long", method: "tools/call", params: { name: "bill", arguments: {} } })
  expect(await client.end()).toBe(0)
  expect(client.stderr()).toBe("")
})
