// A turn: from a message to its final answer. Its state is read from the transcript, so a turn interrupted by a crash
// or for lack of a model continues from there.
import { atLeast } from "../../base/trust.ts"
import { guardPart } from "../../core/layout/tail.ts"
import type { Turn } from "../../core/model/inputs.ts"
import { type Message, type MessagePart, userMessage } from "../../core/model/message.ts"
import { envelopeMessage } from "../../core/view/envelope.ts"
import { GIT_TRUST } from "../../core/view/view.ts"
import { inZone } from "../../core/write/clock-zone.ts"
import { guard } from "../../core/write/markup.ts"
import type { Waiting } from "../../database/contract/inbox.ts"
import type { Lease } from "../../database/contract/lease.ts"
import type { StoredSession } from "../../database/contract/sessions.ts"
import type { Item, StoredItem } from "../../database/contract/transcripts.ts"
import { gitState } from "../../sources/git/git.ts"
import { type Feeds, feedSwitches } from "../feeds/feeds.ts"
import { leavesOpenQuestion, type Swallowed, swallowNoise } from "../feeds/noise.ts"
import { planWaits, suggestPlan } from "../feeds/planning.ts"
import { giveWay } from "../inbox/give-way.ts"
import { AudienceChanged, isCurrent, type Listening, listener } from "../inbox/present-audience.ts"
import { isRoom, speakerAttributes, speakerOf } from "../inbox/speaker.ts"
import { messagesOf } from "../models/item-messages.ts"
import type { Approve } from "../setup/agent.ts"
import type { Runtime } from "../setup/runtime.ts"
import { type Asked, ask } from "./ask.ts"
import { ModelFailure } from "./call.ts"
import { sameFailure } from "./calls/same-failure.ts"
import { shortenResults } from "./calls/step-results.ts"
import { runCalls, type ToolCall } from "./calls/tool-calls.ts"
import { compactIfFull, compactNow } from "./compaction/compact.ts"
import { compileStep, conversationTokens, headText } from "./compile.ts"
import { failTurn, finishAsNoise, finishTurn, textOf } from "./finish.ts"
import { askerTrust, gather } from "./gather.ts"
import { isLateRefused } from "./late-system.ts"
import type { SentReply } from "./live.ts"
import { leaveOutFault } from "./mend.ts"
import { NO_COST, save, type Work } from "./work.ts"

export interface TurnOptions extends Listening {
  readonly signal: AbortSignal
  /** Aborted when the process ends: the turn stops, but its message is kept. */
  readonly closing?: AbortSignal
  readonly approve?: Approve | undefined
  readonly lease: Lease
}

/** Throws `AudienceChanged` once the sender may no longer have the conversation; nothing is answered then. */
export async function workTurn(runtime: Runtime, waiting: Waiting, options: TurnOptions): Promise<SentReply> {
  const work = await startWork(runtime, waiting, options)
  try {
    const noise = isBegun(work) ? undefined : await noiseIn(work)
    if (noise !== undefined) return await finishAsNoise(work, noise)
    const opening = isBegun(work) ? await reopen(work) : await open(work)
    const message = await answer(work, opening)
    await checkAudience(work)
    return await finishTurn(work, message)
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    await checkAudience(work)
    return await failTurn(work, error)
  }
}

/** The configuration may have changed during the wait for a model or a tool. */
async function checkAudience({ runtime, session, waiting, tell, step }: Work): Promise<void> {
  await runtime.refresh()
  if (isCurrent(runtime, session, waiting.message)) return
  tell({ kind: "step-discarded", step })
  throw new AudienceChanged(`the audience of the session ${session.id} has changed`)
}

async function startWork(
  runtime: Runtime,
  waiting: Waiting,
  { signal, closing, approve, lease, ...listening }: TurnOptions,
): Promise<Work> {
  await runtime.refreshServers()
  await giveWay()
  const session = await runtime.store.sessions.get(waiting.session)
  if (session === undefined) throw new Error(`the session ${waiting.session} is not in the store`)
  const { message } = waiting
  const { state } = session
  const tell = listener(runtime, { session, from: message }, listening)
  const gathered = await gather(runtime, { id: session.id, message, state }, state.touchedInHead ?? 0)
  const items = itemsUpTo(await runtime.store.transcripts.read(session.id), waiting.turn)
  const isResumed = items.some(({ turn }) => turn === waiting.turn)
  tell({ kind: "turn-started", turn: waiting.turn, session: session.id, isResumed })
  const outer = runtime.scope(originOf(session, waiting), message.span)
  const scope = outer.open("turn_started", {
    model: runtime.model().id,
    exchange: { content: { input: [userMessage(message.text)] } },
    ...(isResumed && { data: { resumed: true } }),
  })
  const { turn, feeds } = await turnOf(runtime, {
    ...{ lease, waiting, session, gathered, items, scope, isResumed },
  })
  return {
    ...{
      runtime,
      lease,
      waiting,
      session,
      turn,
      scope,
      outer,
      signal,
      tell,
      approve,
      gathered,
      items,
      state,
    },
    ...(closing && { closing }),
    fed: { waiting, session, gathered, scope, feeds },
    saved: state,
    startedAt: runtime.now(),
    trust: askerTrust(runtime.workspace().config, message, gathered.session),
    baseline: session.baseline,
    edits: [],
    rewrite: undefined,
    step: items.filter((one) => one.turn === waiting.turn && isAnswer(one.item)).length,
    prompt: undefined,
    cost: NO_COST,
    missed: [],
    parts: new Set(),
  }
}

