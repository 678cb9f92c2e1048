// Begins a turn: reads the session, its conversation and everything that the prompt is made of, once. The steps of the
// turn work on the result.
import { atLeast } from "../../base/trust.ts"
import type { Turn } from "../../core/model/inputs.ts"
import { userMessage } from "../../core/model/message.ts"
import { GIT_TRUST } from "../../core/view/view.ts"
import { inZone } from "../../core/write/clock-zone.ts"
import type { Waiting } from "../../database/contract/inbox.ts"
import type { Lease } from "../../database/contract/lease.ts"
import type { StoredSession } from "../../database/contract/sessions.ts"
import type { Item, StoredItem } from "../../database/contract/transcripts.ts"
import { gitState } from "../../sources/git/git.ts"
import type { Feeds } from "../feeds/feeds.ts"
import { giveWay } from "../inbox/give-way.ts"
import { type Listening, listener } from "../inbox/present-audience.ts"
import type { Approve } from "../setup/agent.ts"
import type { Services } from "../setup/services.ts"
import { payerOf } from "../spending/payer.ts"
import type { OuterCall } from "./calls/outer-call.ts"
import type { Conversation } from "./conversation.ts"
import type { Prompts } from "./prompt/compile.ts"
import { watcher } from "./watched-event.ts"
import { NO_COST, originOf, senderOf, type Work } from "./work.ts"

export interface TurnOptions extends Listening {
  readonly signal: AbortSignal
  /** Aborted when the process ends: the turn stops, but its message is kept. */
  readonly closing?: AbortSignal
  readonly approve?: Approve | undefined
  /** For the turn of a delegated part: the call that waits for it. */
  readonly outerCall?: OuterCall | undefined
}

/** A message in its session, which this agent holds. */
export interface Placed {
  readonly lease: Lease
  readonly waiting: Waiting
  readonly session: StoredSession
}

export type BeginServices = FeedServices &
  Pick<Services, "toolbox" | "people" | "events" | "models" | "conversation" | "watch"> & {
    readonly prompts: Pick<Prompts, "gather">
  }

export async function beginTurn(
  services: BeginServices,
  { lease, waiting, session }: Placed,
  { signal, closing, approve, outerCall, ...listening }: TurnOptions,
): Promise<Work> {
  const { toolbox, store, people, events, models, clock, prompts, conversation } = services
  await toolbox.refresh()
  // What other processes wrote is in this prompt, too.
  await services.memory.catchUp?.({ trust: session.trust })
  await giveWay()
  const { message } = waiting
  const { state } = session
  const model = models.current()
  const tell = listener(
    people,
    { session, from: message },
    heardBy(services, { waiting, session }, listening),
  )
  const gathered = await prompts.gather({
    ...{ id: session.id, message, state, model },
    inHead: state.touchedInHead ?? 0,
  })
  const items = itemsUpTo(await store.transcripts.read(session.id), waiting.turn)
  const isResumed = items.some(({ turn }) => turn === waiting.turn)
  tell({ kind: "turn-started", turn: waiting.turn, session: session.id, isResumed })
  const outer = events.scope(originOf(session, waiting), message.span)
  const scope = outer.open("turn_started", {
    model: model.id,
    exchange: { content: { input: [userMessage(message.text)] } },
    ...(isResumed && { data: { resumed: true } }),
  })
  const facts = { lease, waiting, session, gathered, items, scope, conversation, isResumed }
  const { turn, feeds } = await turnOf(services, facts)
  const trust = people.actingTrust(message, gathered.session)
  return {
    ...{ waiting, session, turn, scope, outer, signal, tell, approve, outerCall, gathered, items, state },
    ...{ model, trust, payer: payerOf(services.workspace.current().config, { session, waiting, trust }) },
    ...(closing && { closing }),
    lease,
    fed: { waiting, session, gathered, scope, feeds },
    startedAt: clock.now(),
    step: items.filter((one) => one.turn === waiting.turn && isAnswer(one.item)).length,
    ...newWork(session, conversation),
  }
}

