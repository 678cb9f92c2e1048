// Asks the model: renders the step, sends it, retries where that may help, and records the request, the answer and the
// cost.
import { parseDuration } from "../../base/duration.ts"
import { inModelTokens } from "../../core/fit/budget.ts"
import { type MessagePart, wordsIn } from "../../core/model/message.ts"
import { type Prompt, prefixBlocks, prefixOf } from "../../core/model/prompt.ts"
import type { StepCost } from "../../database/contract/reply.ts"
import type { LastCall } from "../../database/contract/sessions.ts"
import { saveUsage } from "../../record/ask/section-costs.ts"
import { saveReceipt } from "../../record/write/receipts.ts"
import { type Details, spent } from "../../record/write/scope.ts"
import { planBreakpoints } from "../../render/cache/breakpoints.ts"
import type { Call } from "../../render/cache/call.ts"
import { costOf, type Price, type Usage } from "../../render/cache/price.ts"
import { callOf } from "../../render/cache/prompt-call.ts"
import type { Simulator } from "../../render/cache/simulate.ts"
import { renderAiSdk } from "../../render/formats/ai-sdk.ts"
import { renderAnthropic } from "../../render/formats/anthropic.ts"
import { o200k } from "../../tokens/o200k.ts"
import { fallbackCalls } from "../fallback/calls.ts"
import { streamGate } from "../fallback/gate.ts"
import { fallbackMessages } from "../fallback/messages.ts"
import { answerLimit, takenBy } from "../models/answer-limit.ts"
import type { Model } from "../models/model.ts"
import { usageOf } from "../models/usage.ts"
import { ownCall, ownCallId, type WiredConversation, wireMessages } from "../models/wire-messages.ts"
import { callModel, type ModelAnswer, ModelFailure } from "./call.ts"
import type { CompiledStep } from "./compile.ts"
import { exchangeOf } from "./exchange.ts"
import { ruleIn } from "./late-system.ts"
import { mayKnowWhy, WHY_IT_WAITS } from "./provider/failure-words.ts"
import { type Fault, faultIn } from "./provider/fault.ts"
import { withRetries } from "./provider/retry.ts"
import { addCost, keptBy, type Work } from "./work.ts"

export interface Asked {
  readonly parts: readonly MessagePart[]
  /** Mistakes in the answer, reported to the model. */
  readonly problems: readonly string[]
}

