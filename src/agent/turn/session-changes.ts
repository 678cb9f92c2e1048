// Changes to a session between turns: other tools, plan mode, compaction.
import { IncipitError } from "../../base/error.ts"
import { headTokens } from "../../core/epoch/epoch.ts"
import { toolsetOf } from "../../core/model/toolset.ts"
import { o200k } from "../../tokens/o200k.ts"
import type { Runtime } from "../setup/runtime.ts"
import type { SessionState, StoredSession, Waiting } from "../store/stored.ts"
import { compactNow } from "./compaction/compact.ts"
import { askerTrust, gather, toolsFor } from "./gather.ts"
import type { LiveEvent } from "./live.ts"
import { NEVER_STOPPED } from "./never-stopped.ts"
import { originOf } from "./turn.ts"
import { NO_COST, type Work } from "./work.ts"

export function sessionOf({ store }: Runtime, id: string): StoredSession {
  const session = store.session(id)
  if (session === undefined) throw new IncipitError("no-session", `there is no session "${id}"`)
  return session
}

export function changeState(runtime: Runtime, id: string, change: Partial<SessionState>): void {
  sessionOf(runtime, id)
  runtime.store.changeState(id, change)
}

/** Applies from the next turn on. Tools come first in the cached prefix, so changing them rewrites all of it. */
export function setActiveTools(
  runtime: Runtime,
  id: string,
  names: readonly string[],
): { readonly rewrites: number } {
  const known = runtime.toolbox.definitions().map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new IncipitError("bad-argument", `there is no tool "${unknown}"`)
  const session = sessionOf(runtime, id)
  const { state, baseline } = session
  const before = state.activeTools ?? known
  const isSame = before.length === names.length && before.every((name) => names.includes(name))
  if (isSame) return { rewrites: 0 }
  // "All" includes tools that a server may add later.
  const isAll = known.every((name) => names.includes(name))
  changeState(runtime, id, { activeTools: isAll ? undefined : [...new Set(names)] })
  if (baseline === undefined || isCached(runtime, session, names)) return { rewrites: 0 }
  return { rewrites: Math.max(state.lastCall?.kept ?? 0, headTokens(baseline)) }
}

/** Whether these tools, as the session may use them, are those of its head. */
function isCached({ toolbox, profile }: Runtime, session: StoredSession, names: readonly string[]): boolean {
  const { mode, trust, baseline } = session
  const tools = toolsFor(mode, toolbox.definitions(names))
  return toolsetOf({ tools }, { trust, order: profile.toolOrder, counter: o200k }).digest === baseline?.tools
}

/** Call it while nobody works on the session. Does nothing in an empty conversation. */
export async function compactSession(
  runtime: Runtime,
  id: string,
  tell: (event: LiveEvent) => void = () => {},
): Promise<void> {
  const session = sessionOf(runtime, id)
  const last = runtime.store.lastOf(id)
  if (last === undefined) return
  await compactNow(betweenTurns(runtime, session, last, tell), "it was asked for", { keepsNewest: false })
  await runtime.record.flush()
}

/** The work for compaction, without a turn: none begins, and nothing is learned from a message twice. */
function betweenTurns(
  runtime: Runtime,
  session: StoredSession,
  last: Waiting,
  tell: (event: LiveEvent) => void,
): Work {
  const { state, baseline } = session
  const gathered = gather(runtime, { id: session.id, message: last.message, state }, state.touchedInHead ?? 0)
  const scope = runtime.scope(originOf(session, last), last.message.span)
  const items = runtime.store.items(session.id)
  const end = items.findLastIndex(({ turn }) => turn === last.turn)
  return {
    ...{ runtime, waiting: last, session, scope, outer: scope, tell, gathered, state, baseline },
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
