// Who gets which session, what is put into one besides messages, and what becomes of one that grows.
import { expect, test } from "vitest"
import type { LiveEvent } from "../../../src/agent/turn/live-event.ts"
import {
  call,
  clock,
  collect,
  inRecord,
  NIGHT,
  open,
  refuse,
  say,
  server,
  tool,
  transcript,
  workspace,
  write,
} from "../world/agent-world.ts"
import { asksForSummary } from "../world/asks-for-summary.ts"
import type { Json } from "../world/servers/refusals.ts"
import type { Script } from "../world/servers/script.ts"

const PEOPLE = `profile: incipit
feeds: { communication: off, bulletin: off }
environment: { host: off }
users:
  ada: { trust: full, match: ["mail:ada"] }
  bob: { trust: inner, match: ["mail:bob"] }
rooms: { "chat:yard": { trust: familiar } }
`

const echo = ({ body }: { readonly body: Json }): Script => say(`Heard: ${wordsOf(body).at(-1)}`)

/** The texts of the conversation without tails, as the server got them. */
function wordsOf({ messages }: Json): readonly string[] {
  return messages.flatMap(({ content }: Json) =>
    content.flatMap(({ type, text }: Json) =>
      type === "text" && !/^<turn-context>/.test(text) ? [text] : [],
    ),
  )
}

test("one session for each agent, person or room, situation and trust", async () => {
  const root = workspace({ "incipit.yaml": PEOPLE, "agents/helper/AGENTS.md": "Help.\n" })
  const from = await server(echo)
  const { agent } = await open(root, from)
  const helper = await open(root, from, { agent: "helper" })
  const senders = {
    owner: {},
    ada: { as: "ada" },
    "ada by mail": { channel: "mail:ada" },
    "ada in a group": { as: "ada", situation: "group" },
    bob: { as: "bob" },
    "bob in the yard": { as: "bob", channel: "chat:yard" },
    "ada in the yard": { as: "ada", channel: "chat:yard" },
    "a stranger": { channel: "mail:stranger" },
    "another on the same channel": { channel: "mail:stranger" },
    "a stranger elsewhere": { channel: "chat:elsewhere" },
    "part of the work": { mode: "subagent" as const },
  }
  const sessions = new Map<string, string[]>()
  for (const [name, from] of Object.entries(senders)) {
    const { session } = await agent.send(name, from)
    sessions.set(session, [...(sessions.get(session) ?? []), name])
  }
  const { session } = await helper.agent.send("helper")
  sessions.set(session, [...(sessions.get(session) ?? []), "helper"])
  expect([...sessions.values()]).toMatchInlineSnapshot(`
    [
      [
        "owner",
      ],
      [
        "ada",
        "ada by mail",
      ],
      [
        "ada in a group",
      ],
      [
        "bob",
      ],
      [
        "bob in the yard",
        "ada in the yard",
      ],
      [
        "a stranger",
        "another on the same channel",
      ],
      [
        "a stranger elsewhere",
      ],
      [
        "part of the work",
      ],
      [
        "helper",
      ],
    ]
  `)
})

test("who is trusted less gets another session; the old one comes back with the trust", async () => {
  const root = workspace({ "incipit.yaml": PEOPLE })
  const from = await server(echo)
  const { agent } = await open(root, from)
  const before = await agent.send("A secret.", { as: "bob" })
  write(root, "incipit.yaml", PEOPLE.replace("bob: { trust: inner", "bob: { trust: familiar"))
  const lowered = await agent.send("And now?", { as: "bob" })
  expect(lowered.session).not.toBe(before.session)
  expect(wordsOf(JSON.parse(from.bodies.at(-1) ?? "{}"))).toEqual(["And now?"])
  await expect(agent.send("Let me in.", { as: "bob", session: before.session })).rejects.toThrow(
    `there is no session "${before.session}" for this sender`,
  )
  write(root, "incipit.yaml", `${PEOPLE}\n`)
  const again = await agent.send("Back.", { as: "bob" })
  expect(again.session).toBe(before.session)
})

test("a session of others is not there, whatever is asked of it", async () => {
  const root = workspace({ "incipit.yaml": PEOPLE })
  const from = await server(echo)
  const { agent } = await open(root, from)
  const { session } = await agent.send("Mine.", { as: "ada" })
  const none = `there is no session "${session}" for this sender`
  await expect(agent.send("Let me in.", { as: "bob", session })).rejects.toThrow(none)
  await expect(agent.shell("touch done", { as: "bob", session, isSent: true })).rejects.toThrow(none)
  await expect(agent.sendMessage("nowhere", { by: "test", text: "x" })).rejects.toThrow(
    'there is no session "nowhere"',
  )
  await expect(agent.compact("nowhere")).rejects.toThrow('there is no session "nowhere"')
  expect(await agent.sessions({ as: "bob" })).toEqual([])
  expect((await agent.sessions({ as: "ada" })).map(({ id, title, turns }) => [id, title, turns])).toEqual([
    [session, "Mine.", 1],
  ])
})

