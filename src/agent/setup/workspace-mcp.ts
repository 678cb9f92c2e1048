// The MCP servers of a workspace: configured and approved ones, including those approved or configured while the agent
// runs. `mcp/` starts and calls them.
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { type Approvable, isServerApproved, waitingServers } from "../../approval/approvable.ts"
import { defined } from "../../base/defined.ts"
import { signInsFolder } from "../../files/paths.ts"
import type { Boxes } from "../../sandbox/boxes.ts"
import { insideStarter } from "../../sandbox/workspace-sandboxes.ts"
import { stateHomeOf } from "../../workspace/state/state.ts"
import { type Mcp, openMcp } from "../mcp/mcp.ts"
import { signInsIn } from "../mcp/sign-in/stored-sign-ins.ts"
import { agentTools } from "./agent-tools.ts"
import type { Opened } from "./opened.ts"
import { reportUnapproved } from "./report-unapproved.ts"

export interface WorkspaceServers {
  readonly mcp: Mcp
  /**
   * Checks whether the configuration or the approvals have changed; fast if all servers are approved and nothing has.
   * `again`: also retries servers that were given up.
   */
  refresh(options?: { readonly again?: boolean }): Promise<void>
}

type ServerSources = Pick<Opened, "options" | "watching" | "directory" | "limits" | "events" | "secrets"> & {
  readonly boxes: Boxes
}

export function serversOf(opened: ServerSources, waitingAtOpen: readonly Approvable[]): WorkspaceServers {
  const { options, watching } = opened
  const mcp = openMcp({}, mcpOptions(opened))
  const reported = new Set(waitingAtOpen.map(keyOf))
  let seen: object | undefined
  let isHeld = false
  const look = async (again: boolean) => {
    const { workspace } = watching.now()
    if (!again && workspace.config === seen && !isHeld && !mcp.isBlocked()) return
    const waiting = waitingServers(workspace, options.home)
    reportUnapproved(
      opened,
      waiting.filter((one) => !reported.has(keyOf(one))),
    )
    for (const one of waiting) reported.add(keyOf(one))
    seen = workspace.config
    isHeld = waiting.length > 0
    await mcp.use(workspace.config.mcp ?? {}, {
      waiting: new Set(waiting.map(({ name }) => name)),
      // Applies to the current configuration; later changes are checked again.
      isApproved: (name) => isServerApproved(workspace, name, options.home),
      again,
    })
  }
  let looking = Promise.resolve()
  return {
    mcp,
    refresh({ again = false } = {}) {
      looking = looking.catch(() => undefined).then(() => look(again))
      return looking
    },
  }
}

function keyOf({ name, digest }: Approvable): string {
  return `${digest} ${name}`
}

function mcpOptions({
  options,
  watching,
  limits,
  events,
  secrets,
  directory,
  boxes,
}: ServerSources): Parameters<typeof openMcp>[1] {
  const { root, id: agent } = watching.now().workspace
  const scope = events.scope({ agent, trust: "full" })
  const { home, env = process.env } = options
  const signIns = signInsIn(signInsFolder(stateHomeOf({ ...defined({ home }), env })))
  return {
    ...{ root, secrets, signIns, env },
    inside: insideStarter({
      ...{ workspace: () => watching.now().workspace, directory, home, env, boxes },
      warn: (text) => scope.event("diagnostic", { level: "warn", data: { code: "no-sandbox", text } }),
    }),
    limitMs: limits.serverMs,
    taken: agentTools(options.tools).map(({ name }) => name),
    // A server that is down must not keep a program from exiting.
    wait: options.wait ?? ((ms, signal) => sleep(ms, undefined, { signal, ref: false })),
    trouble: ({ level, server, text }) =>
      scope.event("diagnostic", { level, error: `MCP server ${server}: ${text}`, data: { server } }),
    changed: (server) => scope.event("config_reloaded", { data: { server } }),
  }
}
