// Calls that cannot be read: cut off by the output limit, or not JSON. They are never run, the model is told what
// happened in its own terms, the conversation goes on, and a model that does not get out of it is stopped.
import { expect, onTestFinished, test } from "vitest"
import {
  call,
  collect,
  inRecord,
  inStore,
  open,
  say,
  server,
  tool,
  transcript,
  workspace,
} from "../world/agent-world.ts"
import { MODELS, PROTOCOL_NAMES } from "../world/ask-model.ts"
import type { Script } from "../world/servers/script.ts"
import { startServer } from "../world/servers/server.ts"

const CUT = "Your call was cut off by the output limit, so it was not run."
const MALFORMED = "The input of your call is not a JSON object, so it was not run."

/** Gemini's calls come whole. */
const STREAMED = PROTOCOL_NAMES.filter((name) => name !== "google")

function cutCall(json: string): Script {
  return {
    kind: "reply",
    parts: [{ text: "I write it." }, { call: { name: "note", input: {}, json } }],
    stop: "length",
  }
}

function notes() {
  const kept: unknown[] = []
  const note = tool("note", async (input) => {
    kept.push(input)
    return "Kept."
  })
  return { kept, note }
}

async function talk(protocol: (typeof STREAMED)[number], scripts: readonly Script[]) {
  const from = await startServer({ protocol, answer: ({ calls }) => scripts[calls - 1] ?? say("Done.") })
  onTestFinished(() => from.close())
  return from
}

test.each(STREAMED)(
  "%s: a call that the output limit cut is said to be cut, and is not run",
  async (protocol) => {
    const { kept, note } = notes()
    const scripts = [
      cutCall('{"path": "a.md", "text": "The lamp'),
      call(["note", { text: "Lamp." }]),
      say("Done."),
    ]
    const from = await talk(protocol, scripts)
    const root = workspace()
    const { agent } = await open(root, from, { tools: [note], model: MODELS[protocol] })
    const { state, session } = await agent.send("Write it down.")
    expect([state, kept, from.refusals]).toEqual(["answered", [{ text: "Lamp." }], []])
    const lines = transcript(root, session)
    expect(lines[2]).toBe(`calls note {"unread":"{\\"path\\": \\"a.md\\", \\"text\\": \\"The lamp"}`)
    expect(lines[3]).toContain(CUT)
  },
)

test.each(["", "{", '{"text": "Lamp."}'])("the input %j of a call that was cut", async (json) => {
  const { kept, note } = notes()
  const { agent } = await open(workspace(), await server([cutCall(json), say("Done.")]), { tools: [note] })
  expect((await agent.send("Write it down.")).state).toBe("answered")
  expect(kept).toEqual(json.endsWith("}") ? [{ text: "Lamp." }] : [])
})

test("calls that were whole before the one that was cut are run", async () => {
  const { kept, note } = notes()
  const parts = [
    { call: { name: "note", input: { text: "One." } } },
    { call: { name: "note", input: {}, json: '{"text": "Tw' } },
  ]
  const from = await server([{ kind: "reply", parts, stop: "length" }, say("Done.")])
  const { agent } = await open(workspace(), from, { tools: [note] })
  await agent.send("Write it down.")
  expect(kept).toEqual([{ text: "One." }])
})

test.each(STREAMED)(
  "%s: a call whose input is not JSON, or no object, is said to be that",
  async (protocol) => {
    const { kept, note } = notes()
    const wrong = (json: string): Script => ({
      kind: "reply",
      parts: [{ call: { name: "note", input: {}, json } }],
    })
    const from = await talk(protocol, [wrong("{text: Lamp}"), wrong('"Lamp"'), wrong("[1]"), say("Done.")])
    const root = workspace()
    const { agent } = await open(root, from, { tools: [note], model: MODELS[protocol] })
    const { state, session } = await agent.send("Write it down.")
    expect([state, kept, from.refusals]).toEqual(["answered", [], []])
    expect(transcript(root, session).filter((line) => line.includes(MALFORMED))).toHaveLength(3)
  },
)

test("what was cut is kept as such, so that nobody runs it after a crash either", async () => {
  const root = workspace()
  const { agent } = await open(root, await server([cutCall('{"text'), say("Done.")]), {
    tools: [notes().note],
  })
  await agent.send("Write it down.")
  await agent.close()
  const rows = inStore(root, (store) => store.all("SELECT item FROM items ORDER BY id"))
  expect(JSON.parse(String(rows[1]?.item)).message.parts[1]).toMatchObject({ name: "note", unread: "cut" })
})

test("a model without tool calling is told the same of a block that was cut", async () => {
  const block = '```tool_call\n{"tool": "note", "arguments": {"text": "The la'
  const replies: readonly Script[] = [
    { kind: "reply", parts: [{ text: block }], stop: "length" },
    say('```tool_call\n{"tool": "note", "arguments": {"text": "Lamp."}}\n```'),
    say("Done."),
  ]
  const from = await talk("openai-chat", replies)
  const { kept, note } = notes()
  const { agent } = await open(workspace(), from, { tools: [note], model: "ollama/gemma3:4b" })
  expect((await agent.send("Write it down.")).state).toBe("answered")
  expect([kept, from.bodies[1]?.includes(CUT)]).toEqual([[{ text: "Lamp." }], true])
})

for (const [name, script, used, steps] of [
  ["call that is cut", cutCall('{"text": "The lamp'), "note", 3],
  ["call that fails", call(["broken", { text: "Lamp." }]), "broken", 5],
  ["call of no tool", call(["nothing", {}]), "nothing", 5],
] as const)
  test(`a model that makes the same ${name} again and again is stopped`, async () => {
    const root = workspace()
    const broken = tool("broken", async () => {
      throw new Error("It is broken.")
    })
    const from = await server([script])
    const { agent } = await open(root, from, { tools: [notes().note, broken] })
    const { tell, events } = collect()
    const { state, text, turn } = await agent.send("Write it down.", { tell })
    const why = `${used} failed ${steps} times in a row in the same way`
    expect([state, text]).toEqual(["stopped", `Stopped: ${why}; say "continue" to let it try again.`])
    expect(from.bodies).toHaveLength(steps)
    expect(events.filter(({ kind }) => kind === "diagnostic")).toContainEqual({
      kind: "diagnostic",
      level: "warning",
      text: `${why}.`,
    })
    await agent.close()
    const [row] = inRecord(root, (record) =>
      record.all("SELECT metadata FROM events WHERE turn_id = ? AND metadata LIKE '%same-failure%'", turn),
    )
    expect(JSON.parse(String(row?.metadata))).toMatchObject({ code: "same-failure" })
  })

test("failures that differ, and the same call with success between, are no loop", async () => {
  let calls = 0
  const flaky = tool("flaky", async () => {
    calls += 1
    if (calls % 4 === 0) return "Fine."
    throw new Error("Not yet.")
  })
  const scripts = Array.from({ length: 12 }, () => call(["flaky", {}]))
  const other = Array.from({ length: 8 }, (_item, at) => call(["flaky", { at }]))
  const { agent } = await open(workspace(), await server([...scripts, ...other, say("Done.")]), {
    tools: [flaky],
  })
  expect(await agent.send("Try.")).toMatchObject({ state: "answered", steps: 21 })
})

test("what continues after a stop has all its tries again", async () => {
  const scripts = [...Array.from({ length: 6 }, () => call(["nothing", {}])), say("Done.")]
  const { agent } = await open(workspace(), await server(scripts))
  expect((await agent.send("Try.")).state).toBe("stopped")
  expect((await agent.send("Go on.")).state).toBe("answered")
})
