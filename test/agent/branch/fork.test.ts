// Forking and undoing: the new session shares the conversation before a message, the old one stays, and one line says
// what was left behind.
import { expect, test } from "vitest"
import { call, open, say, server, tool, transcript, workspace } from "../world/agent-world.ts"

interface Body {
  readonly system: unknown
  readonly tools: unknown
  readonly messages: readonly { readonly role: string; readonly content: readonly unknown[] }[]
}

function bodyOf(text: string | undefined): Body {
  return JSON.parse(text ?? "{}") as Body
}

/** The bytes that a provider's cache can share: without the marks of where it is written. */
function plain(value: unknown): string {
  return JSON.stringify(value, (key, one: unknown) => (key === "cache_control" ? undefined : one))
}

test("a fork at a message shares what was said before it, names what was left, and keeps the head's bytes", async () => {
  const root = workspace({ "lamp/AGENTS.md": "Trim the wick.\n", "lamp/oil.txt": "low\n" })
  const from = await server([
    say("Hello."),
    call(["read", { path: "lamp/oil.txt" }], ["paint", {}]),
    call(["paint", {}]),
    say("The oil is low.\nI painted it."),
    say("Red it is."),
  ])
  const { agent } = await open(root, from, { tools: [tool("paint", async () => "painted")] })
  const { session } = await agent.send("Hi.")
  await agent.setActiveTools(session, ["read", "paint"])
  const second = await agent.send("Look at the oil\nand paint the lamp.")
  const fork = await agent.fork(session, { at: second.turn })
  const summary =
    'The conversation went back to here. 1 message was left behind: "Look at the oil and paint the lamp.". The last answer there: "The oil is low. I painted it.". Tools called there: read, paint (2 times). What they changed is still changed.'
  expect(fork).toEqual({
    ...{ session: expect.any(String), from: session, summary },
    message: "Look at the oil\nand paint the lamp.",
  })
  expect(await agent.sessions({})).toMatchObject([{ id: fork.session }, { id: session }])
  const before = transcript(root, session)
  const reply = await agent.send("Paint it red.")
  expect([reply.session, transcript(root, session)]).toEqual([fork.session, before])
  expect(transcript(root, fork.session)).toEqual([
    ...["user: Hi.", "assistant: Hello."],
    `user: <branch-summary>\n${summary}\n</branch-summary>`,
    ...["user: Paint it red.", "assistant: Red it is."],
  ])
  const [first, last] = [bodyOf(from.bodies[1]), bodyOf(from.bodies.at(-1))]
  expect(plain([last.system, last.tools])).toBe(plain([first.system, first.tools]))
  expect(plain(last.messages.slice(0, 2))).toBe(plain(first.messages.slice(0, 2)))
})

test("undo goes back message by message, and what was left behind stays said", async () => {
  const root = workspace()
  const { agent } = await open(root, await server([say("One."), say("Two."), say("Three.")]))
  const { session } = await agent.send("First.")
  await agent.send("Second.")
  await agent.send("Third.")
  const once = await agent.undo(session)
  const twice = await agent.undo(once.session)
  expect([once.message, twice.message]).toEqual(["Third.", "Second."])
  const left = (text: string, answer: string) =>
    `user: <branch-summary>\nThe conversation went back to here. 1 message was left behind: "${text}". The last answer there: "${answer}".\n</branch-summary>`
  expect(transcript(root, twice.session)).toEqual([
    ...["user: First.", "assistant: One.", left("Second.", "Two."), left("Third.", "Three.")],
  ])
  const none = await agent.undo(twice.session)
  await expect(agent.undo(none.session)).rejects.toMatchObject({ code: "cannot-fork" })
})

test("all of a conversation can be forked, and the copy goes on without a word about it", async () => {
  const root = workspace()
  const { agent } = await open(root, await server([say("One.")]))
  const { session } = await agent.send("First.")
  const fork = await agent.fork(session)
  expect(fork).toEqual({ session: expect.any(String), from: session })
  expect(transcript(root, fork.session)).toEqual(transcript(root, session))
})

test("nobody forks the session of another, and nothing tells whether it exists", async () => {
  const root = workspace({
    "incipit.yaml": "profile: incipit\nfeeds: { communication: off }\nusers: { bo: { trust: inner } }\n",
  })
  const { agent } = await open(root, await server([say("One.")]))
  const { session, turn } = await agent.send("First.")
  const errors = await Promise.all(
    [session, "none"].map(async (id) => {
      const error = await agent.fork(id, { as: "bo", at: turn }).catch((one: unknown) => one)
      return String(error).replace(id, "ID")
    }),
  )
  expect(errors).toEqual([errors[1], 'IncipitError: there is no session "ID" for this sender'])
})

test("a running turn cannot be undone, and a fork from before it leaves it alone", async () => {
  const root = workspace()
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const slow = tool("slow", async () => {
    reach()
    await released
    return "done"
  })
  const from = await server([say("One."), call(["slow", {}]), say("Two.")])
  const { agent } = await open(root, from, { tools: [slow] })
  const { session, turn: first } = await agent.send("First.")
  const second = agent.send("Second.")
  await reached
  await expect(agent.undo(session)).rejects.toThrow("is still working on a message")
  await expect(agent.fork(session)).rejects.toThrow("is still working on a message")
  const fork = await agent.fork(session, { at: first })
  release()
  expect([(await second).text, (await second).session]).toEqual(["Two.", session])
  expect(transcript(root, fork.session)).toHaveLength(1)
  await expect(agent.fork(session, { at: "nothing" })).rejects.toMatchObject({ code: "cannot-fork" })
})
