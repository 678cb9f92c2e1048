// A hook that throws, hangs or is stopped: what it costs, and what it does not.
import { setImmediate } from "node:timers/promises"
import { expect, test } from "vitest"
import type { HookHost } from "../../src/hooks/hooks.ts"
import { benchOf, named, never, sessionOf, startEvent, turn, untyped } from "./runner.ts"

const { session } = sessionOf()
const endEvent = { session, turn, text: "Done.", steps: 2 }

test("one that throws or rejects is reported once, and the others continue", async () => {
  const order: string[] = []
  const { runner, troubles, running } = benchOf([
    named("throws", {
      turn_end: () => {
        order.push("throws")
        throw new Error("no\nmore")
      },
    }),
    named("rejects", { turn_end: () => Promise.reject(new Error("later")) }),
    named("throws nothing", { turn_end: () => Promise.reject("") }),
    named("throws an object", { turn_end: () => Promise.reject(Object.create(null)) }),
    named("answers where nobody asks", untyped({ turn_end: () => 3 })),
    named("works", { turn_end: () => void order.push("works") }),
  ])
  await runner.turnEnd(endEvent, never())
  expect(order).toEqual(["throws", "works"])
  expect(troubles).toEqual([
    { name: "throws", hook: "turn_end", error: "no" },
    { name: "rejects", hook: "turn_end", error: "later" },
    { name: "throws nothing", hook: "turn_end", error: "failed without a reason" },
    { name: "throws an object", hook: "turn_end", error: "failed without a reason" },
  ])
  expect(running()).toBe(0)
})

test("one that hangs is given up after its time, is told so, and its later answer is ignored", async () => {
  let host: HookHost | undefined
  let answer: (value: { systemPrompt: string }) => void = () => {}
  const { runner, troubles, sent, pass } = benchOf([
    named("hangs", {
      before_agent_start: (_event, given) => {
        host = given
        given.sendMessage({ text: "Wait for me." })
        pending.resolve()
        return new Promise((resolve) => {
          answer = resolve
        })
      },
    }),
    named("next", { before_agent_start: ({ systemPrompt }) => ({ messages: [{ text: systemPrompt }] }) }),
  ])
  const pending = Promise.withResolvers<void>()
  const running = runner.beforeAgentStart(startEvent("You."), never())
  await pending.promise
  expect(host?.signal.aborted).toBe(false)
  pass()
  const effects = await running
  answer({ systemPrompt: "You. Late." })
  host?.sendMessage({ text: "Here I am." })
  await Promise.resolve()
  expect(effects).toEqual({ edits: [], messages: [{ text: "You.", by: "next" }] })
  expect(host?.signal.aborted).toBe(true)
  expect(sent).toEqual([])
  expect(troubles).toEqual([{ name: "hangs", hook: "before_agent_start", error: "took longer than 500 ms" }])
})

test("a turn that is stopped waits for nobody, asks nobody else, and blames nobody", async () => {
  const stop = new AbortController()
  const signals: AbortSignal[] = []
  const { runner, troubles, running } = benchOf([
    named("first", { before_agent_start: () => ({ messages: [{ text: "One." }] }) }),
    named("hangs", {
      before_agent_start: (_event, { signal }) => {
        signals.push(signal)
        queueMicrotask(() => stop.abort())
        return new Promise(() => {})
      },
    }),
    named("never asked", { before_agent_start: () => ({ messages: [{ text: "Three." }] }) }),
  ])
  expect(await runner.beforeAgentStart(startEvent("You."), stop.signal)).toEqual({
    edits: [],
    messages: [{ text: "One.", by: "first" }],
  })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  expect({ troubles, timers: running() }).toEqual({ troubles: [], timers: 0 })
  expect(await runner.beforeAgentStart(startEvent("You."), stop.signal)).toEqual({ edits: [], messages: [] })
})

test("a hook cannot change what it is given, and trying is its own trouble", async () => {
  const messages = [{ role: "user", parts: [{ kind: "text", text: "hello" }] }] as const
  const event = { session, turn, step: 1, messages }
  const before = structuredClone(event)
  const { runner, troubles } = benchOf([
    named("pushes", untyped({ context: ({ messages }: { messages: unknown[] }) => messages.push("x") })),
    named(
      "writes",
      untyped({ context: (given: typeof event) => Object.assign(given.messages[0].parts[0], { text: "x" }) }),
    ),
    named(
      "renames",
      untyped({ context: (given: typeof event) => Object.assign(given.session, { id: "x" }) }),
    ),
  ])
  expect(await runner.context(event, never())).toBe(messages)
  expect(event).toEqual(before)
  expect(troubles.map(({ name, error }) => [name, error])).toEqual([
    ["pushes", "Cannot add property 1, object is not extensible"],
    ["writes", "Cannot assign to read only property 'text' of object '#<Object>'"],
    ["renames", "Cannot assign to read only property 'id' of object '#<Object>'"],
  ])
})

test("what a hook has answered or sent is no longer its own to change", async () => {
  const input = { path: "a.md" }
  const data = [1]
  const { runner, sent } = benchOf([
    named("keeps", {
      tool_call: (_event, host) => {
        host.sendMessage({ text: "One.", data })
        data.push(2)
        return { input }
      },
    }),
  ])
  const effects = await runner.toolCall({ session, turn, id: "c", name: "read", input: {} }, never())
  input.path = "b.md"
  expect(effects).toEqual({ input: { path: "a.md" } })
  expect(sent).toEqual([[{ text: "One.", data: [1], by: "keeps" }, "s1"]])
})

test("messages go out when the hook has ended well, from then on as they come, and never from one that failed", async () => {
  const hosts: HookHost[] = []
  const { runner, sent, troubles } = benchOf([
    named(
      "posts",
      {
        turn_end: (_event, host) => {
          hosts.push(host)
          host.sendMessage({ text: "One.", data: [1] })
          host.sendMessage({ text: "Two." }, "s2")
          expect(sent).toEqual([])
        },
      },
      "inner",
    ),
    named("fails", {
      turn_end: (_event, host) => {
        hosts.push(host)
        host.sendMessage({ text: "Never." })
        throw new Error("no")
      },
    }),
  ])
  await runner.turnEnd(endEvent, never())
  for (const host of hosts) host.sendMessage({ text: "Later." })
  for (const host of hosts) host.sendMessage({ text: "" })
  await setImmediate()
  expect(sent).toEqual([
    [{ text: "One.", data: [1], by: "posts", trust: "inner" }, "s1"],
    [{ text: "Two.", by: "posts", trust: "inner" }, "s2"],
    [{ text: "Later.", by: "posts", trust: "inner" }, "s1"],
  ])
  expect(troubles).toEqual([
    { name: "fails", hook: "turn_end", error: "no" },
    { name: "posts", hook: "turn_end", error: "sendMessage: the text of a message is blank" },
  ])
})
