// Trust that is lowered while a message is on its way: nothing that was said with more trust reaches its sender, the
// message is answered all the same, and nothing that acts is done twice.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { LiveEvent } from "../../../src/agent/turn/live-event.ts"
import { userMessage } from "../../../src/core/model/message.ts"
import type { StoredReply } from "../../../src/database/contract/reply.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import { claim } from "../../database/contract/agent-store-contract.ts"
import {
  call,
  clock,
  inRecord,
  NIGHT,
  open,
  refuse,
  type Scripts,
  say,
  server,
  tool,
  workspace,
  write,
} from "../world/agent-world.ts"
import type { Json } from "../world/servers/refusals.ts"

const SECRET = "The safe opens with 4711."
const ROOM = { as: "bob", channel: "chat:yard" } as const
const BOB = { as: "bob", channel: "chat:2" } as const

function config({ room = "full", bob = "full", dm = "full", system = "full" } = {}): string {
  return `profile: incipit
feeds: { communication: off }
environment: { host: off }
users: { ada: { trust: full, match: ['terminal:*'] }, bob: { trust: ${bob}, match: ['chat:2'] } }
situations: { dm: { ceiling: ${dm} }, group: { ceiling: full }, system: { ceiling: ${system} } }
rooms: { "chat:yard": { trust: ${room} } }
`
}

/** Ways in which who was told everything is told less. */
const LOWERED = [
  ["the room's trust", ROOM, config({ room: "public" })],
  ["the person's trust", BOB, config({ bob: "public" })],
  ["the situation's ceiling", BOB, config({ dm: "familiar" })],
  ["the ceiling of what is scheduled", { situation: "system" }, config({ system: "familiar" })],
  ["the person is removed", BOB, config().replace(/, bob: .*\}\n/, " }\n")],
  ["the room is removed", ROOM, config().replace(/rooms: .*\n/, "")],
] as const

async function world(scripts: Scripts, options: Parameters<typeof open>[2] = {}) {
  const root = workspace({
    "incipit.yaml": config(),
    "rules/safe.md": `---\ntrust: full\n---\n${SECRET}\n`,
  })
  const time = clock()
  const from = await server(scripts, time.now)
  return {
    root,
    time,
    from,
    ...(await open(root, from, { now: time.now, wait: time.wait, ...options })),
  }
}

function requests(bodies: readonly string[]): readonly Json[] {
  return bodies.map((body) => JSON.parse(body) as Json)
}

function hasResult({ messages }: Json): boolean {
  return JSON.stringify(messages.at(-1)).includes("tool_result")
}

for (const [what, sender, lowered] of LOWERED)
  test(`a message that waits while ${what} changes is answered without the old transcript`, async () => {
    let isDown = false
    const { root, time, from, agent, late } = await world(({ body }) => {
      if (isDown) return refuse(529)
      return say(JSON.stringify(body.messages).includes("4711") ? `Noted: ${SECRET}` : "Good evening.")
    })
    const before = await agent.send(`Remember: ${SECRET}`, sender)
    isDown = true
    const queued = await agent.send("And now?", sender)
    expect(queued.state).toBe("queued")
    isDown = false
    const sent = from.bodies.length
    write(root, "incipit.yaml", lowered)
    time.set(time.now() + 3_600_000)
    await agent.resume()
    const after = from.bodies.slice(sent).join("\n")
    expect(after).toContain("And now?")
    expect(after).not.toContain("Remember:")
    if (what !== "the room is removed") expect(after).not.toContain("4711")
    expect(late.map(({ turn, text }) => [turn, text])).toEqual([[queued.turn, "Good evening."]])
    expect(late[0]?.session).not.toBe(before.session)
    const moved = inRecord(root, (record) =>
      record.all("SELECT metadata FROM events WHERE event_type = 'trust_resolved' AND level = 'warn'"),
    )
    expect(moved.map(({ metadata }) => JSON.parse(String(metadata)).moved_from)).toEqual([before.session])
  })

test("a message that waits while trust is raised does not bring the full prompt into the old conversation", async () => {
  let isDown = true
  const { root, time, from, agent, late } = await world(() => (isDown ? refuse(529) : say("Well.")))
  write(root, "incipit.yaml", config({ room: "public" }))
  const { session } = await agent.send("Hello.", ROOM)
  isDown = false
  write(root, "incipit.yaml", config())
  time.set(time.now() + 3_600_000)
  await agent.resume()
  expect(late.map((reply) => [reply.text, reply.session === session])).toEqual([["Well.", false]])
  expect(from.bodies.at(-1)).toContain("4711")
})

