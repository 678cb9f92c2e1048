// Resolves who is talking, where, and what they may therefore see. Unknown or misspelt values fail closed.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { isTrust, leastOf, type Trust } from "../../base/trust.ts"
import type { Audience } from "../../core/model/inputs.ts"
import type { Mode } from "../../core/model/mode.ts"
import type { Config } from "./config-schema.ts"
import { DEFAULT_CEILINGS } from "./defaults.ts"
import { limitOf } from "./limited-people.ts"

/** Who sent a message, as far as the caller knows. */
export interface AudienceQuery {
  /** A user from the configuration. */
  readonly as?: string
  /** The identity on a channel, such as "telegram:4711". */
  readonly channel?: string
  /**
   * The owner asks at this machine's own terminal: a channel without an id, such as "telegram", only says where they
   * would be. Never set for a message that came over a channel.
   */
  readonly isLocal?: boolean
  readonly situation?: string
  readonly mode?: Mode
}

/** Who is talking, with which trust, and how that was decided. */
export interface Resolved {
  readonly audience: Audience
  /** The trust of the person, or of the room, before the situation's ceiling. */
  readonly own: Trust
  readonly ceiling: Trust
  readonly person: string | undefined
  /** The workspace belongs to this person: what it says about its user is about them. */
  readonly isOwner: boolean
  /** The room, if the channel is one. */
  readonly room: string | undefined
  readonly overlay: string | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** On the local machine, the person at the command line is the owner by default. */
const OWN_MACHINE = "terminal:local"

/** Says with which trust a sender talks, by the users and rooms of incipit.yaml. */
export function resolveAudience(config: Config, sender: AudienceQuery, path: string): Resolved {
  const now = resolvedIn(config, sender, path)
  const limit = limitOf(config)
  return limit === undefined ? now : lowerOf(now, resolvedIn(limit, sender, path), sender)
}

/** An identity on a channel that is not the same person or room in both is a stranger's. */
function lowerOf(now: Resolved, approved: Resolved, { channel }: AudienceQuery): Resolved {
  const isSame = channel === undefined || (now.person === approved.person && now.room === approved.room)
  const own = isSame ? leastOf(now.own, approved.own) : "public"
  const ceiling = leastOf(now.ceiling, approved.ceiling)
  // A room that was approved stays in its situation.
  const { situation } = (isSame ? approved : now).audience
  return {
    audience: { ...now.audience, situation, trust: leastOf(own, ceiling) },
    ...{ own, ceiling },
    person: isSame ? approved.person : undefined,
    isOwner: now.isOwner && approved.isOwner,
    // Others listen there, whichever of the two says so.
    room: now.room ?? approved.room,
    overlay: situation === now.audience.situation ? now.overlay : approved.overlay,
    diagnostics: now.diagnostics.length > 0 ? now.diagnostics : approved.diagnostics,
  }
}

function resolvedIn(config: Config, sender: AudienceQuery, path: string): Resolved {
  const diagnostics: Diagnostic[] = []
  const room = roomOn(config, sender.channel)
  const name = sender.situation ?? room?.situation ?? (room === undefined ? "dm" : "group")
  const identity = identityIn(config, sender)
  const person = sender.as ?? (room === undefined ? personIn(config, identity ?? OWN_MACHINE) : undefined)
  const ceiling = ceilingOf(config, name, path, diagnostics)
  // A room has one trust level for everyone in it, so that what was said in it stays there.
  const own =
    room === undefined
      ? trustOf(config, { identity, person, ceiling }, path, diagnostics)
      : checked(room.trust, path, diagnostics)
  const audience = { trust: leastOf(own, ceiling), situation: name, mode: sender.mode ?? "full" }
  const overlay = config.situations?.[name]?.prompt_overlay
  const isOwner = person === undefined ? identity === undefined : config.users?.[person]?.trust === "full"
  return {
    ...{ audience, own, ceiling },
    person: room === undefined ? person : undefined,
    isOwner: isOwner && room === undefined,
    room: room?.id,
    overlay,
    diagnostics,
  }
}

function roomOn({ rooms = {} }: Config, channel: string | undefined) {
  if (channel === undefined || !Object.hasOwn(rooms, channel)) return undefined
  const room = rooms[channel]
  return room && { id: channel, ...room }
}

/** Who the sender is on their channel; undefined for the person at this machine. */
function identityIn(config: Config, { channel, isLocal }: AudienceQuery): string | undefined {
  if (channel === undefined || isLocal !== true || !isChannelName(channel)) return channel
  const isSomebodys = roomOn(config, channel) !== undefined || personIn(config, channel) !== undefined
  return isSomebodys ? channel : undefined
}

/** A channel without a sender, such as "telegram". What comes over a channel always has the sender's id. */
export function isChannelName(channel: string): boolean {
  return !channel.includes(":")
}

interface Speaker {
  readonly identity: string | undefined
  readonly person: string | undefined
  readonly ceiling: Trust
}

function trustOf(
  config: Config,
  { identity, person, ceiling }: Speaker,
  path: string,
  diagnostics: Diagnostic[],
): Trust {
  const users = config.users ?? {}
  if (person === undefined) return identity === undefined ? ceiling : "public"
  if (!Object.hasOwn(users, person)) {
    diagnostics.push({ code: "unknown-user", user: person, known: Object.keys(users), needs: "full" })
    return "public"
  }
  return checked(users[person]?.trust, path, diagnostics)
}

function ceilingOf(
  { situations = {} }: Config,
  name: string,
  path: string,
  diagnostics: Diagnostic[],
): Trust {
  if (Object.hasOwn(situations, name)) return checked(situations[name]?.ceiling, path, diagnostics)
  const usual = Object.hasOwn(DEFAULT_CEILINGS, name) ? DEFAULT_CEILINGS[name] : undefined
  if (usual !== undefined) return usual
  const known = [...new Set([...Object.keys(situations), ...Object.keys(DEFAULT_CEILINGS)])]
  diagnostics.push({ code: "unknown-situation", situation: name, known, needs: "full" })
  return "public"
}

function checked(value: string | undefined, path: string, diagnostics: Diagnostic[]): Trust {
  if (isTrust(value)) return value
  diagnostics.push({ code: "unknown-trust", path, value: String(value), used: "public", needs: "full" })
  return "public"
}

/** The user with this identity on a channel. */
export function personOn(config: Config, channel: string): string | undefined {
  const person = personIn(config, channel)
  const limit = limitOf(config)
  return limit === undefined || personIn(limit, channel) === person ? person : undefined
}

/** Whether the configuration names the room. */
export function isRoomIn(config: Config, channel: string): boolean {
  return bothOf(config).every((one) => roomOn(one, channel) !== undefined)
}

/** A user's own trust. */
export function trustOfUser(config: Config, person: string): Trust {
  const found = bothOf(config).map(({ users = {} }) =>
    Object.hasOwn(users, person) ? users[person]?.trust : undefined,
  )
  return found.map((own) => (isTrust(own) ? own : "public")).reduce((a, b) => leastOf(a, b))
}

/** The configuration, and the one that it is limited to. */
function bothOf(config: Config): readonly Config[] {
  const limit = limitOf(config)
  return limit === undefined ? [config] : [config, limit]
}

/** The first user with a matching identity; a trailing `*` matches anything. */
function personIn(config: Config, channel: string): string | undefined {
  const matches = (pattern: string) =>
    pattern.endsWith("*") ? channel.startsWith(pattern.slice(0, -1)) : channel === pattern
  return Object.entries(config.users ?? {}).find(([, user]) => user.match?.some(matches))?.[0]
}
