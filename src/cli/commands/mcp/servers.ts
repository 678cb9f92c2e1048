// The MCP servers that incipit.yaml names, and who is signed in to them. Starts and contacts none of them.
import process from "node:process"
import { type McpPlace, mcpServer } from "../../../agent/mcp/config.ts"
import { type SignIn, type SignIns, signInsIn } from "../../../agent/mcp/sign-in/stored-sign-ins.ts"
import { isServerApproved } from "../../../approval/approvable.ts"
import { defined } from "../../../base/defined.ts"
import { IncipitError } from "../../../base/error.ts"
import { signInsFolder } from "../../../files/paths.ts"
import { openWorkspace } from "../../../sources/workspace.ts"
import { stateHomeOf } from "../../../workspace/state/state.ts"
import type { FlagsOf } from "../../command-line/invocation.ts"
import { printDiagnostics } from "../../command-line/print-diagnostics.ts"
import { homeFolder, workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"

export interface NamedServers {
  readonly servers: readonly NamedServer[]
  readonly signIns: SignIns
}

export interface NamedServer {
  readonly name: string
  /** Its command or its URL, as it is configured. */
  readonly at: string
  readonly url: string | undefined
  readonly isApproved: boolean
  /** Its configuration has a key of its own, so nobody signs in. */
  readonly hasOwnKey: boolean
  readonly signIn: SignIn | undefined
  /** Where it is, with variables filled in. Throws if one is not set. */
  readonly place: () => McpPlace
}

export function namedServers(flags: FlagsOf<"mcp status">, terminal: Terminal): NamedServers {
  const home = homeFolder({}, terminal)
  const opened = openWorkspace(workspaceFolder(flags, terminal), { home })
  printDiagnostics(opened.diagnostics, terminal)
  const { config, root } = opened
  const signIns = signInsIn(signInsFolder(stateHomeOf({ ...defined({ home }), env: terminal.env })))
  const servers = Object.entries(config.mcp ?? {}).map(([name, entry]): NamedServer => {
    const { url, command, args = [], headers = {} } = entry
    return {
      ...{ name, url, at: url ?? [command, ...args].join(" ") },
      isApproved: isServerApproved(opened, name, home),
      hasOwnKey: Object.keys(headers).some((header) => header.toLowerCase() === "authorization"),
      signIn: url === undefined ? undefined : signIns.read(url),
      place: () => mcpServer(name, entry, { root, env: { ...process.env, ...terminal.env } }).place(),
    }
  })
  return { servers, signIns }
}

/** The server of that name, if it is one over HTTP. */
export function httpServer(
  servers: readonly NamedServer[],
  name: string,
): NamedServer & { readonly url: string } {
  const found = servers.find((one) => one.name === name)
  if (found === undefined) throw new IncipitError("no-server", `incipit.yaml has no MCP server "${name}"`)
  const { url } = found
  if (url === undefined)
    throw new IncipitError("no-server", `"${name}" is a program, which signs in by itself if it has to`)
  return { ...found, url }
}
