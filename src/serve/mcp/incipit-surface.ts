// `/mcp` of `incipit serve`: the MCP server over what the agents recorded and keep. The protocol is loaded with the first
// request.
import { oncePerObject } from "../../base/memo/once.ts"
import type { ApiServices } from "../api/api-call.ts"
import type { ServedAgents, Surface, SurfaceCall } from "../http/surface.ts"
import { agentPage } from "../page/agent/agent-page.ts"
import { MCP_PREFIX, refuseMcp } from "./mcp-path.ts"
import type { McpSurface } from "./mcp-surface.ts"
import { type ServedViewServices, servedView } from "./served-view.ts"

export interface IncipitSurfaceServices extends ApiServices, ServedViewServices {
  readonly workspace: string
}

export function incipitSurface(services: IncipitSurfaceServices): Surface {
  const pageOf = oncePerObject((agents: ServedAgents) => agentPage(agents, services))
  const viewOf = (call: SurfaceCall) => servedView(call, pageOf(call.agents), services)
  let opened: Promise<McpSurface> | undefined
  const open = async () => {
    const [{ mcpSurface }, { createIncipitServer }, { followChanges }] = await Promise.all([
      import("./mcp-surface.ts"),
      import("./mcp-server.ts"),
      import("./follow-changes.ts"),
    ])
    return mcpSurface({
      scopes: SCOPES,
      factory: (call) => createIncipitServer({ view: () => viewOf(call), failed: call.failed }),
      follow: (call, tell) =>
        followChanges(() => viewOf(call), {
          folder: services.workspace,
          resourcesChanged: () => tell({ kind: "resources_list_changed" }),
          promptsChanged: () => tell({ kind: "prompts_list_changed" }),
        }),
    })
  }
  return {
    ...{ prefix: MCP_PREFIX, scopes: SCOPES, refuse: refuseMcp },
    async handle(request, call) {
      opened ??= open()
      return (await opened).handle(request, call)
    },
    async close() {
      await (await opened)?.close()
    },
  }
}

const SCOPES = ["read", "operate"] as const
