// The model that agents/<id>/incipit.yaml names: used when the agent runs, and when it is given a part of the work.
import { expect, test } from "vitest"
import { openWorkspace } from "../../../src/sources/workspace.ts"
import { call, open, say, server, workspace, write } from "../world/agent-world.ts"

const FILES = {
  "agents/reader/SOUL.md": "You read.\n",
  "agents/reader/incipit.yaml": "model: anthropic/claude-haiku-4-5\n",
  "agents/writer/SOUL.md": "You write.\n",
}
const models = (bodies: readonly string[]) => bodies.map((body) => JSON.parse(body).model)

test("a part goes to the model of its agent, and without one to the model of who gave it", async () => {
  const root = workspace(FILES)
  const from = await server([
    call(["delegate", { agent: "reader", task: "Read." }]),
    say("Read."),
    call(["delegate", { agent: "writer", task: "Write." }]),
    say("Written."),
    say("Done."),
  ])
  const { agent } = await open(root, from)
  expect((await agent.send("Have it read and written.")).text).toBe("Done.")
  const [own, small] = ["claude-sonnet-5-5", "claude-haiku-4-5"]
  expect(models(from.bodies)).toEqual([own, small, own, own, own])
})

test("an agent that is run uses it, unless another is asked for", async () => {
  const root = workspace(FILES)
  const from = await server([say("Hello.")])
  const { agent } = await open(root, undefined, { agent: "reader", env: from.env })
  expect(agent.model.id).toBe("anthropic/claude-haiku-4-5")
  const asked = await open(root, from, { agent: "reader" })
  expect(asked.agent.model.id).toBe("anthropic/claude-sonnet-5-5")
})

test("a model whose key is missing leaves the part to the model of who gave it", async () => {
  const root = workspace({ ...FILES, "agents/reader/incipit.yaml": "model: openai/gpt-5\n" })
  const from = await server([
    call(["delegate", { agent: "reader", task: "Read." }]),
    say("Read."),
    say("Done."),
  ])
  const { agent } = await open(root, from)
  expect((await agent.send("Have it read.")).text).toBe("Done.")
  expect(models(from.bodies)).toEqual(Array(3).fill("claude-sonnet-5-5"))
})

test("whatever else is in the file is said not to count", () => {
  const root = workspace(FILES)
  write(root, "agents/reader/incipit.yaml", "model: a/b\nusers: { eve: { trust: full } }\n")
  const { config, diagnostics } = openWorkspace(root, { agent: "reader" })
  expect([config.model, config.users]).toEqual(["a/b", undefined])
  expect(diagnostics).toEqual([
    { code: "not-of-an-agent", path: "agents/reader/incipit.yaml", key: "users", needs: "full" },
  ])
})
