// Asks the model: renders the step, sends it, retries where that may help, and records the request, the answer and the
// cost. `aside.ts` asks beside the conversation.
import type { Effort } from "../../core/model/inputs.ts"
import { type MessagePart, wordsIn } from "../../core/model/message.ts"
import { prefixBlocks, prefixOf } from "../../core/model/prompt.ts"
import type { LastCall } from "../../database/contract/sessions.ts"
import { saveUsage } from "../../record/ask/section-costs.ts"
import { saveReceipt } from "../../record/write/receipts.ts"
import type { Recorder } from "../../record/write/record.ts"
import { type Details, spent } from "../../record/write/scope.ts"
import type { Usage } from "../../render/cache/price.ts"
import { renderAiSdk } from "../../render/formats/ai-sdk.ts"
import { renderAnthropic } from "../../render/formats/anthropic.ts"
import { fallbackCalls } from "../fallback/calls.ts"
import { streamGate } from "../fallback/gate.ts"
import { answerLimit, takenBy } from "../models/answer-limit.ts"
import { carriesEffort, effortFor } from "../models/effort.ts"
import type { Model } from "../models/model.ts"
import { ownCall, ownCallId, type WiredConversation } from "../models/wire-messages.ts"
import type { Services } from "../setup/services.ts"
import { spendWithin } from "../spending/guard.ts"
import { mostInput } from "../spending/most-input.ts"
import {
  type Aside,
  type AsideAnswer,
  type AsideServices,
  askAside,
  askQuestion,
  type Question,
} from "./aside.ts"
import { type Attempt, type CallCost, cachedBefore, costOfCall, paidFor } from "./call-cost.ts"
import type { CompiledStep } from "./prompt/compile.ts"
import { ruleIn } from "./prompt/late-system.ts"
import { callModel, type ModelAnswer, ModelFailure } from "./provider/call.ts"
import { exchangeOf } from "./provider/exchange.ts"
import { mayKnowWhy, WHY_IT_WAITS } from "./provider/failure-words.ts"
import { type Fault, faultIn } from "./provider/fault.ts"
import { withRetries } from "./provider/retry.ts"
import { addCost, keptBy, type Work } from "./work.ts"

export interface Asked {
  readonly parts: readonly MessagePart[]
  /** Mistakes in the answer, reported to the model. */
  readonly problems: readonly string[]
}

/** Sends requests to the model. All methods throw `ModelFailure` if there is no answer. */
export interface Asking {
  /** Asks for the next message of the conversation. */
  ask(work: Work, step: CompiledStep): Promise<Asked>
  /** Retries where that may help, and records every failure. */
  retryWhileBusy<T>(work: Work, patience: Patience<T>): Promise<T>
  /** A question about some material. Passes no gate and is not retried: combine it with `retryWhileBusy` or a gate. */
  aside(aside: Aside): Promise<AsideAnswer>
  /** The same for a given prompt. Tool calls in the answer are left out. */
  question(question: Question): Promise<AsideAnswer>
}

export type AskServices = AsideServices & Pick<Services, "clock">

export function createAsking(services: AskServices): Asking {
  return {
    ask: (work, step) => ask(services, work, step),
    retryWhileBusy: (work, patience) => withPatience(services, work, patience),
    aside: (aside) => askAside(services, aside),
    question: (question) => askQuestion(services, question),
  }
}

async function ask(services: AskServices, work: Work, step: CompiledStep): Promise<Asked> {
  const { scope, tell, model } = work
  tell({ kind: "step-started", step: work.step, model: model.id })
  const cached = cachedBefore(work, step, services.clock)
  scope.event("prompt_built", { data: { ...promptFacts(step), cached_tokens: cached } })
  const { messages, origins } = work.conversation.wired(step.messages, model)
  const sent: Sent = { body: "", messages, origins }
  const attempt = { step: { ...step, messages }, model }
  try {
    return await withPatience(services, work, { model, once: () => askOnce(services, work, attempt, sent) })
  } catch (error) {
    if (error instanceof ModelFailure && isAboutContent(error)) error.fault = faultOf(error, sent)
    throw error
  }
}

/** The last request, to find out what a refusal is about. */
interface Sent extends WiredConversation {
  body: string
}

function isAboutContent({ kind, status }: ModelFailure): boolean {
  return kind === "refused" && (status === 400 || status === 422)
}

/** In the numbering of the transcript. */
function faultOf({ message: why }: ModelFailure, { body, messages, origins }: Sent): Fault | undefined {
  const found = body === "" ? undefined : faultIn(why, body, messages)
  const from = found && origins[found.message]
  return found === undefined || from === undefined ? undefined : { ...found, message: from }
}

export interface Patience<T> {
  readonly model: Model
  readonly once: () => Promise<T>
  /** Set for a question beside the conversation: its answer is not shown as it arrives. */
  readonly purpose?: string
}

