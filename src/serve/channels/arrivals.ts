// Takes what arrives on a channel: decides who may talk, and has it stored once, before the channel goes on.
import type { Deliver, RunningAgent } from "../../agent/setup/agent.ts"
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { Arrival } from "../../database/contract/arrival.ts"
import type { Sender } from "../../database/contract/sender.ts"
import { type Acquaintance, admit, type ChannelPolicy } from "./admission.ts"
import type { Channel, ChannelHost, ChannelMessage } from "./channel.ts"
import { offerPairing } from "./offer-pairing.ts"

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
  const { store, acquaintance } = services
  const { channel, policy } = line
  const known: Acquaintance = {
    ...acquaintance,
    pairedUser: async (identity) => (await store.pairings.find(senderIn(identity)))?.user,
  }
  return {
    position: () => store.channels.offset(channel.name),
    async take({ id, position, message }) {
      const arrival = { channel: channel.name, id, offset: position }
      // The agent refuses a message without words, and the channel would bring it again and again.
      if (message === undefined || message.text.trim() === "")
        return void (await store.channels.settle(arrival))
      const admission = await admit(message, policy, known)
      if (admission.kind === "talk") return talk(services, line, { arrival, message, as: admission.as })
      if (admission.kind === "pair" && (await store.channels.arrival(channel.name, id)) === undefined) {
        await offerPairing(store, { channel, message })
        line.wake()
      }
      await store.channels.settle(arrival)
    },
  }
}

interface Admitted {
  readonly arrival: Arrival
  readonly message: ChannelMessage
  readonly as: string | undefined
}

/** Resolves when the message is in the store; the turn goes on by itself. */
async function talk(services: ArrivalServices, line: ArrivalLine, admitted: Admitted): Promise<void> {
  const { channel, agent, deliver } = line
  const { message, arrival } = admitted
  const { promise: stored, resolve, reject } = Promise.withResolvers<void>()
  const replyTo = JSON.stringify({ place: message.place, replyTo: message.replyTo })
  let isStored = false
  const stopTyping = showTyping(channel, message)
  agent
    .send(message.text, {
      ...senderOf(services.acquaintance, admitted),
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
  // In a room that it only listens to, the agent may have nothing to say.
  if (typing === undefined || !isAddressed) return () => {}
  const show = () => void typing(place).catch(() => {})
  show()
  const timer = setInterval(show, TYPING_EVERY_MS)
  return () => clearInterval(timer)
}

export function senderIn(identity: string): { readonly channel: string; readonly sender: string } {
  const end = identity.indexOf(":")
  return { channel: identity.slice(0, end), sender: identity.slice(end + 1) }
}
