// Who sends a message: which session it belongs to, and with which trust. The configuration may change between
// receiving a message, working on it, streaming it and delivering the answer, so each of these steps asks again; a
// sender is resolved once per configuration.
import { defined } from "../../base/defined.ts"
import { oncePerFields } from "../../base/memo/once.ts"
import { atLeast, type Trust } from "../../base/trust.ts"
import type { Session } from "../../core/model/inputs.ts"
import type { Incoming } from "../../database/contract/inbox.ts"
import { keyText, type SessionKey } from "../../database/contract/sessions.ts"
import { type Resolved, resolveAudience } from "../../sources/config/policy.ts"
import type { Workspace } from "../../sources/workspace.ts"
import { trustIn } from "./speaker.ts"

/** A message without what it says, or as much of one as is known. */
export type SenderFacts = Omit<Incoming, "text" | "files">

export interface People {
  /** One session per key: nothing said in one is used in another. */
  keyOf(from: SenderFacts): SessionKey
  /** Whether a message of this sender belongs to the session now. */
  isCurrent(session: SessionKey, from: SenderFacts): boolean
  /** Whether the sender may read the session: also true if they have more trust now than it had. */
  mayRead(session: SessionKey, from: SenderFacts): boolean
  /** In a room, the sender's own trust applies to actions on their behalf; elsewhere it is the session's. */
  actingTrust(from: SenderFacts, session: Session): Trust
  /** The trust of those who hear about a message: in a room, the lower of the room's and the sender's. */
  listenersTrust(from: SenderFacts): Trust
  /** The sender's own trust, the situation's ceiling, and the effective trust, for the record. */
  trustFacts(from: SenderFacts, session: Pick<SessionKey, "situation" | "trust">): TrustFacts
}

export type TrustFacts = Readonly<Record<"user" | "situation" | "effective" | "ceiling", string>>

export function createPeople(workspace: { current(): Workspace }): People {
  const find = createFinder(workspace)
  return {
    keyOf: (from) => find(from).key,
    isCurrent: (session, from) => isSameKey(session, find(from).key),
    mayRead(session, from) {
      const { key } = find(from)
      const isSamePlace = session.who === key.who && session.situation === key.situation
      return isSamePlace && atLeast(key.trust, session.trust)
    },
    actingTrust(from, { room, audience }) {
      return room === undefined ? audience.trust : trustIn(workspace.current().config, from, audience.trust)
    },
    listenersTrust(from) {
      const { who, trust } = find(from).key
      return who.startsWith("room:") ? trustIn(workspace.current().config, from, trust) : trust
    },
    trustFacts(from, { situation, trust }) {
      const { own, ceiling } = find(from).resolved
      return { user: own, situation, effective: trust, ceiling }
    },
  }
}

export function isSameKey(a: SessionKey, b: SessionKey): boolean {
  return keyText(a) === keyText(b)
}

interface Found {
  readonly resolved: Resolved
  readonly key: SessionKey
}

/** How many senders are remembered. */
const MOST_SENDERS = 1_000

/** What decides who a sender is. */
const FACTS = ["as", "channel", "isLocal", "situation", "mode", "entry"] as const

/** Resolves each sender once, until the configuration changes. */
function createFinder(workspace: { current(): Workspace }): (from: SenderFacts) => Found {
  const known = new Map<string, Found>()
  const find = (from: SenderFacts, current: Workspace): Found => {
    if (known.size >= MOST_SENDERS) known.clear()
    const name = JSON.stringify(FACTS.map((fact) => from[fact]))
    const found = known.get(name)
    if (found !== undefined) return found
    const resolved = resolveAudience(current.config, from, "incipit.yaml")
    const made = { resolved, key: keyIn(current, from, resolved) }
    known.set(name, made)
    return made
  }
  // A message is asked about with each piece of its answer. A program may use one object for several senders.
  const rememberIn = (current: Workspace) =>
    oncePerFields<SenderFacts, Found>(FACTS, (from) => find(from, current))
  let configured = workspace.current()
  let remembered = rememberIn(configured)
  return (from) => {
    const current = workspace.current()
    if (current !== configured) {
      known.clear()
      configured = current
      remembered = rememberIn(current)
    }
    return remembered(from)
  }
}

function keyIn(
  { id: agent }: Workspace,
  from: SenderFacts,
  { person, room, isOwner, audience }: Resolved,
): SessionKey {
  const { situation, trust, mode } = audience
  const nobody = isOwner ? "owner" : `unknown:${from.channel ?? ""}`
  // The prefixes keep ids from colliding with the other words.
  const one = person === undefined ? nobody : `person:${person}`
  // Where others listen, use the room, even an unknown one: what is kept for one person must not be shown.
  const who = room === undefined && ALONE.includes(situation) ? one : `room:${room ?? `${situation}:${one}`}`
  return { agent, who, situation, trust, mode, ...defined({ entry: from.entry }) }
}

/** Situations without other people. */
const ALONE: readonly string[] = ["dm", "system"]
