// What the suite wants a client to do, with the agent's own client: `node suite-client.ts URL`. It lists the tools and calls
// each with what the scenario says, or with the least that its schema wants.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { openMcp } from "../../../src/agent/mcp/mcp.ts"
import { createSecrets } from "../../../src/record/redact/secrets.ts"
import { openRecord } from "../../../src/record/write/record.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import type { ToolContext } from "../../../src/tools/tool-context.ts"
import { type JsonSchema, leastInput } from "./least-input.ts"

const url = process.argv.at(-1) ?? ""
const context: Context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}")

interface Context {
  readonly toolCalls?: readonly {
    readonly name: string
    readonly arguments: Readonly<Record<string, unknown>>
  }[]
}

const folder = mkdtempSync(join(tmpdir(), "incipit-conformance-"))
const record = openRecord(join(folder, "record.db"))
const caller: ToolContext = {
  ...{ session: "suite", trust: "full", situation: "dm", isOwner: true, timeZone: "UTC" },
  ...{ record, now: Date.now, counter: o200k },
}
const mcp = openMcp(
  { suite: { url, tools: { "*": "allow" } } },
  {
    ...{ root: folder, env: process.env, limitMs: 20_000, taken: [] },
    trouble: ({ level, text }) => process.stderr.write(`${level}: ${text}\n`),
    changed: () => {},
    wait: (ms, signal) => sleep(ms, undefined, { signal }),
    secrets: createSecrets([]),
  },
)
await mcp.settled
const tools = mcp.tools()
const calls =
  context.toolCalls ??
  tools.map(({ name, parameters }) => ({ name, arguments: leastInput(parameters as JsonSchema) }))
for (const call of calls) {
  const tool = tools.find(({ name }) => name === call.name)
  if (tool === undefined) process.stderr.write(`no tool ${call.name}\n`)
  else await answerOf(tool, call.arguments)
}
await mcp.close()
await record.close()
rmSync(folder, { recursive: true })

async function answerOf(tool: (typeof tools)[number], input: unknown): Promise<void> {
  try {
    process.stdout.write(`${await tool.run(input, caller)}\n`)
  } catch (error) {
    // What the model would be told.
    process.stdout.write(`${tool.name}: ${error instanceof Error ? error.message : error}\n`)
  }
}
