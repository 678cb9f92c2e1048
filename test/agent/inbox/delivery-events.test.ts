// What the record says of handing an answer over: that it was sent, that the channel failed, or nothing if it was for
// nobody.
import { expect, test } from "vitest"
import {
  call,
  clock,
  eventTypes,
  inRecord,
  NIGHT,
  open,
  refuse,
  say,
  server,
  workspace,
} from "../world/agent-world.ts"

const channelErrors = (root: string) =>
  inRecord(root, (record) =>
    record.all(
      "SELECT level, category, channel, error, json_extract(metadata, '$.state') AS state FROM events WHERE event_type = 'channel_error' ORDER BY id",
    ),
  )
const BROKEN = {
  level: "error",
  category: "channel",
  channel: "terminal",
  error: "the line is dead",
  state: "answered",
}

test("a channel that fails while its sender waits is recorded, and the sender hears why", async () => {
  const root = workspace()
  const { agent } = await open(root, await server([say("One.")]))
  const deliver = () => Promise.reject(new Error("the line is dead"))
  await expect(agent.send("first", { deliver })).rejects.toThrow("the line is dead")
  await agent.close()
  expect(channelErrors(root)).toEqual([BROKEN])
  expect(eventTypes(root)).not.toContain("message_sent")
})

test("a channel that fails for an answer that nobody waits for is recorded each time, and told", async () => {
  const root = workspace()
  const time = clock()
  const from = await server([...Array.from({ length: 4 }, () => refuse(529)), say("One."), say("Two.")])
  let isDead = true
  const given: string[] = []
  const troubles: string[] = []
  const { agent } = await open(root, from, {
    ...{ now: time.now, wait: time.wait, trouble: (text: string) => void troubles.push(text) },
    deliver: ({ text }) => {
      if (isDead) throw new Error("the line is dead")
      given.push(text)
    },
  })
  await agent.send("first")
  time.set(NIGHT + 3_600_000)
  await expect(agent.resume()).rejects.toThrow("the line is dead")
  // With the next message it is offered again, before the answer to that.
  await agent.send("second")
  expect(troubles).toEqual([
    "An answer could not be delivered: the line is dead. It is kept, and delivery is tried again in a minute.",
  ])
  isDead = false
  await agent.resume()
  await agent.close()
  expect(given).toEqual(["One."])
  expect(channelErrors(root)).toEqual([BROKEN, BROKEN])
  expect(eventTypes(root)).not.toContain("diagnostic")
})

test("the report of a part and the answer of a background run are not recorded as sent", async () => {
  const root = workspace()
  const from = await server([
    call(["delegate", { task: "Count." }]),
    say("Three."),
    say("There are three."),
    say("Ok."),
  ])
  const { agent } = await open(root, from)
  const reply = await agent.send("How many?")
  const quiet = await agent.send("Look around.", { background: true })
  const heard: string[] = []
  await agent.send("And tell me.", { background: true, deliver: ({ text }) => void heard.push(text) })
  await agent.close()
  const sent = inRecord(root, (record) =>
    record.all("SELECT turn_id AS turn FROM events WHERE event_type = 'message_sent' ORDER BY id"),
  )
  expect(sent.map(({ turn }) => turn)).toEqual([reply.turn, expect.any(String)])
  expect([heard, quiet.state]).toEqual([["Ok."], "answered"])
})

test("answers are handed over once and in order, however many ask for them at the same time", async () => {
  const time = clock()
  let isDown = true
  const from = await server(({ body }) => (isDown ? refuse(529) : say(`${body.length}`)))
  const given: string[] = []
  const { agent } = await open(workspace(), from, {
    ...{ now: time.now, wait: time.wait },
    deliver: async ({ turn }) => {
      given.push(turn)
      await new Promise(setImmediate)
    },
  })
  const turns: string[] = []
  for (const text of ["One?", "Two?", "Three?"]) turns.push((await agent.send(text)).turn)
  isDown = false
  time.set(time.now() + 86_000_000)
  await Promise.all([agent.resume(), agent.resume(), agent.resume()])
  await agent.resume()
  expect(given).toEqual(turns)
})
