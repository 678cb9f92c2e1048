// Several calls of one step: they run at once, each within its limit, and whatever becomes of each the conversation stays
// whole: every call has its result, in order.
import { setImmediate as soon } from "node:timers/promises"
import { expect, onTestFinished, test, vi } from "vitest"
import type { AgentOptions } from "../../../../src/agent/setup/agent.ts"
import type { LiveEvent } from "../../../../src/agent/turn/live-event.ts"
import { ToolFailure } from "../../../../src/tools/host.ts"
import {
  call,
  collect,
  eventTypes,
  open,
  say,
  server,
  tool,
  transcript,
  workspace,
} from "../../world/agent-world.ts"
import type { Json } from "../../world/servers/refusals.ts"
import type { Script } from "../../world/servers/script.ts"

const ROOM = `profile: incipit
feeds: { communication: off, bulletin: off }
environment: { host: off }
users:
  ada: { trust: full, match: ["chat:ada"] }
  guest: { trust: public, match: ["chat:guest"] }
rooms: { "chat:room": { trust: inner } }
situations: { group: { ceiling: inner } }
`

/** Nobody passes before all are there. */
function barrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let here = 0
  return () => {
    here += 1
    if (here === count) resolve()
    return promise
  }
}

test("calls run at once, and their results are in the order of the calls", async () => {
  const root = workspace()
  const meet = barrier(3)
  const ended: string[] = []
  const last = Promise.withResolvers<void>()
  const tools = [
    tool("first", async () => {
      await meet()
      await last.promise
      ended.push("first")
      return "1"
    }),
    tool("second", async () => {
      await meet()
      ended.push("second")
      return "2"
    }),
    tool("third", async () => {
      await meet()
      ended.push("third")
      last.resolve()
      return "3"
    }),
  ]
  const from = await server([call(["first", {}], ["second", {}], ["third", {}]), say("All three.")])
  const { agent } = await open(root, from, { tools })
  const { session, text } = await agent.send("Do three things.")
  expect([text, ended]).toEqual(["All three.", ["second", "third", "first"]])
  expect(transcript(root, session).slice(4, 7)).toEqual(["result: 1", "result: 2", "result: 3"])
})

/** Runs one step with these calls in it, and gives the conversation's lines of it. */
async function stepOf(
  calls: readonly (readonly [string, unknown])[],
  options: Partial<AgentOptions> = {},
  tell: (event: LiveEvent) => void = () => {},
): Promise<readonly string[]> {
  const root = workspace()
  const from = await server([call(...calls), say("Done.")])
  const { agent } = await open(root, from, options)
  const { session, state, turn } = await agent.send("Do it.", { tell })
  await agent.close()
  expect([state, from.refusals]).toEqual(["answered", []])
  const kinds = eventTypes(root, turn).filter((type) => type.startsWith("tool_"))
  return [...transcript(root, session).slice(1 + calls.length, -1), kinds.sort().join(" ")]
}

test("one fails, one breaks, one hangs, one is unknown, one is not understood, one works", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  onTestFinished(() => void vi.useRealTimers())
  const finished: string[] = []
  const tools = [
    tool("works", async () => "it works"),
    tool("fails", async () => {
      throw new ToolFailure("The lamp has no oil.")
    }),
    tool("breaks", async () => {
      throw new TypeError("lamp is undefined")
    }),
    tool("hangs", async () => {
      while (finished.length < calls.length - 1) await soon()
      vi.advanceTimersByTime(200)
      return new Promise(() => {})
    }),
  ]
  const tell = (event: LiveEvent) => event.kind === "tool-finished" && finished.push(event.name)
  const calls = [
    ["works", {}],
    ["fails", {}],
    ["breaks", {}],
    ["hangs", {}],
    ["work", {}],
    ["zzz", {}],
    ["read", { path: 7 }],
  ] as const
  expect(await stepOf(calls, { tools, limits: { toolMs: 200 } }, tell)).toMatchInlineSnapshot(`
    [
      "result: it works",
      "error: The lamp has no oil.",
      "error: breaks failed: lamp is undefined",
      "error: It took longer than 200ms and was stopped. It may have taken effect.",
      "error: There is no tool "work". Did you mean works?",
      "error: There is no tool "zzz".",
      "error: The input is not valid: path: Invalid input: expected string, received number.",
      "tool_call tool_error tool_error tool_error tool_error tool_error tool_error",
    ]
  `)
})

test("a model may use the id of a call again, in another step: both calls are made", async () => {
  const root = workspace()
  const done: unknown[] = []
  const mark = tool("mark", async (input) => {
    done.push(input)
    return `marked ${done.length}`
  })
  const again = (at: number): Script => ({
    kind: "reply",
    parts: [{ call: { name: "mark", input: { at }, id: "call_0" } }],
  })
  const from = await server([again(1), again(2), say("Twice.")])
  const { agent } = await open(root, from, { tools: [mark] })
  const { text } = await agent.send("Mark twice.")
  expect([text, done]).toEqual(["Twice.", [{ at: 1 }, { at: 2 }]])
})

