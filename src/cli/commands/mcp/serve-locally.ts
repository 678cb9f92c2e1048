// The MCP server over stdio, for as long as the client keeps it open. A file of its own because it brings the protocol.
import type { McpServer } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { IncipitError } from "../../../base/error.ts"
import { secretsAmong } from "../../../record/redact/secret-variables.ts"
import { createSecrets } from "../../../record/redact/secrets.ts"
import { followChanges } from "../../../serve/mcp/follow-changes.ts"
import { createIncipitServer } from "../../../serve/mcp/mcp-server.ts"
import { visible } from "../../chat/screen/visible.ts"
import type { FlagsOf } from "../../command-line/invocation.ts"
import { workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { lineTransport } from "./line-transport.ts"
import { openLocalView } from "./local-view.ts"

export async function serveLocally(flags: FlagsOf<"mcp">, terminal: Terminal): Promise<void> {
  const { streams } = terminal
  if (streams === undefined) throw new IncipitError("bad-argument", "MCP needs stdin and stdout")
  const { view, close } = openLocalView(flags, terminal)
  const failed = (error: unknown) =>
    terminal.err(`warning: ${visible(error instanceof Error ? error.message : String(error))}\n`)
  const servers = new Set<McpServer>()
  const secrets = createSecrets(secretsAmong(terminal.env))
  const transport = lineTransport({ ...streams, secrets })
  const handle = serveStdio(
    () => {
      const server = createIncipitServer({ view, failed })
      servers.add(server)
      return server
    },
    { transport, onerror: failed },
  )
  const told = (tell: (server: McpServer) => void) => () => {
    for (const server of servers) if (server.isConnected()) tell(server)
  }
  const stop = followChanges(view, {
    folder: workspaceFolder(flags, terminal),
    resourcesChanged: told((server) => server.sendResourceListChanged()),
    promptsChanged: told((server) => server.sendPromptListChanged()),
  })
  await Promise.race([transport.ended, terminal.stopped()])
  stop()
  await handle.close()
  await close()
}
