// Tools that the sender of a message runs: the turn is suspended in the store until their results are there, whichever
// process gets them.
import { expect, test } from "vitest"
import type { SendOptions } from "../../../../src/agent/setup/agent.ts"
import {
  call,
  clock,
  collect,
  open,
  say,
  server,
  tool,
  transcript,
  workspace,
} from "../../world/agent-world.ts"

const pick = {
  name: "pick_file",
  description: "Lets the user pick a file.",
  parameters: { type: "object", properties: { kind: { type: "string" } } },
}
const brings: SendOptions = { clientTools: [pick] }
const step = (input: unknown = { kind: "chart" }) => call(["pick_file", input])

/** Ids are random. */
const without = <T extends { readonly id: string }>(calls: readonly T[] = []) =>
  calls.map(({ id: _, ...call }) => call)
const idsOf = (calls: readonly { readonly id: string }[] = []) => calls.map(({ id }) => id)

/** The tools of the first request, without what only concerns the provider. */
function toolsSent({ sent }: { readonly sent: readonly string[] }): readonly unknown[] {
  const { tools } = JSON.parse(sent[0] ?? "{}") as { readonly tools: readonly Record<string, unknown>[] }
  return tools.map(({ cache_control: _mark, eager_input_streaming: _eager, ...tool }) => tool)
}

test("the model is offered the tool, the reply has its calls, and the results continue the turn", async () => {
  const root = workspace()
  const from = await server([step(), say("A fine chart.")])
  const { agent, late } = await open(root, from)
  const heard = collect()
  const reply = await agent.send("Look at a chart.", { ...brings, tell: heard.tell })
  expect(reply).toMatchObject({ state: "waiting", text: "", steps: 1 })
  expect(without(reply.calls)).toEqual([{ name: "pick_file", input: { kind: "chart" } }])
  expect(toolsSent(from)).toContainEqual({
    ...{ name: pick.name, description: pick.description, input_schema: pick.parameters },
  })
  expect(heard.events.at(-1)).toMatchObject({ kind: "turn-finished", reply: { calls: reply.calls } })
  const [id = ""] = idsOf(reply.calls)
  const end = collect()
  const answer = await agent.resolve(reply.turn, [{ id, text: "<chart/>" }], { tell: end.tell })
  expect(answer).toMatchObject({ state: "answered", text: "A fine chart.", turn: reply.turn, steps: 2 })
  expect(answer.calls).toBeUndefined()
  expect(end.events.map(({ kind }) => kind)).toContain("text")
  expect(transcript(root, reply.session)).toEqual([
    "user: Look at a chart.",
    'calls pick_file {"kind":"chart"}',
    "result: <chart/>",
    "assistant: A fine chart.",
  ])
  // Somebody who repeats the report gets the same answer, and nothing is delivered twice.
  const again = await agent.resolve(reply.turn, [{ id, text: "other" }])
  expect([again.text, late, from.sent.length]).toEqual(["A fine chart.", [], 2])
})

test("calls of both kinds in one step: ours run once, and all results follow in the order of the calls", async () => {
  const root = workspace()
  const mixed = call(["pick_file", { kind: "a" }], ["look", {}], ["pick_file", { kind: "b" }])
  const from = await server([mixed, say("Done.")])
  let looked = 0
  const look = tool("look", async () => `sea ${++looked}`)
  const { agent } = await open(root, from, { tools: [look] })
  const heard = collect()
  const reply = await agent.send("Go.", brings)
  const [a = "", b = ""] = idsOf(reply.calls)
  expect(without(reply.calls)).toEqual(["a", "b"].map((kind) => ({ name: "pick_file", input: { kind } })))
  const partly = await agent.resolve(reply.turn, [{ id: b, text: "no such file", isError: true }])
  expect({ state: partly.state, left: idsOf(partly.calls) }).toEqual({ state: "waiting", left: [a] })
  const answer = await agent.resolve(reply.turn, [{ id: a, text: "A" }], { observe: heard.tell })
  expect([answer.state, answer.text, looked]).toEqual(["answered", "Done.", 1])
  expect(transcript(root, reply.session).slice(4, 7)).toEqual([
    "result: A",
    "result: sea 1",
    "error: no such file",
  ])
  expect(heard.events.filter(({ kind }) => kind === "tool-finished")).toEqual([])
})

test("another process continues the turn, also after a second suspension", async () => {
  const root = workspace()
  const from = await server([step({ kind: "a" }), step({ kind: "b" }), say("Done.")])
  const first = await open(root, from)
  const reply = await first.agent.send("Go.", brings)
  await first.agent.close()
  const second = await open(root, from)
  expect(await second.agent.resume()).toEqual([])
  const next = await second.agent.resolve(reply.turn, [{ id: idsOf(reply.calls)[0] ?? "", text: "A" }])
  expect([next.state, without(next.calls)]).toEqual([
    "waiting",
    [{ name: "pick_file", input: { kind: "b" } }],
  ])
  const end = await second.agent.resolve(reply.turn, [{ id: idsOf(next.calls)[0] ?? "", text: "B" }])
  expect([end.state, end.text, end.steps]).toEqual(["answered", "Done.", 3])
})

