// Every name of `incipit/channels` in use: an agent that people reach over a channel of your own.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { offlineModel, openAgent, openStore } from "incipit/agent"
import {
  type Channel,
  type ChannelArrival,
  ChannelFault,
  type ChannelPolicy,
  connectChannels,
  type OutgoingPart,
} from "incipit/channels"

// A message is taken once by its id, whatever happens in between.
const arrival: ChannelArrival = {
  id: "letter-1",
  message: {
    place: { channel: "post:bo" },
    sender: "post:bo",
    isRoom: false,
    isAddressed: true,
    text: "When does the boat go?",
  },
}

// A channel: what it brings, how it cuts an answer, how it sends a part. A fault is tried again later.
const received = Promise.withResolvers<OutgoingPart>()
const post: Channel = {
  name: "post",
  run: (host) => host.take(arrival),
  parts: (text) => [text],
  async send(part) {
    if (part.body === "") throw new ChannelFault("an empty letter", { isFinal: true })
    received.resolve(part)
    return undefined
  },
}

// Who may talk, and an agent that gets what they say. Answers wait in the store until they are sent.
const policy: ChannelPolicy = { strangers: "silent", rooms: "mentions" }
const state = mkdtempSync(join(tmpdir(), "channels-"))
const store = await openStore(join(state, "agent.db"))
const connections = connectChannels({
  ...{ store, channels: [{ channel: post, policy }], random: Math.random },
  acquaintance: { isUser: (identity) => identity === "post:bo", isRoom: () => false },
  trouble: (channel, error) => console.error(channel, error),
})
const agent = await openAgent({
  ...{ workspace: join(import.meta.dirname, "..", "lighthouse"), state, store, deliver: connections.deliver },
  ...{ record: false, memory: false, model: offlineModel({ script: () => "At nine." }) },
})
connections.start(() => agent)
const { place, body } = await received.promise
console.log(`${place.channel}: ${body}`)
await connections.stop()
await agent.close()
await store.close()
rmSync(state, { recursive: true })