/** Items that came during the turn are sent with the next one. */
function itemsUpTo(items: readonly StoredItem[], turn: string): readonly StoredItem[] {
  const last = items.findLastIndex((item) => item.turn === turn)
  return last === -1 ? items : items.slice(0, last + 1)
}

export function originOf(session: StoredSession, { turn, message }: Pick<Waiting, "turn" | "message">) {
  return {
    session: session.id,
    agent: session.agent,
    trust: session.trust,
    // A delegated part's events are in the trace of the delegating turn.
    trace: message.under?.trace ?? turn,
    turn,
    user: message.as ?? session.who.replace(/^person:/, ""),
    channel: message.channel ?? "terminal",
  }
}

function isAnswer(item: Item): boolean {
  return item.kind === "message" && item.message.role === "assistant"
}

type TurnFacts = Pick<Work, "lease" | "waiting" | "session" | "gathered" | "items" | "scope"> & {
  readonly isResumed: boolean
}

async function turnOf(
  runtime: Runtime,
  facts: TurnFacts,
): Promise<{ readonly turn: Turn; readonly feeds: Feeds }> {
  const { waiting, gathered } = facts
  const { message } = waiting
  // Skip it for those who may not know, so that not even the time it takes reveals anything.
  const mayKnow = atLeast(gathered.session.audience.trust, GIT_TRUST)
  const asked = mayKnow ? gitState(runtime.directory) : undefined
  const feeds = await fedFrom(runtime, facts)
  const git = (await asked)?.state
  const turn: Turn = {
    id: waiting.turn,
    now: runtime.now(),
    timeZone: runtime.timeZone,
    message: message.text,
    planMode: await planModeOf(facts, runtime),
    inputs: feeds.inputs,
    ...(git && { git }),
  }
  // Hooks get the time zone that the clock shows.
  return { turn: runtime.secrets.within(inZone(gathered.seen, turn)), feeds }
}

async function fedFrom({ feeding }: Runtime, facts: TurnFacts): Promise<Feeds> {
  const { waiting, session, gathered, items, scope } = facts
  const { window, reserve, ratio } = gathered.budget
  const taken = conversationTokens(messagesOf(items), ratio?.factor ?? 1)
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
  { lease, waiting, session, isResumed }: TurnFacts,
  { store }: Runtime,
): Promise<boolean> {
  const { planMode } = waiting.message
  const isOn = session.state.planMode === true
  if (!isOn || planMode !== false || isResumed) return planMode === true || isOn
  const state = { was: session.state, now: { ...session.state, planMode: false } }
  await store.transcripts.change(lease, { turn: waiting.turn, state })
  return false
}

function isBegun({ items, turn }: Work): boolean {
  return items.some((item) => item.turn === turn.id)
}

/** A reply to a question of the agent is never small talk. */
async function noiseIn(work: Work): Promise<Swallowed | undefined> {
  const { runtime, waiting } = work
  const { noise: isOn } = feedSwitches(runtime.workspace().config)
  if (!isOn) return undefined
  const openQuestion = (await asksBack(work)) || planWaits(work)
  return swallowNoise(waiting.message.text, { isOn, openQuestion })
}

/** The agent's last text may be in a summary, which does not mark questions. */
async function asksBack({ runtime, items, session }: Work): Promise<boolean> {
  const last = items.findLast(({ item }) => item.kind === "summary" || isAnswer(item))
  if (last?.item.kind === "summary") return true
  const notice = await runtime.store.notices.last(session)
  const notices = notice !== undefined && notice.at >= (last?.at ?? 0) ? [notice.text] : []
  const answers = last?.item.kind === "message" ? [textOf(last.item.message)] : []
  return [...answers, ...notices].some(leavesOpenQuestion)
}

/** The items that open the turn: messages of hooks, then the person's own, which the tail is written into. */
async function open(work: Work): Promise<readonly Item[]> {
  suggestPlan(work)
  const messages = await runHooks(work)
  return [...messages, ownItem(work)]
}

/** In a room the item names the speaker; elsewhere the words stay as written. */
function ownItem({ runtime, session, trust, waiting: { message } }: Work): Item {
  const by = speakerOf(runtime.workspace().config, message, trust)
  const { text } = message
  const said = isRoom(session)
    ? envelopeMessage({ kind: "said-by", attributes: speakerAttributes(by), text })
    : userMessage(guard(text))
  return { kind: "message", message: said, by }
}

