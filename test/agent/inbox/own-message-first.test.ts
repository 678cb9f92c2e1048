// A run is about its own message: what others left behind stays in the queue. A run without a message works it off, and
// puts it back when the process ends, so that nothing is lost by ending it.
import { join } from "node:path"
import { expect, test } from "vitest"
import { type FlagsOf, flagsFor, type Invocation } from "../../../src/cli/command-line/invocation.ts"
import { run } from "../../../src/cli/commands/agent/run.ts"
import type { Terminal } from "../../../src/cli/terminal.ts"
import {
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

/** Bob's message could not be answered; from then on its answer hangs, and every other message gets one. */
async function bobWaits() {
  const root = workspace()
  const time = clock()
  let isDown = true
  const from = await server(({ body }) => {
    if (isDown) return refuse(529)
    return JSON.stringify(body.messages).includes("From Bob") ? { kind: "stall" } : say("Hello.")
  }, time.now)
  const { agent } = await open(root, from, { now: time.now, wait: time.wait })
  const { session, state } = await agent.send("From Bob", { as: "bob" })
  expect(state).toBe("queued")
  await agent.close()
  isDown = false
  time.set(NIGHT + 7_200_000)
  return { root, time, from, session }
}

const stateOf = (root: string) =>
  inStore(root, (store) => store.all("SELECT state FROM inbox ORDER BY id").map(({ state }) => state))

/** Each line that is printed is told to `heard`, with a way to press Ctrl-C. */
function terminalIn(
  { root, time, from }: Awaited<ReturnType<typeof bobWaits>>,
  heard: (line: string, stop: () => void) => void,
) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const print = (text: string) => heard(text.trim(), resolve)
  const terminal: Terminal = {
    ...{ out: print, exact: print, err: print, drained: async () => {}, columns: 80, colour: false },
    ...{
      cwd: root,
      home: root,
      env: { ...from.env, INCIPIT_STATE_DIR: join(root, ".incipit") },
      timeZone: "UTC",
      now: time.now,
      stopped: () => promise,
    },
  }
  return { terminal, stop: resolve }
}

function invocation(
  terminal: Terminal,
  words: readonly string[],
  flags: Partial<FlagsOf<"run">> = {},
): Invocation<"run"> {
  return { words, flags: flagsFor("run", { model: MODEL, ...flags }), terminal }
}

test("`run` answers its own message, leaves another session's alone, and says that it waits", async () => {
  const world = await bobWaits()
  const asked = world.from.bodies.length
  const lines: string[] = []
  const { terminal } = terminalIn(world, (line) => lines.push(line))
  expect(await run(invocation(terminal, ["Hi."]))).toBe(0)
  expect(lines).toEqual([
    "Hello.",
    "1 earlier message is queued. `incipit queue list` shows when and why; `incipit queue retry` tries at once.",
  ])
  expect(world.from.bodies.length).toBe(asked + 1)
  expect(stateOf(world.root)).toEqual(["waiting", "done"])
})

test("`run --json` writes nothing about another session", async () => {
  const world = await bobWaits()
  const lines: string[] = []
  const { terminal } = terminalIn(world, (line) => lines.push(line))
  expect(await run(invocation(terminal, ["Hi."], { json: true }))).toBe(0)
  expect(lines.filter((line) => line.includes(world.session))).toEqual([])
})

test("`run` without a message ends with Ctrl-C and loses nothing", async () => {
  const world = await bobWaits()
  const { terminal, stop } = terminalIn(world, () => {})
  const done = run(invocation(terminal, []))
  await expect.poll(() => world.from.bodies.length).toBe(5)
  stop()
  expect(await done).toBe(2)
  expect(stateOf(world.root)).toEqual(["waiting"])
})

test("an agent that is closed puts back what nobody waits for, and the next one answers it", async () => {
  const { root, time, from, session } = await bobWaits()
  const closed = await open(root, from, { now: time.now, wait: time.wait })
  const resumed = closed.agent.resume()
  await expect.poll(() => from.bodies.length).toBe(5)
  await closed.agent.close()
  expect(await resumed).toEqual([])
  const other = await server([say("At last.")])
  const next = await open(root, other, { now: time.now, wait: time.wait })
  await next.agent.resume()
  expect(next.late.map(({ state, text }) => [state, text])).toEqual([["answered", "At last."]])
  expect(transcript(root, session)).toEqual(["user: From Bob", "assistant: At last."])
})
