// Who the agent is on its channels, asked before they are opened: a wrong token is better said now than recorded later.
import { type Channel, ChannelFault } from "./channel.ts"

export interface Introduced {
  /** Such as `telegram: @lamp_bot`. */
  readonly names: readonly string[]
  readonly warnings: readonly string[]
}

/** Throws an `IncipitError` if the settings of one are wrong. A service that cannot be reached now is a warning. */
export async function introduceChannels(channels: readonly Channel[]): Promise<Introduced> {
  const all = await Promise.all(channels.map(introduced))
  return { names: all.flatMap(({ names }) => names), warnings: all.flatMap(({ warnings }) => warnings) }
}

async function introduced(channel: Channel): Promise<Introduced> {
  const { name } = channel
  try {
    const found = await channel.introduce?.()
    return found === undefined
      ? { names: [name], warnings: [] }
      : { names: [`${name}: ${found.name}`], warnings: found.warnings }
  } catch (error) {
    if (!(error instanceof ChannelFault)) throw error
    return {
      names: [name],
      warnings: [`${name}: ${error.message}. It is tried again while the server runs.`],
    }
  }
}
