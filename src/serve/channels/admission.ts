// Who may talk to the agent over a channel. Decided before anything is stored for them; the trust of those who may is
// decided later, from incipit.yaml, like everyone's.
import type { ChannelMessage } from "./channel.ts"

/** Who may talk on a channel, and what becomes of others. */
export interface ChannelPolicy {
  /**
   * Identities of people and rooms, such as `telegram:4711`; a trailing `*` matches anything. With a list, nobody else
   * may talk, whatever the rest says; an empty list lets nobody in.
   */
  readonly allow?: readonly string[] | undefined
  /** What a sender that incipit.yaml doesn't know gets: public trust, a code for the owner to confirm, or no answer. */
  readonly strangers: "public" | "pair" | "silent"
  /** Which messages of a room are for the agent: those that mention it or reply to it, or all. */
  readonly rooms: "mentions" | "all"
}

/** What incipit.yaml and the store know about a sender. */
export interface Acquaintance {
  /** The identity belongs to a user of incipit.yaml. */
  isUser(identity: string): boolean
  /** The identity is a room of incipit.yaml. */
  isRoom(identity: string): boolean
  /** The user whom the owner has paired this sender with. */
  pairedUser(identity: string): Promise<string | undefined>
}

export type Admission =
  | { readonly kind: "talk"; readonly as?: string }
  /** Give them a code. Never for a message in a room, where everybody could read it. */
  | { readonly kind: "pair" }
  | { readonly kind: "ignore"; readonly why: IgnoreReason }

export type IgnoreReason =
  | "not-addressed"
  | "not-allowed"
  | "unknown-sender"
  | "unknown-room"
  | "room-as-person"

export async function admit(
  message: Pick<ChannelMessage, "place" | "sender" | "isRoom" | "isAddressed">,
  policy: ChannelPolicy,
  known: Acquaintance,
): Promise<Admission> {
  const { sender, isRoom, place } = message
  if (policy.allow !== undefined && !isListed(policy.allow, [sender, place.channel]))
    return ignore("not-allowed")
  if (isRoom) return inRoom(message, policy, known)
  if (known.isUser(sender)) return { kind: "talk" }
  const as = await known.pairedUser(sender)
  if (as !== undefined) return { kind: "talk", as }
  if (policy.strangers === "silent") return ignore("unknown-sender")
  return policy.strangers === "pair" ? { kind: "pair" } : { kind: "talk" }
}

async function inRoom(
  { sender, place, isAddressed }: Pick<ChannelMessage, "place" | "sender" | "isAddressed">,
  policy: ChannelPolicy,
  known: Acquaintance,
): Promise<Admission> {
  if (policy.rooms === "mentions" && !isAddressed) return ignore("not-addressed")
  if (!known.isRoom(place.channel)) {
    // A pattern such as `telegram:*` would give everyone in the room the trust of that person.
    if (known.isUser(place.channel)) return ignore("room-as-person")
    // Without `as`: in a room that nobody configured, everyone has public trust.
    return policy.strangers === "public" ? { kind: "talk" } : ignore("unknown-room")
  }
  if (known.isUser(sender)) return { kind: "talk" }
  const as = await known.pairedUser(sender)
  if (as !== undefined) return { kind: "talk", as }
  return policy.strangers === "public" ? { kind: "talk" } : ignore("unknown-sender")
}

function ignore(why: IgnoreReason): Admission {
  return { kind: "ignore", why }
}

function isListed(list: readonly string[], identities: readonly string[]): boolean {
  return identities.some((identity) =>
    list.some((entry) =>
      entry.endsWith("*") ? identity.startsWith(entry.slice(0, -1)) : identity === entry,
    ),
  )
}
