// Counts of what agents do, for operators, as Prometheus reads them. Labels are agents, channels and words from fixed
// lists: nothing says who talked, or what about.
import type { WatchedEvent } from "../../agent/turn/live-event.ts"
import type { AgentStore } from "../../database/contract/agent-store.ts"
import { OFFLINE_CALLS } from "../../record/prices/offline-calls.ts"
import { type Counter, counterLines, createCounter, gaugeLines } from "./counters.ts"

/** A session counts as active for this long after its last event. */
const ACTIVE_MS = 60 * 60_000

export interface AgentMetrics {
  watch(event: WatchedEvent): void
  channelFailed(channel: string): void
  text(agents: readonly string[], store: Pick<AgentStore, "inbox">): Promise<string>
}

export function createAgentMetrics(now: () => number): AgentMetrics {
  const counters: Counters = {
    turns: createCounter("incipit_turns_total", "Turns that ended, by how."),
    tokens: createCounter("incipit_tokens_total", `Tokens of calls, by kind. ${OFFLINE_CALLS}`),
    cost: createCounter(
      "incipit_cost_usd_total",
      `What calls cost in dollars, as far as prices are known. ${OFFLINE_CALLS}`,
    ),
    unpriced: createCounter("incipit_unpriced_calls_total", "Calls without a known price."),
    errors: createCounter("incipit_channel_errors_total", "Failures of channels, each attempt counted."),
  }
  const active = new Map<string, number>()
  return {
    watch({ agent, session, event }) {
      active.delete(session)
      active.set(session, now())
      // Also if nobody ever reads the metrics.
      forget(active, now() - ACTIVE_MS)
      count(counters, agent, event)
    },
    channelFailed: (channel) => counters.errors.add({ channel }),
    async text(agents, store) {
      forget(active, now() - ACTIVE_MS)
      const lines = [
        ...Object.values(counters).flatMap(counterLines),
        ...gaugeLines(
          "incipit_cache_hit_ratio",
          "Tokens read from the cache, of all input, since the start.",
          [[{}, hitRatio(counters.tokens)]],
        ),
        ...gaugeLines("incipit_sessions_active", "Sessions with a turn in the last hour.", [
          [{}, active.size],
        ]),
        ...(await queueLines(agents, store)),
      ]
      return `${lines.join("\n")}\n`
    },
  }
}

type Counters = Readonly<Record<"turns" | "tokens" | "cost" | "unpriced" | "errors", Counter>>

function count(
  { turns, tokens, cost, unpriced }: Counters,
  agent: string,
  event: WatchedEvent["event"],
): void {
  if (event.kind === "turn-finished") turns.add({ agent, state: event.reply.state })
  if (event.kind !== "step-finished") return
  const { usage, costUsd, isSimulated } = event.cost
  const from = isSimulated ? "simulated" : "provider"
  const { uncached, read, write, output } = usage
  const written = Object.values(write).reduce((sum, one) => sum + one, 0)
  for (const [kind, amount] of Object.entries({ uncached, read, written, output }))
    tokens.add({ agent, from, kind }, amount)
  if (costUsd === null) unpriced.add({ agent })
  else cost.add({ agent, from }, costUsd)
}

/** The oldest come first. */
function forget(active: Map<string, number>, before: number): void {
  for (const [session, at] of active) {
    if (at >= before) return
    active.delete(session)
  }
}

function hitRatio(tokens: Counter): number {
  const [read, all] = [tokens.sum({ kind: "read" }), tokens.sum({})]
  const input = all - tokens.sum({ kind: "output" })
  return input === 0 ? 0 : read / input
}

async function queueLines(agents: readonly string[], { inbox }: Pick<AgentStore, "inbox">) {
  const open = await Promise.all(agents.map(async (agent) => ({ agent, messages: await inbox.open(agent) })))
  const states = open.flatMap(({ agent, messages }) =>
    (["waiting", "working"] as const).map(
      (state) => [{ agent, state }, messages.filter((one) => one.state === state).length] as const,
    ),
  )
  return gaugeLines("incipit_queue_messages", "Messages that are not answered yet.", states)
}
