// A gateway: the agents of a workspace behind a server. Opens both, connects the log to the record, and closes both.
import type { RunningAgent } from "../../agent/setup/agent.ts"
import { defined } from "../../base/defined.ts"
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { RecordEvent } from "../../record/write/event.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import { browserSessions, tokenFinder } from "../auth/stored-tokens.ts"
import { openServer, type RunningServer } from "../http/server.ts"
import type { AnsweredRequest } from "../http/services.ts"
import type { ServeSettings } from "../http/settings.ts"
import type { OpenSurface, Surface } from "../http/surface.ts"
import { openServedAgents } from "./served-agents.ts"

export interface GatewayOptions {
  readonly workspace: string
  readonly settings: ServeSettings
  readonly config: () => Config
  /** The agents' store, which also has the tokens. Stays open. */
  readonly store: AgentStore
  readonly surfaces: readonly (Surface | OpenSurface)[]
  readonly now: () => number
  /** Opens the main agent, or a further one by its id. */
  readonly open: (id: string | undefined) => Promise<RunningAgent>
}

export interface Gateway extends Pick<RunningServer, "url" | "code"> {
  /** The main agent first. */
  readonly agents: readonly string[]
  /** Lets current requests finish, then closes the server and the agents. */
  close(): Promise<void>
}

/** Opens the agents, then the server: whoever can connect gets an answer. */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const { workspace, settings, config, store, surfaces, now, open } = options
  const agents = await openServedAgents(workspace, open)
  try {
    const server = await openServer({
      ...{ settings, surfaces, agents, now },
      authentication: { find: tokenFinder(store.tokens), config },
      sessions: browserSessions(store.tokens),
      isReady: async () => !(await store.isGone()),
      log: (answered) => agents.main.record.append(eventOf(answered)),
    })
    return {
      url: server.url,
      code: server.code,
      agents: agents.names,
      async close() {
        await server.close()
        await agents.close()
      },
    }
  } catch (error) {
    await agents.close()
    throw error
  }
}

/** For the operator alone. */
function eventOf({ at, durationMs, user, error, ...data }: AnsweredRequest): RecordEvent {
  const level = data.status >= 500 ? ("error" as const) : data.refused === undefined ? "info" : "warn"
  return {
    ...{ type: "request_answered", at: at + durationMs, durationMs, trust: "full", level, data },
    ...defined({ user, error }),
  }
}