test("several messages of a room that waits keep their order in the session that they go to", async () => {
  let isDown = true
  const { root, time, from, agent, late } = await world(() => (isDown ? refuse(529) : say("Yes.")))
  const turns: string[] = []
  for (const text of ["One?", "Two?", "Three?"]) turns.push((await agent.send(text, ROOM)).turn)
  isDown = false
  write(root, "incipit.yaml", config({ room: "public" }))
  time.set(time.now() + 86_000_000)
  const sent = from.bodies.length
  for (let at = 0; at < 3; at += 1) await agent.resume()
  expect(late.map(({ turn }) => turn)).toEqual(turns)
  expect(new Set(late.map(({ session }) => session)).size).toBe(1)
  expect(from.bodies.slice(sent).join()).not.toContain("4711")
})

test("a turn whose trust is lowered between two steps sends nothing more with the full prompt", async () => {
  const root = { path: "" }
  const peek = tool(
    "peek",
    async () => {
      write(root.path, "incipit.yaml", config({ room: "public" }))
      return SECRET
    },
    { isRepeatable: true },
  )
  const told: LiveEvent[] = []
  const given: StoredReply[] = []
  const made = await world(({ body }) => (hasResult(body) ? say(SECRET) : call(["peek", {}])), {
    tools: [peek],
  })
  root.path = made.root
  const reply = await made.agent.send("Look.", {
    ...ROOM,
    tell: (event) => told.push(event),
    deliver: (answer) => void given.push(answer),
  })
  expect(reply).toMatchObject({ state: "stopped" })
  expect(requests(made.from.bodies).some(hasResult)).toBe(false)
  expect(JSON.stringify([reply.text, told, given])).not.toContain("4711")
  expect(told.filter(({ kind }) => kind === "turn-finished")).toHaveLength(1)
  expect(given).toHaveLength(1)
  // What stays behind is a conversation that a provider takes.
  write(made.root, "incipit.yaml", config())
  await made.agent.send("And?", ROOM)
  const last = requests(made.from.bodies).at(-1)
  expect(JSON.stringify(last?.messages)).toContain("access changed")
  expect(JSON.stringify(last?.messages)).not.toContain("tool_use")
})

test("an answer that is streaming while trust is lowered is taken back and given again", async () => {
  const root = { path: "" }
  const made = await world(({ body }) => {
    if (!JSON.stringify(body).includes("4711")) return say("Good evening.")
    write(root.path, "incipit.yaml", config({ room: "public" }))
    return say(`It is: ${SECRET}`)
  })
  root.path = made.root
  const told: LiveEvent[] = []
  // The configuration is read again by whoever else writes.
  const other = made.agent.send("Hello.", BOB)
  const reply = await made.agent.send("Well?", { ...ROOM, tell: (event) => told.push(event) })
  await other
  expect(reply).toMatchObject({ state: "answered", text: "Good evening." })
})

test("a yes that comes after trust was lowered runs nothing", async () => {
  const root = { path: "" }
  const made = await world(
    ({ body }) => (hasResult(body) ? say("Done.") : call(["shell", { command: "touch ran" }])),
    {
      approve: async () => {
        write(root.path, "incipit.yaml", config({ bob: "public" }))
        return "yes"
      },
    },
  )
  root.path = made.root
  const reply = await made.agent.send("Do it.", BOB)
  expect(reply.state).toBe("stopped")
  expect(existsSync(`${made.root}/ran`)).toBe(false)
  expect(made.from.bodies).toHaveLength(1)
})

const LATER = NIGHT + 3_600_000

/** A turn as a process leaves it that dies while a tool runs. */
async function leftInTheMiddle(root: string) {
  let time = NIGHT
  const store = await openStore(join(root, ".incipit", "agent.db"), { now: () => time })
  const key = {
    agent: "main",
    who: "room:chat:yard",
    situation: "group",
    trust: "full",
    mode: "full",
  } as const
  await store.sessions.create("old", key)
  await store.inbox.receive({
    ...{ id: "m", turn: "t", session: "old", takenBy: "gone" },
    message: { ...ROOM, text: "Light it." },
  })
  const lease = await claim(store, "old", "gone")
  await store.inbox.begin(lease, "t")
  const [asked, answered] = await store.transcripts.change(lease, {
    turn: "t",
    append: [
      { kind: "message", message: userMessage(`Light it. ${SECRET}`) },
      {
        kind: "message",
        message: { role: "assistant", parts: [{ kind: "tool-call", id: "c", name: "light", input: {} }] },
      },
    ],
  })
  expect(asked).toBeDefined()
  const run = () => store.runs.start(lease, { turn: "t", call: `${answered?.seq}.0` })
  const pass = () => {
    time = LATER
  }
  return { store, run, pass }
}