test("the same message twice is answered once; another sender's message of the same id is another message", async () => {
  const root = workspace({ "incipit.yaml": PEOPLE })
  const from = await server(echo)
  const { agent } = await open(root, from)
  const [one, two] = await Promise.all([
    agent.send("Hello.", { as: "ada", id: "1" }),
    agent.send("Hello.", { as: "ada", id: "1" }),
  ])
  const third = await agent.send("Hello, changed.", { as: "ada", id: "1" })
  const bob = await agent.send("I am Bob.", { as: "bob", id: "1" })
  const elsewhere = await agent.send("From the harbour.", { as: "bob", id: "1", channel: "harbour" })
  expect([one.text, two.text, third.text, bob.text, elsewhere.text]).toEqual([
    "Heard: Hello.",
    "Heard: Hello.",
    "Heard: Hello.",
    "Heard: I am Bob.",
    "Heard: From the harbour.",
  ])
  expect(new Set([one.turn, two.turn, third.turn]).size).toBe(1)
  expect([from.bodies.length, transcript(root, one.session)]).toEqual([
    3,
    ["user: Hello.", "assistant: Heard: Hello."],
  ])
})

test("commands and messages from outside are sent with the next message, or kept to people", async () => {
  const root = workspace()
  const from = await server(echo)
  const { agent } = await open(root, from)
  const { session } = await agent.send("Hello.")
  const told = await agent.shell("echo lit; exit 3", { isSent: true })
  const hidden = await agent.shell("echo my secret", { isSent: false })
  await agent.sendMessage(session, { by: "watch", text: "The wind is up.", data: { force: 8 } })
  expect([told.text, told.exitCode, hidden.text]).toEqual(["lit", 3, "my secret"])
  await agent.send("What happened?")
  expect(wordsOf(JSON.parse(from.bodies.at(-1) ?? "{}"))).toMatchInlineSnapshot(`
    [
      "Hello.",
      "Heard: Hello.",
      "<user-command exit="3">
    $ echo lit; exit 3
    lit
    </user-command>",
      "The wind is up.",
      "What happened?",
    ]
  `)
})

test("what comes from outside while a tool runs comes after the turn, never between a call and its result", async () => {
  const root = workspace()
  const from = await server(({ body }: { readonly body: Json }) =>
    body.messages.length === 1 ? call(["ring", {}]) : say("Rung."),
  )
  const ring = tool("ring", async (_input, { session }) => {
    await opened.agent.sendMessage(session, { by: "watch", text: "The door is open." })
    await opened.agent.shell("echo knock", { session, isSent: true })
    return "rings"
  })
  const opened = await open(root, from, { tools: [ring] })
  const { session } = await opened.agent.send("Ring.")
  await opened.agent.send("Well?")
  await opened.agent.compact(session)
  await opened.agent.send("Now?")
  expect(from.refusals).toEqual([])
  expect(wordsOf(JSON.parse(from.bodies[2] ?? "{}"))).toEqual([
    "Ring.",
    "Rung.",
    "The door is open.",
    "<user-command>\n$ echo knock\nknock\n</user-command>",
    "Well?",
  ])
})

test("what came from outside in a turn that had to wait is not sent in the middle of it", async () => {
  const root = workspace()
  let isDown = false
  const from = await server(({ body }: { readonly body: Json }) => {
    if (isDown) return refuse(500)
    return body.messages.length === 1 ? call(["ring", {}]) : say("Rung.")
  })
  const ring = tool("ring", async (_input, { session }) => {
    await opened.agent.sendMessage(session, { by: "watch", text: "The door is open." })
    isDown = true
    return "rings"
  })
  const time = clock()
  const opened = await open(root, from, { tools: [ring], now: time.now, wait: time.wait })
  const { state } = await opened.agent.send("Ring.")
  isDown = false
  time.set(NIGHT + 3_600_000)
  await opened.agent.resume()
  await opened.agent.send("Well?")
  const asked = from.bodies.slice(-2).map((body) => wordsOf(JSON.parse(body)))
  expect([state, ...asked]).toEqual(["queued", ["Ring."], ["Ring.", "Rung.", "The door is open.", "Well?"]])
})

test("what is asked for while a turn runs is not undone by the turn", async () => {
  const root = workspace()
  const from = await server(({ body }: { readonly body: Json }) =>
    body.messages.length === 1 ? call(["change", {}]) : say("Done."),
  )
  const change = tool("change", async (_input, { session }) => {
    await opened.agent.setPlanMode(session, true)
    await opened.agent.setActiveTools(session, ["read", "change"])
    return "changed"
  })
  const opened = await open(root, from, { tools: [change] })
  await opened.agent.send("Change.")
  await opened.agent.send("Now?")
  const last: Json = JSON.parse(from.bodies.at(-1) ?? "{}")
  expect(last.tools.map(({ name }: Json) => name).sort()).toEqual(["change", "read"])
  expect(JSON.stringify(last.messages.at(-1)).includes("Plan first.")).toBe(true)
})

