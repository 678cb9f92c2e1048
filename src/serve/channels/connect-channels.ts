// Connects channels to an agent: stores what arrives before the channel says that it has it, and sends answers from the
// store until they have arrived.
import type { Deliver, RunningAgent } from "../../agent/setup/agent.ts"
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { Acquaintance, ChannelPolicy } from "./admission.ts"
import { createArrivals } from "./arrivals.ts"
import { backOffMs } from "./back-off.ts"
import type { Channel, ChannelHost, OutgoingPart, Place } from "./channel.ts"
import { createDeliveryLoop, type DeliveryLoop } from "./delivery-loop.ts"

/** A channel with who may talk on it. */
export interface ConnectedChannel {
  readonly channel: Channel
  readonly policy: ChannelPolicy
  /** The agent that answers; the main one if undefined. */
  readonly agent?: string | undefined
}

/** What channels need of the agent's store. */
export type ChannelStores = Pick<AgentStore, "channels" | "deliveries" | "pairings" | "wakeUps">

/** What `connectChannels` takes. */
export interface ConnectOptions {
  /** The agent's own. */
  readonly store: ChannelStores
  readonly channels: readonly ConnectedChannel[]
  readonly acquaintance: Pick<Acquaintance, "isUser" | "isRoom">
  /** From 0 to 1: spreads waits. */
  readonly random: () => number
  /** Records a failure of a channel, as `channel_error`. */
  readonly trouble: (channel: string, error: unknown, data: Readonly<Record<string, unknown>>) => void
}

/** Channels that are connected to agents. */
export interface ChannelConnections {
  /**
   * For `openAgent`: puts an answer into the store, from where it is sent. Throws if the sender's channel is not
   * configured. Does nothing for a sender without a channel, who finds the answer in the session.
   */
  readonly deliver: Deliver
  /** Receives and sends until `stop`. `agentOf`: the agent by its id, or the main one. */
  start(agentOf: (id: string | undefined) => Pick<RunningAgent, "send">): void
  /** Whether a channel of this name is called over HTTP, and has been started. */
  isCalled(channel: string): boolean
  /** Answers a request to a channel that is called over HTTP. Undefined if there is no such channel, or before `start`. */
  request(channel: string, request: Request): Promise<Response> | undefined
  /** Stops receiving at once; resolves when nothing is being received or sent. */
  stop(): Promise<void>
}

/** Connects channels to agents: pass `deliver` to `openAgent`, then call `start`. */
export function connectChannels(options: ConnectOptions): ChannelConnections {
  const lines = new Map(
    options.channels.map((connected) => [connected.channel.name, lineOf(options, connected)]),
  )
  const stopped = new AbortController()
  const running: Promise<void>[] = []
  const hosts = new Map<string, ChannelHost>()
  const deliver: Deliver = async (reply, to) => {
    if (to.channel === undefined) return
    const line = lines.get(nameIn(to.channel))
    if (line === undefined)
      throw new Error(
        `an answer for ${to.channel} is waiting, and \`serve.channels\` in incipit.yaml does not have that channel`,
      )
    if (reply.text !== "") await answer(options.store, line, { ...reply, to: to.channel })
  }
  return {
    deliver,
    start(agentOf) {
      const rest = options.store.wakeUps.listen(({ kind }) => {
        if (kind === "delivery") for (const { loop } of lines.values()) loop.wake()
      })
      stopped.signal.addEventListener("abort", rest, { once: true })
      for (const [name, line] of lines) {
        const { channel } = line
        const agent = agentOf(line.agent)
        const host = createArrivals(options, { ...line, agent, deliver, wake: line.loop.wake })
        hosts.set(name, host)
        running.push(line.loop.run(stopped.signal))
        if (channel.run !== undefined) running.push(keepRunning(options, { channel, host }, stopped.signal))
      }
    },
    isCalled: (name) => hosts.has(name) && lines.get(name)?.channel.request !== undefined,
    request(name, request) {
      const host = stopped.signal.aborted ? undefined : hosts.get(name)
      return host && lines.get(name)?.channel.request?.(request, host)
    },
    async stop() {
      stopped.abort()
      await Promise.all(running)
    },
  }
}

interface Line extends ConnectedChannel {
  readonly loop: DeliveryLoop
}

function lineOf({ store, random, trouble }: ConnectOptions, connected: ConnectedChannel): Line {
  const { deliveries, pairings } = store
  const { channel } = connected
  const loop = createDeliveryLoop({
    ...{ channel, deliveries, pairings, random },
    trouble: (error, data) => trouble(channel.name, error, data),
  })
  return { ...connected, loop }
}

/** A channel that ran for so long has worked, even if nothing arrived. */
const WORKED_MS = 60_000

/** Calls `run` again after a failure, later each time until one has worked for a while. */
async function keepRunning(
  { random, trouble }: ConnectOptions,
  { channel, host }: { readonly channel: Channel; readonly host: ChannelHost },
  signal: AbortSignal,
): Promise<void> {
  let attempt = 0
  while (!signal.aborted) {
    const watched: ChannelHost = {
      report: host.report,
      async take(arrival) {
        await host.take(arrival)
        attempt = 0
      },
    }
    const began = performance.now()
    try {
      await channel.run?.(watched, signal)
      return
    } catch (error) {
      if (signal.aborted) return
      attempt = performance.now() - began > WORKED_MS ? 1 : attempt + 1
      const retryInMs = backOffMs(error, attempt, random())
      trouble(channel.name, error, { attempt, retryInMs })
      await pause(retryInMs, signal)
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = () => resolve()
  const timer = setTimeout(end, ms)
  signal.addEventListener("abort", end, { once: true })
  await promise
  clearTimeout(timer)
  signal.removeEventListener("abort", end)
}

interface Answer {
  readonly turn: string
  readonly text: string
  /** Used if the store no longer knows where the message came from. */
  readonly to: string
}

/** The ids follow from the turn, so that an answer that is handed over twice is sent once. */
async function answer(
  { channels, deliveries }: ChannelStores,
  { channel, loop }: Line,
  { turn, text, to }: Answer,
): Promise<void> {
  const arrival = await channels.arrivalOf(turn)
  const { place, replyTo } = returnAddress(arrival?.replyTo) ?? { place: { channel: to }, replyTo: undefined }
  const parts = channel.parts(text).map((body, index) => {
    const part: Omit<OutgoingPart, "id"> = { place, body, ...(index === 0 && { replyTo }) }
    return {
      ...{ id: `${turn}.${index}`, channel: channel.name, to: place.channel },
      ...{ body: JSON.stringify(part), turn },
    }
  })
  await deliveries.add(parts)
  loop.wake()
}

export interface ReturnAddress {
  readonly place: Place
  readonly replyTo?: string | undefined
}

function returnAddress(stored: string | undefined): ReturnAddress | undefined {
  // Written by `createArrivals`.
  return stored === undefined ? undefined : (JSON.parse(stored) as ReturnAddress)
}

function nameIn(identity: string): string {
  return identity.slice(0, Math.max(identity.indexOf(":"), 0))
}
