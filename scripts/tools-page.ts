// Generates the page of built-in tools from the definitions that the model reads.
import { ownTools } from "../src/agent/setup/own-tools.ts"
import { byCodePoint } from "../src/base/order.ts"
import type { Tool } from "../src/core/model/inputs.ts"

const INTRO = `What a model may call, as it is told. Whoever has less trust than a tool needs is not told of it, and cannot call it. Before one that needs full trust acts, a yes is asked for; only \`delegate\` acts at once, and what its agent does is asked about. Those of memory and of the record are for everybody, and show what the one who asks may see.

\`tools\` in [incipit.yaml](../guide/configuration.md) chooses among them. Others come from [MCP servers](../guide/mcp.md) and [programs](../guide/agent.md#tools-and-approval).`

export function toolsPage(): string {
  const rows = ownTools()
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