const SMALL = `profile: incipit
feeds: { communication: off, recall: off, bulletin: off }
environment: { host: off }
budget: { window: 12000, reserve: 1000 }
`
const LONG = "The keeper wrote down what the sea did on that day, hour by hour, as keepers do. ".repeat(60)

function summing(summary: Script, answer: (request: { readonly body: Json }) => Script = echo) {
  return (request: { readonly body: Json }): Script =>
    asksForSummary(request.body) ? summary : answer(request)
}

function compactions(events: readonly LiveEvent[]) {
  return events.flatMap((event) => (event.kind === "compacted" ? [event] : []))
}

test("a conversation that fills the window is summed up first, again and again; facts are kept and nothing pinned is lost", async () => {
  const root = workspace({ "incipit.yaml": SMALL })
  let summaries = 0
  const summed = () => {
    summaries += 1
    return say(`Facts: the code of the door is 4711. Summary ${summaries}.`)
  }
  const from = await server((request) => (asksForSummary(request.body) ? summed() : echo(request)))
  const { agent } = await open(root, from)
  const { events, tell } = collect()
  let session = ""
  for (let day = 1; day <= 12; day += 1) session = (await agent.send(`Day ${day}. ${LONG}`, { tell })).session
  await agent.close()
  const made = compactions(events)
  expect(made.length).toBe(summaries)
  expect(made.length).toBeGreaterThan(2)
  expect(made.every(({ from, to, lost }) => to < from && lost.length === 0)).toBe(true)
  expect(from.refusals).toEqual([])
  const lines = transcript(root, session)
  expect(lines[0]).toBe(
    `user: <conversation-summary>\nFacts: the code of the door is 4711. Summary ${summaries}.\n</conversation-summary>`,
  )
  expect(lines.at(-1)?.startsWith("assistant: Heard: Day 12.")).toBe(true)
  // Each summary is made of the one before it.
  const asked = from.bodies.map((body): Json => JSON.parse(body)).filter(asksForSummary)
  expect(
    asked.map((body) =>
      wordsOf(body)
        .join("")
        .includes(`Summary ${asked.indexOf(body)}.`),
    ),
  ).toEqual(asked.map((_body, at) => at > 0))
  const recorded = inRecord(root, (record) =>
    record.all("SELECT metadata FROM events WHERE event_type = 'session_compacted'"),
  ).map(({ metadata }) => JSON.parse(String(metadata)))
  expect(recorded.map(({ why, lost }) => [why, lost])).toEqual(
    made.map(() => ["the window was nearly full", []]),
  )
})

test("at a new epoch old tails are gone from the conversation", async () => {
  const root = workspace({ "incipit.yaml": SMALL })
  const from = await server(summing(say("Facts: none.")))
  const { agent } = await open(root, from)
  const { session } = await agent.send("One.")
  await agent.send("Two.")
  await agent.compact(session)
  await agent.send("Three.")
  const last: Json = JSON.parse(from.bodies.at(-1) ?? "{}")
  const texts: readonly string[] = last.messages.flatMap(({ content }: Json) =>
    content.map(({ text }: Json) => text),
  )
  expect(texts.filter((text) => /^<turn-context>/.test(text)).length).toBe(1)
  expect(wordsOf(last)).toEqual(["<conversation-summary>\nFacts: none.\n</conversation-summary>", "Three."])
})

test("a turn that fills the window by itself is summed up within: its message and its newest step stay", async () => {
  const root = workspace({ "incipit.yaml": SMALL })
  const from = await server(
    summing(say("Facts: five shelves were read."), ({ body }) => {
      const shelf = Number(/shelf (\d+)/.exec(JSON.stringify(body.messages.at(-1)))?.[1] ?? 0) + 1
      return shelf > 8 ? say("All shelves are read.") : call(["shelf", { shelf }])
    }),
  )
  const shelf = tool("shelf", async (input) => `shelf ${(input as { shelf: number }).shelf}: ${LONG}`)
  const { agent } = await open(root, from, { tools: [shelf] })
  const { events, tell } = collect()
  const reply = await agent.send("Read all shelves.", { tell })
  expect([reply.state, reply.text, from.refusals]).toEqual(["answered", "All shelves are read.", []])
  expect(compactions(events).length).toBeGreaterThan(0)
  const lines = transcript(root, reply.session)
  expect(lines.slice(0, 2)).toEqual([
    "user: <conversation-summary>\nFacts: five shelves were read.\n</conversation-summary>",
    "user: Read all shelves.",
  ])
  // How many steps stay depends on how long the head is; they are the newest ones, none of them in part.
  const first = Number(/\d/.exec(lines[2] ?? "")?.[0])
  const steps = Array.from({ length: 9 - first }, (_item, at) => first + at)
  expect(first).toBeGreaterThan(1)
  expect(lines.slice(2).map((line) => line.slice(0, 23))).toEqual([
    ...steps.flatMap((at) => [`calls shelf {"shelf":${at}}`, `result: shelf ${at}: The ke`]),
    "assistant: All shelves ",
  ])
})

