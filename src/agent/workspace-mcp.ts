// The MCP servers of a workspace: those of its configuration that are approved. How they are
// started and asked is in `mcp/`.
import process from "node:process"
import { type Approvable, isServerApproved } from "../approval/approvable.ts"
import { type Mcp, openMcp } from "./mcp/mcp.ts"
import type { Opened } from "./opened.ts"
import { ownTools } from "./own-tools.ts"

export function mcpOf(
  { options, watching, limits, telling }: Opened,
  waiting: readonly Approvable[],
): Mcp | undefined {
  const { workspace } = watching.now()
  const { config, root, id: agent } = workspace
  if (config.mcp === undefined) return undefined
  const scope = telling.scope({ agent, trust: "full" })
  const held = new Set(waiting.flatMap(({ kind, name }) => (kind === "mcp" ? [name] : [])))
  const servers = Object.fromEntries(Object.entries(config.mcp).filter(([name]) => !held.has(name)))
  return openMcp(servers, {
    root,
    env: options.env ?? process.env,
    // As it was configured when it was approved: what the file says by now is for the next agent.
    isApproved: (name) => isServerApproved(workspace, name, options.home),
    limitMs: limits.serverMs,
    taken: ownTools(options.tools).map(({ name }) => name),
    trouble: ({ level, server, text }) =>
      scope.event("finding", { level, error: `MCP server ${server}: ${text}`, data: { server } }),
    changed: (server) => scope.event("config_reloaded", { data: { server } }),
  })
}
