// What a provider refuses for good leaves the conversation: the next message is sent without it.
import { expect, test } from "vitest"
import {
  call,
  collect,
  inRecord,
  inStore,
  open,
  refuse,
  say,
  server,
  tool,
  transcript,
  workspace,
} from "../world/agent-world.ts"

const LEFT_OUT = "It is left out of the conversation from now on."

test("a message that was refused is not sent with the next one, and stays in the store", async () => {
  const root = workspace()
  const from = await server([say("Hello."), refuse(400), say("Yes?")])
  const { agent } = await open(root, from)
  const { session } = await agent.send("Hi.")
  await agent.shell("echo poison", { isSent: true })
  const refused = await agent.send("Poison.")
  expect([refused.state, refused.text]).toEqual([
    "failed",
    `This message cannot be answered: the model refused it (400: status 400). ${LEFT_OUT}`,
  ])
  expect(await agent.send("Still there?")).toMatchObject({ state: "answered", text: "Yes?" })
  expect(from.bodies.map((body) => /poison/i.test(body))).toEqual([false, true, false])
  expect(transcript(root, session)).toEqual([
    "user: Hi.",
    "assistant: Hello.",
    "user: Still there?",
    "assistant: Yes?",
  ])
  expect(
    inStore(root, (store) => [
      ...store.all("SELECT state FROM inbox ORDER BY id"),
      ...store.all("SELECT count(*) AS past FROM items WHERE is_past = 1"),
    ]).map((row) => ({ ...row })),
  ).toEqual([{ state: "done" }, { state: "refused" }, { state: "done" }, { past: 2 }])
  await agent.close()
  const ends = inRecord(root, (record) =>
    record.all("SELECT metadata FROM events WHERE event_type = 'turn_completed' ORDER BY id"),
  )
  expect(ends.map(({ metadata }) => JSON.parse(String(metadata)).refused)).toEqual([
    undefined,
    true,
    undefined,
  ])
})

test("a tool's result that was refused goes with its turn, and what was called stays known", async () => {
  const root = workspace()
  const from = await server([
    say("Hello."),
    call(["poison", {}], ["poison", {}]),
    refuse(400),
    call(["poison", {}]),
    say("Yes?"),
  ])
  const { agent } = await open(root, from, { tools: [tool("poison", async () => "What is refused.")] })
  const { session } = await agent.send("Hi.")
  expect(await agent.send("Look.")).toMatchObject({ state: "failed", steps: 2 })
  const { events, tell } = collect()
  expect(await agent.send("And?", { tell })).toMatchObject({ state: "answered", text: "Yes?" })
  expect(events.filter(({ kind }) => kind === "cache-missed")).toEqual([])
  expect(transcript(root, session)).toEqual([
    "user: Hi.",
    "assistant: Hello.",
    "user: A message of mine was refused by the provider and is left out here. These tools had been called for it: poison.",
    "user: And?",
    "calls poison {}",
    "result: What is refused.",
    "assistant: Yes?",
  ])
  expect(JSON.parse(from.bodies[3] ?? "").messages.length).toBe(3)
})

test("a turn that ended on a tool's result keeps it when the one after it is refused", async () => {
  const root = workspace()
  const from = await server([call(["list", { path: "." }]), refuse(400), say("Yes?")])
  const { agent } = await open(root, from, { limits: { steps: 1 } })
  const { session } = await agent.send("Look.")
  expect(await agent.send("Poison.")).toMatchObject({ state: "failed" })
  expect(await agent.send("And?")).toMatchObject({ state: "answered" })
  expect(transcript(root, session).filter((line) => !line.startsWith("result"))).toEqual([
    "user: Look.",
    'calls list {"path":"."}',
    "user: And?",
    "assistant: Yes?",
  ])
})
