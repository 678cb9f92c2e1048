// Adds the MCP server to a client's own settings.
import type { FlagsOf } from "../../command-line/invocation.ts"
import type { Terminal } from "../../terminal.ts"
import type { McpClientName } from "./mcp-clients.ts"

export async function install(
  _client: McpClientName,
  _flags: FlagsOf<"mcp">,
  _terminal: Terminal,
): Promise<number> {
  return 2
}
