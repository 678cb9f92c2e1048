// What must not hold up a session, or be lost on the way: plans that cannot be written, turns that break off each
// time, messages of others, answers that came another way.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { openAgent } from "../../../src/agent/setup/open.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import {
  call,
  clock,
  collect,
  inStore,
  MODEL,
  NIGHT,
  open,
  refuse,
  say,
  server,
  tool,
  workspace,
} from "../world/agent-world.ts"

const PLAN = "# Plan: Mend the boat\n\n## Steps\n\n1. Look at it\n2. Mend it"

test("a plan that cannot be written is reported, and its answer is given all the same", async () => {
  const root = workspace()
  const { agent } = await open(root, await server([say(PLAN), say("Hello.")]))
  writeFileSync(join(root, ".incipit", "plans"), "No folder.")
  const { events, tell } = collect()
  expect(await agent.send("Plan it.", { planMode: true, tell })).toMatchObject({
    state: "answered",
    text: PLAN,
  })
  expect(events.filter(({ kind }) => kind === "diagnostic")).toEqual([
    {
      kind: "diagnostic",
      level: "warning",
      text: "The plan was not saved: cannot write to .incipit/plans (ENOTDIR).",
    },
  ])
  expect(await agent.send("Hello?")).toMatchObject({ state: "answered", text: "Hello." })
})

const BROKEN_PROFILE = `
const markup = { name: "plain", envelope: () => ({ open: "", close: "" }), escapes: () => [] }
const build = () => { throw new TypeError("a fault") }
export default { name: "broken", markup, order: "paced", sections: [{ id: "who", pace: "turn", priority: "high", trust: "public", cut: "whole", build }] }
`

test("a turn that breaks off each time is given up after a few", async () => {
  const root = workspace({ "broken.mjs": BROKEN_PROFILE })
  const profile = join(root, "broken.mjs")
  const { agent } = await open(root, await server([say("Hello.")]), { profile })
  for (const text of ["One", "Two", "Three"])
    expect(await agent.send(text)).toMatchObject({
      state: "failed",
      text: expect.stringContaining("a fault"),
    })
  expect(
    inStore(root, (store) => store.all("SELECT state, attempts FROM inbox ORDER BY id")).map((row) => ({
      ...row,
    })),
  ).toEqual([
    { state: "failed", attempts: 2 },
    { state: "waiting", attempts: 1 },
    { state: "waiting", attempts: 0 },
  ])
})

test("who stops their own message does not stop the one before it", async () => {
  const time = clock()
  const stopping = new AbortController()
  let isDown = true
  const from = await server(() => {
    if (isDown) return refuse(529)
    stopping.abort()
    return say("The answer.")
  }, time.now)
  const { agent, late } = await open(workspace(), from, { now: time.now, wait: time.wait })
  const first = await agent.send("A question?")
  isDown = false
  time.set(NIGHT + 7_200_000)
  expect(await agent.send("Oops", { signal: stopping.signal })).toMatchObject({ state: "stopped" })
  await agent.resume()
  expect(late.map(({ turn, state, text }) => [turn, state, text])).toEqual([
    [first.turn, "answered", "The answer."],
  ])
})

test("an answer that came another way is reported as the end of the turn", async () => {
  const { agent } = await open(workspace(), await server([say("Hello.")]))
  const reply = await agent.send("Hello?", { id: "1" })
  const { events, tell } = collect()
  const again = await agent.send("Hello?", { id: "1", tell })
  expect(again).toEqual({ ...reply, prompt: undefined })
  expect(events).toEqual([{ kind: "turn-finished", reply: again }])
})

test("a late answer waits for somebody to be given it", async () => {
  const time = clock()
  let isDown = true
  const from = await server(() => (isDown ? refuse(529) : say("The answer.")), time.now)
  const root = workspace()
  const agent = await openAgent({
    ...{
      workspace: root,
      home: join(root, "no-home"),
      state: join(root, ".incipit"),
      model: MODEL,
      env: from.env,
      timeZone: "UTC",
    },
    ...{ now: time.now, wait: time.wait },
  })
  onTestFinished(agent.close)
  const first = await agent.send("A question?")
  isDown = false
  time.set(NIGHT + 7_200_000)
  await agent.send("Another?")
  expect((await agent.resume()).map(({ turn, text }) => [turn, text])).toEqual([[first.turn, "The answer."]])
  expect(await agent.resume()).toEqual([])
})

test("the same message again makes no new session", async () => {
  const { agent } = await open(workspace(), await server([say("Hello.")]))
  const { session } = await agent.send("Start", { isNew: true, id: "1" })
  await agent.send("Start", { isNew: true, id: "1" })
  expect((await agent.sessions()).map(({ id }) => id)).toEqual([session])
})