async function withPatience<T>(
  { clock, models }: Pick<AskServices, "clock" | "models">,
  work: Work,
  { model, once, purpose }: Patience<T>,
): Promise<T> {
  const { scope, signal, tell } = work
  const facts = (failure: ModelFailure, more: Readonly<Record<string, number>>) =>
    errorFacts(failure, model, { ...more, ...(purpose !== undefined && { for: purpose }) })
  let attempts = 1
  let start = clock.now()
  const timed = () => {
    start = clock.now()
    return once()
  }
  const over = () => spent(start, clock.now())
  try {
    return await withRetries(timed, {
      ...{ wait: clock.wait, random: clock.random, gate: models.gate(model.id), signal },
      retrying: (failure, attempt, waitMs) => {
        attempts = attempt + 1
        scope.event("api_error", { ...facts(failure, { attempt, waitMs }), ...over() })
        if (purpose === undefined && failure.parts.length > 0)
          tell({ kind: "step-discarded", step: work.step })
        const why = mayKnowWhy(work.trust) ? failure.message : WHY_IT_WAITS
        tell({ kind: "retrying", attempt, waitMs, why })
      },
    })
  } catch (error) {
    if (error instanceof ModelFailure && error.kind !== "stopped")
      scope.event("api_error", { ...facts(error, { attempt: attempts }), ...over() })
    throw error
  }
}

function promptFacts({ prompt, messages }: CompiledStep) {
  const { budget, blocks } = prompt.plan
  const kept = prompt.plan.entries.filter(({ kind, spans }) => kind === "section" && spans.length > 0)
  return {
    sections: kept.length,
    tokens: budget.tools + budget.head.used + budget.tail.used,
    head: budget.head.used,
    tail: budget.tail.used,
    tools: budget.tools,
    conversation: budget.conversation,
    blocks: blocks.length,
    messages: messages.length,
  }
}

async function askOnce(
  services: AskServices,
  work: Work,
  { step, model }: Omit<Attempt, "at">,
  sent: Sent,
): Promise<Asked> {
  const { clock, models } = services
  const attempt: Attempt = { step, model, at: clock.now() }
  const taken = takenBy(step.prompt.plan.budget)
  const most = answerLimit(renderedAs(model), taken)
  const { answer, cost, isShort } = await spendWithin(services, {
    ...{ payer: work.payer, model, at: attempt.at, scope: work.scope, signal: work.signal },
    ...{ input: mostInput(taken, step.messages), ttl: work.gathered.ttl, output: most },
    make: async (output) => {
      const answer = await callOnce(services, work, { ...attempt, output }, sent)
      const cost = costOfCall(models.simulated, work, attempt, answer)
      return { result: { answer, cost, isShort: output < most }, cost: paidFor(cost) }
    },
  })
  report(services, work, attempt, { answer, cost })
  const asked = partsOf(answer, clock.id, model)
  checkEnd(work, answer.finish, asked, isShort)
  return asked
}

/** `output`: the longest answer. */
async function callOnce(
  { events, limits, secrets, workspace }: AskServices,
  work: Work,
  { output, ...attempt }: Attempt & { readonly output: number },
  sent: Sent,
): Promise<ModelAnswer> {
  const { step, model } = attempt
  const gate = model.toolFormat === "fallback" ? streamGate() : undefined
  const effort = effortFor(model.id, work.waiting.message, workspace.current().config)
  const show = (kind: "text" | "reasoning", text: string) => text !== "" && work.tell({ kind, text })
  const answer = await callModel({
    ...{ model, tools: step.prompt.tools, effort, signal: work.signal, idleMs: limits.idleMs, secrets },
    request: requestOf(work, step, { model, maxTokens: output }),
    sent: (body) => {
      sent.body = body
      receipt(events.record, work, attempt, body)
    },
    tell: ({ kind, text }) => show(kind, gate !== undefined && kind === "text" ? gate.push(text) : text),
  })
  if (gate !== undefined) show("text", gate.end())
  if (model.isOffline) receipt(events.record, work, attempt, offlineBody(step, model))
  if (effort !== undefined) checkEffortTaken(work, effort, sent.body)
  return answer
}

/** Tells once in a turn if the effort is not in the request, because the model takes none. */
function checkEffortTaken({ model: { id }, cache, scope, tell }: Work, effort: Effort, body: string): void {
  if (body === "" || effort === "none" || cache.checkedEffort === id) return
  cache.checkedEffort = id
  if (carriesEffort(body)) return
  const text = `${id} takes no effort, so "${effort}" has no effect.`
  scope.event("diagnostic", { data: { code: "effort-ignored", text } })
  tell({ kind: "diagnostic", level: "warning", text })
}

const CUT: Readonly<Record<string, string>> = {
  length: "the token limit was reached",
  "content-filter": "the provider's content filter stopped it",
}

const SHORT = "a spending limit left no room for more"

/** Reports an answer that was cut; throws if nothing of it is left. `isShort`: a spending limit made it shorter. */
function checkEnd({ scope, tell }: Work, finish: string, { parts }: Asked, isShort: boolean): void {
  const why = isShort && finish === "length" ? SHORT : CUT[finish]
  if (why === undefined) return
  const isEmpty = parts.every(
    (part) => part.kind === "reasoning" || (part.kind === "text" && !part.text.trim()),
  )
  if (isEmpty)
    throw new ModelFailure(why === SHORT ? "stopped" : "refused", why, { isOverLimit: why === SHORT })
  const text = `the answer is incomplete: ${why}`
  scope.event("diagnostic", { data: { code: "answer-cut", text } })
  tell({ kind: "diagnostic", level: "warning", text })
}

