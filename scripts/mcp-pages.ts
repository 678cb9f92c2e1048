// The generated parts of the pages about the MCP server: what each client's settings get, and what the definitions cost.
import { CLIENT_SETTINGS } from "../src/cli/commands/mcp/install/client-settings.ts"
import { snippetOf } from "../src/cli/commands/mcp/install/server-entry.ts"
import type { McpClientName } from "../src/cli/commands/mcp/mcp-clients.ts"
import { definitionCosts } from "../src/serve/mcp/definition-costs.ts"

/** What is written where `incipit` is on the path, in the scope that is taken without `--scope`. */
export function mcpSnippet(client: McpClientName): string {
  const settings = CLIENT_SETTINGS[client]
  const folder = settings.scope === "project" && settings.folder
  const command = ["incipit", "mcp", ...(folder ? ["--workspace", folder] : [])]
  const language = settings.format === "toml" ? "toml" : "json"
  return `\`\`\`${language}\n${snippetOf(settings, settings.entry(command, []))}\`\`\``
}

export function mcpCosts(): string {
  const { tools, instructions, total } = definitionCosts()
  const rows = [...tools, { name: "instructions", tokens: instructions }]
  return [
    "| part | tokens |",
    "|---|--:|",
    ...rows.map(({ name, tokens }) => `| \`${name}\` | ${tokens} |`),
    `| **together** | **${total}** |`,
  ].join("\n")
}
