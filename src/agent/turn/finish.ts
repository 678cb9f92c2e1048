// The end of a turn: stores the answer together with the mark that the message is done, then reports and records it. A
// turn that cannot be finished now goes back into the queue, and its person is told.
import { IncipitError } from "../../base/error.ts"
import { type Message, wordsIn } from "../../core/model/message.ts"
import type { ReplyState } from "../../database/contract/reply.ts"
import type { Item } from "../../database/contract/transcripts.ts"
import { quietly } from "../../database/tolerate.ts"
import { clockText } from "../../profiles/parts.ts"
import { whyMiss } from "../../record/ask/why-miss.ts"
import type { Recorder } from "../../record/write/record.ts"
import { inputOf } from "../../render/cache/price.ts"
import type { Swallowed } from "../feeds/noise.ts"
import { keepPlan, type PlanServices } from "../feeds/planning.ts"
import { giveWay } from "../inbox/give-way.ts"
import { providerOf } from "../models/provider-of.ts"
import type { Services } from "../setup/services.ts"
import type { Reply, SentReply } from "./live-event.ts"
import type { ModelFailure } from "./provider/call.ts"
import {
  CLOSED_AND_KEPT,
  KEPT_FOR_LATER,
  mayKnowWhy,
  plainFailure,
  WHY_IT_WAITS,
} from "./provider/failure-words.ts"
import { isRefusal, type LeftOut, leftOut } from "./provider/refused.ts"
import { queueWait } from "./provider/retry.ts"
import { whyFailed } from "./provider/why-failed.ts"
import { stateChange, type Work } from "./work.ts"

/** Ends turns. Every method returns the reply to the message. */
export interface Ending {
  finish(work: Work, message: Message): Promise<SentReply>
  /** For small talk that needs no model; it does not enter the conversation. */
  finishAsNoise(work: Work, noise: Swallowed): Promise<SentReply>
  /** For a turn that has no answer: stopped, queued or given up. */
  fail(work: Work, failure: ModelFailure): Promise<SentReply>
}

export type EndServices = Pick<Services, "store" | "plans" | "clock" | "events" | "hooks" | "feeding">

export function createEnding(services: EndServices): Ending {
  return {
    finish: (work, message) => finishTurn(services, work, message),
    finishAsNoise: (work, noise) => finishAsNoise(services, work, noise),
    fail: (work, failure) => failTurn(services, work, failure),
  }
}

function finishTurn(services: EndServices, work: Work, message: Message): Promise<SentReply> {
  const text = messageText(message)
  return close(services, work, { state: text === "" ? "silent" : "answered", text, message })
}

function finishAsNoise(services: EndServices, work: Work, { answer, reason }: Swallowed): Promise<SentReply> {
  work.scope.event("diagnostic", { level: "info", data: { code: "noise", reason } })
  return close(services, work, { state: answer === "" ? "silent" : "answered", text: answer })
}

/** Messages are kept for a day, then given up. */
const MOST_WAIT_MS = 86_400_000

async function failTurn(services: EndServices, work: Work, failure: ModelFailure): Promise<SentReply> {
  if (failure.kind === "stopped") {
    if (work.closing?.aborted) return putBack(services, work)
    const message: Message = { role: "assistant", parts: failure.parts.filter(({ kind }) => kind === "text") }
    const text = messageText(message) || saidBefore(work) || `Stopped: ${failure.message}.`
    return close(services, work, { state: "stopped", text, message, isOverLimit: failure.isOverLimit })
  }
  const { waiting } = work
  const isOld = services.clock.now() - waiting.at > MOST_WAIT_MS
  const isPart = waiting.message.isPart === true
  if (failure.isRetryable && !isOld && !isPart) return queue(services, work, failure)
  const why = isOld ? "it could not be answered within a day" : whyFailed(failure, work.model.id)
  const error = `This message cannot be answered: ${why} (${failure.message}).`
  const text = mayKnowWhy(work.trust) ? error : plainFailure(failure.kind, isOld)
  if (!isRefusal(failure)) return close(services, work, { state: "failed", text, error })
  const { state, ...refused } = leftOut(work)
  work.state = state
  const all = `${text} It is left out of the conversation from now on.`
  return close(services, work, { state: "failed", text: all, error, refused })
}

/** What a turn that its person stopped said beside its last calls; the conversation has it already. */
function saidBefore({ signal, items, turn }: Work): string {
  if (!signal.aborted) return ""
  const own = items.filter((stored) => stored.turn === turn.id).map(({ item }) => item)
  const said = own.flatMap((item) =>
    item.kind === "message" && item.message.role === "assistant" ? [messageText(item.message)] : [],
  )
  return said.findLast((text) => text !== "") ?? ""
}