test("a summary that cannot be had is made by rule, and the one before it is kept in it", async () => {
  const root = workspace({ "incipit.yaml": SMALL })
  let isDown = false
  const from = await server((request) =>
    summing(isDown ? refuse(500) : say("Facts: the code of the door is 4711."))(request),
  )
  const { agent } = await open(root, from, { wait: async () => {} })
  const { session } = await agent.send("The first.")
  await agent.compact(session)
  isDown = true
  await agent.send("The second.")
  await agent.compact(session)
  await agent.send("The third.")
  expect(transcript(root, session)).toMatchInlineSnapshot(`
    [
      "user: <conversation-summary>
    Facts: the code of the door is 4711.
    - user: The second.
    - assistant: Heard: The second.
    </conversation-summary>",
      "user: The third.",
      "assistant: Heard: The third.",
    ]
  `)
})

test("a message that waits for its answer is not summed up, nor what was done for it", async () => {
  const root = workspace({ "incipit.yaml": SMALL })
  let isDown = false
  const from = await server((request) => {
    if (isDown) return refuse(500)
    if (asksForSummary(request.body)) return say("Facts: hello.")
    return rings === 0 && wordsOf(request.body).at(-1) === "Ring." ? call(["ring", {}]) : say("Yes.")
  })
  let rings = 0
  const ring = tool("ring", async () => {
    rings += 1
    isDown = true
    return "rings"
  })
  const time = clock()
  const { agent, late } = await open(root, from, { tools: [ring], now: time.now, wait: time.wait })
  const { session } = await agent.send("Hello.")
  const waits = await agent.send("Ring.")
  expect(waits.state).toBe("queued")
  isDown = false
  await agent.compact(session)
  time.set(NIGHT + 3_600_000)
  await agent.resume()
  expect([late.map(({ text }) => text), rings]).toEqual([["Yes."], 1])
  expect(transcript(root, session)).toEqual([
    "user: <conversation-summary>\nFacts: hello.\n</conversation-summary>",
    "user: Ring.",
    "calls ring {}",
    "result: rings",
    "assistant: Yes.",
  ])
})

test("what comes from outside while a summary is made is not lost", async () => {
  const root = workspace({ "incipit.yaml": SMALL })
  const from = await server((request) => {
    if (!asksForSummary(request.body)) return echo(request)
    void agent.sendMessage(session, { by: "watch", text: "The door is open." })
    return say("Facts: hello.")
  })
  const { agent } = await open(root, from)
  const { session } = await agent.send("Hello.")
  await agent.compact(session)
  await agent.send("Well?")
  expect(transcript(root, session)).toEqual([
    "user: <conversation-summary>\nFacts: hello.\n</conversation-summary>",
    "user: The door is open.",
    "user: Well?",
    "assistant: Heard: Well?",
  ])
})

test("what came from outside since the last turn is no part of a summary: it is sent with the next one", async () => {
  const root = workspace({ "incipit.yaml": SMALL })
  const from = await server(summing(say("Facts: hello.")))
  const { agent } = await open(root, from)
  const { session } = await agent.send("Hello.")
  await agent.sendMessage(session, { by: "watch", text: "The door is open." })
  await agent.compact(session)
  await agent.send("Well?")
  expect(transcript(root, session)).toEqual([
    "user: <conversation-summary>\nFacts: hello.\n</conversation-summary>",
    "user: The door is open.",
    "user: Well?",
    "assistant: Heard: Well?",
  ])
})

test("who may not see a file is not told what was found in it", async () => {
  const root = workspace({ "incipit.yaml": PEOPLE, "rules/lamp.md": "---\ntrust: ful\n---\nHidden.\n" })
  const from = await server(echo)
  const { agent } = await open(root, from)
  const found = async (as?: string) => {
    const { events, tell } = collect()
    await agent.send("Hello.", { tell, ...(as !== undefined && { as }) })
    return events.flatMap((event) => (event.kind === "diagnostic" ? [event.text] : []))
  }
  expect([await found(), await found("bob")]).toMatchInlineSnapshot(`
    [
      [
        "rules/lamp.md: unknown trust "ful". To be safe, "full" is used.",
      ],
      [],
    ]
  `)
})
