// Stopping from anywhere: another process, another surface, while a turn waits for its client. What was done is kept.
import { expect, onTestFinished, test } from "vitest"
import type { Reply } from "../../../src/agent/turn/live-event.ts"
import { call, open, say, server, tool, transcript, workspace } from "../world/agent-world.ts"

const CONFIG = "profile: incipit\nfeeds: { communication: off }\nenvironment: { host: off }\n"

/** A tool that runs until it is stopped. */
function endless() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const work = tool("work", async () => {
    resolve()
    return new Promise<string>(() => {})
  })
  return { work, reached: promise }
}

test("another process stops a turn and what waits behind it, and what was done is kept", async () => {
  const root = workspace()
  const from = await server([call(["list", { path: "." }]), call(["work", {}]), say("Go on.")])
  const { work, reached } = endless()
  const { agent } = await open(root, from, { tools: [work] })
  const { agent: other } = await open(root, from, { tools: [work] })
  const first = agent.send("Work.")
  await reached
  const { promise: stored, resolve } = Promise.withResolvers<void>()
  const second = agent.send("And this.", { stored: resolve })
  await stored
  const [session] = await other.sessions({})
  expect(await other.stop(session?.id ?? "")).toBe(2)
  expect((await Promise.all([first, second])).map(({ state, steps }) => [state, steps])).toEqual([
    ["stopped", 2],
    ["stopped", 0],
  ])
  expect(transcript(root, session?.id ?? "").filter((line) => !line.startsWith("result: "))).toEqual([
    ...["user: Work.", 'calls list {"path":"."}', "calls work {}"],
    "error: It was stopped. It may have taken effect.",
  ])
  expect(await other.stop(session?.id ?? "")).toBe(0)
  expect((await agent.send("Well?")).text).toBe("Go on.")
})

test("a stop in the middle of an answer keeps what was written, in the answer and in the conversation", async () => {
  const root = workspace()
  const text = "The lamp burns in the tower by the sea, all night long."
  const from = await server([{ kind: "reply", parts: [{ text }], slow: true }])
  const { agent } = await open(root, from)
  let written = ""
  const writing = setInterval(() => {
    if (written === "") from.release()
  }, 5)
  onTestFinished(() => clearInterval(writing))
  let reply: Reply | undefined
  for await (const event of agent.stream("Tell me.")) {
    if (event.kind === "turn-finished") reply = event.reply
    if (event.kind !== "text") continue
    if (written === "") await agent.stop((await agent.sessions({}))[0]?.id ?? "")
    written += event.text
  }
  expect(text.startsWith(written)).toBe(true)
  expect(reply).toMatchObject({ state: "stopped", text: written.trim() })
  expect(transcript(root, reply?.session ?? "").at(-1)).toBe(`assistant: ${written}`)
})

test("a turn that waits for its client's tools can be stopped, and a late result gets the end of it", async () => {
  const root = workspace()
  const from = await server([call(["ring", {}]), say("Go on.")])
  const { agent } = await open(root, from)
  const clientTools = [{ name: "ring", description: "Rings.", parameters: { type: "object" } }]
  const waiting = await agent.send("Ring.", { id: "m1", clientTools })
  // A client that sends it again gets the same calls.
  expect((await agent.send("Ring.", { id: "m1", clientTools })).calls).toEqual(waiting.calls)
  expect(await agent.stop(waiting.session)).toBe(1)
  const [{ id = "" } = {}] = waiting.calls ?? []
  const late = agent.resolve(waiting.turn, [{ id, text: "rang" }])
  const text = "Stopped: no answer was written yet."
  // Whoever continues the turn first ends it.
  await expect(late).resolves.toMatchObject({ state: "stopped", text })
  expect((await agent.send("Well?")).text).toBe("Go on.")
})

test("in a room nobody stops what somebody with more trust has asked for, and strangers learn nothing", async () => {
  const root = workspace({
    "incipit.yaml": `${CONFIG}users: { ada: { trust: inner }, bo: { trust: familiar } }
situations: { group: { ceiling: inner } }
rooms: { "chat:yard": { trust: inner } }
`,
  })
  const from = await server([call(["work", {}])])
  const { work, reached } = endless()
  const { agent } = await open(root, from, { tools: [work] })
  const room = { channel: "chat:yard" }
  const turn = agent.send("Work.", { ...room, as: "ada" })
  await reached
  const [session] = await agent.sessions(room)
  const id = session?.id ?? ""
  expect(await agent.stop(id, { ...room, as: "bo" })).toBe(0)
  await expect(agent.stop(id, { as: "bo" })).rejects.toMatchObject({ code: "no-session" })
  expect(await agent.stop(id, { ...room, as: "ada" })).toBe(1)
  expect((await turn).state).toBe("stopped")
})
