// Generates the page of built-in tools from the definitions that the model reads.
import { agentTools } from "../src/agent/setup/agent-tools.ts"
import { byCodePoint } from "../src/base/order.ts"
import type { Tool } from "../src/core/model/inputs.ts"

const INTRO = `The tools that a model can call, with the descriptions it is sent. A tool is only sent in conversations with the trust it needs, and cannot be called in others. Tools that need full trust ask for approval before they act; only \`delegate\` acts at once, and its agent asks for what it does. The memory and record tools are for everyone and show only what the person asking may see.

\`tools\` in [incipit.yaml](../guide/configuration.md) selects among them. More come from [MCP servers](../guide/mcp.md) and [programs](../guide/agent.md#tools-and-approval).`

export function toolsPage(): string {
  const rows = agentTools()
    .toSorted((a, b) => byCodePoint(a.name, b.name))
    .map((tool) => `| \`${call(tool)}\` | ${tool.trust ?? "public"} | ${cell(tool.description)} |`)
  return `# Tools\n\n${INTRO}\n\n| tool | trust it needs | what it does |\n|---|---|---|\n${rows.join("\n")}\n`
}

function call({ name, parameters }: Tool): string {
  return `${name}(${Object.keys(parameters.properties ?? {}).join(", ")})`
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ")
}
