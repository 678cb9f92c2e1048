// The queue by hand: what waits and why, from the program and from the command line; trying again, and taking out.
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { expect, test } from "vitest"
import { type FlagsOf, flagsFor } from "../../../src/cli/command-line/invocation.ts"
import { drop, list, retry } from "../../../src/cli/commands/agent/queue.ts"
import type { Terminal } from "../../../src/cli/terminal.ts"
import {
  call,
  clock,
  inStore,
  MODEL,
  NIGHT,
  open,
  refuse,
  say,
  server,
  transcript,
  workspace,
} from "../world/agent-world.ts"

const CONFIG = "users: { bob: { trust: full } }\n"

/** Two messages of the owner and one of Bob, all refused by a provider that asks to come back in an hour. */
async function threeWait() {
  const root = workspace({ "incipit.yaml": CONFIG })
  const time = clock()
  const state = { isDown: true }
  const from = await server(
    ({ body }) =>
      state.isDown
        ? refuse(529, { "retry-after": "3600" })
        : say(
            `Heard ${JSON.stringify(body.messages)
              .match(/(?:First|Second|Bob's)/g)
              ?.at(-1)}.`,
          ),
    time.now,
  )
  const { agent } = await open(root, from, { now: time.now, wait: time.wait })
  const first = await agent.send("First")
  const second = await agent.send("Second")
  const bobs = await agent.send("Bob's", { as: "bob" })
  expect([first.state, second.state, bobs.state]).toEqual(["queued", "queued", "queued"])
  await agent.close()
  const turns = [first.turn, second.turn, bobs.turn] as const
  const lines: string[] = []
  const terminal: Terminal = {
    ...{ out: (text) => void lines.push(text), exact: () => {}, err: (text) => void lines.push(`! ${text}`) },
    ...{ drained: async () => {}, columns: 80, colour: false, cwd: root, home: join(root, "no-home") },
    ...{ timeZone: "UTC", now: time.now, stopped: () => new Promise(() => {}) },
    env: { ...from.env, INCIPIT_STATE_DIR: join(root, ".incipit") },
  }
  /** What a command prints, with the turns by their number. */
  const printed = async (command: () => Promise<number>) => {
    lines.length = 0
    const status = await command()
    const text = turns.reduce((all, turn, at) => all.replaceAll(turn, `<${at + 1}>`), lines.join(""))
    return `${stripVTControlCharacters(text)}exit ${status}`
  }
  const flags = (more: Partial<FlagsOf<"queue retry">> = {}) =>
    flagsFor("queue retry", { model: MODEL, ...more })
  return { root, time, from, state, turns, terminal, printed, flags }
}

const stateOf = (root: string) =>
  inStore(root, (store) => store.all("SELECT state FROM inbox ORDER BY id").map(({ state }) => state))

test("`queue list` says who waits, why, how long, and for whom", async () => {
  const { terminal, printed, flags, from } = await threeWait()
  const asked = from.bodies.length
  expect(await printed(() => list({ words: [], flags: flags(), terminal }))).toBe(`<1>  First
  from the owner, 02:47; tried 1 time; next try 03:47
  last error: 529: status 529

<2>  Second
  from the owner, 02:47; tried 1 time; waits for <1>, which
  came before it
  last error: an earlier message is still queued

<3>  Bob's
  from bob, 02:47; tried 1 time; next try 03:47
  last error: the provider asked us to wait
exit 0`)
  expect(from.bodies.length).toBe(asked)
})

test("`queue retry` asks although the provider wanted to be left alone, and answers what is before it", async () => {
  const { root, state, turns, terminal, printed, flags } = await threeWait()
  state.isDown = false
  const [, second] = turns
  expect(await printed(() => retry({ words: [second], flags: flags(), terminal }))).toBe(
    "Heard Second.\nexit 0",
  )
  expect(stateOf(root)).toEqual(["done", "done", "waiting"])
  expect(await printed(() => retry({ words: [], flags: flags(), terminal }))).toBe("Heard Bob's.\nexit 0")
  expect(await printed(() => retry({ words: [], flags: flags(), terminal }))).toBe(
    "! No messages are queued.\nexit 0",
  )
})

