// The MCP server over stdio, for as long as the client keeps it open. A file of its own because it brings the protocol.
import { IncipitError } from "../../../base/error.ts"
import { secretsAmong } from "../../../record/redact/secret-variables.ts"
import { createSecrets } from "../../../record/redact/secrets.ts"
import { followChanges } from "../../../serve/mcp/follow-changes.ts"
import { createIncipitServer } from "../../../serve/mcp/mcp-server.ts"
import { visible } from "../../chat/screen/visible.ts"
import type { FlagsOf } from "../../command-line/invocation.ts"
import { workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { openLocalView } from "./local-view.ts"
import { serveStreams } from "./serve-streams.ts"

export async function serveLocally(flags: FlagsOf<"mcp">, terminal: Terminal): Promise<void> {
  const { streams } = terminal
  if (streams === undefined) throw new IncipitError("bad-argument", "MCP needs stdin and stdout")
  const { view, close } = openLocalView(flags, terminal)
  const failed = (error: unknown) =>
    terminal.err(`warning: ${visible(error instanceof Error ? error.message : String(error))}\n`)
  const served = serveStreams({
    ...streams,
    failed,
    factory: () => createIncipitServer({ view, failed }),
    secrets: createSecrets(secretsAmong(terminal.env)),
  })
  const stop = followChanges(view, {
    folder: workspaceFolder(flags, terminal),
    resourcesChanged: () => served.tell((server) => server.sendResourceListChanged()),
    promptsChanged: () => served.tell((server) => server.sendPromptListChanged()),
  })
  await Promise.race([served.ended, terminal.stopped()])
  stop()
  await served.close()
  await close()
}
