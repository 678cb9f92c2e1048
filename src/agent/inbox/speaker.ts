// Who sent a message. In a room, each message names its speaker; in a direct conversation there is only one, and the
// message stays as it was written.
import { defined } from "../../base/defined.ts"
import { leastOf, type Trust } from "../../base/trust.ts"
import { plainName } from "../../core/view/envelope.ts"
import type { Sender } from "../../database/contract/sender.ts"
import type { StoredSession } from "../../database/contract/sessions.ts"
import type { Speaker } from "../../database/contract/transcripts.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import { personOn, trustOfUser } from "../../sources/config/policy.ts"

type Speaking = Pick<Sender, "as" | "channel" | "sender">

/** The configured user who sent a message, found by name or by their identity on the channel. */
function personOf(config: Config, { as, sender }: Speaking): string | undefined {
  const { users = {} } = config
  if (as !== undefined) return Object.hasOwn(users, as) ? as : undefined
  return sender === undefined ? undefined : personOn(config, sender)
}

/** A person's trust in a room, capped by the room's. */
export function trustIn(config: Config, from: Speaking, room: Trust): Trust {
  const person = personOf(config, from)
  return leastOf(person === undefined ? "public" : trustOfUser(config, person), room)
}

/**
 * Whether several people may speak in the session. A delegated part has only the agent as its sender, wherever it runs.
 */
export function isRoom({ who, mode }: Pick<StoredSession, "who" | "mode">): boolean {
  return who.startsWith("room:") && mode !== "subagent"
}

export function speakerOf(config: Config, from: Speaking, trust: Trust): Speaker {
  const name = personOf(config, from)
  return { trust, ...defined({ name, id: from.sender ?? (name === undefined ? from.as : undefined) }) }
}

/** Attributes for the message's envelope. Unknown senders are not called by a name they chose. */
export function speakerAttributes({ name, id, trust }: Speaker): Readonly<Record<string, string>> {
  if (name !== undefined) return { name, trust }
  return { name: "unknown sender", ...defined({ id }), trust }
}

/** One word, for a summary. */
export function speakerLabel({ name, id, trust }: Speaker): string {
  const who = name ?? `unknown sender${id === undefined ? "" : ` ${id}`}`
  return `${plainName(who).replaceAll(/[:()]/g, " ")} (${trust})`
}

/** An unknown sender signs with their identity on the channel, so that their text is not taken for the agent's. */
export function authorOf(config: Config, from: Speaking): string | undefined {
  const known = personOf(config, from)
  const id = from.sender ?? from.as ?? from.channel
  if (known !== undefined || id === undefined) return known
  return `unknown ${id.replaceAll(/[^\p{L}\p{N}._@:+-]+|--+/gu, "_")}`
    .slice(0, 60)
    .replace(/[^\p{L}\p{N}]+$/u, "")
}
