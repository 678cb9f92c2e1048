// Waiting for a person's yes: it takes nothing from the tool's time, and ends with the call.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { setImmediate as soon } from "node:timers/promises"
import { expect, test } from "vitest"
import { timeLimit } from "../../src/agent/time-limit.ts"
import type { Approval } from "../../src/tools/host.ts"
import { call, collect, open, say, server, tool, workspace } from "./fault-world.ts"

test("what a person takes to say yes is not the tool's time", async () => {
  const root = workspace()
  const from = await server([call(["write", { path: "a.txt", text: "One." }], ["hang", {}]), say("Done.")])
  const { promise: answer, resolve } = Promise.withResolvers<Approval>()
  const hang = tool("hang", () => new Promise<string>(() => {}))
  const { agent } = await open(root, from, {
    tools: [hang],
    approve: () => answer,
    limits: { toolMs: 1_000 },
  })
  const { events, tell } = collect()
  const told = (event: Parameters<typeof tell>[0]) => {
    tell(event)
    // The other call has used up its time by now, and this one would have too.
    if (event.kind === "tool-finished" && event.name === "hang") resolve("yes")
  }
  expect(await agent.send("Write it.", { tell: told })).toMatchObject({ state: "answered" })
  expect(
    events.flatMap((event) => (event.kind === "tool-finished" ? [[event.name, event.isError]] : [])),
  ).toEqual([
    ["hang", true],
    ["write", false],
  ])
  expect(existsSync(join(root, "a.txt"))).toBe(true)
})

test("nor is it the time of the call that a part of the work is for", async () => {
  const from = await server(({ body }) => {
    const text = JSON.stringify(body.messages)
    if (text.includes("tool_result")) return say("Done.")
    return text.includes("A part.")
      ? call(["write", { path: "a.txt", text: "One." }])
      : call(["delegate", { task: "A part." }], ["hang", {}])
  })
  const { promise: answer, resolve } = Promise.withResolvers<Approval>()
  const hang = tool("hang", () => new Promise<string>(() => {}))
  const { agent } = await open(workspace(), from, {
    tools: [hang],
    approve: () => answer,
    limits: { toolMs: 3_000 },
  })
  const { events, tell } = collect()
  const told = (event: Parameters<typeof tell>[0]) => {
    tell(event)
    if (event.kind === "tool-finished" && event.name === "hang") resolve("yes")
  }
  await agent.send("See to it.", { tell: told })
  expect(
    events.flatMap((event) => (event.kind === "tool-finished" ? [[event.name, event.isError]] : [])),
  ).toEqual([
    ["hang", true],
    ["delegate", false],
  ])
})

test("a question ends with the call, and a yes that comes later allows nothing", async () => {
  const root = workspace()
  const from = await server([call(["write", { path: "a.txt", text: "One." }]), say("Done.")])
  const stop = new AbortController()
  const ended = Promise.withResolvers<void>()
  const { agent } = await open(root, from, {
    approve: (_request, signal) => {
      signal.addEventListener("abort", () => ended.resolve())
      stop.abort()
      return ended.promise.then(() => "yes")
    },
  })
  expect(await agent.send("Write it.", { signal: stop.signal })).toMatchObject({ state: "stopped" })
  await ended.promise
  await soon()
  expect(existsSync(join(root, "a.txt"))).toBe(false)
})

test("time goes on once all questions are answered", async () => {
  const limit = timeLimit(1)
  const { promise: first, resolve } = Promise.withResolvers<void>()
  const both = [limit.without(() => first), limit.without(async () => {})]
  await both[1]
  expect(limit.signal.aborted).toBe(false)
  resolve()
  await both[0]
  await limit.late
  expect(limit.signal.aborted).toBe(true)
})
