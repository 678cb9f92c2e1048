// A server of the configuration in turns of a real agent: its tools and instructions in the prompt, its answers, and what
// becomes of one that never starts.
import { resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { queryEvents } from "../../../src/record/ask/logs.ts"
import { startAgent } from "../world/agent-world.ts"
import { call } from "../world/scripted-model.ts"

const SERVER = resolve("examples/mcp/tide-server.ts")

test("a server's tools are offered, sorted among the others, called, and gated by its trust", async () => {
  const local = await startAgent({
    protocol: "anthropic",
    files: {
      "incipit.yaml": `profile: incipit\nusers: { bob: { trust: familiar } }\nmcp: { tides: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(SERVER)}], trust: inner } }\n`,
    },
    answer: ({ calls }) => (calls === 1 ? [call("crossing", { day: 16 })] : [{ text: "At 08:20." }]),
  })
  onTestFinished(() => local.close())
  await local.send("When is high water?")
  const [first, second] = local.exchanges
  const names: string[] = first?.body.tools.map(({ name }: { name: string }) => name)
  expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)))
  expect(names).toContain("crossing")
  expect(JSON.stringify(first?.body.system)).toContain("Ask for the crossing")
  expect(JSON.stringify(second?.body.messages.at(-1))).toMatch(/server=.{1,4}tides/)
  await local.send("And for me?", { as: "bob" })
  const others: string[] = local.exchanges[2]?.body.tools.map(({ name }: { name: string }) => name)
  expect(others).not.toContain("crossing")
})

test("tools that a server adds are offered in the next turn, which begins an epoch", async () => {
  const tools = ["swap"].map(scriptedTool)
  const script = { tools, calls: { swap: { do: "change", tools: [...tools, scriptedTool("tide_table")] } } }
  const [command, server] = [process.execPath, resolve("test/agent/mcp/scripted-server.ts")].map((path) =>
    JSON.stringify(path),
  )
  const local = await startAgent({
    protocol: "anthropic",
    files: {
      "incipit.yaml": `profile: incipit\nmcp: { moves: { command: ${command}, args: [${server}, script.json], tools: { "*": allow } } }\n`,
      "script.json": JSON.stringify(script),
    },
    answer: ({ calls }) => (calls === 1 ? [call("swap", {})] : [{ text: "Yes." }]),
  })
  onTestFinished(() => local.close())
  await local.send("What can the server do?")
  await expect.poll(() => local.agent.tools().map(({ name }) => name)).toContain("tide_table")
  await local.send("And now?")
  const added = local.exchanges.map(({ body }) =>
    body.tools.some(({ name }: { name: string }) => name === "tide_table"),
  )
  expect(added).toEqual([false, false, true])
  const epochs = local.events.flatMap((event) => (event.kind === "epoch-started" ? [event.reason] : []))
  expect(epochs).toEqual(["the session began", "the tools changed"])
})

function scriptedTool(name: string) {
  return { name, inputSchema: { type: "object" } }
}

test("a server that never starts is reported, and turns continue without it", async () => {
  const local = await startAgent({
    protocol: "anthropic",
    files: { "incipit.yaml": "profile: incipit\nmcp: { asleep: { command: sleep, args: ['1000'] } }\n" },
    answer: () => [{ text: "Yes." }],
    limits: { serverMs: 50 },
    wait: (_ms, signal) => new Promise((_, reject) => signal.addEventListener("abort", reject)),
  })
  onTestFinished(() => local.close())
  expect((await local.send("Are you there?")).text).toBe("Yes.")
  const found = await local.agent.record.read((store) => queryEvents(store, { types: ["diagnostic"] }))
  expect(found.map(({ error }) => error).filter((error) => error?.includes("asleep"))).toHaveLength(1)
})
