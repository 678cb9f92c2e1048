// Tools of MCP servers that may change something are asked about, as the server's hints and the configuration say.
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import type { McpConfig } from "../../../src/agent/mcp/config.ts"
import type { Approval, ApprovalRequest, ToolHost } from "../../../src/tools/host.ts"
import { approveServers, call, open, server as provider, say, workspace } from "../world/agent-world.ts"
import { enterWorld, textResult, tool } from "./mcp-world.ts"

const world = enterWorld()
afterAll(() => world.leave())

const HINTS: Readonly<Record<string, unknown>> = {
  none: undefined,
  reads: { readOnlyHint: true },
  adds: { readOnlyHint: false, destructiveHint: false },
  deletes: { destructiveHint: true },
  mixed: { readOnlyHint: true, destructiveHint: true },
  odd: { readOnlyHint: "true", destructiveHint: "false" },
  wrong: "readOnlyHint",
}

const SCRIPT = {
  tools: Object.entries(HINTS).map(([name, annotations]) => tool(name, { annotations })),
  calls: Object.fromEntries(
    Object.keys(HINTS).map((name) => [name, { do: "answer", result: textResult("done") } as const]),
  ),
}

/** What each tool came to: `ran`, `asked` or `asked, may delete`; nothing for one that is not offered. */
async function outcomes(tools: McpConfig[string]["tools"]) {
  const mcp = world.open({ s: { ...world.scripted("s", SCRIPT), tools } })
  await mcp.settled
  const found = []
  for (const { name } of mcp.tools()) {
    const asked: ApprovalRequest[] = []
    const approve = async (request: ApprovalRequest): Promise<Approval> => {
      asked.push(request)
      return "no"
    }
    const signal = new AbortController().signal
    const host = { approve, signal } as Partial<ToolHost> as ToolHost
    const text = await world.run(mcp, name, { what: "lamp" }, { host })
    const [request] = asked
    if (request?.kind === "mcp") {
      expect(request).toMatchObject({ server: "s", tool: name, input: '{\n  "what": "lamp"\n}' })
      expect(text).toBe(`failure: The call to "${name}" was not approved.`)
      found.push([name, request.isDestructive ? "asked, may delete" : "asked"])
    } else found.push([name, text.includes("done") ? "ran" : text])
  }
  return Object.fromEntries(found)
}

const DELETES = "asked, may delete"
const BY_HINTS = {
  none: DELETES,
  reads: "ran",
  adds: "asked",
  deletes: DELETES,
  mixed: "ran",
  odd: DELETES,
  wrong: DELETES,
}

test("without rules, tools that only read run, and the others are asked about", async () => {
  expect(await outcomes(undefined)).toEqual(BY_HINTS)
})

test("a rule wins over what the server says of a tool; one that is denied is not offered", async () => {
  const { none, reads, wrong, odd, ...others } = BY_HINTS
  expect(await outcomes({ none: "allow", reads: "ask", wrong: "deny", odd: "deny" })).toEqual({
    ...others,
    none: "ran",
    reads: "asked",
  })
  expect(await outcomes({ "*": "deny", adds: "allow", deletes: "ask" })).toEqual({
    adds: "ran",
    deletes: DELETES,
  })
  const all = await outcomes({ "*": "allow" })
  expect(new Set(Object.values(all))).toEqual(new Set(["ran"]))
})

test("a rule for a tool that is not there is reported", async () => {
  const mcp = world.open({ typo: { ...world.scripted("typo", SCRIPT), tools: { delets: "deny" } } })
  await mcp.settled
  expect(world.troubles()).toContain('warn typo: has no tool "delets", which the configuration names')
})

test("where nobody can be asked, nothing is called", async () => {
  const mcp = world.open({ s: { ...world.scripted("s", SCRIPT), tools: {} } })
  await mcp.settled
  expect(await world.run(mcp, "adds")).toBe('failure: The call to "adds" was not approved.')
})

test("a yes to all calls of a tool is none to another tool, nor to commands", async () => {
  const { command, args = [] } = world.scripted("always", SCRIPT)
  const root = workspace({
    "incipit.yaml": `profile: incipit\nmcp: ${JSON.stringify({ s: { command, args } })}\n`,
  })
  approveServers(root, join(root, "no-home"))
  const from = await provider([
    call(["deletes", { n: 1 }]),
    call(["deletes", { n: 2 }]),
    call(["adds", { n: 3 }]),
    call(["shell", { command: "true" }]),
    say("done"),
  ])
  const asked: string[] = []
  const { agent } = await open(root, from, {
    env: { ...process.env, ...from.env },
    approve: async (request) => {
      asked.push(request.kind === "mcp" ? `${request.kind} ${request.tool}` : request.kind)
      return "always"
    },
  })
  await agent.send("go on")
  expect(asked).toEqual(["mcp deletes", "mcp adds", "shell"])
})
