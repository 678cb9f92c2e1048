// Beside a prompt that is shown as over a channel, to the person at their own terminal: whose messages there are theirs.
import type { Session } from "../../../core/model/inputs.ts"
import type { Config } from "../../../sources/config/config-schema.ts"
import { isChannelName } from "../../../sources/config/policy.ts"
import type { Terminal } from "../../terminal.ts"
import { oneLine } from "../../views/widths.ts"

export function printChannelNote(
  { session, workspace }: { readonly session: Session; readonly workspace: { readonly config: Config } },
  terminal: Pick<Terminal, "err">,
): void {
  const note = channelNote(session, workspace.config)
  if (note !== undefined) terminal.err(`${note}\n`)
}

/** Undefined if the configuration names an identity of theirs on that channel, or if it is about others. */
function channelNote(
  { channel, person, isOwner, room }: Pick<Session, "channel" | "person" | "isOwner" | "room">,
  { users = {} }: Config,
): string | undefined {
  if (channel === undefined || !isChannelName(channel) || room !== undefined || isOwner !== true)
    return undefined
  const own = person !== undefined && Object.hasOwn(users, person) ? users[person]?.match : undefined
  if (own?.some((identity) => identity.startsWith(`${channel}:`)) === true) return undefined
  return oneLine(
    `Shown as you would get it over ${channel}. A message from there is yours only if you are paired, or if your id on ${channel} is in \`users:\` of incipit.yaml. To see what a stranger gets, run \`incipit build --channel ${channel}:0\`.`,
  )
}
