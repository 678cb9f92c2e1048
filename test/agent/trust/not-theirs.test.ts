// What belongs to another place or person, where only one condition stands between: an owner in a room is one of many,
// a session of others is not there, and a part of the work waits for nobody.
import { expect, test } from "vitest"
import { call, inStore, open, refuse, say, server, tool, workspace } from "../world/agent-world.ts"

const CONFIG = `profile: incipit
feeds: { communication: off }
environment: { host: off }
users: { ada: { trust: full, match: ['terminal:*'] }, bob: { trust: full } }
rooms: { "chat:yard": { trust: full } }
`

test("in a room nobody is the owner for a tool", async () => {
  const asked: (boolean | undefined)[] = []
  const peek = tool("peek", async (_input, { isOwner }) => {
    asked.push(isOwner)
    return "Seen."
  })
  const from = await server(({ body }) =>
    JSON.stringify(body.messages.at(-1)).includes("tool_result") ? say("Done.") : call(["peek", {}]),
  )
  const { agent } = await open(workspace({ "incipit.yaml": CONFIG }), from, { tools: [peek] })
  await agent.send("Look.")
  await agent.send("Look.", { as: "ada", channel: "chat:yard" })
  expect(asked).toEqual([true, false])
})

test("a preview in a session of somebody else is one of a new session", async () => {
  const { agent } = await open(workspace({ "incipit.yaml": CONFIG }), await server([say("It is oiled.")]))
  const { session } = await agent.send("Is the hinge oiled?")
  const taken = async (as: string) =>
    (await agent.preview("And now?", { as, session })).plan.budget.conversation
  const fresh = await agent.preview("And now?", { as: "bob", isNew: true })
  expect(await taken("bob")).toBe(fresh.plan.budget.conversation)
  expect(await taken("ada")).toBeGreaterThan(fresh.plan.budget.conversation)
})

test("a program that asks for one person after the other with the same object gets what is theirs", async () => {
  const { agent } = await open(workspace({ "incipit.yaml": CONFIG }), await server([say("It is oiled.")]))
  const from = { as: "ada" }
  const { session } = await agent.send("Is the hinge oiled?", from)
  expect(await agent.session(session, from)).toMatchObject({ id: session, who: "person:ada" })
  from.as = "bob"
  expect([await agent.session(session, from), await agent.sessions(from)]).toEqual([undefined, []])
})

test("a part that cannot be answered now has failed, and does not come back later", async () => {
  const from = await server(({ body }) => {
    const text = JSON.stringify(body.messages)
    if (text.includes("tool_result")) return say("It did not work.")
    return text.includes("A part.") ? refuse(529) : call(["delegate", { task: "A part." }])
  })
  const root = workspace({ "incipit.yaml": CONFIG })
  const { agent, late } = await open(root, from, { wait: async () => {} })
  expect(await agent.send("See to it.")).toMatchObject({ state: "answered", text: "It did not work." })
  expect([await agent.resume(), late]).toEqual([[], []])
  const waiting = inStore(root, (store) => store.all("SELECT turn_id FROM inbox WHERE state = 'waiting'"))
  expect(waiting).toEqual([])
})
