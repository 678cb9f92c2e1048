// Servers that are down at the start, forget their sessions, or never come to an end: what is tried again, and what is said.
import type { McpServer } from "@modelcontextprotocol/server"
import { afterEach, beforeEach, expect, test } from "vitest"
import { boundedLines } from "../../../src/agent/mcp/bounded-lines.ts"
import type { Wait } from "../../../src/agent/mcp/listening.ts"
import { openHttp } from "./mcp-over-http.ts"
import { enterWorld, isRunning, SOON, textResult, tool, type World } from "./mcp-world.ts"

let world: World
beforeEach(() => {
  world = enterWorld()
})
afterEach(() => world.leave())

/** Pauses that last until a test ends them. */
function handWound() {
  const asked: number[] = []
  let end: (() => void) | undefined
  const wait: Wait = (ms, signal) =>
    new Promise((resolve, reject) => {
      asked.push(ms)
      end = resolve
      signal.addEventListener("abort", reject)
    })
  return {
    wait,
    asked,
    /** Ends the pause with this number, once it has begun. */
    async pass(count: number) {
      await expect.poll(() => asked.length, SOON).toBe(count)
      end?.()
    },
  }
}

const ASK = { tools: [tool("ask")], calls: { ask: { do: "answer", result: textResult("yes") } } } as const

test("a server that is down at the start is tried again, and used once it is there", async () => {
  const { wait, pass } = handWound()
  const mcp = world.open({ late: world.scripted("late", { start: "die" }) }, { wait })
  await mcp.settled
  expect(mcp.servers()).toEqual([{ name: "late", state: "failed", tools: 0, error: "exited with status 7" }])
  await pass(1)
  const there = {
    ...ASK,
    tools: [tool("ask"), tool("die")],
    calls: { ...ASK.calls, die: { do: "die" } },
  } as const
  await pass(2).then(() => world.scripted("late", there))
  await expect.poll(() => mcp.servers(), SOON).toEqual([{ name: "late", state: "ready", tools: 2 }])
  await world.run(mcp, "die")
  expect(await world.run(mcp, "ask")).toContain("\nyes\n")
  expect([world.told(), world.changes]).toEqual([
    [
      "error late: could not be started: exited with status 7; the next attempt is in 1s",
      "error late: could not be started: exited with status 7; the next attempt is in 2s",
      "info late: is running now; 2 earlier attempts failed",
      "warn late: was lost: exited with status 3",
    ],
    ["late"],
  ])
})

test("one that stays down is left alone after a while, until everything is read again", async () => {
  const pauses: number[] = []
  const wait: Wait = async (ms) => void pauses.push(ms)
  const config = { down: { command: "/no-such-program" } }
  const mcp = world.open(config, { wait })
  await expect.poll(() => world.told().length, SOON).toBe(9)
  expect(pauses).toEqual([1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000])
  expect(world.told().at(-1)).toBe(
    "error down: could not be started: spawn /no-such-program ENOENT; it was tried 9 times and will be tried again when you reload",
  )
  const entry = { tools: { "*": "allow" }, ...config.down } as const
  await mcp.use({ down: entry })
  expect(world.told()).toHaveLength(9)
  await mcp.use({ down: entry }, { again: true })
  await expect.poll(() => world.told().length, SOON).toBe(18)
})

test("one that cannot start for a reason of ours is not tried again, until that is gone", async () => {
  const { wait, asked } = handWound()
  let isApproved = false
  const entry = { ...world.scripted("held", ASK), tools: { "*": "allow" } } as const
  const mcp = world.open({ held: entry }, { wait, isApproved: () => isApproved })
  await mcp.settled
  expect([world.told(), asked, mcp.isBlocked()]).toEqual([
    [
      "error held: could not be started: its files have changed since you approved it; approve it again: incipit hooks approve held",
    ],
    [],
    true,
  ])
  isApproved = true
  await mcp.use({ held: entry })
  expect([mcp.servers(), mcp.isBlocked()]).toEqual([[{ name: "held", state: "ready", tools: 1 }], false])
})

test("one that is to be tried later is tried at once when everything is read again", async () => {
  const { wait, asked, pass } = handWound()
  const entry = { ...world.scripted("late", { start: "die" }), tools: { "*": "allow" } } as const
  const mcp = world.open({ late: entry }, { wait })
  await mcp.settled
  await expect.poll(() => asked, SOON).toEqual([1_000])
  world.scripted("late", { ...ASK, stderr: ["I run."] })
  await mcp.use({ late: entry }, { again: true })
  expect(mcp.servers()).toEqual([{ name: "late", state: "ready", tools: 1 }])
  await pass(1)
  await mcp.use({ late: entry }, { again: true })
  expect(await world.run(mcp, "ask")).toContain("\nyes\n")
  await mcp.close()
  expect([asked, world.details()]).toEqual([[1_000], ["debug late: I run."]])
})