/** The agent's own watcher hears what the operator does. */
function heardBy(
  services: BeginServices,
  { waiting: { turn, message }, session }: Pick<Placed, "waiting" | "session">,
  { tell, observe }: Listening,
): Listening {
  const watch = watcher(services, { turn, message, session })
  return {
    tell,
    observe(event) {
      observe(event)
      watch(event)
    },
  }
}

/** The part of a turn that is the same at every beginning. */
export function newWork({ baseline, state }: StoredSession, conversation: Conversation) {
  return {
    ...{
      saved: state,
      baseline,
      edits: [],
      rewrite: undefined,
      prompt: undefined,
      cost: NO_COST,
      joining: [],
    },
    ...{ missed: [], parts: new Set<Promise<unknown>>(), conversation },
    cache: { oddTools: new Set<string>() },
  }
}

/** Items that came during the turn are sent with the next one. */
export function itemsUpTo(items: readonly StoredItem[], turn: string): readonly StoredItem[] {
  const last = items.findLastIndex((item) => item.turn === turn)
  return last === -1 ? items : items.slice(0, last + 1)
}

export function isAnswer(item: Item): boolean {
  return item.kind === "message" && item.message.role === "assistant"
}

type FeedServices = Pick<
  Services,
  "workspace" | "store" | "clock" | "secrets" | "feeding" | "inputs" | "memory"
>

type TurnFacts = Pick<
  Work,
  "lease" | "waiting" | "session" | "gathered" | "items" | "scope" | "conversation"
> & {
  readonly isResumed: boolean
}

async function turnOf(
  { workspace, store, clock, secrets, feeding, inputs }: FeedServices,
  facts: TurnFacts,
): Promise<{ readonly turn: Turn; readonly feeds: Feeds }> {
  const { waiting, session, gathered } = facts
  const { text: message } = waiting.message
  // Skip it for those who may not know, so that not even the time it takes reveals anything.
  const mayKnow = workspace.current().isFolder && atLeast(gathered.session.audience.trust, GIT_TRUST)
  const asked = mayKnow ? gitState(workspace.directory) : undefined
  const feeds = await feedsFor(feeding, facts)
  const own = await inputs.turn?.({ session: session.id, from: senderOf(waiting.message), message })
  const git = (await asked)?.state
  const turn: Turn = {
    id: waiting.turn,
    now: clock.now(),
    timeZone: clock.timeZone,
    message,
    planMode: await planModeOf(store, facts),
    inputs: { ...feeds.inputs, ...own },
    ...(git && { git }),
  }
  // Hooks get the time zone that the clock shows.
  return { turn: secrets.within(inZone(gathered.seen, turn)), feeds }
}

async function feedsFor(feeding: Services["feeding"], facts: TurnFacts): Promise<Feeds> {
  const { waiting, session, gathered, items, scope, conversation } = facts
  const { window, reserve, ratio } = gathered.budget
  const taken = conversation.tokens(conversation.messagesOf(items), ratio?.factor ?? 1)
  feeding.beginTurn(facts)
  const { text: message } = waiting.message
  const feeds = await feeding.read({ message, session, gathered, remaining: window - reserve - taken })
  for (const { feed, error } of feeds.troubles)
    scope.event("diagnostic", { error: `${feed}: ${error}`, data: { code: "feed-failed", feed } })
  return feeds
}

/**
 * A message that sets plan mode to false ends the session's. In a resumed turn, the session's mode may be newer than
 * the message.
 */
async function planModeOf(
  { transcripts }: Pick<Services["store"], "transcripts">,
  { lease, waiting, session, isResumed }: TurnFacts,
): Promise<boolean> {
  const { planMode } = waiting.message
  const isOn = session.state.planMode === true
  if (!isOn || planMode !== false || isResumed) return planMode === true || isOn
  const state = { was: session.state, now: { ...session.state, planMode: false } }
  await transcripts.change(lease, { turn: waiting.turn, state })
  return false
}