for (const hasRun of [true, false])
  test(`a turn that a crash cut short ${hasRun ? "while a tool ran is ended" : "before its tool ran begins again"} for who has less trust now`, async () => {
    let runs = 0
    const light = tool("light", async () => {
      runs += 1
      return "lit"
    })
    const root = workspace({ "incipit.yaml": config({ room: "public" }) })
    const { store, run, pass } = await leftInTheMiddle(root)
    if (hasRun) await run()
    pass()
    const from = await server([say("Good evening.")])
    const { agent, late } = await open(root, from, { store, tools: [light], now: () => LATER })
    await agent.resume()
    await agent.resume()
    expect(late.map(({ turn, state }) => [turn, state])).toEqual([["t", hasRun ? "stopped" : "answered"]])
    expect([runs, from.bodies.length]).toEqual([0, hasRun ? 0 : 1])
    expect(from.bodies.join()).not.toContain("4711")
    expect((await store.transcripts.read("old")).map(({ item }) => item.kind)).toEqual(
      hasRun ? ["custom"] : [],
    )
    await agent.close()
    await store.close()
  })

test("an answer that waits to be handed over is not given to who has less trust by then", async () => {
  const { root, agent } = await world([say(SECRET)], {
    deliver: () => {
      throw new Error("nobody listens")
    },
  })
  await agent.send("Well?", { ...ROOM, deliver: () => Promise.reject(new Error("gone")) }).catch(() => {})
  await agent.close()
  write(root, "incipit.yaml", config({ room: "familiar" }))
  const after = await open(root, undefined, { now: () => NIGHT + 60_000 })
  await after.agent.resume()
  expect(after.late).toHaveLength(1)
  expect(after.late[0]?.text).toContain("Ask again")
  expect(JSON.stringify(after.late)).not.toContain("4711")
  const sent = inRecord(root, (record) =>
    record
      .all("SELECT metadata FROM events WHERE event_type = 'message_sent'")
      .map(({ metadata }) => String(metadata)),
  )
  expect(sent.at(-1)).toContain('"withheld":true')
})

test("a part of the work and its report end with the trust that they were begun with", async () => {
  const root = { path: "" }
  const made = await world(({ body }) => {
    if (hasResult(body)) return say("Done.")
    if (!JSON.stringify(body.messages[0]).includes("A part.")) return call(["delegate", { task: "A part." }])
    write(root.path, "incipit.yaml", config({ room: "public" }))
    return say(SECRET)
  })
  root.path = made.root
  const reply = await made.agent.send("See to it.", ROOM)
  expect(reply.state).toBe("stopped")
  expect(requests(made.from.bodies).some(hasResult)).toBe(false)
})

test("notices of a conversation with more trust are not shown to who has less now", async () => {
  const { root, agent } = await world(({ body }) =>
    hasResult(body) ? say("Done.") : call(["notify_user", { text: SECRET }]),
  )
  await agent.send("Tell me later.", BOB)
  write(root, "incipit.yaml", config({ bob: "public" }))
  await agent.reload()
  expect(await agent.notices(BOB)).toEqual([])
  write(root, "incipit.yaml", config())
  await agent.reload()
  expect(await agent.notices(BOB)).toEqual([{ at: expect.any(Number), text: SECRET, isNew: true }])
})

test("tasks of a conversation with more trust are not told to who has less now", async () => {
  const { root, from, agent } = await world(({ body }) =>
    hasResult(body) ? say("Done.") : call(["task_write", { title: SECRET }]),
  )
  await agent.send("Note it.", BOB)
  write(root, "incipit.yaml", config({ bob: "familiar" }))
  await agent.reload()
  expect(await agent.kept(BOB).tasks.list()).toEqual([])
  const sent = from.bodies.length
  await agent.send("And?", BOB)
  expect(from.bodies[sent]).not.toContain("4711")
})

test("calls of a turn that waits for its client are not given to who has less trust by then", async () => {
  const { root, agent } = await world([call(["pick", { a: SECRET }], ["pick", { b: SECRET }])])
  const given = {
    ...BOB,
    id: "1",
    clientTools: [{ name: "pick", description: "Picks.", parameters: { type: "object" } }],
  }
  const { turn, calls: [first] = [] } = await agent.send("Go.", given)
  expect(JSON.stringify(first)).toContain("4711")
  write(root, "incipit.yaml", config({ bob: "public" }))
  const again = await agent.send("Go.", given)
  const partly = await agent.resolve(turn, [{ id: first?.id ?? "", text: "A" }], BOB)
  for (const { state, text, calls } of [again, partly])
    expect({ state, text, calls }).toEqual({
      state: "stopped",
      text: expect.stringContaining("Ask again"),
      calls: undefined,
    })
})