test("`queue retry` that fails again says so, and the message stays", async () => {
  const { root, turns, terminal, printed, flags, from } = await threeWait()
  const asked = from.bodies.length
  expect(await printed(() => retry({ words: [turns[2]], flags: flags(), terminal }))).toBe(
    "! <3>: The model cannot answer now (529: status 529). Your message is kept and will be retried: Monday, 15 June 2026, 03:47 (UTC).\nexit 2",
  )
  expect(from.bodies.length).toBe(asked + 1)
  expect(stateOf(root)).toEqual(["waiting", "waiting", "waiting"])
})

test("`queue drop` takes a message out without asking the model, and those behind it go on", async () => {
  const { root, state, turns, terminal, printed, flags, from } = await threeWait()
  const asked = from.bodies.length
  expect(await printed(() => drop({ words: [turns[0]], flags: flags(), terminal }))).toBe(
    'dropped <1> "First"\nnext in its session: <2> "Second"; incipit queue retry <2>\nexit 0',
  )
  expect(from.bodies.length).toBe(asked)
  expect(stateOf(root)).toEqual(["done", "waiting", "waiting"])
  state.isDown = false
  expect(await printed(() => retry({ words: [turns[1]], flags: flags(), terminal }))).toBe(
    "Heard Second.\nexit 0",
  )
  // What was dropped is not delivered later as an answer; the time of Bob's has come.
  const { agent, late } = await open(root, from)
  await agent.resume()
  expect(late.map(({ turn }) => turns.indexOf(turn))).toEqual([2])
})

test("a message whose turn had begun is dropped without another call, and what was done stays", async () => {
  const root = workspace()
  const time = clock()
  const from = await server([
    call(["list", { path: "." }]),
    refuse(529, { "retry-after": "3600" }),
    say("Next."),
  ])
  const { agent } = await open(root, from, { now: time.now, wait: time.wait })
  const { turn, session, state } = await agent.send("Look around")
  expect(state).toBe("queued")
  await agent.queue.drop(turn)
  expect([stateOf(root), await agent.queue.list()]).toEqual([["done"], []])
  expect(from.bodies.length).toBe(2)
  time.set(NIGHT + 3_700_000)
  expect((await agent.send("And now?")).text).toBe("Next.")
  expect(transcript(root, session).filter((line) => !line.startsWith("result: "))).toEqual([
    ...["user: Look around", 'calls list {"path":"."}', "user: And now?", "assistant: Next."],
  ])
})

test("`queue drop` of what is not there is an error, and the start of an id is enough", async () => {
  const { turns, terminal, flags, printed } = await threeWait()
  await expect(drop({ words: ["x"], flags: flags(), terminal })).rejects.toMatchObject({ code: "not-queued" })
  await expect(drop({ words: ["01"], flags: flags(), terminal })).rejects.toMatchObject({
    code: "bad-argument",
  })
  const start = turns[2].slice(0, -1)
  if (turns.filter((turn) => turn.startsWith(start)).length > 1) return
  expect(await printed(() => drop({ words: [start], flags: flags(), terminal }))).toBe(
    'dropped <3> "Bob\'s"\nexit 0',
  )
})

test("a sender sees and touches only their own", async () => {
  const { root, time, from, turns } = await threeWait()
  const { agent } = await open(root, from, { now: time.now, wait: time.wait })
  const own = await agent.queue.list({ as: "bob" })
  expect(own.map(({ turn }) => turn)).toEqual([turns[2]])
  await expect(agent.queue.drop(turns[0], { as: "bob" })).rejects.toMatchObject({ code: "not-queued" })
  await expect(agent.queue.retry(turns[0], { from: { as: "bob" } })).rejects.toMatchObject({
    code: "not-queued",
  })
  await agent.queue.drop(turns[2], { as: "bob" })
  expect(stateOf(root)).toEqual(["waiting", "waiting", "done"])
})