async function queue(
  { store, clock, events }: EndServices,
  work: Work,
  failure: ModelFailure,
): Promise<SentReply> {
  const { turn, attempts } = work.waiting
  const { message: error, retryAfterMs } = failure
  const notBefore = await store.inbox.postpone(work.lease, {
    ...{ turn, error, state: stateChange(work) },
    wait: { ms: queueWait(attempts, { retryAfterMs, random: clock.random }) },
    ...(retryAfterMs !== undefined && {
      asked: { by: providerOf(work.model.id), forMs: retryAfterMs },
    }),
  })
  const when = clockText(notBefore, clock.timeZone)
  const mayKnow = mayKnowWhy(work.trust)
  const text = mayKnow
    ? `The model cannot answer now (${failure.message}). Your message is kept and will be retried: ${when}.`
    : KEPT_FOR_LATER
  work.tell({ kind: "queued", why: mayKnow ? failure.message : WHY_IT_WAITS, notBefore })
  const reply = replyOf(work, { state: "queued", text, now: clock.now() })
  work.outer.event("turn_completed", { ...turnFacts(work, reply), level: "warn", error: failure.message })
  await events.record.flushIfFree()
  work.tell({ kind: "turn-finished", reply: withoutPrompt(reply) })
  return reply
}

/** The sender did not stop it, so the next process resumes it from here. */
async function putBack({ store, clock }: Pick<Services, "store" | "clock">, work: Work): Promise<SentReply> {
  const error = "the agent was closed"
  await store.inbox.postpone(work.lease, {
    ...{ turn: work.turn.id, wait: { ms: 0 }, error, state: stateChange(work) },
  })
  const reply = replyOf(work, { state: "queued", text: CLOSED_AND_KEPT, now: clock.now() })
  work.outer.event("turn_completed", { ...turnFacts(work, reply), level: "warn", error })
  work.tell({ kind: "turn-finished", reply: withoutPrompt(reply) })
  return reply
}

interface End {
  readonly state: ReplyState
  /** For the person. */
  readonly text: string
  /** For the operator, if it says more. */
  readonly error?: string
  /** Goes into the conversation. */
  readonly message?: Message
  readonly refused?: Omit<LeftOut, "state">
  readonly isOverLimit?: boolean
}

async function close(
  services: EndServices,
  work: Work,
  { state, text, error = text, message, refused, isOverLimit = false }: End,
): Promise<SentReply> {
  const { store, clock, feeding, hooks, events } = services
  const { turn, gathered } = work
  // Delegated parts of a stopped turn are still ending, and their cost belongs to it.
  await Promise.allSettled(work.parts)
  await giveWay()
  const made = replyOf(work, { state, text, now: clock.now() })
  const reply: SentReply = isOverLimit ? { ...made, isOverLimit } : made
  const append: readonly Item[] =
    message === undefined || messageText(message) === "" ? [] : [{ kind: "message", message }]
  const change = { turn: turn.id, append, state: stateChange(work), ...refused }
  await store.inbox.finish(work.lease, change, withoutPrompt(reply))
  if (state === "answered") keepPlanOrTell(services, work, text)
  if (work.fed !== undefined) await feeding.afterTurn(work.fed)
  await hooks.turnEnd({ session: gathered.seen.session, turn, text, steps: work.step }, work.signal)
  const completed = turnFacts(work, reply)
  work.outer.event("turn_completed", {
    ...completed,
    ...(state === "failed" && { level: "error" as const, error }),
    ...(refused && { data: { ...completed.data, refused: true } }),
  })
  if (await events.record.flushIfFree()) await tellMisses(events.record, work)
  work.tell({ kind: "turn-finished", reply: withoutPrompt(reply) })
  return reply
}

/** The answer is stored already; failing to write the plan must not affect it. */
function keepPlanOrTell(services: PlanServices, work: Work, text: string): void {
  try {
    keepPlan(services, work, text)
  } catch (error) {
    if (!(error instanceof IncipitError)) throw error
    work.scope.event("diagnostic", { level: "error", error: error.message })
    const why = mayKnowWhy(work.trust) ? `: ${error.message}` : ""
    work.tell({ kind: "diagnostic", level: "warning", text: `The plan was not saved${why}.` })
  }
}

/** Removes the plan of the prompt, which is only for the operator. */
function withoutPrompt({ prompt: _kept, ...reply }: SentReply): Reply {
  return reply
}

export function replyOf(
  work: Work,
  { state, text, now }: { readonly state: ReplyState; readonly text: string; readonly now: number },
): SentReply {
  const { turn, session, step, cost, startedAt, prompt } = work
  const durationMs = Math.max(0, now - startedAt)
  return { state, text, turn: turn.id, session: session.id, steps: step, cost, durationMs, prompt }
}

export function turnFacts({ step }: Pick<Work, "step">, { state, text, durationMs, cost }: Reply) {
  const { usage, costUsd } = cost
  return {
    durationMs,
    costUsd,
    data: { state, steps: step, total_tokens: inputOf(usage) + usage.output },
    exchange: { content: { output: [{ kind: "text" as const, text }] } },
  }
}

/** Reads the record, which has both calls by now. */
async function tellMisses(record: Pick<Recorder, "read">, work: Work): Promise<void> {
  const { turn, scope } = work
  for (const step of work.missed) {
    // The turn is over, so a record that cannot be read does not matter.
    const found = await quietly(() => record.read((store) => whyMiss(store, turn.id, step)))
    if (found === undefined || found.cause.kind === "hit" || found.cause.kind === "first-call") continue
    const tokens = found.lostTokens ?? 0
    scope
      .with({ step })
      .event("cache_missed", { data: { cause: found.cause.kind, tokens, reason: found.sentence } })
    work.tell({ kind: "cache-missed", reason: found.sentence, tokens })
  }
}

export function messageText({ parts }: Message): string {
  return wordsIn(parts).trim()
}
