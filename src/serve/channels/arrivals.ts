// Takes what arrives on a channel: decides who may talk, and has it stored once, before the channel goes on.
import type { Deliver, RunningAgent } from "../../agent/setup/agent.ts"
import { IncipitError } from "../../base/error.ts"
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { Arrival } from "../../database/contract/arrival.ts"
import type { Sender } from "../../database/contract/sender.ts"
import { type Acquaintance, admit, type ChannelPolicy } from "./admission.ts"
import type { Channel, ChannelHost, ChannelMessage } from "./channel.ts"
import { type LoadedMessage, loadFiles } from "./load-files.ts"
import { offerPairing } from "./offer-pairing.ts"
import { createUnknownRooms } from "./unknown-rooms.ts"

export interface ArrivalServices {
  readonly store: Pick<AgentStore, "channels" | "deliveries" | "pairings">
  readonly acquaintance: Pick<Acquaintance, "isUser" | "isRoom">
  readonly trouble: (channel: string, error: unknown, data: Readonly<Record<string, unknown>>) => void
}

export interface ArrivalLine {
  readonly channel: Channel
  readonly policy: ChannelPolicy
  readonly agent: Pick<RunningAgent, "send">
  readonly deliver: Deliver
  /** There may be something to send. */
  readonly wake: () => void
}

export function createArrivals(services: ArrivalServices, line: ArrivalLine): ChannelHost {
  const { store, acquaintance, trouble } = services
  const { channel, policy } = line
  const known: Acquaintance = {
    ...acquaintance,
    pairedUser: async (identity) => (await store.pairings.find(senderIn(identity)))?.user,
  }
  const noteRoom = createUnknownRooms((fault) => trouble(channel.name, fault, {}))
  return {
    report: (problem) => trouble(channel.name, problem, {}),
    async take({ id, message }) {
      const arrival = { channel: channel.name, id }
      if (message === undefined) return void (await store.channels.settle(arrival))
      const admission = await admit(message, policy, known)
      if (admission.kind === "talk") return talk(services, line, { arrival, message, as: admission.as })
      if (admission.kind === "pair" && !(await isKnown(store, arrival))) {
        await offerPairing(store, { channel, message })
        line.wake()
      }
      if (admission.kind === "ignore") noteRoom(message.place.channel, admission.why)
      await store.channels.settle(arrival)
    },
  }
}

async function isKnown(
  { channels }: Pick<AgentStore, "channels">,
  { channel, id }: Arrival,
): Promise<boolean> {
  return (await channels.arrival(channel, id)) !== undefined
}

interface Admitted {
  readonly arrival: Arrival
  readonly message: ChannelMessage
  readonly as: string | undefined
}

async function talk(services: ArrivalServices, line: ArrivalLine, admitted: Admitted): Promise<void> {
  const { message, arrival } = admitted
  // One that comes again is in the store with its files, which the service may no longer have.
  if (message.files !== undefined && message.files.length > 0 && (await isKnown(services.store, arrival)))
    return
  try {
    await untilStored(services, line, { ...admitted, loaded: await loadFiles(message) })
  } catch (error) {
    if (!isOfMessage(error)) throw error
    services.trouble(line.channel.name, error, { arrival: arrival.id })
    await services.store.channels.settle(arrival)
  }
}

/** The agent will never take it, and the channel would bring it again and again. */
function isOfMessage(error: unknown): boolean {
  return error instanceof IncipitError && (error.code === "no-text" || error.code === "bad-option")
}

/** Resolves when the message is in the store; the turn goes on by itself. */
async function untilStored(
  services: ArrivalServices,
  { channel, agent, deliver }: ArrivalLine,
  admitted: Admitted & { readonly loaded: LoadedMessage },
): Promise<void> {
  const { message, arrival, loaded } = admitted
  const { promise: stored, resolve, reject } = Promise.withResolvers<void>()
  const replyTo = JSON.stringify({ place: message.place, replyTo: message.replyTo })
  let isStored = false
  const stopTyping = showTyping(channel, message)
  agent
    .send(loaded.text, {
      ...senderOf(services.acquaintance, admitted),
      files: loaded.files,
      arrival: { ...arrival, replyTo },
      deliver,
      stored() {
        isStored = true
        resolve()
      },
    })
    .catch((error: unknown) => {
      // Once it is stored, it stays in the queue, and the agent answers it later.
      if (isStored) services.trouble(channel.name, error, { arrival: arrival.id })
      else reject(error)
    })
    .finally(stopTyping)
  await stored
}

/** In a room, the room decides what can be seen, and the sender is named beside it. */
function senderOf(
  acquaintance: ArrivalServices["acquaintance"],
  { message, as }: Pick<Admitted, "message" | "as">,
): Sender {
  const { place, sender, isRoom } = message
  const person = as === undefined ? {} : { as }
  if (!isRoom) return { ...person, channel: place.channel }
  // A configured room may have a situation of its own.
  const situation = acquaintance.isRoom(place.channel) ? {} : { situation: "group" }
  return { ...person, ...situation, channel: place.channel, sender }
}

/** Telegram shows it for five seconds. */
const TYPING_EVERY_MS = 4_000

function showTyping({ typing }: Channel, { place, isAddressed }: ChannelMessage): () => void {
  // In a room where the agent only listens, it may have nothing to say.
  if (typing === undefined || !isAddressed) return () => {}
  const show = () => void typing(place).catch(() => {})
  show()
  const timer = setInterval(show, TYPING_EVERY_MS)
  return () => clearInterval(timer)
}

function senderIn(identity: string): { readonly channel: string; readonly sender: string } {
  const end = identity.indexOf(":")
  return { channel: identity.slice(0, end), sender: identity.slice(end + 1) }
}
