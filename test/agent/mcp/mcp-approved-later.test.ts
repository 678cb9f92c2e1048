// Servers that are approved, configured, changed or taken away while an agent runs: what the next turn has of them.
import { join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import {
  approveServers,
  call,
  open,
  say,
  server,
  transcript,
  workspace,
  write,
} from "../world/agent-world.ts"

const NODE = JSON.stringify(process.execPath)
const SCRIPTED = JSON.stringify(resolve("test/agent/mcp/scripted-server.ts"))
const scripted = (name: string) => `{ command: ${NODE}, args: [${SCRIPTED}, ${name}.json] }`
const configured = (servers: string) => `profile: incipit\nenvironment: { host: off }\nmcp: { ${servers} }\n`
const tool = (name: string) => ({
  name,
  inputSchema: { type: "object" },
  annotations: { readOnlyHint: true },
})
const script = (name: string) =>
  JSON.stringify({
    tools: [tool(name)],
    calls: { [name]: { do: "answer", result: { content: [{ type: "text", text: `from ${name}` }] } } },
  })

async function opened(servers: string) {
  const root = workspace({
    "incipit.yaml": configured(servers),
    "a.json": script("ask_a"),
    "b.json": script("ask_b"),
  })
  const provider = await server(({ body, calls }) =>
    calls === 2 && JSON.stringify(body).includes("ask_a") ? call(["ask_a", {}]) : say("Yes."),
  )
  const troubles: string[] = []
  const env = { ...provider.env, PATH: process.env.PATH ?? "" }
  const wait = async () => {}
  const { agent } = await open(root, { env }, { wait, trouble: (text) => void troubles.push(text) })
  const tools = () =>
    agent
      .tools()
      .map(({ name }) => name)
      .filter((name) => name.startsWith("ask_"))
  return { root, agent, tools, troubles, home: join(root, "no-home") }
}

test("a server that is approved while the agent runs is used by the next turn", async () => {
  const { root, agent, tools, troubles, home } = await opened(`a: ${scripted("a")}`)
  await agent.send("Hello")
  expect([tools(), troubles]).toEqual([
    [],
    ["MCP server a starts once you approve it: incipit hooks approve"],
  ])
  approveServers(root, home)
  const { session } = await agent.send("Ask it")
  expect(tools()).toEqual(["ask_a"])
  expect(JSON.stringify(transcript(root, session))).toContain("from ask_a")
  expect(troubles).toHaveLength(1)
})

test("a server that is added to the configuration waits for a yes, and is then used", async () => {
  const { root, agent, tools, troubles, home } = await opened(`a: ${scripted("a")}`)
  approveServers(root, home)
  await agent.send("Hello")
  expect(tools()).toEqual(["ask_a"])
  write(root, "incipit.yaml", configured(`a: ${scripted("a")}, b: ${scripted("b")}`))
  await agent.send("Hello")
  await agent.send("Hello")
  expect([tools(), troubles.slice(1)]).toEqual([
    ["ask_a"],
    ["MCP server b starts once you approve it: incipit hooks approve"],
  ])
  approveServers(root, home)
  await agent.send("Hello")
  expect(tools()).toEqual(["ask_a", "ask_b"])
  write(root, "incipit.yaml", configured(`b: ${scripted("b")}`))
  await agent.send("Hello")
  expect(tools()).toEqual(["ask_b"])
})

test("a server whose entry changes continues as it was approved, until the new entry is", async () => {
  const { root, agent, tools, home } = await opened(`a: ${scripted("a")}`)
  approveServers(root, home)
  await agent.send("Hello")
  write(root, "incipit.yaml", configured(`a: ${scripted("b")}`))
  await agent.send("Hello")
  expect(tools()).toEqual(["ask_a"])
  approveServers(root, home)
  await agent.send("Hello")
  expect(tools()).toEqual(["ask_b"])
})

test("reading everything again tries what was given up", async () => {
  const { root, agent, tools, troubles, home } = await opened("a: { command: ./absent }")
  approveServers(root, home)
  await agent.send("Hello")
  onTestFinished(() => agent.close())
  await expect.poll(() => troubles.at(-1)).toMatch(/will be tried again when you reload$/)
  const before = troubles.length
  await agent.send("Hello")
  expect([tools(), troubles.length]).toEqual([[], before])
  await agent.reload()
  expect(troubles.length).toBeGreaterThan(before)
})