test("closing ends what would be tried again", async () => {
  const { wait, asked } = handWound()
  const mcp = world.open({ down: { command: "/no-such-program" } }, { wait })
  await mcp.settled
  await expect.poll(() => asked, SOON).toEqual([1_000])
  await mcp.close()
  expect(world.told()).toHaveLength(1)
})

test("another configuration starts what is new, keeps what is the same, ends what is gone", async () => {
  const kept = { ...world.scripted("kept", { ...ASK, stderr: ["kept runs"] }), prefix: true }
  const gone = { ...world.scripted("gone", ASK), prefix: true }
  const mcp = world.open({ kept, gone })
  await mcp.settled
  const stays = { tools: { "*": "allow" }, ...kept } as const
  const changed = { ...world.scripted("changed", ASK), prefix: true }
  await mcp.use({ kept: stays, added: changed, held: changed }, { waiting: new Set(["held", "kept"]) })
  expect(mcp.tools().map(({ name }) => name)).toEqual(["added_ask", "kept_ask"])
  await mcp.use({ kept: stays, added: { ...changed, prefix: false } })
  expect(mcp.tools().map(({ name }) => name)).toEqual(["ask", "kept_ask"])
  expect(world.details().filter((line) => line === "debug kept: kept runs")).toHaveLength(1)
  expect(world.changes.toSorted()).toEqual(["added", "added", "gone", "gone", "kept"])
})

test("a server that is added is asked for its own approval, not for that of the first ones", async () => {
  const mcp = world.open({}, { isApproved: () => true })
  const entry = world.scripted("later", ASK)
  await mcp.use({ later: entry }, { isApproved: () => false })
  expect([mcp.isBlocked(), mcp.tools()]).toEqual([true, []])
})

test("closing waits also for a server that was taken away before and does not want to end", async () => {
  const stubborn = { tools: [tool("pids")], calls: { pids: { do: "child" } }, isStubborn: true } as const
  const mcp = world.open({ stubborn: world.scripted("stubborn", stubborn) })
  await mcp.settled
  const pids = [...(await world.run(mcp, "pids")).matchAll(/\d+/g)].map(Number)
  await mcp.use({})
  expect([mcp.servers(), mcp.tools(), pids.map(isRunning)]).toEqual([[], [], [true, true]])
  await mcp.close()
  expect(isRunning(pids[0] ?? 0)).toBe(false)
})

test("what a server has started ends with it, also if it ends by itself", async () => {
  const calls = { pids: { do: "child" }, die: { do: "die" } } as const
  const mcp = world.open({ frail: world.scripted("frail", { tools: [tool("pids"), tool("die")], calls }) })
  await mcp.settled
  const pids = [...(await world.run(mcp, "pids")).matchAll(/\d+/g)].map(Number)
  await world.run(mcp, "die")
  await expect.poll(() => pids.filter(isRunning), SOON).toEqual([])
})

const setUp = (server: McpServer) => {
  server.registerTool("ask", {}, () => textResult("yes") as { content: [{ type: "text"; text: string }] })
}

test("a server that has forgotten the session is given a new one, and the call is made again", async () => {
  const http = await openHttp(setUp)
  const mcp = world.open({ web: { url: http.url } })
  await mcp.settled
  http.forget()
  const answers = await Promise.all([world.run(mcp, "ask"), world.run(mcp, "ask")])
  expect(answers.map((text) => text.includes("\nyes\n"))).toEqual([true, true])
  expect(http.methods.filter((method) => method === "initialize")).toHaveLength(2)
  expect([world.told(), mcp.servers()]).toEqual([[], [{ name: "web", state: "ready", tools: 1 }]])
  await mcp.close()
  await http.close()
})

test.each([
  [404, "Not Found"],
  [400, "Bad Request: Server not initialized"],
  [400, "Bad Request: No valid session ID provided"],
])("a server that answers %i, %s, to a known session has forgotten it", async (status, text) => {
  const http = await openHttp(setUp)
  const mcp = world.open({ web: { url: http.url } })
  await mcp.settled
  http.forget(new Response(text, { status }))
  expect(await world.run(mcp, "ask")).toContain("\nyes\n")
  await mcp.close()
  await http.close()
})

test.each([
  [400, "Bad Request: no such day"],
  [500, "Session not found"],
])("a server that answers %i, %s, is lost: the call is not made again", async (status, text) => {
  const http = await openHttp(setUp)
  const mcp = world.open({ web: { url: http.url } })
  await mcp.settled
  http.forget(new Response(text, { status }))
  expect(await world.run(mcp, "ask")).toMatch(/^failure: The server "web" was lost during the call/)
  await mcp.close()
  await http.close()
})

test("a server that forgets every session is not asked for ever", async () => {
  const http = await openHttp(setUp)
  const mcp = world.open({ web: { url: http.url } })
  await mcp.settled
  http.refuseCalls(new Response("Session not found", { status: 404 }))
  expect(await world.run(mcp, "ask")).toBe(
    'failure: The server "web" lost its session twice; the call had no effect.',
  )
  expect(http.methods.filter((method) => method === "tools/call")).toHaveLength(2)
  await mcp.close()
  await http.close()
})

