// Servers of the project on loopback with an MCP surface that asks for no token: the suite has none to send. Everything
// else is as in `incipit serve`: limits, host and origin, the surface with its streams.
import process from "node:process"
import type { ServerEvent } from "@modelcontextprotocol/server"
import type { Caller } from "../../../src/serve/auth/caller.ts"
import { openServer, type RunningServer } from "../../../src/serve/http/server.ts"
import { serveSettings } from "../../../src/serve/http/settings.ts"
import type { OpenSurface, ServedAgents } from "../../../src/serve/http/surface.ts"
import { mcpSurface } from "../../../src/serve/mcp/mcp-surface.ts"
import { stdioBridge } from "./stdio-bridge.ts"
import { createSuiteServer } from "./suite-server.ts"

const OWNER: Caller = {
  ...{ user: undefined, situation: "dm", trust: "full", token: "none", from: { situation: "dm" } },
  scopes: ["read", "operate"],
}

const NO_AGENTS: ServedAgents = {
  names: [],
  named: () => undefined,
  get main(): never {
    throw new Error("the suite's server has no agents")
  },
}

/** With the suite's offers. */
export function openSuiteServer(): Promise<RunningServer> {
  const listeners = new Set<(event: ServerEvent) => void>()
  const tellAll = (event: ServerEvent) => () => {
    for (const tell of listeners) tell(event)
  }
  const changes = {
    toolsChanged: tellAll({ kind: "tools_list_changed" }),
    promptsChanged: tellAll({ kind: "prompts_list_changed" }),
  }
  const surface = mcpSurface({
    scopes: ["read"],
    factory: () => createSuiteServer(changes),
    follow(_call, tell) {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
  })
  return openOnLoopback({
    ...surface,
    scopes: "none",
    handle: (request, call) =>
      surface.handle(request, { ...call, caller: OWNER, isCurrent: async () => true }),
  })
}

/** With the same offers, over stdio. */
export function openSuiteBridge(): Promise<RunningServer> {
  return openOnLoopback(stdioBridge())
}

function openOnLoopback(surface: OpenSurface): Promise<RunningServer> {
  return openServer({
    settings: serveSettings({}, { port: 0 }, () => ""),
    surfaces: [surface],
    agents: NO_AGENTS,
    agentMetrics: async () => "",
    sessions: { begin: async () => undefined, end: async () => {} },
    authentication: { find: async () => undefined, config: () => ({}) },
    isReady: async () => true,
    // The suite's own report says what was wrong with an answer.
    log: () => {},
    now: Date.now,
    warn: (line) => process.stderr.write(`${line}\n`),
  })
}
