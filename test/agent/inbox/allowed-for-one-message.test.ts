// What is allowed with a message holds for that message: others that waited, and are answered by the same process, are
// not run with it. Whoever put them there did not hear the yes.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { flagsFor } from "../../../src/cli/command-line/invocation.ts"
import { run } from "../../../src/cli/commands/agent/run.ts"
import type { Terminal } from "../../../src/cli/terminal.ts"
import type { Approval } from "../../../src/tools/host.ts"
import { call, clock, MODEL, NIGHT, open, refuse, say, server, workspace } from "../world/agent-world.ts"

/** A message that could not be answered before. From then on each message has a file written, named by its last word. */
async function leftOver(as?: string) {
  const root = workspace({
    "incipit.yaml": 'users: { owner: { trust: full, match: ["terminal:*"] }, bob: { trust: full } }\n',
  })
  const time = clock()
  let isDown = true
  const from = await server(({ body }) => {
    if (isDown) return refuse(529)
    const text = JSON.stringify(body.messages)
    const last = text.lastIndexOf("Write ")
    const isDone = text.slice(last).includes("tool_result")
    return isDone
      ? say("Done.")
      : call(["write", { path: `${text.slice(last + 6, last + 10)}.md`, text: "x\n" }])
  }, time.now)
  const { agent } = await open(root, from, { now: time.now, wait: time.wait })
  const sender = as === undefined ? {} : { as }
  expect((await agent.send("Write left", sender)).state).toBe("queued")
  await agent.close()
  isDown = false
  time.set(NIGHT + 7_200_000)
  return { root, time, from, isWritten: (name: string) => existsSync(join(root, `${name}.md`)) }
}

const REFUSED =
  "an action of an earlier message was refused: --allow applies only to the message it is given with"
const LEFT = "1 earlier message is queued."

test.each([
  ["the same session", undefined, REFUSED, LEFT],
  ["another session", "bob", LEFT, REFUSED],
])(
  "`run --allow edit` lets its own message write, and not one that waited in %s",
  async (_where, as, says, not) => {
    const { root, time, from, isWritten } = await leftOver(as)
    const lines: string[] = []
    const print = (text: string) => void lines.push(text)
    const terminal: Terminal = {
      ...{ out: print, err: print, exact: print, drained: async () => {}, columns: 80, colour: false },
      ...{ cwd: root, home: join(root, "no-home"), timeZone: "UTC", now: time.now },
      env: { ...from.env, INCIPIT_STATE_DIR: join(root, ".incipit") },
      stopped: () => new Promise(() => {}),
    }
    const flags = flagsFor("run", { model: MODEL, allow: ["edit"] })
    expect(await run({ words: ["Write mine"], flags, terminal })).toBe(0)
    expect([isWritten("left"), isWritten("mine")]).toEqual([false, true])
    expect(lines.join("")).toContain(says)
    expect(lines.join("")).not.toContain(not)
  },
)

test("`run --allow` without a message is refused, and nothing is made", async () => {
  const root = workspace()
  // It is refused before anything else of the terminal is used.
  const terminal = { cwd: root, home: join(root, "no-home"), env: {} } as unknown as Terminal
  await expect(
    run({ words: [], flags: flagsFor("run", { allow: ["shell"] }), terminal }),
  ).rejects.toMatchObject({
    code: "bad-argument",
    message: "--allow applies to the message it is given with, and there is no message",
  })
  expect(existsSync(join(root, "no-home"))).toBe(false)
})

test.each<[Approval]>([["yes"], ["always"]])(
  'a program that says "%s" with one message says nothing about the others',
  async (said) => {
    const { root, time, from, isWritten } = await leftOver()
    const asked: string[] = []
    const approve = async (_request: unknown): Promise<Approval> => {
      asked.push("of all")
      return "no"
    }
    const { agent } = await open(root, from, { now: time.now, wait: time.wait, approve })
    await agent.send("Write mine", { approve: async () => said })
    expect([isWritten("left"), isWritten("mine")]).toEqual([false, true])
    await agent.send("Write more")
    expect([isWritten("more"), asked]).toEqual([false, ["of all", "of all"]])
  },
)

test("what a message has another agent do is allowed with it", async () => {
  const root = workspace({ "agents/keeper/SOUL.md": "Keeps the lamp.\n" })
  const from = await server([
    call(["delegate", { agent: "keeper", task: "Write it." }]),
    call(["write", { path: "kept.md", text: "x\n" }]),
    say("Written."),
    say("Done."),
  ])
  const { agent } = await open(root, from, { approve: async () => "no" })
  await agent.send("Have it written.", { approve: async () => "yes" })
  expect(existsSync(join(root, "kept.md")) || existsSync(join(root, "agents", "keeper", "kept.md"))).toBe(
    true,
  )
})
