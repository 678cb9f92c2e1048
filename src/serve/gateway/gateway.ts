// A gateway: the agents of a workspace behind a server and channels. Opens them, connects their logs to the record, and
// closes them so that nothing is lost.
import { setTimeout as sleep } from "node:timers/promises"
import type { AgentOptions, RunningAgent } from "../../agent/setup/agent.ts"
import { IncipitError } from "../../base/error.ts"
import type { AgentStore } from "../../database/contract/agent-store.ts"
import { MAIN_AGENT } from "../../files/paths.ts"
import type { RecordEvent } from "../../record/write/event.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import { isRoomIn, personOn } from "../../sources/config/policy.ts"
import type { LiveFeed } from "../api/live/live-feed.ts"
import { browserSessions } from "../auth/browser-sessions.ts"
import { makeSignInCode } from "../auth/sign-in-code.ts"
import { tokenFinder } from "../auth/stored-tokens.ts"
import { channelApprovals } from "../channels/approvals.ts"
import {
  type ChannelConnections,
  type ConnectedChannel,
  connectChannels,
} from "../channels/connect-channels.ts"
import { troubleLine } from "../channels/trouble-line.ts"
import { openServer, type RunningServer } from "../http/server.ts"
import type { ServeSettings } from "../http/settings.ts"
import type { OpenSurface, Surface } from "../http/surface.ts"
import { type AgentMetrics, createAgentMetrics } from "../metrics/agent-metrics.ts"
import type { ApprovalDesk } from "./approval-desk.ts"
import { startBackgroundWork } from "./background-work.ts"
import { channelSurface } from "./channel-surface.ts"
import { channelErrorEvent, requestEvent } from "./events.ts"
import { noticeSender } from "./notices.ts"
import { type OpenedAgents, openServedAgents } from "./served-agents.ts"

/** What the gateway does for an agent: `openAgent` takes it with its other options. */
export type AgentPorts = Required<Pick<AgentOptions, "deliver" | "approve" | "notify" | "watch">>

export interface GatewayOptions {
  readonly workspace: string
  readonly settings: ServeSettings
  readonly config: () => Config
  /** The agents' store, which also has the tokens. Stays open. */
  readonly store: AgentStore
  readonly surfaces: readonly (Surface | OpenSurface)[]
  readonly channels: readonly ConnectedChannel[]
  readonly approvals: Pick<ApprovalDesk, "approverFor" | "close">
  /** Hears what happens in all turns. */
  readonly live: Pick<LiveFeed, "watch" | "close">
  readonly now: () => number
  /** Tells the operator about failures that no caller hears of. The record has those of channels, too. */
  readonly warn: (line: string) => void
  /** Opens the main agent, or a further one by its id. */
  readonly open: (id: string | undefined, ports: AgentPorts) => Promise<RunningAgent>
}

export interface Gateway extends Pick<RunningServer, "url"> {
  /** Signs the owner in, once. */
  readonly code: string
  /** The main agent first. */
  readonly agents: readonly string[]
  /** Receives nothing more, lets current requests finish, then closes the server and the agents. */
  close(): Promise<void>
}

/** Opens the agents, then the server and the channels: whoever can connect gets an answer. */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const { workspace, open, approvals, settings, store, live, warn } = options
  const channels = options.channels.map(({ channel }) => channel)
  const ask = channelApprovals({ ...settings, channels })
  const notify = noticeSender({ ...settings, ...store, channels, trouble: warn })
  let main: RunningAgent | undefined
  // Before the agents: one may have an answer from an earlier process while the next is still being opened.
  const metrics = createAgentMetrics(options.now)
  const connections = connectionsOf(options, {
    metrics,
    record: (event) => main?.record.append(event),
  })
  const agents = await openServedAgents(workspace, (id) =>
    open(id, {
      deliver: connections.deliver,
      approve: approvals.approverFor(id ?? MAIN_AGENT, ask),
      watch(event) {
        metrics.watch(event)
        live.watch(event)
      },
      notify,
    }),
  )
  main = agents.main
  try {
    const agentOf = agentFinder(options, agents)
    const code = await makeSignInCode(store.tokens)
    const server = await serverOf(options, agents, { connections, metrics })
    connections.start(agentOf)
    const work = startBackgroundWork(agents.all, store.wakeUps, warn)
    return {
      ...{ url: server.url, code },
      agents: agents.names,
      async close() {
        const rested = work.stop()
        // Streams of events have no end of their own, and would be waited for.
        live.close()
        await Promise.all(options.surfaces.map((surface) => surface.close?.()))
        await Promise.all([connections.stop(), server.close()])
        await agents.close()
        await Promise.all([rested, approvals.close()])
      },
    }
  } catch (error) {
    await agents.close()
    throw error
  }
}

function connectionsOf(
  { store, channels, config, now, warn }: GatewayOptions,
  { metrics, record }: { readonly metrics: AgentMetrics; readonly record: (event: RecordEvent) => void },
): ChannelConnections {
  return connectChannels({
    ...{ store, channels, random: Math.random },
    acquaintance: {
      isUser: (identity) => personOn(config(), identity) !== undefined,
      isRoom: (identity) => isRoomIn(config(), identity),
    },
    trouble(channel, error, data) {
      metrics.channelFailed(channel)
      record(channelErrorEvent({ channel, error, data, at: now() }))
      warn(troubleLine(channel, error, data))
    },
  })
}

function serverOf(
  { settings, config, store, surfaces, now, warn }: GatewayOptions,
  agents: OpenedAgents,
  { connections, metrics }: { readonly connections: ChannelConnections; readonly metrics: AgentMetrics },
): Promise<RunningServer> {
  return openServer({
    ...{ settings, agents, now, warn },
    surfaces: [...surfaces, channelSurface(connections)],
    authentication: { find: tokenFinder(store.tokens), config },
    sessions: browserSessions(store.tokens),
    agentMetrics: () => metrics.text(agents.names, store),
    isReady: () => isReady(store),
    log: (answered) => agents.main.record.append(requestEvent(answered)),
  })
}

/** A database that is away answers late, and who asks wants to know soon. */
const READY_WITHIN_MS = 2_000

function isReady(store: Pick<AgentStore, "isGone">): Promise<boolean> {
  const answered = store.isGone().then(
    (isGone) => !isGone,
    () => false,
  )
  return Promise.race([answered, sleep(READY_WITHIN_MS, false, { ref: false })])
}

/** Checks the names before anything is received. */
function agentFinder({ channels }: GatewayOptions, { main, named }: OpenedAgents) {
  const find = (id: string | undefined) => (id === undefined ? main : named(id))
  for (const { channel, agent } of channels)
    if (find(agent) === undefined)
      throw new IncipitError("no-agent", `serve.channels.${channel.name}.agent: there is no agent ${agent}`)
  return (id: string | undefined) => find(id) ?? main
}
