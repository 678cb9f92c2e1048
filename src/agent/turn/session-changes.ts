// Changes to a session between turns: other tools, plan mode, compaction.
import { IncipitError } from "../../base/error.ts"
import { headTokens } from "../../core/epoch/epoch.ts"
import { toolsetOf } from "../../core/model/toolset.ts"
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { Lease } from "../../database/contract/lease.ts"
import type { SessionState, StoredSession } from "../../database/contract/sessions.ts"
import { o200k } from "../../tokens/o200k.ts"
import { toolsFor } from "../../workspace/prompt-input.ts"
import type { Services } from "../setup/services.ts"
import { payerOf } from "../spending/payer.ts"
import { itemsUpTo, newWork, type Placed } from "./begin.ts"
import type { Compaction } from "./compaction/compact.ts"
import type { LiveEvent } from "./live-event.ts"
import { NEVER_STOPPED } from "./never-stopped.ts"
import type { Prompts } from "./prompt/compile.ts"
import { originOf, type Work } from "./work.ts"

export async function sessionOf(
  { sessions }: Pick<AgentStore, "sessions">,
  id: string,
): Promise<StoredSession> {
  const session = await sessions.get(id)
  if (session === undefined) throw new IncipitError("no-session", `there is no session "${id}"`)
  return session
}

export async function changeState(
  store: Pick<AgentStore, "sessions">,
  id: string,
  change: Partial<SessionState>,
): Promise<void> {
  await sessionOf(store, id)
  await store.sessions.changeState(id, change)
}

type ToolServices = Pick<Services, "store" | "toolbox" | "workspace">

/** Applies from the next turn on. Tools come first in the cached prefix, so changing them rewrites all of it. */
export async function setActiveTools(
  services: ToolServices,
  id: string,
  names: readonly string[],
): Promise<{ readonly rewrites: number }> {
  const { store, toolbox } = services
  const known = toolbox.definitions().map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new IncipitError("bad-argument", `there is no tool "${unknown}"`)
  const session = await sessionOf(store, id)
  const { state, baseline } = session
  const before = state.activeTools ?? known
  const isSame = before.length === names.length && before.every((name) => names.includes(name))
  if (isSame) return { rewrites: 0 }
  // "All" includes tools that a server may add later.
  const isAll = known.every((name) => names.includes(name))
  await store.sessions.changeState(id, { activeTools: isAll ? undefined : [...new Set(names)] })
  if (baseline === undefined || isCached(services, session, names)) return { rewrites: 0 }
  return { rewrites: Math.max(state.lastCall?.kept ?? 0, headTokens(baseline)) }
}

/** Whether these tools, as the session may use them, are those of its head. */
function isCached(
  { toolbox, workspace }: ToolServices,
  { mode, trust, baseline }: StoredSession,
  names: readonly string[],
): boolean {
  const tools = toolsFor(mode, toolbox.definitions(names))
  const { toolOrder: order } = workspace.profile()
  return toolsetOf({ tools }, { trust, order, counter: o200k }).digest === baseline?.tools
}

export interface CompactServices
  extends Pick<Services, "store" | "people" | "events" | "clock" | "conversation" | "models" | "workspace"> {
  readonly prompts: Pick<Prompts, "gather">
  readonly compaction: Pick<Compaction, "now">
}

/** Does nothing in an empty conversation. */
export async function compactSession(
  services: CompactServices,
  lease: Lease,
  tell: (event: LiveEvent) => void = () => {},
): Promise<void> {
  const { store, compaction, events } = services
  const session = await sessionOf(store, lease.session)
  const last = await store.inbox.last(session.id)
  if (last === undefined) return
  const work = await betweenTurns(services, { lease, waiting: last, session }, tell)
  await compaction.now(work, "it was asked for", { keepsNewest: false })
  await events.record.flushIfFree()
}

/** The work for compaction, without a turn: none begins, and nothing is learned from a message twice. */
async function betweenTurns(
  { store, people, events, clock, conversation, models, workspace, prompts }: CompactServices,
  { lease, waiting, session }: Placed,
  tell: (event: LiveEvent) => void,
): Promise<Work> {
  const { id, state } = session
  const { message } = waiting
  const model = models.current()
  const gathered = await prompts.gather({ id, message, state, model, inHead: state.touchedInHead ?? 0 })
  const scope = events.scope(originOf(session, waiting), message.span)
  const trust = people.actingTrust(message, gathered.session)
  return {
    ...{ trust, payer: payerOf(workspace.current().config, { session, waiting, trust }) },
    ...{ lease, waiting, session, scope, outer: scope, tell, gathered, state, model },
    turn: { id: waiting.turn, now: clock.now(), timeZone: clock.timeZone },
    fed: undefined,
    // Items that came from outside since are sent with the next turn.
    items: itemsUpTo(await store.transcripts.read(id), waiting.turn),
    signal: NEVER_STOPPED,
    approve: undefined,
    startedAt: clock.now(),
    step: 0,
    ...newWork(session, conversation),
  }
}