test("one turn that hangs does not hold up what waits in other sessions", async () => {
  const time = clock()
  let isDown = true
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const hang = tool("hang", async () => {
    await held
    return "Done."
  })
  const from = await server(({ body }) => {
    if (isDown) return refuse(529)
    const text = JSON.stringify(body.messages)
    if (!text.includes("Slow")) {
      release()
      return say("Quick.")
    }
    return text.includes("tool_result") ? say("Slow.") : call(["hang", {}])
  }, time.now)
  const options = { now: time.now, wait: time.wait, tools: [hang] }
  const { agent, late } = await open(workspace(), from, options)
  await agent.send("Slow?")
  await agent.send("Quick?", { as: "bob" })
  isDown = false
  time.set(NIGHT + 7_200_000)
  await agent.resume()
  expect(late.map(({ text }) => text)).toEqual(["Quick.", "Slow."])
})

test("an answer for which somebody waits is given to nobody else, here or in another process", async () => {
  const root = workspace()
  const from = await server([say("Hello.")])
  const [one, other] = [await open(root, from), await open(root, from)]
  const given: string[] = []
  await one.agent.send("Hello?", {
    deliver: async ({ text }) => {
      expect([await one.agent.resume(), await other.agent.resume()]).toEqual([[], []])
      given.push(text)
    },
  })
  expect([given, one.late, other.late]).toEqual([["Hello."], [], []])
})

test("a part of the work whose tool is gone is neither worked on nor handed over", async () => {
  const root = workspace()
  const from = await server([say("Hello.")])
  const { agent, late } = await open(root, from)
  const { prompt, ...reply } = await agent.send("Hello?")
  const { session } = reply
  const store = await openStore(join(root, ".incipit", "agent.db"))
  const message = { text: "Look at the lamp.", mode: "subagent", isPart: true } as const
  const takenBy = "elsewhere:7:1:x"
  for (const turn of ["p", "q"]) await store.inbox.receive({ id: turn, turn, session, message, takenBy })
  await store.inbox.takeBack({ ...reply, turn: "q" })
  expect([await agent.resume(), late, from.bodies.length]).toEqual([[], [], 1])
  for (const [turn, state] of Object.entries({ p: "waiting", q: "done" }))
    expect([(await store.inbox.message(turn))?.state, await store.outbox.isSent(turn)]).toEqual([
      state,
      false,
    ])
  await store.close()
})

test("what has to wait is not handed over as an answer, and what comes after it waits as long", async () => {
  const root = workspace()
  const time = clock()
  const { agent, late } = await open(root, await server([refuse(529)]), { now: time.now, wait: time.wait })
  const given: string[] = []
  const deliver = ({ text }: { readonly text: string }) => void given.push(text)
  const states = [await agent.send("One?", { deliver }), await agent.send("Two?", { deliver })]
  expect(states.map(({ state }) => state)).toEqual(["queued", "queued"])
  expect([given, late]).toEqual([[], []])
  const [first, second] = inStore(root, (store) => store.all("SELECT not_before FROM inbox ORDER BY id"))
  expect(second).toEqual(first)
})

test("only what was answered before it, in its session, is handed over with an answer", async () => {
  const time = clock()
  let isDown = false
  let isDeaf = true
  const late: string[] = []
  const from = await server(({ body }) => {
    const text = JSON.stringify(body.messages.at(-1))
    return isDown ? refuse(529) : say(/One|Two|Three/.exec(text)?.[0] ?? "")
  }, time.now)
  const deliver = ({ text }: { readonly text: string }) => {
    if (isDeaf) throw new Error("nobody listens")
    late.push(text)
  }
  const { agent } = await open(workspace(), from, { now: time.now, wait: time.wait, deliver })
  await agent.send("One", { id: "1" })
  isDown = true
  await agent.send("Two")
  isDown = false
  time.set(NIGHT + 7_200_000)
  await expect(agent.resume()).rejects.toThrow("nobody listens")
  isDeaf = false
  await agent.send("One", { id: "1" })
  await agent.send("Three", { isNew: true })
  expect(late).toEqual([])
  await agent.resume()
  expect(late).toEqual(["Two"])
})

const WITHOUT_NOISE =
  "profile: incipit\nfeeds: { noise: on, communication: off }\nenvironment: { host: off }\n"

test("a short yes is no small talk while a plan waits for it, nor when its turn is taken up again", async () => {
  const time = clock()
  const root = workspace({ "incipit.yaml": WITHOUT_NOISE })
  const down = Array.from({ length: 4 }, () => refuse(529))
  const from = await server([say(PLAN), call(["lamp", {}]), ...down, say("Mended.")])
  const lamp = tool("lamp", async () => "It burns.")
  const { agent, late } = await open(root, from, { now: time.now, wait: time.wait, tools: [lamp] })
  await agent.send("Plan how to mend the boat.", { planMode: true })
  expect(await agent.send("ok")).toMatchObject({ state: "queued", steps: 2 })
  for (const { name } of agent.kept().plans.list().value) agent.kept().plans.markDone(name)
  time.set(NIGHT + 7_200_000)
  await agent.resume()
  expect(late.map(({ text }) => text)).toEqual(["Mended."])
  expect(await agent.send("ok")).toMatchObject({ state: "answered", steps: 0 })
})
