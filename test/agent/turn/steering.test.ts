// Messages that come during a turn and steer it: taken up once, with the next step, and answered by that turn.
import { expect, test } from "vitest"
import type { StoredReply } from "../../../src/database/contract/reply.ts"
import {
  call,
  collect,
  inRecord,
  open,
  say,
  server,
  tool,
  transcript,
  workspace,
} from "../world/agent-world.ts"

const CONFIG = "profile: incipit\nfeeds: { communication: off }\nenvironment: { host: off }\n"

/** A tool that runs until the test lets it go on, each time it is called. */
function gate() {
  let reach = Promise.withResolvers<void>()
  let release = Promise.withResolvers<void>()
  return {
    tool: tool("work", async () => {
      reach.resolve()
      await release.promise
      return "done"
    }),
    reached: () => reach.promise,
    release() {
      release.resolve()
      reach = Promise.withResolvers()
      release = Promise.withResolvers()
    },
  }
}

test("a further message steers the running turn, from another agent too, and one answer goes to both", async () => {
  const root = workspace({ "incipit.yaml": `${CONFIG}inbox: { during_turn: steer }\n` })
  const from = await server([call(["work", {}]), say("Both are done."), say("Later.")])
  const { tool: work, reached, release } = gate()
  const { agent } = await open(root, from, { tools: [work] })
  const { agent: other } = await open(root, from, { tools: [work] })
  const { tell, events } = collect()
  const sent: StoredReply[] = []
  const deliver = (reply: StoredReply) => void sent.push(reply)
  const first = agent.send("Paint the door.", { tell, deliver })
  await reached()
  const stored = [0, 1, 2].map(() => Promise.withResolvers<void>())
  const second = agent.send("In red.", { deliver, id: "m2", stored: stored[0]?.resolve ?? (() => {}) })
  await stored[0]?.promise
  const third = other.send("And the gate.", { deliver, stored: stored[1]?.resolve ?? (() => {}) })
  await stored[1]?.promise
  const queued = agent.send("Well?", { duringTurn: "queue", stored: stored[2]?.resolve ?? (() => {}) })
  await stored[2]?.promise
  release()
  const replies = await Promise.all([first, second, third])
  const { turn, session } = await first
  expect(replies.map((one) => [one.turn, one.text])).toEqual(Array(3).fill([turn, "Both are done."]))
  expect([(await queued).text, (await queued).turn === turn]).toEqual(["Later.", false])
  expect(sent.map(({ text }) => text)).toEqual(["Both are done."])
  expect(transcript(root, session)).toEqual([
    ...["user: Paint the door.", "calls work {}", "result: done", "user: In red.", "user: And the gate."],
    ...["assistant: Both are done.", "user: Well?", "assistant: Later."],
  ])
  // A sender that repeats the message gets the same answer, and nothing is said twice.
  expect((await agent.send("In red.", { id: "m2" })).turn).toBe(turn)
  expect(from.bodies).toHaveLength(3)
  const joined = events.filter((event) => event.kind === "message-joined")
  expect(joined.map(({ text }) => text)).toEqual(["In red.", "And the gate."])
  await agent.close()
  const recorded = inRecord(root, (database) =>
    database.all(
      "SELECT step FROM events WHERE event_type = 'message_received' AND turn_id = ? ORDER BY id",
      turn,
    ),
  )
  expect(recorded.map(({ step }) => step)).toEqual([null, 1, 1])
})

test("by default a further message waits for its own answer, and so does one that brings tools", async () => {
  const root = workspace()
  const from = await server([call(["work", {}]), say("One."), say("Two."), say("Three.")])
  const { tool: work, reached, release } = gate()
  const { agent } = await open(root, from, { tools: [work] })
  const first = agent.send("First.")
  await reached()
  const second = agent.send("Second.")
  const clientTools = [{ name: "ring", description: "Rings.", parameters: { type: "object" } }]
  const third = agent.send("Third.", { duringTurn: "steer", clientTools })
  release()
  expect((await Promise.all([first, second, third])).map(({ text }) => text)).toEqual([
    "One.",
    "Two.",
    "Three.",
  ])
})

test("in a room nobody steers a turn that acts with more trust than theirs, and the others keep their names", async () => {
  const root = workspace({
    "incipit.yaml": `${CONFIG}inbox: { during_turn: steer }
users: { ada: { trust: inner }, bo: { trust: familiar }, cy: { trust: inner } }
situations: { group: { ceiling: inner } }
rooms: { "chat:yard": { trust: inner } }
`,
  })
  const from = await server([call(["work", {}]), say("For Ada and Cy."), say("For Bo.")])
  const { tool: work, reached, release } = gate()
  const { agent } = await open(root, from, { tools: [work] })
  const said = (as: string, text: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    return { stored: promise, reply: agent.send(text, { channel: "chat:yard", as, stored: resolve }) }
  }
  const ada = said("ada", "Open the shed.")
  await reached()
  const bo = said("bo", "And give me the key.")
  await bo.stored
  const cy = said("cy", "And air it.")
  await cy.stored
  release()
  const replies = await Promise.all([ada, bo, cy].map(({ reply }) => reply))
  expect(replies.map(({ text }) => text)).toEqual(["For Ada and Cy.", "For Bo.", "For Ada and Cy."])
  expect(transcript(root, replies[0]?.session ?? "").filter((line) => line.includes("said-by"))).toEqual([
    'user: <said-by name="ada" trust="inner">\nOpen the shed.\n</said-by>',
    'user: <said-by name="cy" trust="inner">\nAnd air it.\n</said-by>',
    'user: <said-by name="bo" trust="familiar">\nAnd give me the key.\n</said-by>',
  ])
})

test("a message that came too late for the last step gets an answer of its own", async () => {
  const root = workspace()
  const from = await server([{ kind: "reply", parts: [{ text: "One." }], slow: true }, say("Two.")])
  const { agent } = await open(root, from)
  const first = agent.send("First.")
  await from.held()
  const { promise, resolve } = Promise.withResolvers<void>()
  const second = agent.send("Second.", { duringTurn: "steer", stored: resolve })
  await promise
  from.release(99)
  expect((await Promise.all([first, second])).map(({ text }) => text)).toEqual(["One.", "Two."])
})
