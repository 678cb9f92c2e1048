// Asks for approvals over a channel: one configured person, in their own conversation. No answer in time is a no.
import type { Approve } from "../../agent/setup/agent.ts"
import type { Channel } from "./channel.ts"

export interface ChannelApprovalOptions {
  readonly channels: readonly Channel[]
  /** The identity of the person who is asked, such as `telegram:4711`; without one, everything is refused. */
  readonly approver: string | undefined
  readonly expiresInMs: number
}

export function channelApprovals({ channels, approver, expiresInMs }: ChannelApprovalOptions): Approve {
  const channel = channels.find(({ name }) => approver?.startsWith(`${name}:`))
  return async (request, { id, from, signal }) => {
    if (approver === undefined || channel?.ask === undefined) return "no"
    const expired = AbortSignal.timeout(expiresInMs)
    // A yes counts once: whoever asks next may have been led by other words.
    const said = await channel.ask({
      ...{ id, request, to: approver },
      from: from.sender ?? from.as ?? from.channel ?? "the owner",
      signal: AbortSignal.any([signal, expired]),
    })
    return said === "yes" && !expired.aborted ? "yes" : "no"
  }
}
