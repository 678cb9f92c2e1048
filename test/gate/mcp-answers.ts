// What the MCP server answers one person about a workspace: its tools on every path, its lists, its files and skills.
import { visible } from "../../src/core/model/plan.ts"
import { explain } from "../../src/core/read/explain.ts"
import { report } from "../../src/core/read/report.ts"
import type { SharedMemory } from "../../src/memory/shared-memory.ts"
import type { CompiledPrompt, McpView } from "../../src/serve/mcp/mcp-view.ts"
import { seenWorkspace, textOfSkill } from "../../src/serve/mcp/offers/seen-workspace.ts"
import { resultOf } from "../../src/serve/mcp/result.ts"
import type { McpCall } from "../../src/serve/mcp/tools/mcp-tool.ts"
import { MCP_TOOLS } from "../../src/serve/mcp/tools/mcp-tools.ts"
import { o200k } from "../../src/tokens/o200k.ts"

export interface McpAsked {
  readonly inspected: CompiledPrompt
  readonly memory: SharedMemory
  readonly paths: readonly string[]
}

export async function mcpAnswers({ inspected, memory, paths }: McpAsked): Promise<Record<string, string>> {
  const view = viewOf(inspected, memory)
  const { files, skills } = await seenWorkspace(view)
  const answers: Record<string, string> = {
    "mcp files": files.map(({ path, text }) => `${path}\n${text}`).join("\n"),
    "mcp skills": JSON.stringify(
      skills.map((skill) => [skill.name, skill.description, textOfSkill(skill)?.whole]),
    ),
  }
  const inputs = [
    ...[["compile", { text: true }] as const, ["memory", { do: "search", query: "zq" }] as const],
    ...paths.map((what) => ["explain", { what }] as const),
    ...paths.map((path) => ["memory", { do: "get", path }] as const),
  ]
  for (const [name, input] of inputs)
    answers[`mcp ${name} ${JSON.stringify(input)}`] = await answerOf(view, name, input)
  return answers
}

function viewOf(inspected: CompiledPrompt, memory: SharedMemory): McpView {
  const { prompt, session } = inspected
  const { trust, situation } = session.audience
  const unused = () => Promise.reject(new Error("not asked here"))
  return {
    reader: { user: session.person, situation, trust, scopes: ["read"], from: {} },
    ...{ now: () => 0, timeZone: "UTC", sources: async () => [], ownSession: async () => undefined },
    ...{ record: unused, writableMemory: unused },
    memory: (ask) => ask({ memory, by: "somebody" }),
    compile: async () => inspected,
    explain: async (what) => explain(report({ ...prompt, plan: visible(prompt.plan) }), what, []),
  }
}

async function answerOf(view: McpView, name: string, input: unknown): Promise<string> {
  const tool = MCP_TOOLS.find(({ definition }) => definition.name === name)
  const call: McpCall = { view, client: "test", signal: new AbortController().signal, progress: () => {} }
  try {
    const found = await tool?.run(input, call)
    return found === undefined ? "no such tool" : JSON.stringify(resultOf(name, found, o200k))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return `failed: ${error.message}`
  }
}