/** The tail was attached, but a `context` hook may have left it out, and redaction may have changed it. */
const CHANGED_MESSAGES = { withoutTail: true } as const

function requestOf(
  { session, state, conversation }: Work,
  { prompt, messages }: CompiledStep,
  { model, maxTokens }: { readonly model: Model; readonly maxTokens: number },
) {
  const readable = model.toolFormat === "fallback" ? conversation.withoutCalls(messages) : messages
  return renderAiSdk(prompt, readable, {
    model: renderedAs(model),
    rule: ruleIn(state, model),
    cacheKey: session.id,
    maxTokens,
    ...CHANGED_MESSAGES,
  }).request
}

/** The offline model gets the prompt of the model that it simulates. */
function renderedAs({ id, isOffline }: Model): string {
  return isOffline ? id.slice(id.indexOf("/") + 1) : id
}

/** The body that would have been sent to the simulated model's provider. */
function offlineBody({ prompt, messages }: CompiledStep, model: Model): string {
  const { request } = renderAnthropic(prompt, messages, {
    model: renderedAs(model),
    rule: model.rule,
    maxTokens: answerLimit(renderedAs(model), takenBy(prompt.plan.budget)),
    ...CHANGED_MESSAGES,
  })
  return JSON.stringify(request)
}

function receipt(
  record: Recorder,
  work: Work,
  { step: { prompt }, model, at }: Attempt,
  request: string,
): void {
  const { turn, session, gathered } = work
  const { trust } = gathered.session.audience
  const facts = { turn: turn.id, step: work.step, at, session: session.id, trust, model: model.id, prompt }
  saveReceipt(record, { ...facts, request, rule: model.rule })
}

interface Answered {
  readonly answer: ModelAnswer
  readonly cost: CallCost
}

function report(
  { clock, events }: Pick<AskServices, "clock" | "events">,
  work: Work,
  { step, model, at }: Attempt,
  { answer, cost }: Answered,
): void {
  const { scope, turn, session } = work
  const { usage, price } = cost
  const over = spent(at, clock.now())
  const { costUsd, isSimulated } = cost.step
  const call = { model: model.id, costUsd, price, ...(usage && { usage }) }
  scope.event("api_call", {
    ...call,
    ...over,
    data: { finish: answer.finish, ...(isSimulated && { simulated: true }) },
    exchange: exchangeOf(step, answer),
  })
  saveUsage(events.record, { ...call, at, session: session.id, turn: turn.id, step: work.step })
  for (const warning of answer.warnings)
    scope.event("diagnostic", { data: { code: "provider-warning", text: warning } })
  const { prompt } = step
  if (usage !== undefined)
    watchCache(work, usage, { at, prefix: prefixOf(prompt), blocks: prefixBlocks(prompt) })
  work.cost = addCost(work.cost, cost.step)
  const calls = answer.parts.filter(({ kind }) => kind === "tool-call").length
  work.tell({ kind: "step-finished", step: work.step, calls, cost: cost.step })
}

/** Providers round, so a difference of a few tokens is no miss. */
const SLACK = 0.9

function watchCache(work: Work, usage: Usage, call: Omit<LastCall, "kept">): void {
  const { lastCall } = work.state
  if (lastCall !== undefined && usage.read < lastCall.kept * SLACK) work.missed.push(work.step)
  work.state = { ...work.state, lastCall: { ...call, kept: keptBy(usage) } }
}

function errorFacts(
  failure: ModelFailure,
  model: Model,
  more: Readonly<Record<string, number | string>>,
): Details {
  const { message, kind, status, retryAfterMs } = failure
  return {
    model: model.id,
    error: message,
    data: {
      ...{ kind, ...more },
      ...(status !== undefined && { status }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    },
  }
}

/** For a model without tool calling, the blocks in its text are its calls. */
function partsOf({ parts, finish }: ModelAnswer, newId: () => string, model: Model): Asked {
  const id = () => ownCallId(newId())
  if (model.toolFormat === "native") return { parts: withOwnIds(parts, id, model), problems: [] }
  const isCut = finish === "length"
  const { before, calls, problems } = fallbackCalls(wordsIn(parts), { id, isCut })
  // Text that could not be read as a call stays unchanged, so that the model sees its mistake.
  if (calls.length === 0) return { parts, problems }
  const words: readonly MessagePart[] = before.trim() === "" ? [] : [{ kind: "text", text: before }]
  return { parts: [...words, ...calls.map((call) => ({ kind: "tool-call", ...call }) as const)], problems }
}

/** Replaces the call ids of providers, some of which repeat the same id in every answer, with unique ones. */
function withOwnIds(parts: readonly MessagePart[], own: () => string, model: Model): readonly MessagePart[] {
  return parts.map((part) => (part.kind === "tool-call" ? ownCall(part, own(), model.id) : part))
}
