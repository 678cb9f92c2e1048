// Whose things are: what is kept for one is not told to another who goes by the same word, and what a part of the work
// does is done for the one who asked.
import { expect, test } from "vitest"
import {
  allSessions,
  call,
  clock,
  inRecord,
  NIGHT,
  open,
  refuse,
  say,
  server,
  transcript,
  workspace,
} from "../world/agent-world.ts"
import type { Json } from "../world/servers/refusals.ts"

test("no id that somebody gives makes them the owner, a room or a stranger", async () => {
  const root = workspace()
  const from = await server([
    call(["task_write", { title: "Buy the ring" }], ["notify_user", { text: "The ring is there." }]),
    say("Noted."),
  ])
  const { agent } = await open(root, from)
  await agent.send("Note it.")
  const told = async (as: string) => {
    const sender = { as, channel: "mail:99" }
    const notices = (await agent.notices(sender)).map(({ text }) => text)
    return [...notices, ...(await agent.kept(sender).tasks.list()).map(({ title }) => title)]
  }
  expect(await Promise.all(["owner", "room:owner", "person:owner", "unknown:"].map(told))).toEqual([
    [],
    [],
    [],
    [],
  ])
  expect((await agent.notices()).map(({ text }) => text)).toEqual(["The ring is there."])
  const before = from.bodies.length
  await agent.send("Hello.", { as: "owner", channel: "mail:99" })
  expect(from.bodies.slice(before).some((body) => body.includes("the ring"))).toBe(false)
  expect((await agent.sessions()).map(({ who }) => who)).toEqual(["person:owner", "owner"])
})

const PART = "Look at the boat."

/** A request that was made for the part of the work. */
function isOfPart(body: Json): boolean {
  return JSON.stringify(body.messages[0]).includes(PART)
}

function hasResult({ messages }: Json): boolean {
  return JSON.stringify(messages.at(-1)).includes("tool_result")
}

test("a notice of a part of the work is the person's, its tasks are its own, and only the agent continues with it", async () => {
  const from = await server(({ body }) => {
    if (hasResult(body)) return say("Done.")
    if (!isOfPart(body)) return call(["delegate", { task: PART }])
    return call(["notify_user", { text: "The boat leaks." }], ["task_write", { title: "Mend the boat" }])
  })
  const root = workspace()
  const { agent } = await open(root, from)
  const { session } = await agent.send("See to it.")
  expect((await agent.notices()).map(({ text }) => text)).toEqual(["The boat leaks."])
  expect(await agent.kept().tasks.list()).toEqual([])
  expect((await agent.sessions({})).map(({ id }) => id)).toEqual([session])
  expect((await agent.sessions()).map(({ id }) => id)).toEqual([session])
  expect(allSessions(root).map(({ who }) => who)).toEqual(["owner", "owner"])
})

test("a part of the work is not handed on further, even if the model calls for it", async () => {
  const from = await server(({ body }) => {
    if (hasResult(body)) return say("Done.")
    return call(["delegate", { task: isOfPart(body) ? "And the oars." : PART }])
  })
  const root = workspace()
  const { agent } = await open(root, from)
  await agent.send("See to it.")
  expect(allSessions(root).map(({ id }) => transcript(root, id))).toEqual([
    [
      `user: ${PART}`,
      'calls delegate {"task":"And the oars."}',
      'error: There is no tool "delegate".',
      "assistant: Done.",
    ],
    ["user: See to it.", `calls delegate {"task":"${PART}"}`, "result: Done.", "assistant: Done."],
  ])
})

test("a part that the model cannot answer fails at once, and nobody is given it later", async () => {
  const time = clock()
  let isDown = true
  const from = await server(({ body }) => {
    if (isOfPart(body)) return isDown ? refuse(529) : say("It leaks.")
    return hasResult(body) ? say("No word of the boat.") : call(["delegate", { task: PART }])
  }, time.now)
  const root = workspace()
  const { agent, late } = await open(root, from, { now: time.now, wait: time.wait })
  const { session } = await agent.send("See to it.")
  isDown = false
  time.set(NIGHT + 7_200_000)
  expect(await agent.resume()).toEqual([])
  expect(late).toEqual([])
  expect(transcript(root, session)).toEqual([
    "user: See to it.",
    `calls delegate {"task":"${PART}"}`,
    "error: This message cannot be answered: the model cannot answer now (529: status 529).",
    "assistant: No word of the boat.",
  ])
})

test("how a message reads is asked in the session of its own sender", async () => {
  const from = await server(({ body }) =>
    say(JSON.stringify(body).includes("Classify the message below") ? "direct inform" : "Hello."),
  )
  const config = "profile: incipit\nfeeds: { enrichment: on }\nusers: { bob: { trust: familiar } }\n"
  const root = workspace({ "incipit.yaml": config })
  const { agent } = await open(root, from)
  const owner = await agent.send("The lamp was lit at nine this evening.")
  const bob = await agent.send("The lamp was out again at ten, says Bob.", { as: "bob" })
  await agent.close()
  const calls = inRecord(root, (record) =>
    record.all("SELECT session_id FROM events WHERE event_type = 'api_call'"),
  ).map((row) => row.session_id)
  expect([owner, bob].map(({ session }) => calls.filter((id) => id === session).length)).toEqual([2, 2])
})
