// Forks a session at a message: the new one shares the conversation before it and says in one line what was left behind.
// The old session stays as it is, so nothing is lost and one can go back to it.
import { IncipitError } from "../../base/error.ts"
import type { Sender } from "../../database/contract/sender.ts"
import type { SessionState } from "../../database/contract/sessions.ts"
import type { Item, StoredItem } from "../../database/contract/transcripts.ts"
import { sessionFor } from "../inbox/receive.ts"
import { isRoom } from "../inbox/speaker.ts"
import type { Services } from "../setup/services.ts"
import { withoutSent } from "../turn/provider/refused.ts"
import { branchLine } from "./branch-line.ts"
import type { Forked, ForkOptions } from "./forked.ts"

export type ForkServices = Pick<Services, "store" | "people" | "clock" | "events">

export async function forkSession(
  services: ForkServices,
  id: string,
  { at, ...from }: ForkOptions = {},
): Promise<Forked> {
  const { store } = services
  await sessionFor(services, from, { session: id })
  const items = await store.transcripts.read(id)
  const begins = at === undefined ? undefined : await store.transcripts.begins(id, at)
  if (at !== undefined && begins === undefined)
    throw cannotFork(`the session "${id}" has no turn "${at}", or no longer keeps it`)
  const upTo = begins === undefined ? lastSeq(items) : begins - 1
  await checkFinished(
    services,
    id,
    items.filter(({ seq }) => seq <= upTo),
  )
  return forked(services, id, { at, upTo })
}

/** Forks before the newest message. */
export async function undoTurn(services: ForkServices, id: string, from: Sender = {}): Promise<Forked> {
  const { store } = services
  await sessionFor(services, from, { session: id })
  const items = await store.transcripts.read(id)
  const last = items.findLast(({ turn }) => turn !== undefined)?.turn
  if (last === undefined) throw cannotFork(`the session "${id}" has no message to undo`)
  await checkFinished(services, id, items)
  return forkSession(services, id, { ...from, at: last })
}

/** The unfinished part of a turn would be cut off from the rest of it. */
async function checkFinished(
  { store }: Pick<Services, "store">,
  id: string,
  shared: readonly StoredItem[],
): Promise<void> {
  const turn = shared.findLast((item) => item.turn !== undefined)?.turn
  const state = turn === undefined ? undefined : (await store.inbox.message(turn))?.state
  if (state === "waiting" || state === "working" || state === "suspended")
    throw cannotFork(`the session "${id}" is still working on a message`)
}

function lastSeq(items: readonly StoredItem[]): number {
  return items.reduce((most, { seq }) => Math.max(most, seq), 0)
}

async function forked(
  services: ForkServices,
  id: string,
  { at, upTo }: { readonly at: string | undefined; readonly upTo: number },
): Promise<Forked> {
  const { store } = services
  const made = await forkAfter(services, id, { upTo })
  // Erased in the meantime.
  if (made === undefined) throw new IncipitError("no-session", `there is no session "${id}"`)
  const text = at === undefined ? undefined : (await store.inbox.message(at))?.message.text
  return { ...made, from: id, ...(text !== undefined && { message: text }) }
}

export interface ForkPlace {
  /** The last item that both sessions have. */
  readonly upTo: number
  /** What the new one has after that. */
  readonly append?: readonly Item[]
}

/** Returns undefined if the session is gone. */
export async function forkAfter(
  { store, clock, events }: Pick<ForkServices, "store" | "clock" | "events">,
  id: string,
  { upTo, append = [] }: ForkPlace,
): Promise<Pick<Forked, "session" | "summary"> | undefined> {
  const session = await store.sessions.get(id)
  if (session === undefined) return undefined
  const left = (await store.transcripts.read(id)).filter(({ seq }) => seq > upTo)
  const line = branchLine(left, isRoom(session))
  const summary: readonly Item[] = line === undefined ? [] : [{ kind: "branch", text: line }]
  // What was left behind before, further on in the same branch, may have changed things, too.
  const earlier = left.flatMap(({ item }) => (item.kind === "branch" ? [item] : []))
  const made = await store.transcripts.fork(id, {
    ...{ as: clock.id(), upTo, append: [...summary, ...earlier, ...append] },
    state: carriedState(session.state, left),
  })
  if (made === undefined) return undefined
  const { agent, trust, who } = session
  events
    .scope({ session: made.session, agent, trust })
    .event("session_created", { data: { who, forked_from: id } })
  return { session: made.session, ...(line !== undefined && { summary: line }) }
}

/**
 * Tools and touched files stay, so that the head keeps its bytes and the provider's cache is of use. What was sent with
 * messages that were left behind is sent again.
 */
function carriedState(state: SessionState, left: readonly StoredItem[]): SessionState {
  if (left.length === 0) return state
  const isBeforeSummary = left.some(({ item }) => item.kind === "summary")
  // Messages from before a summary still carry the turn context of their epoch.
  const rebase = isBeforeSummary ? { rebase: "the conversation went back to before its summary" } : {}
  return { ...withoutSent(state), ...rebase }
}

function cannotFork(why: string): IncipitError {
  return new IncipitError("cannot-fork", why)
}
