// Which sessions a caller finds: their own, or all of them for an operator.
import type { RunningAgent } from "../../../agent/setup/agent.ts"
import type { SessionInfo, SessionPage, SessionTranscript } from "../../../agent/storage/session-info.ts"
import { byCodePoint } from "../../../base/order.ts"
import { atLeast } from "../../../base/trust.ts"
import type { Sender } from "../../../database/contract/sender.ts"
import type { Caller } from "../../auth/caller.ts"
import type { ServedAgents } from "../../http/surface.ts"
import { notFound } from "../not-found.ts"
import { isOperator } from "../operator.ts"
import { badField } from "../read-input.ts"

export interface FoundSession {
  readonly name: string
  readonly agent: RunningAgent
  readonly session: SessionTranscript
}

export interface FoundFacts {
  readonly agent: RunningAgent
  readonly session: Omit<SessionTranscript, "items">
}

type Reader = Pick<Caller, "trust" | "scopes" | "from">

/** Who reads, and whose sessions there are. */
interface Reading {
  readonly caller: Reader
  readonly agents: ServedAgents
}

/** As whom a caller reads: undefined for an operator, who reads everything. */
function readerOf(caller: Reader): Sender | undefined {
  return isOperator(caller) ? undefined : caller.from
}

/** Never more than the caller has here, whatever the agent knows of them. */
function maySee({ trust }: Reader, session: Pick<SessionInfo, "trust">): boolean {
  return atLeast(trust, session.trust)
}

/** Throws the same for a session of another person and for one that doesn't exist. */
export async function findSession(id: string, { caller, agents }: Reading): Promise<FoundSession> {
  for (const [name, agent] of named(agents)) {
    const session = await agent.session(id, readerOf(caller))
    if (session !== undefined && maySee(caller, session)) return { name, agent, session }
  }
  throw notFound()
}

/** The same without what was said in it; undefined instead of an error. */
export async function findSessionFacts(
  id: string,
  { caller, agents }: Reading,
): Promise<FoundFacts | undefined> {
  for (const [, agent] of named(agents)) {
    const session = await agent.sessionFacts(id, readerOf(caller))
    if (session !== undefined && maySee(caller, session)) return { agent, session }
  }
  return undefined
}

export interface ListedSession extends SessionInfo {
  readonly agent: string
}

/** A page of the sessions of all agents, most recently used first. */
export async function listSessions(
  { caller, agents }: Reading,
  page: SessionPage,
): Promise<readonly ListedSession[]> {
  const lists = await Promise.all(
    named(agents).map(async ([name, agent]) =>
      (await agent.sessions(readerOf(caller), page))
        .filter((session) => maySee(caller, session))
        .map((session) => ({ ...session, agent: name })),
    ),
  )
  return lists.flat().toSorted(newestFirst).slice(0, page.limit)
}

/** A page goes on after a place in the order, so that a session used in between is neither repeated nor lost. */
export function cursorIn(text: string): Pick<ListedSession, "usedAt" | "id"> {
  const [, usedAt, id] = /^(\d{1,16})\.(.+)$/s.exec(text) ?? []
  if (usedAt === undefined || id === undefined) throw badField("after", "isn't the `next` of a page")
  return { usedAt: Number(usedAt), id }
}

/** The place after a page, if there is more than was asked for. */
export function cursorAfter(found: readonly ListedSession[], limit: number): string | null {
  const last = found.length > limit ? found[limit - 1] : undefined
  return last === undefined ? null : `${last.usedAt}.${last.id}`
}

/** In the order of the store, so that pages have one order. */
function newestFirst(one: SessionInfo, other: SessionInfo): number {
  return other.usedAt - one.usedAt || byCodePoint(other.id, one.id)
}

function named(agents: ServedAgents): readonly (readonly [string, RunningAgent])[] {
  return agents.names.flatMap((name) => {
    const agent = agents.named(name)
    return agent === undefined ? [] : [[name, agent] as const]
  })
}
