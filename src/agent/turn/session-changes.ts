// Changes to a session between turns: other tools, plan mode, compaction.
import { IncipitError } from "../../base/error.ts"
import { headTokens } from "../../core/epoch/epoch.ts"
import { toolsetOf } from "../../core/model/toolset.ts"
import type { Waiting } from "../../database/contract/inbox.ts"
import type { Lease } from "../../database/contract/lease.ts"
import type { SessionState, StoredSession } from "../../database/contract/sessions.ts"
import { o200k } from "../../tokens/o200k.ts"
import { toolsFor } from "../../workspace/prompt-input.ts"
import type { Runtime } from "../setup/runtime.ts"
import { compactNow } from "./compaction/compact.ts"
import { askerTrust, gather } from "./gather.ts"
import type { LiveEvent } from "./live.ts"
import { NEVER_STOPPED } from "./never-stopped.ts"
import { originOf } from "./turn.ts"
import { NO_COST, type Work } from "./work.ts"

export async function sessionOf({ store }: Runtime, id: string): Promise<StoredSession> {
  const session = await store.sessions.get(id)
  if (session === undefined) throw new IncipitError("no-session", `there is no session "${id}"`)
  return session
}

export async function changeState(
  runtime: Runtime,
  id: string,
  change: Partial<SessionState>,
): Promise<void> {
  await sessionOf(runtime, id)
  await runtime.store.sessions.changeState(id, change)
}

/** Applies from the next turn on. Tools come first in the cached prefix, so changing them rewrites all of it. */
export async function setActiveTools(
  runtime: Runtime,
  id: string,
  names: readonly string[],
): Promise<{ readonly rewrites: number }> {
  const known = runtime.toolbox.definitions().map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new IncipitError("bad-argument", `there is no tool "${unknown}"`)
  const session = await sessionOf(runtime, id)
  const { state, baseline } = session
  const before = state.activeTools ?? known
  const isSame = before.length === names.length && before.every((name) => names.includes(name))
  if (isSame) return { rewrites: 0 }
  // "All" includes tools that a server may add later.
  const isAll = known.every((name) => names.includes(name))
  await changeState(runtime, id, { activeTools: isAll ? undefined : [...new Set(names)] })
  if (baseline === undefined || isCached(runtime, session, names)) return { rewrites: 0 }
  return { rewrites: Math.max(state.lastCall?.kept ?? 0, headTokens(baseline)) }
}

/** Whether these tools, as the session may use them, are those of its head. */
function isCached({ toolbox, profile }: Runtime, session: StoredSession, names: readonly string[]): boolean {
  const { mode, trust, baseline } = session
  const tools = toolsFor(mode, toolbox.definitions(names))
  return toolsetOf({ tools }, { trust, order: profile.toolOrder, counter: o200k }).digest === baseline?.tools
}

/** Does nothing in an empty conversation. */
export async function compactSession(
  runtime: Runtime,
  lease: Lease,
  tell: (event: LiveEvent) => void = () => {},
): Promise<void> {
  const session = await sessionOf(runtime, lease.session)
  const last = await runtime.store.inbox.last(session.id)
  if (last === undefined) return
  const work = await betweenTurns(runtime, { lease, session, last, tell })
  await compactNow(work, "it was asked for", { keepsNewest: false })
  await runtime.record.flushIfFree()
}

/** The work for compaction, without a turn: none begins, and nothing is learned from a message twice. */
async function betweenTurns(
  runtime: Runtime,
  { lease, session, last, tell }: Pick<Work, "lease" | "session" | "tell"> & { readonly last: Waiting },
): Promise<Work> {
  const { state, baseline } = session
  const gathered = await gather(
    runtime,
    { id: session.id, message: last.message, state },
    state.touchedInHead ?? 0,
  )
  const scope = runtime.scope(originOf(session, last), last.message.span)
  const items = await runtime.store.transcripts.read(session.id)
  const end = items.findLastIndex(({ turn }) => turn === last.turn)
  return {
    ...{ runtime, lease, waiting: last, session, scope, outer: scope, tell, gathered, state, baseline },
    turn: { id: last.turn, now: runtime.now(), timeZone: runtime.timeZone },
    fed: undefined,
    // Items that came from outside since are sent with the next turn.
    items: end === -1 ? items : items.slice(0, end + 1),
    signal: NEVER_STOPPED,
    approve: undefined,
    saved: state,
    startedAt: runtime.now(),
    trust: askerTrust(runtime.workspace().config, last.message, gathered.session),
    ...{ edits: [], rewrite: undefined, step: 0, prompt: undefined, cost: NO_COST, missed: [] },
    parts: new Set(),
  }
}