test("in a room a tool is for those whom the sender's own trust allows it", async () => {
  const root = workspace({ "incipit.yaml": ROOM })
  const done: string[] = []
  const tools = [
    tool("lock", async (_input, { user }) => `locked for ${done.push(String(user))}`, { trust: "inner" }),
    tool("vault", async () => "open", { trust: "full" }),
  ]
  const from = await server(({ body }: { readonly body: Json }) =>
    body.messages.at(-1).content.some(({ type }: Json) => type === "tool_result")
      ? say("Done.")
      : call(["lock", {}], ["vault", {}]),
  )
  const { agent } = await open(root, from, { tools })
  const room = { channel: "chat:room" }
  const guest = await agent.send("Lock it.", { ...room, as: "guest" })
  const ada = await agent.send("Lock it.", { ...room, as: "ada" })
  expect(guest.session).toBe(ada.session)
  expect(done).toEqual(["ada"])
  expect(transcript(root, ada.session).filter((line) => /^(result|error)/.test(line))).toMatchInlineSnapshot(`
    [
      "error: lock is not available to this sender.",
      "error: There is no tool "vault".",
      "result: locked for 1",
      "error: There is no tool "vault".",
    ]
  `)
})

test("stopped in the middle of an answer: what had come is kept, and the next message works", async () => {
  const root = workspace()
  const stop = new AbortController()
  const from = await server(({ calls }) =>
    calls === 1
      ? { kind: "reply", parts: [{ text: "One, two, three, four, five, six." }], slow: true }
      : say("Go on."),
  )
  const { agent } = await open(root, from)
  const { events, tell } = collect()
  const shown = (event: Parameters<typeof tell>[0]) => {
    tell(event)
    if (event.kind !== "text") return
    if (events.filter(({ kind }) => kind === "text").length === 2) stop.abort()
    else from.release()
  }
  // As far as the first piece of the text.
  from.release(4)
  const reply = await agent.send("Count.", { signal: stop.signal, tell: shown })
  await from.hungUp()
  from.release(Number.POSITIVE_INFINITY)
  expect([reply.state, reply.text]).toEqual(["stopped", "One, two, three, four, f"])
  const next = await agent.send("Why did you stop?")
  expect(transcript(root, next.session)).toEqual([
    "user: Count.",
    "assistant: One, two, three, four, f",
    "user: Why did you stop?",
    "assistant: Go on.",
  ])
  expect(from.refusals).toEqual([])
})

test("stopped in the middle of tools: each call has its result, nothing further is begun, and the next message works", async () => {
  const root = workspace()
  const stop = new AbortController()
  const meet = barrier(2)
  const tools = [
    tool("quick", async () => {
      await meet()
      return "done"
    }),
    tool("slow", async () => {
      await meet()
      stop.abort()
      return new Promise(() => {})
    }),
  ]
  const from = await server([call(["quick", {}], ["slow", {}]), say("What now?")])
  const { agent } = await open(root, from, { tools })
  const reply = await agent.send("Do both.", { signal: stop.signal })
  expect([reply.state, reply.text, from.bodies.length]).toEqual([
    "stopped",
    "Stopped: no answer was written yet.",
    1,
  ])
  const next = await agent.send("Well?")
  expect(transcript(root, next.session)).toMatchInlineSnapshot(`
    [
      "user: Do both.",
      "calls quick {}",
      "calls slow {}",
      "error: It was stopped. It may have taken effect.",
      "error: It was stopped. It may have taken effect.",
      "user: Well?",
      "assistant: What now?",
    ]
  `)
  expect(from.refusals).toEqual([])
})

test("stopped before a tool was allowed: it is not run", async () => {
  const root = workspace()
  const stop = new AbortController()
  let runs = 0
  const tools = [
    tool("act", async () => {
      runs += 1
      return "acted"
    }),
  ]
  const from = await server([call(["act", {}]), say("What now?")])
  const { agent } = await open(root, from, {
    tools,
    hooks: [
      {
        name: "slow-hook",
        tool_call: async () => {
          stop.abort()
        },
      },
    ],
  })
  const reply = await agent.send("Act.", { signal: stop.signal })
  expect([reply.state, runs]).toEqual(["stopped", 0])
  expect(transcript(root, reply.session).at(-1)).toBe("error: Not run: it was stopped.")
})

test("a turn that never ends is ended after so many steps", async () => {
  const root = workspace()
  const from = await server([call(["mark", {}])])
  const { agent } = await open(root, from, {
    tools: [tool("mark", async () => "marked")],
    limits: { steps: 3 },
  })
  const reply = await agent.send("Go on for ever.")
  expect([reply.state, reply.text, reply.steps, from.bodies.length]).toEqual([
    "stopped",
    'Stopped: it reached the limit of 3 steps; say "continue" to let it continue.',
    3,
    3,
  ])
})
