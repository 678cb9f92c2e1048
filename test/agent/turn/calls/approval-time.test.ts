// Waiting for a person's yes: it takes nothing from the tool's time, and ends with the call.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { setImmediate as soon } from "node:timers/promises"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { timeLimit } from "../../../../src/agent/turn/calls/time-limit.ts"
import type { LiveEvent } from "../../../../src/agent/turn/live-event.ts"
import type { Approval } from "../../../../src/tools/host.ts"
import { call, NIGHT, open, say, server, transcript, workspace } from "../../world/agent-world.ts"

const LIMIT_MS = 60_000

/** A person who takes so long that the time of every call that waits for them would be up. */
const late = async (): Promise<Approval> => {
  vi.advanceTimersByTime(LIMIT_MS)
  at += LIMIT_MS
  return "yes"
}

let at = NIGHT
const now = () => at

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }))
afterEach(() => void vi.useRealTimers())

const WRITE = call(["write", { path: "a.txt", text: "One." }])

test("what a person takes to say yes is not the tool's time", async () => {
  const root = workspace()
  const { agent } = await open(root, await server([WRITE, say("Done.")]), {
    ...{ now, approve: late },
    limits: { toolMs: LIMIT_MS },
  })
  const took: number[] = []
  const tell = (event: LiveEvent) => event.kind === "tool-finished" && took.push(event.durationMs)
  const { session } = await agent.send("Write it.", { tell })
  expect(took).toEqual([0])
  expect(transcript(root, session)).toEqual([
    "user: Write it.",
    'calls write {"path":"a.txt","text":"One."}',
    "result: Created a.txt, 1 line.",
    "assistant: Done.",
  ])
})

test("nor is it the time of the call that a part of the work is for", async () => {
  const root = workspace()
  const from = await server(({ body }) => {
    const text = JSON.stringify(body.messages)
    if (text.includes("tool_result")) return say("Done.")
    return text.includes("A part.") ? WRITE : call(["delegate", { task: "A part." }])
  })
  const { agent } = await open(root, from, { approve: late, limits: { toolMs: LIMIT_MS } })
  const { session } = await agent.send("See to it.")
  expect(transcript(root, session)).toEqual([
    "user: See to it.",
    'calls delegate {"task":"A part."}',
    "result: Done.",
    "assistant: Done.",
  ])
})

test("a question ends with the call, and a yes that comes later allows nothing", async () => {
  const root = workspace()
  const from = await server([call(["write", { path: "a.txt", text: "One." }]), say("Done.")])
  const stop = new AbortController()
  const ended = Promise.withResolvers<void>()
  const { agent } = await open(root, from, {
    approve: (_request, { signal }) => {
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

test("time continues once all questions are answered", async () => {
  const limit = timeLimit(1, now)
  const { promise: first, resolve } = Promise.withResolvers<void>()
  const both = [limit.without(() => first), limit.without(async () => {})]
  await both[1]
  expect(limit.signal.aborted).toBe(false)
  resolve()
  await both[0]
  vi.advanceTimersByTime(1)
  await limit.late
  expect(limit.signal.aborted).toBe(true)
})
