// Notices of agents to people, such as those of scheduled runs. Each is in the store already, so one that no channel
// takes is seen in the next chat.
import { randomUUID } from "node:crypto"
import type { AgentOptions } from "../../agent/setup/agent.ts"
import type { Sender } from "../../database/contract/sender.ts"
import type { Deliveries } from "../../database/contract/serve/deliveries.ts"
import type { Channel, OutgoingPart } from "../channels/channel.ts"

export interface NoticeOptions {
  readonly deliveries: Pick<Deliveries, "add">
  readonly channels: readonly Channel[]
  /** The owner's identity on a channel. */
  readonly owner: string | undefined
  readonly trouble: (text: string) => void
}

/** For `openAgent`: sends a notice where the message came from, or to the owner if nobody sent one. */
export function noticeSender(options: NoticeOptions): NonNullable<AgentOptions["notify"]> {
  const { deliveries, channels, owner, trouble } = options
  return (text, to) => {
    const identity = placeOf(to, owner)
    const channel = channels.find(({ name }) => identity?.startsWith(`${name}:`))
    if (identity === undefined || channel === undefined) return
    const id = `notice.${randomUUID()}`
    const parts = channel.parts(text).map((body, at) => {
      const part: Omit<OutgoingPart, "id"> = { place: { channel: identity }, body }
      return { id: `${id}.${at}`, channel: channel.name, to: identity, body: JSON.stringify(part) }
    })
    deliveries.add(parts).catch((error: unknown) => trouble(`a notice could not be stored: ${String(error)}`))
  }
}

/** Undefined for somebody who is not on a channel: what is for them is not for the owner. */
function placeOf({ as, channel }: Sender, owner: string | undefined): string | undefined {
  return channel ?? (as === undefined ? owner : undefined)
}
