// Servers of the protocol of 2026-07-28, which knows no handshake and no sessions, beside those of older ones.
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { keepListening } from "../../../src/agent/mcp/listening.ts"
import { createSecrets } from "../../../src/record/redact/secrets.ts"
import { openStateless } from "./mcp-over-http.ts"
import { enterWorld, SOON, textResult, tool, type World } from "./mcp-world.ts"

let world: World
beforeEach(() => {
  world = enterWorld()
})
afterEach(() => world.leave())

const names = (mcp: ReturnType<World["open"]>) => mcp.tools().map(({ name }) => name)

test("a program that refuses the older handshake is asked the new way, and tells of its changes", async () => {
  const args = [join(import.meta.dirname, "new-protocol-server.ts")]
  const mcp = world.open({ fresh: { command: process.execPath, args } })
  await mcp.settled
  expect([names(mcp), mcp.extensions(), world.troubles()]).toEqual([
    ["ask", "grow"],
    [{ name: "fresh", instructions: "No handshake.", trust: "full" }],
    [],
  ])
  expect(await world.run(mcp, "ask")).toContain("\nyes\n")
  await world.run(mcp, "grow")
  await expect.poll(() => names(mcp), SOON).toEqual(["ask", "grow", "grown"])
})

test("a server over HTTP without sessions is used without a handshake, and tells of its changes", async () => {
  let isGrown = false
  const http = await openStateless((server) => {
    server.registerTool("ask", {}, () => ({ content: [{ type: "text", text: "yes" }] }))
    if (isGrown) server.registerTool("grown", {}, () => ({ content: [] }))
  })
  const mcp = world.open({ web: { url: http.url, headers: { "x-team": "keepers" } } })
  await mcp.settled
  expect([names(mcp), mcp.extensions(), world.troubles()]).toEqual([
    ["ask"],
    [{ name: "web", instructions: "Ask without a session.", trust: "full" }],
    [],
  ])
  expect(await world.run(mcp, "ask")).toContain("\nyes\n")
  await expect.poll(() => http.methods, SOON).toContain("subscriptions/listen")
  isGrown = true
  await expect
    .poll(() => {
      http.toolsChanged()
      return names(mcp)
    }, SOON)
    .toEqual(["ask", "grown"])
  expect(http.methods).not.toContain("initialize")
  expect(new Set(http.headers.map((one) => one["x-team"]))).toEqual(new Set(["keepers"]))
  await mcp.close()
  await http.close()
})

test("a server without sessions that answers 404 has forgotten none: the call is not made again", async () => {
  const http = await openStateless((server) => {
    server.registerTool("ask", {}, () => ({ content: [{ type: "text", text: "yes" }] }))
  })
  const mcp = world.open({ web: { url: http.url } })
  await mcp.settled
  http.refuseCalls(new Response("Not Found", { status: 404 }))
  expect(await world.run(mcp, "ask")).toMatch(/^failure: The server "web" was lost during the call/)
  expect(http.methods.filter((method) => method === "tools/call")).toHaveLength(1)
  await mcp.close()
  await http.close()
})

test("an older program gets the handshake first, since some end at anything else", async () => {
  const script = {
    tools: [tool("ask")],
    calls: { ask: { do: "answer", result: textResult("yes") } },
  } as const
  const mcp = world.open({ old: world.scripted("old", { ...script, isStrict: true }) })
  await mcp.settled
  expect(await world.run(mcp, "ask")).toContain("\nyes\n")
})

test.each([
  [-32601, 2],
  [-32022, 2],
  [-32603, 1],
])("a program that answers the handshake with the error %i is started %i times", async (code, starts) => {
  const mcp = world.open({ odd: world.scripted("odd", { refuses: code, stderr: ["I run."] }) })
  await mcp.settled
  await mcp.close()
  expect(world.details().filter((line) => line === "debug odd: I run.")).toHaveLength(starts)
  expect(world.told()).toEqual(["error odd: could not be started: not me; the next attempt is in 1s"])
})

const never = new AbortController().signal

/** What happens when each opening comes to what stands there, in words; it is stopped when there is none left. */
async function listening(openings: readonly ("ended" | "refused")[]) {
  const stop = new AbortController()
  const left = [...openings]
  const heard: string[] = []
  await keepListening({
    secrets: createSecrets(),
    open: async () => {
      const next = left.shift()
      if (next === undefined) stop.abort()
      if (next === "refused") throw new Error("not here")
      return { closed: Promise.resolve("remote") }
    },
    listens: () => heard.push("listens"),
    detail: (text) => heard.push(text),
    wait: async (ms) => void heard.push(`${ms}ms`),
    signal: stop.signal,
  })
  return heard
}

const REFUSED = "does not report changes to its tools: not here"

test("a stream of changes that ends is opened again after a pause, which grows while that fails", async () => {
  expect(await listening(["ended", "refused", "refused", "ended"])).toEqual([
    ...["listens", "5000ms"],
    ...[REFUSED, "10000ms", REFUSED, "20000ms"],
    ...["listens", "5000ms"],
    "listens",
  ])
})

test("a stream of changes that can never be opened is given up", async () => {
  const heard = await listening(Array.from({ length: 20 }, () => "refused"))
  expect(heard.filter((text) => text === REFUSED)).toHaveLength(8)
  expect(heard.slice(-2)).toEqual(["300000ms", REFUSED])
})

test("listening is over when the pause is cut short", async () => {
  let opened = 0
  await keepListening({
    secrets: createSecrets(),
    open: async () => {
      opened += 1
      return { closed: Promise.resolve() }
    },
    listens: () => {},
    detail: () => {},
    wait: () => Promise.reject(new Error("closed")),
    signal: never,
  })
  expect(opened).toBe(1)
})