/** Throws `ModelFailure` if there is no answer. */
export async function ask(work: Work, step: CompiledStep): Promise<Asked> {
  const { runtime, scope, tell } = work
  const model = runtime.model()
  tell({ kind: "step-started", step: work.step, model: model.id })
  scope.event("prompt_built", { data: { ...promptFacts(step), cached_tokens: cachedBefore(work, step) } })
  const { messages, origins } = wireMessages(step.messages, model)
  const sent: Sent = { body: "", messages, origins }
  try {
    return await withPatience(work, { model, once: () => askOnce(work, { ...step, messages }, model, sent) })
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

interface Patience<T> {
  readonly model: Model
  readonly once: () => Promise<T>
  /** Set for a question beside the conversation: its answer is not shown as it arrives. */
  readonly purpose?: string
}

/** Retries where that may help, and records every failure. */
export async function withPatience<T>(work: Work, { model, once, purpose }: Patience<T>): Promise<T> {
  const { runtime, scope, signal, tell } = work
  const facts = (failure: ModelFailure, more: Readonly<Record<string, number>>) =>
    errorFacts(failure, model, { ...more, ...(purpose !== undefined && { for: purpose }) })
  let attempts = 1
  let start = runtime.now()
  const timed = () => {
    start = runtime.now()
    return once()
  }
  const over = () => spent(start, runtime.now())
  try {
    return await withRetries(timed, {
      ...{ wait: runtime.wait, random: runtime.random, gate: runtime.gate(model.id), signal },
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

/**
 * The tokens that the previous call left in the provider's cache and this one begins with. If the head has changed,
 * they end at the last breakpoint before the change.
 */
function cachedBefore({ runtime, state: { lastCall }, gathered }: Work, { prompt }: CompiledStep): number {
  if (lastCall === undefined || runtime.now() - lastCall.at > (parseDuration(gathered.ttl) ?? 0)) return 0
  if (lastCall.prefix === prefixOf(prompt)) return lastCall.kept
  const same = prompt.head.slice(0, sharedBlocks(prompt, lastCall))
  const cached = same.slice(0, same.findLastIndex(({ breakpoint }) => breakpoint !== undefined) + 1)
  if (cached.length === 0) return 0
  const { budget } = prompt.plan
  const counted = cached.reduce((sum, block) => sum + block.tokens, 0)
  return Math.min(budget.tools + inModelTokens(counted, budget), lastCall.kept)
}

/** How many blocks of the head are unchanged, provided that the tools before them are. */
function sharedBlocks(prompt: Prompt, { blocks = [] }: LastCall): number {
  const now = prefixBlocks(prompt)
  const first = now.findIndex((digest, at) => digest !== blocks[at])
  return Math.max(0, (first === -1 ? now.length : first) - 1)
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

/** One call of a step; a retry is another. */
interface Attempt {
  readonly step: CompiledStep
  readonly model: Model
  readonly at: number
}

async function askOnce(work: Work, step: CompiledStep, model: Model, sent: Sent): Promise<Asked> {
  const { runtime, signal } = work
  const attempt: Attempt = { step, model, at: runtime.now() }
  const gate = model.toolFormat === "fallback" ? streamGate() : undefined
  const show = (kind: "text" | "reasoning", text: string) => text !== "" && work.tell({ kind, text })
  const answer = await callModel({
    model,
    request: requestOf(work, step, model),
    tools: step.prompt.tools,
    signal,
    idleMs: runtime.limits.idleMs,
    secrets: runtime.secrets,
    sent: (body) => {
      sent.body = body
      receipt(work, attempt, body)
    },
    tell: ({ kind, text }) => show(kind, gate !== undefined && kind === "text" ? gate.push(text) : text),
  })
  if (gate !== undefined) show("text", gate.end())
  if (model.isOffline) receipt(work, attempt, offlineBody(step, model))
  told(work, attempt, { answer, cost: costOfCall(work, attempt, answer) })
  const asked = partsOf(answer, work, model)
  checkEnd(work, answer.finish, asked)
  return asked
}

const CUT: Readonly<Record<string, string>> = {
  length: "the limit of tokens was reached",
  "content-filter": "the provider held it back",
}

/** Reports an answer that was cut; throws if nothing of it is left. */
function checkEnd({ scope, tell }: Work, finish: string, { parts }: Asked): void {
  const why = CUT[finish]
  if (why === undefined) return
  const isEmpty = parts.every(
    (part) => part.kind === "reasoning" || (part.kind === "text" && !part.text.trim()),
  )
  if (isEmpty) throw new ModelFailure("refused", why)
  const text = `the answer is not whole: ${why}`
  scope.event("diagnostic", { data: { code: "answer-cut", text } })
  tell({ kind: "diagnostic", level: "warning", text })
}

function requestOf({ session, state }: Work, { prompt, messages }: CompiledStep, model: Model) {
  const readable = model.toolFormat === "fallback" ? fallbackMessages(messages) : messages
  return renderAiSdk(prompt, readable, {
    model: renderedAs(model),
    rule: ruleIn(state, model),
    cacheKey: session.id,
    maxTokens: answerLimit(renderedAs(model), takenBy(prompt.plan.budget)),
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
  })
  return JSON.stringify(request)
}

function receipt(work: Work, { step: { prompt }, model, at }: Attempt, request: string): void {
  const { runtime, turn, session, gathered } = work
  const { trust } = gathered.session.audience
  const facts = { turn: turn.id, step: work.step, at, session: session.id, trust, model: model.id, prompt }
  saveReceipt(runtime.record, { ...facts, request, rule: model.rule })
}

function costOfCall(work: Work, { step, model, at }: Attempt, answer: ModelAnswer): CallCost {
  const price = model.price(at)
  if (!model.isOffline) {
    const usage = usageOf(answer.usage, model.rule)
    const shown = usage ?? { uncached: 0, read: 0, write: {}, output: 0 }
    return {
      usage,
      price,
      step: { usage: shown, costUsd: usage ? costOf(usage, price) : null, isSimulated: false },
    }
  }
  const output = answer.usage.outputTokens ?? 0
  warmUp(work, step, model)
  const { usage } = work.runtime.simulator(simulated(step, model, { at, output }), { rule: model.rule })
  return { usage, price, step: { usage, costUsd: 0, isSimulated: true } }
}

function simulated(
  { prompt, messages }: CompiledStep,
  { rule }: Model,
  more: { at: number; output: number },
): Call {
  const breakpoints = planBreakpoints(prompt, messages, { rule })
  return callOf(prompt, messages, { counter: o200k, breakpoints, rule, ...more })
}

const SIMULATED = new WeakMap<Simulator, Set<string>>()

/** Restores the simulated cache as the previous call left it, in a process that takes over a session. */
function warmUp({ runtime, session, state }: Work, step: CompiledStep, model: Model): void {
  const known = SIMULATED.get(runtime.simulator) ?? new Set()
  SIMULATED.set(runtime.simulator, known)
  const before = known.has(session.id) ? undefined : callBefore(step, state.lastCall)
  if (before !== undefined) {
    const at = state.lastCall?.at ?? 0
    runtime.simulator(simulated(before, model, { at, output: 0 }), { rule: model.rule })
  }
  known.add(session.id)
}

/** The part of the previous call that this one begins with: all of it, or the unchanged blocks of the head. */
function callBefore(step: CompiledStep, last: LastCall | undefined): CompiledStep | undefined {
  if (last === undefined) return undefined
  const { prompt, messages } = step
  const answered = messages.findLastIndex(({ role }) => role === "assistant")
  if (last.prefix === prefixOf(prompt))
    return answered > 0 ? { prompt, messages: messages.slice(0, answered) } : undefined
  const shared = sharedBlocks(prompt, last)
  return shared > 0 ? { prompt: { ...prompt, head: prompt.head.slice(0, shared) }, messages: [] } : undefined
}

interface CallCost {
  /** Undefined if the provider reported none. */
  readonly usage: Usage | undefined
  readonly price: Price | null
  readonly step: StepCost
}

interface Answered {
  readonly answer: ModelAnswer
  readonly cost: CallCost
}

function told(work: Work, { step, model, at }: Attempt, { answer, cost }: Answered): void {
  const { runtime, scope, turn, session } = work
  const { usage, price } = cost
  const over = spent(at, runtime.now())
  const { costUsd, isSimulated } = cost.step
  const call = { model: model.id, costUsd, price, ...(usage && { usage }) }
  scope.event("api_call", {
    ...call,
    ...over,
    data: { finish: answer.finish, ...(isSimulated && { simulated: true }) },
    exchange: exchangeOf(step, answer),
  })
  saveUsage(runtime.record, { ...call, at, session: session.id, turn: turn.id, step: work.step })
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
function partsOf({ parts, finish }: ModelAnswer, { runtime }: Work, model: Model): Asked {
  const id = () => ownCallId(runtime.id())
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
