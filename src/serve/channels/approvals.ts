// Asks for approvals over a channel: one configured person, in their own conversation. No answer in time is a no.
import type { Approve } from "../../agent/setup/agent.ts"
import type { Channel } from "./channel.ts"

export interface ChannelApprovalOptions {
  readonly channels: readonly Channel[]
  /** The identity of the person who is asked, such as `telegram:4711`. */
  readonly owner: string | undefined
  readonly approvalMs: number
}

/** Undefined if nobody can be asked on a channel. */
export function channelApprovals(options: ChannelApprovalOptions): Approve | undefined {
  const { channels, owner, approvalMs } = options
  const channel = channels.find(({ name }) => owner?.startsWith(`${name}:`))
  if (owner === undefined || channel?.ask === undefined) return undefined
  return async (request, { id, from, signal }) => {
    const expired = AbortSignal.timeout(approvalMs)
    // A yes counts once: whoever asks next may have been led by other words.
    const said = await channel.ask?.({
      ...{ id, request, to: owner },
      from: from.sender ?? from.as ?? from.channel ?? "the owner",
      signal: AbortSignal.any([signal, expired]),
    })
    return said === "yes" && !expired.aborted ? "yes" : "no"
  }
}
