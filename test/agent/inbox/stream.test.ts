// A turn as an async iterable: the same events as `tell` gets, the reply as a promise, and what leaving the loop does.
import { expect, onTestFinished, test } from "vitest"
import type { RunningAgent } from "../../../src/agent/setup/agent.ts"
import { openAgent } from "../../../src/agent/setup/open.ts"
import type { LiveEvent } from "../../../src/agent/turn/live-event.ts"
import { incipit } from "../../../src/profiles/incipit/incipit.ts"
import { defineTool } from "../../../src/tools/define-tool.ts"

async function opened(run: () => string | Promise<string> = () => "Rung."): Promise<RunningAgent> {
  const bell = defineTool({ name: "bell", description: "Rings.", parameters: { type: "object" }, run })
  const agent = await openAgent({ profile: incipit, model: "offline", tools: [bell] })
  onTestFinished(() => agent.close())
  return agent
}

test("a loop gets what tell gets, and the reply is that of send", async () => {
  const agent = await opened()
  const told: LiveEvent[] = []
  const stream = agent.stream("call bell", { tell: (event) => told.push(event) })
  const events: LiveEvent[] = []
  for await (const event of stream) events.push(event)
  expect(events).toEqual(told)
  expect(events.map(({ kind }) => kind).filter((kind) => kind !== "text")).toEqual([
    "turn-started",
    "epoch-started",
    "step-started",
    "step-finished",
    "tool-started",
    "tool-finished",
    "step-started",
    "step-finished",
    "turn-finished",
  ])
  const { prompt, ...reply } = await stream.reply
  expect(events.at(-1)).toEqual({ kind: "turn-finished", reply })
  expect(prompt?.plan.entries.length).toBeGreaterThan(0)
  const text = events.flatMap((event) => (event.kind === "text" ? [event.text] : [])).join("")
  expect(text).toBe(reply.text)
})

test("the turn runs whether or not the events are read, and every loop begins at the beginning", async () => {
  const agent = await opened()
  const stream = agent.stream("hello")
  const { state } = await stream.reply
  const kinds = async () => {
    const found: string[] = []
    for await (const { kind } of stream) found.push(kind)
    return found
  }
  const [first, second] = await Promise.all([kinds(), kinds()])
  expect({ state, first: first[0], last: first.at(-1) }).toEqual({
    ...{ state: "answered", first: "turn-started", last: "turn-finished" },
  })
  expect(second).toEqual(first)
})

test("leaving the loop stops nothing", async () => {
  const go = Promise.withResolvers<string>()
  const agent = await opened(() => go.promise)
  const stream = agent.stream("call bell")
  for await (const { kind } of stream) if (kind === "tool-started") break
  go.resolve("Rung late.")
  const { state, text } = await stream.reply
  expect({ state, text: text.split("\n").slice(-2) }).toEqual({
    state: "answered",
    text: ["bell returned:", "> Rung late."],
  })
})

test("the signal stops the turn, and the loop ends with it", async () => {
  const agent = await opened(() => Promise.withResolvers<string>().promise)
  const stop = new AbortController()
  const stream = agent.stream("call bell", { signal: stop.signal })
  const kinds: string[] = []
  for await (const { kind } of stream) {
    kinds.push(kind)
    if (kind === "tool-started") stop.abort()
  }
  expect({ state: (await stream.reply).state, last: kinds.at(-1) }).toEqual({
    state: "stopped",
    last: "turn-finished",
  })
})

test("an error reaches the loop and the reply", async () => {
  const agent = await opened()
  const stream = agent.stream("hello", { session: "nobody's" })
  const loop = async () => {
    for await (const _event of stream);
  }
  await expect(loop()).rejects.toThrow('there is no session "nobody\'s" for this sender')
  await expect(stream.reply).rejects.toThrow('there is no session "nobody\'s" for this sender')
})

test("an error in the body of the loop is the loop's own, and the turn goes on", async () => {
  const agent = await opened()
  const stream = agent.stream("hello")
  const loop = async () => {
    for await (const _event of stream) throw new Error("the screen is gone")
  }
  await expect(loop()).rejects.toThrow("the screen is gone")
  expect((await stream.reply).state).toBe("answered")
})
