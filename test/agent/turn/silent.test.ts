// An answer without words is silence, not a fault: it is recorded and ends the turn, and nobody is shown anything.
import { expect, test } from "vitest"
import {
  call,
  collect,
  eventTypes,
  inStore,
  open,
  say,
  server,
  tool,
  transcript,
  workspace,
} from "../world/agent-world.ts"
import type { Script } from "../world/servers/script.ts"

const NOTHING: Script = { kind: "reply", parts: [] }
const BLANK = say(" \n")

for (const [name, silence] of [
  ["no part at all", NOTHING],
  ["blanks only", BLANK],
] as const)
  test(`an empty answer is silent: ${name}`, async () => {
    const root = workspace()
    const from = await server([silence, say("Yes.")])
    const { agent, late } = await open(root, from)
    const shown: string[] = []
    const reply = await agent.send("No need to answer.", { deliver: ({ text }) => void shown.push(text) })
    expect([reply.state, reply.text, shown]).toEqual(["silent", "", []])
    expect(await agent.resume()).toEqual([])
    const next = await agent.send("Are you there?")
    expect(transcript(root, next.session)).toEqual([
      "user: No need to answer.",
      "user: Are you there?",
      "assistant: Yes.",
    ])
    expect([late, from.refusals]).toEqual([[], []])
    await agent.close()
    expect(inStore(root, (store) => store.all("SELECT state FROM inbox"))).toEqual([
      { state: "done" },
      { state: "done" },
    ])
    expect(eventTypes(root, reply.turn)).toMatchInlineSnapshot(`
      [
        "message_received",
        "trust_resolved",
        "session_created",
        "turn_started",
        "epoch_started",
        "prompt_built",
        "api_call",
        "turn_completed",
      ]
    `)
  })

test("silence after calls", async () => {
  const root = workspace()
  const from = await server([call(["mark", {}]), NOTHING, say("Yes.")])
  const { agent } = await open(root, from, { tools: [tool("mark", async () => "marked")] })
  const reply = await agent.send("Mark it, and say nothing.")
  expect([reply.state, reply.text, reply.steps]).toEqual(["silent", "", 2])
  const next = await agent.send("Are you there?")
  expect(transcript(root, next.session)).toEqual([
    "user: Mark it, and say nothing.",
    "calls mark {}",
    "result: marked",
    "user: Are you there?",
    "assistant: Yes.",
  ])
  expect(from.refusals).toEqual([])
})

test("an answer that was cut is reported as such, and none if nothing of it is left", async () => {
  const root = workspace()
  const from = await server([
    { kind: "reply", parts: [{ text: "Half an ans" }], stop: "length" },
    { kind: "reply", parts: [{ text: " " }], stop: "length" },
    say("Yes."),
  ])
  const { agent } = await open(root, from)
  const { events, tell } = collect()
  const half = await agent.send("One?", { tell })
  const none = await agent.send("Two?", { tell })
  const next = await agent.send("Three?", { tell })
  expect([half, none, next].map(({ state, text }) => [state, text])).toEqual([
    ["answered", "Half an ans"],
    [
      "failed",
      "This message cannot be answered: the model refused it (the token limit was reached). It is left out of the conversation from now on.",
    ],
    ["answered", "Yes."],
  ])
  expect(events.filter(({ kind }) => kind === "diagnostic")).toEqual([
    {
      kind: "diagnostic",
      level: "warning",
      text: "the answer is incomplete: the token limit was reached",
    },
  ])
  expect(from.refusals).toEqual([])
})