test("a server that has forgotten the session when its tools are listed again is given a new one", async () => {
  const http = await openHttp(setUp)
  const mcp = world.open({ web: { url: http.url } })
  await mcp.settled
  await expect.poll(() => http.methods, SOON).toContain("GET")
  http.forget()
  http.server().registerTool("later", {}, () => ({ content: [] }))
  const begun = () => http.methods.filter((method) => method === "initialize").length
  await expect.poll(begun, SOON).toBe(2)
  await expect.poll(() => mcp.servers(), SOON).toEqual([{ name: "web", state: "ready", tools: 1 }])
  expect(await world.run(mcp, "ask")).toContain("\nyes\n")
  expect(world.told()).toEqual([])
  await mcp.close()
  await http.close()
})

test("a message that is too long ends the server, which says why", async () => {
  const long = textResult("x".repeat(11 * 1024 * 1024))
  const mcp = world.open({
    vast: world.scripted("vast", { ...ASK, calls: { ask: { do: "answer", result: long } } }),
  })
  await mcp.settled
  expect(await world.run(mcp, "ask")).toContain(
    "sent a message that is too long (more than 10485760 bytes without a line break)",
  )
})

const page = (at: number, more: object) => ({ tools: [tool(`t${String(at).padStart(3, "0")}`)], ...more })

test("all pages of a list of tools are read", async () => {
  const pages = Array.from({ length: 60 }, (_, at) => page(at, at < 59 ? { nextCursor: `${at + 1}` } : {}))
  const mcp = world.open({ paged: world.scripted("paged", { pages }) })
  await mcp.settled
  expect([mcp.tools().length, world.told()]).toEqual([60, []])
})

test("a list of tools that never ends, or begins again, is cut, and that is said once", async () => {
  const round = [page(0, { nextCursor: "1" }), page(1, { nextCursor: "0" }), page(2, { nextCursor: "1" })]
  const full = { tools: Array.from({ length: 6_000 }, (_, at) => tool(`f${at}`)) }
  const mcp = world.open({
    endless: world.scripted("endless", { pages: "endless" }),
    round: { ...world.scripted("round", { pages: round }), tools: ["t001"] },
    wide: {
      ...world.scripted("wide", { pages: [0, 1, 2].map((at) => ({ ...full, nextCursor: `${at + 1}` })) }),
      tools: ["f1"],
    },
  })
  await mcp.settled
  expect(world.troubles()).toEqual([
    "warn endless: has 500 tools, and only 128 are used; list the ones you need in the configuration",
    "warn endless: its list of tools continues after 500 pages; the rest is not used",
    "warn round: its list of tools starts over after its last page; the rest is not used",
    "warn wide: its list of tools continues after 12000 tools; the rest is not used",
    'warn wide: the tool "f1" is listed twice; the first one is used',
  ])
})

test("what was wrong with a list is not said again when the next one has it too", async () => {
  const odd = { description: "It has no name." }
  const mcp = world.open({
    odd: world.scripted("odd", { tools: [odd, tool("first")], next: [odd, tool("second")] }),
  })
  await expect.poll(() => mcp.tools().map(({ name }) => name), SOON).toEqual(["second"])
  expect(world.told()).toEqual(["warn odd: offers a tool without a name; it was left out"])
})

test("a server that is closed is first asked to end by itself", async () => {
  const mcp = world.open({ polite: world.scripted("polite", { ...ASK, isPolite: true }) })
  await mcp.settled
  await mcp.close()
  expect(world.details()).toEqual(["debug polite: goodbye"])
})

test("a flood on stderr is bounded, says how much was left out, and keeps the last words", async () => {
  const lines = Array.from({ length: 5_000 }, (_, at) => `line ${at}`)
  const mcp = world.open({ loud: world.scripted("loud", { ...ASK, stderr: lines }) })
  await mcp.settled
  expect(await world.run(mcp, "ask")).toContain("\nyes\n")
  await mcp.close()
  const told = world.details()
  expect(told.slice(0, 2)).toEqual(["debug loud: line 0", "debug loud: line 1"])
  expect(told.slice(99, 101)).toEqual(["debug loud: line 99", "debug loud: (4880 lines left out)"])
  expect(told.slice(101)).toEqual(lines.slice(-20).map((line) => `debug loud: ${line}`))
})

test("lines that come slowly are all reported, and each minute begins again", () => {
  let now = 0
  const told: string[] = []
  const lines = boundedLines(
    (line) => told.push(line),
    () => now,
  )
  for (let at = 0; at < 300; at += 1) {
    lines.add(String(at))
    now += 1_000
  }
  expect(told).toHaveLength(300)
  now += 60_000
  told.length = 0
  for (let at = 0; at < 150; at += 1) lines.add("x")
  now += 60_000
  lines.add("later")
  lines.end()
  expect([told.length, told[100], told[101]]).toEqual([102, "(50 lines left out)", "later"])
})