test("results that never come count as none after a while, and then the turn and those behind it go on", async () => {
  const root = workspace()
  const time = clock()
  const from = await server([step(), say("Without it, then."), say("Second.")])
  const { agent, late } = await open(root, from, { now: time.now, limits: { clientMs: 1_000 } })
  const reply = await agent.send("Go.", brings)
  time.set(time.now() + 1_000)
  const { text } = await agent.send("And now?")
  expect(text).toBe("Second.")
  expect(late.map((one) => [one.turn === reply.turn, one.text])).toEqual([[true, "Without it, then."]])
  expect(transcript(root, reply.session)[2]).toMatch(
    /^error: No result: the client did not report one in time/,
  )
  const tooLate = agent.resolve(reply.turn, [{ id: idsOf(reply.calls)[0] ?? "", text: "A" }])
  expect((await tooLate).text).toBe("Without it, then.")
})

test("late results are refused while the turn has no answer yet", async () => {
  const time = clock()
  const from = await server([step(), say("Never sent.")])
  const { agent } = await open(workspace(), from, { now: time.now, limits: { clientMs: 1_000 } })
  const reply = await agent.send("Go.", brings)
  time.set(time.now() + 1_000)
  await expect(
    agent.resolve(reply.turn, [{ id: idsOf(reply.calls)[0] ?? "", text: "A" }]),
  ).rejects.toMatchObject({
    code: "not-waiting",
    message: `the results for the turn "${reply.turn}" came too late`,
  })
})

const FAMILY = { "incipit.yaml": "profile: incipit\nusers: { ada: { trust: full }, bo: { trust: known } }\n" }

test("only the sender continues a turn, and sees what they are asked to run whatever their trust", async () => {
  const from = await server([step(), say("Done.")])
  const { agent } = await open(workspace(FAMILY), from)
  const heard = collect()
  const reply = await agent.send("Go.", { ...brings, as: "bo", tell: heard.tell })
  const results = [{ id: idsOf(reply.calls)[0] ?? "", text: "A" }]
  expect(heard.events.at(-1)).toMatchObject({ reply: { state: "waiting", calls: reply.calls } })
  for (const other of [{}, { as: "ada" }, { as: "bo", channel: "web:1" }])
    await expect(agent.resolve(reply.turn, results, other)).rejects.toMatchObject({
      ...{ code: "not-waiting", message: `there is no turn "${reply.turn}" of this sender` },
    })
  expect((await agent.resolve(reply.turn, results, { as: "bo" })).text).toBe("Done.")
})

test("a client's tool takes the place of ours with the same name, also of one that the sender may not know", async () => {
  const files = { ...FAMILY }
  const secret = tool("pick_file", async () => "ours", { trust: "full" })
  const seen = async (tools: readonly (typeof secret)[], as: string) => {
    const from = await server([step(), say("Done.")])
    const { agent } = await open(workspace(files), from, { tools })
    const reply = await agent.send("Go.", { ...brings, as })
    return { calls: without(reply.calls), tools: toolsSent(from) }
  }
  for (const as of ["ada", "bo"]) {
    const [beside, alone] = [await seen([secret], as), await seen([], as)]
    expect(beside).toEqual(alone)
    expect(beside.calls).toEqual([{ name: "pick_file", input: { kind: "chart" } }])
  }
})

test("in plan mode and against a hook, a client's tool is not asked for", async () => {
  const root = workspace()
  const from = await server([step(), say("Planned."), step(), say("Blocked.")])
  const { agent } = await open(root, from, {
    hooks: [{ name: "guard", tool_call: () => ({ block: "not on Sundays" }) }],
  })
  const planned = await agent.send("Go.", { ...brings, planMode: true })
  const blocked = await agent.send("Go.", { ...brings, isNew: true })
  expect([planned.text, blocked.text]).toEqual(["Planned.", "Blocked."])
  expect(transcript(root, planned.session)[2]).toMatch(/^error: Not run: plan mode is on/)
  expect(transcript(root, blocked.session)[2]).toBe("error: Not run: not on Sundays")
})

test.each([
  [{ clientTools: {} }, "clientTools must be a list"],
  [
    { clientTools: [{ name: "a b" }] },
    "tool 1 of clientTools needs a name of at most 64 letters, digits, - and _",
  ],
  [{ clientTools: [pick, pick] }, 'clientTools has two tools named "pick_file"'],
  [
    { clientTools: [{ ...pick, parameters: { type: "string" } }] },
    'the client\'s tool "pick_file" has an input schema that does not describe an object',
  ],
])("wrong tools are refused before anything is stored: %j", async (options, message) => {
  const { agent } = await open(workspace(), undefined)
  // What a program in JavaScript passes.
  const sent = agent.send("Go.", options as SendOptions)
  await expect(sent).rejects.toMatchObject({ code: "bad-option", message })
  expect(await agent.sessions()).toEqual([])
})

test("wrong results are refused, and the turn waits on", async () => {
  const from = await server([step(), say("Done.")])
  const { agent } = await open(workspace(), from)
  const reply = await agent.send("Go.", brings)
  const id = idsOf(reply.calls)[0] ?? ""
  const wrong = [
    [[{ id: "none", text: "A" }], `the turn "${reply.turn}" has no open call "none"`],
    [[{ id }], "result 1 needs an id and a text"],
    [{ id, text: "A" }, "the results aren't a list"],
  ] as const
  for (const [results, message] of wrong)
    await expect(agent.resolve(reply.turn, results as never)).rejects.toMatchObject({
      code: "bad-tool-results",
      message,
    })
  expect((await agent.resolve(reply.turn, [{ id, text: "A" }])).text).toBe("Done.")
})