/** The conversation has the turn's messages already; only the prompt changes of hooks are requested again. */
async function reopen(work: Work): Promise<readonly Item[]> {
  await runHooks(work)
  const last = work.items.at(-1)?.item
  const unanswered = last?.kind === "message" ? callsOf(last.message.parts) : []
  if (unanswered.length > 0) await runAndKeep(work, unanswered)
  return []
}

/** Returns the hooks' messages; their prompt changes are stored in `work`. */
async function runHooks(work: Work): Promise<readonly Item[]> {
  const { runtime, gathered, turn, signal } = work
  const { agent, session } = gathered.seen
  if (!runtime.hooks.has("before_agent_start")) return []
  const found = runtime.secrets.within(
    await runtime.hooks.beforeAgentStart({ agent, session, turn, systemPrompt: headText(work) }, signal),
  )
  work.edits = found.edits
  work.rewrite = found.rebase
  return found.messages.map(({ by, text, data }) => ({ kind: "custom", by, text, data }))
}

/** Takes steps until the model makes no more calls. Returns its last message, which may be empty. */
async function answer(work: Work, first: readonly Item[]): Promise<Message> {
  for (let opening = first; ; opening = []) {
    if (work.signal.aborted) throw new ModelFailure("stopped", "nothing was answered yet")
    await checkAudience(work)
    work.step += 1
    work.scope = work.scope.with({ step: work.step })
    await compactIfFull(work, opening)
    const { parts, problems } = await askOrCompact(work, opening)
    await checkAudience(work)
    const calls = callsOf(parts)
    const message: Message = { role: "assistant", parts }
    if (calls.length === 0 && problems.length === 0) return message
    await save(work, { append: [{ kind: "message", message }] })
    await runAndKeep(work, calls, problems)
    stopIfStuck(work)
    if (work.step >= work.runtime.limits.steps)
      throw new ModelFailure(
        "stopped",
        `it took ${work.step} steps, which is the most; say "go on" to let it`,
      )
  }
}

/** Repeating a call that keeps failing in the same way would cost as much and change nothing. */
function stopIfStuck({ items, turn, scope, tell }: Work): void {
  const same = sameFailure(items, turn.id)
  if (same === undefined) return
  const why = `${same.tools.join(", ")} failed ${same.times} times in a row in the same way`
  scope.event("diagnostic", { level: "warn", data: { code: "same-failure", text: `${why}.`, ...same } })
  tell({ kind: "diagnostic", level: "warning", text: `${why}.` })
  throw new ModelFailure("stopped", `${why}; say "go on" to let it try again`)
}

/** Ways to shorten a request that is too long for the model. Each returns whether it changed anything. */
const SHORTER: readonly ((work: Work) => boolean | Promise<boolean>)[] = [
  (work) => compactNow(work, "the model refused it as too long", { isRefused: true }),
  shortenResults,
]

/** The most messages to leave out of one request; a provider that refuses more refuses everything. */
const MOST_MENDED = 5

/**
 * Shortens a conversation that turns out too long, each way once, and leaves out a message that the provider names as
 * the reason for a refusal. Never sends the same request twice.
 */
async function askOrCompact(work: Work, opening: readonly Item[]): Promise<Asked> {
  const sending = async (items: readonly Item[]) => {
    await giveWay()
    const compiled = await compileStep(work, items)
    const { runtime, gathered, turn, signal, step } = work
    const messages = await runtime.hooks.context(
      { session: gathered.seen.session, turn, step, messages: compiled.messages },
      signal,
    )
    const isOwn = messages === compiled.messages
    return ask(work, { ...compiled, messages: runtime.secrets.within(messages) }).catch((error: unknown) => {
      // A conversation changed by a hook is numbered differently.
      if (error instanceof ModelFailure && !isOwn) error.fault = undefined
      throw error
    })
  }
  let items = opening
  let mended = 0
  for (const ways = [...SHORTER]; ; items = []) {
    try {
      return await sending(items)
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      if (isLateRefused(work, error)) continue
      const isTooLong = error.kind === "too-long"
      const isMended = isTooLong
        ? await isMadeShorter(work, ways)
        : mended < MOST_MENDED && (await leaveOutFault(work, error))
      if (!isMended) throw error
      mended += isTooLong ? 0 : 1
    }
  }
}

/** Removes ways from the list up to the first that helps. */
async function isMadeShorter(work: Work, ways: (typeof SHORTER)[number][]): Promise<boolean> {
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) if (await way(work)) return true
  return false
}

async function runAndKeep(
  work: Work,
  calls: readonly ToolCall[],
  problems: readonly string[] = [],
): Promise<void> {
  const results = await runCalls(work, calls)
  const parts = [...results, ...problems.map((text) => ({ kind: "text", text }) as const)].map(guardPart)
  await save(work, { append: [{ kind: "message", message: { role: "user", parts } }] })
}

function callsOf(parts: readonly MessagePart[]): readonly ToolCall[] {
  return parts.filter((part) => part.kind === "tool-call")
}
