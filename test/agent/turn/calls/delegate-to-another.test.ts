// A part of the work for a further agent of the workspace: the model that is in force, and servers that run already.
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { startAgent } from "../../world/agent-world.ts"
import { call } from "../../world/scripted-model.ts"

const SERVER = resolve("examples/mcp/tide-server.ts")
const NODE = JSON.stringify(process.execPath)

/** Each start of the server leaves a line in `starts`. */
const CONFIG = `profile: incipit
feeds: { communication: off, bulletin: off }
mcp:
  tides: { command: sh, args: [-c, 'echo started >> starts; exec "$0" "$1"', ${NODE}, ${JSON.stringify(SERVER)}] }
`

test("it uses the model that was chosen last, and the servers are not started again", async () => {
  const models: string[] = []
  const local = await startAgent({
    protocol: "anthropic",
    files: { "incipit.yaml": CONFIG, "agents/reader/SOUL.md": "You read.\n" },
    answer: ({ body, calls }) => {
      models.push(body.model)
      if (calls === 1) return [call("delegate", { agent: "reader", task: "When is high water?" })]
      return calls === 2 ? [call("crossing", { day: 16 })] : [{ text: "At 08:20." }]
    },
  })
  onTestFinished(() => local.close())
  await local.agent.useModel("anthropic/claude-haiku-4-5")
  const { state, text } = await local.send("Ask the reader.")
  expect({ state, text, models }).toEqual({
    ...{ state: "answered", text: "At 08:20." },
    models: Array(4).fill("claude-haiku-4-5"),
  })
  expect(JSON.stringify(local.exchanges[2]?.body.messages.at(-1))).toMatch(/server=.{1,4}tides/)
  expect(readFileSync(join(local.folder, "starts"), "utf8")).toBe("started\n")
  // Whoever listens to the turn hears what the part does, under the call that delegated it.
  const parts = local.events.flatMap((event) => (event.kind === "delegated" ? [event] : []))
  const [started] = parts.map(({ event }) => event)
  const turn = started?.kind === "turn-started" ? started.turn : "none"
  const whole = local.events.find((event) => event.kind === "tool-started")
  expect(new Set(parts.map((one) => `${one.agent} ${one.turn} ${one.call}`))).toEqual(
    new Set([`reader ${turn} ${whole?.call}`]),
  )
  const heard = ["turn-started", "tool-started", "tool-finished", "text", "turn-finished"]
  expect(parts.map(({ event }) => event.kind).filter((kind) => heard.includes(kind))).toEqual(heard)
  expect((await local.send("And you?")).text).toBe("At 08:20.")
})
