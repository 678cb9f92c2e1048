// Which sessions a caller finds: their own, or all of them for an operator.
import type { RunningAgent, SessionPage } from "../../../agent/setup/agent.ts"
import type { SessionInfo, SessionTranscript } from "../../../agent/storage/session-info.ts"
import { byCodePoint } from "../../../base/order.ts"
import type { Sender } from "../../../database/contract/sender.ts"
import type { Caller } from "../../auth/caller.ts"
import type { ServedAgents, SurfaceCall } from "../../http/surface.ts"
import { notFound } from "../not-found.ts"
import { isOperator } from "../operator.ts"

export interface FoundSession {
  readonly name: string
  readonly agent: RunningAgent
  readonly session: SessionTranscript
}

/** As whom a caller reads: undefined for an operator, who reads everything. */
function readerOf(caller: Caller): Sender | undefined {
  return isOperator(caller) ? undefined : caller.from
}

/** Throws the same for a session of another person and for one that doesn't exist. */
export async function findSession(id: string, { caller, agents }: SurfaceCall): Promise<FoundSession> {
  for (const [name, agent] of named(agents)) {
    const session = await agent.session(id, readerOf(caller))
    if (session !== undefined) return { name, agent, session }
  }
  throw notFound()
}

export interface ListedSession extends SessionInfo {
  readonly agent: string
}

/** A page of the sessions of all agents, most recently used first. */
export async function listSessions(
  { caller, agents }: SurfaceCall,
  page: SessionPage,
): Promise<readonly ListedSession[]> {
  const lists = await Promise.all(
    named(agents).map(async ([name, agent]) =>
      (await agent.sessions(readerOf(caller), page)).map((session) => ({ ...session, agent: name })),
    ),
  )
  return lists.flat().toSorted(newestFirst).slice(0, page.limit)
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
