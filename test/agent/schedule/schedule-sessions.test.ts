// What a run of the schedule leaves behind: a conversation for each entry, an event when it fires, and no answer sent.
import { expect, test } from "vitest"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import {
  clock,
  eventTypes,
  inStore,
  NIGHT,
  open,
  refuse,
  say,
  server,
  workspace,
} from "../world/agent-world.ts"
import type { Script } from "../world/servers/script.ts"

const CONFIG = `profile: incipit
feeds: { communication: off, bulletin: off }
environment: { host: off }
schedule:
  - { cron: "* * * * *", run: "Look at the lamp." }
  - { cron: "* * * * *", run: "Count the boats." }
`
const MINUTE = 60_000

/** Two rounds of both entries. */
async function twoRounds(answer: (text: string, calls: number) => Script) {
  const root = workspace({ "incipit.yaml": CONFIG })
  const time = clock()
  const from = await server(({ body, calls }) => answer(JSON.stringify(body.messages), calls))
  const { agent, late } = await open(root, from, { now: time.now, wait: time.wait })
  const round = async (count: number) => {
    const done = Promise.withResolvers<void>()
    let left = count
    const fired = () => {
      left -= 1
      if (left === 0) done.resolve()
    }
    const kept = agent.keepSchedule({ fired, trouble: (error) => done.reject(new Error(error)) })
    if (count > 0) await done.promise
    await kept.stop()
  }
  // From the first look on an entry has a past.
  await round(0)
  time.set(NIGHT + MINUTE)
  await round(2)
  time.set(NIGHT + 2 * MINUTE)
  await round(2)
  return { root, time, agent, late, from }
}

test("entries do not share a session, and each continues with its own", async () => {
  const { root } = await twoRounds((text, calls) =>
    say(`${text.includes("lamp") ? "lamp" : "boats"} ${calls}`),
  )
  const rows = inStore(root, (store) =>
    store.all("SELECT session_id, json_extract(message, '$.text') AS text FROM inbox ORDER BY id"),
  )
  const sessions = Map.groupBy(rows, ({ session_id: session }) => session)
  expect([...sessions.values()].map((one) => one.map(({ text }) => text))).toEqual(
    expect.arrayContaining([Array(2).fill("Look at the lamp."), Array(2).fill("Count the boats.")]),
  )
  expect(sessions.size).toBe(2)
})

test("no request of one entry holds a word of another's runs", async () => {
  const { from } = await twoRounds((text) => say(text.includes("lamp") ? "LAMP" : "BOATS"))
  for (const body of from.bodies)
    expect([/lamp/i.test(body), /boats/i.test(body)].sort()).toEqual([false, true])
})

test("`schedule_fired` comes before the turn that it begins, and nothing counts as sent", async () => {
  const { root, agent } = await twoRounds(() => say("All quiet."))
  await agent.close()
  const types = eventTypes(root)
  const firings = types.flatMap((type, at) => (type === "schedule_fired" ? [at] : []))
  const turns = types.flatMap((type, at) => (type === "turn_started" ? [at] : []))
  expect(firings.length).toBe(4)
  expect(firings.every((at, count) => at < (turns[count] ?? 0))).toBe(true)
  expect(types).not.toContain("message_sent")
  expect(inStore(root, (store) => store.all("SELECT 1 FROM outbox WHERE sent_at IS NULL"))).toEqual([])
})

test("a run that had to wait is not delivered to anybody either, whenever it is answered", async () => {
  let isDown = true
  const { root, time, agent, late } = await twoRounds(() => (isDown ? refuse(529) : say("All quiet.")))
  isDown = false
  time.set(NIGHT + 60 * MINUTE)
  expect(await agent.resume()).toEqual([])
  await agent.close()
  expect(late).toEqual([])
  expect(eventTypes(root)).not.toContain("message_sent")
  expect(
    inStore(root, (store) =>
      store.all("SELECT state, sent_at IS NULL AS open FROM inbox JOIN outbox USING (turn_id)"),
    ),
  ).toEqual(Array(4).fill({ state: "done", open: 0 }))
})

test("the conversation of an entry goes with its age, also if the entry never runs again", async () => {
  const { root, time, agent } = await twoRounds(() => say("All quiet."))
  await agent.close()
  const store = await openStore(`${root}/.incipit/agent.db`, { now: () => time.now() + 10 * MINUTE })
  const report = await store.upkeep.prune({ olderThanMs: MINUTE })
  await store.close()
  expect(report).toMatchObject({ sessions: 2, turns: 4 })
})
