// Has a conversation summarised: as a continuation of what the provider has in its cache, else from its text, else by
// excerpts without a model. Calls are retried like any other, and a summary that was cut off is requested once more,
// shorter.
import { inCountedTokens } from "../../../core/fit/budget.ts"
import type { StepCost } from "../../../database/contract/reply.ts"
import { o200k } from "../../../tokens/o200k.ts"
import { boundedOutput } from "../../../tools/bounded-output.ts"
import { answerLimit, takenBy } from "../../models/answer-limit.ts"
import type { AsideAnswer } from "../aside.ts"
import type { Asking } from "../ask.ts"
import { type FallBackServices, isHandedOver } from "../fall-back.ts"
import { ruleIn } from "../prompt/late-system.ts"
import { roomOf } from "../prompt/room.ts"
import { ModelFailure } from "../provider/call.ts"
import { addCost, type Work } from "../work.ts"
import type { Split } from "./compact-cut.ts"
import { type ContinuationServices, continuationOf, withQuestion } from "./continuation.ts"
import { excerptOf, transcriptText } from "./summary-material.ts"
import { type SummaryRequest, summaryRequest, summaryTokens } from "./summary-request.ts"

/** Shares of the room for head, tools and conversation: for the summary, and for its material. */
const SUMMARY = 0.2
const MATERIAL = 0.5
/** The summary's share of the longest answer, since thoughts are part of an answer. */
const OF_ANSWER = 0.75

/** The text that replaces the items, and who wrote it. */
export interface Summary {
  readonly text: string
  readonly by: "model" | "excerpt"
}

export interface SummaryOptions {
  /** The provider has just refused the conversation as too long, so it would refuse a continuation. */
  readonly isRefused: boolean
}

export type SummaryServices = ContinuationServices &
  FallBackServices & {
    readonly prompts: ContinuationServices["prompts"] & FallBackServices["prompts"]
    readonly asking: Pick<Asking, "retryWhileBusy" | "aside" | "question">
  }

export async function summaryOf(
  services: SummaryServices,
  work: Work,
  split: Split,
  { isRefused }: SummaryOptions,
): Promise<Summary> {
  const ways = [...(isRefused ? [] : [asContinuation]), asMaterial]
  const made = await firstAnswer(services, work, split, ways)
  const isMade = !(made instanceof ModelFailure) && made.text !== ""
  if (!isMade) report(work, "summary-excerpt", excerptWords(made))
  else if (made.isCut) report(work, "summary-cut", CUT)
  const excerpt = isMade && !made.isCut ? [] : [excerptOf(split.summed)]
  const text = [...(isMade ? [made.text] : []), ...excerpt, factsText(work)].join("\n\n")
  return { text: within(work, SUMMARY, text), by: isMade ? "model" : "excerpt" }
}

const CUT =
  "The summary of the conversation was cut off by the output limit twice, so the first words of each message were added to it."

function excerptWords(failure: AsideAnswer | ModelFailure): string {
  const why = failure instanceof ModelFailure ? failure.message : "its answer was empty"
  return `The model could not sum up the conversation (${why}), so only the first words of each message were kept.`
}

function report({ scope, tell }: Work, code: string, text: string): void {
  scope.event("diagnostic", { level: "warn", data: { code, text } })
  tell({ kind: "diagnostic", level: "warning", text })
}

/** Asks in one way; undefined if that way does not apply. `wasCut`: the first try was cut off. */
type Ask = (wasCut: boolean) => Promise<AsideAnswer>
type Way = (services: SummaryServices, work: Work, split: Split) => Promise<Ask | undefined>

/** Returns the first way's answer, or the failure if none answers: the session continues without a summary. */
async function firstAnswer(
  services: SummaryServices,
  work: Work,
  split: Split,
  ways: readonly Way[],
): Promise<AsideAnswer | ModelFailure> {
  let last: AsideAnswer | ModelFailure = { text: "", isCut: false }
  for (const way of ways) {
    const ask = await way(services, work, split)
    if (ask === undefined) continue
    last = await answered(services, work, ask)
    // If the provider cannot be reached, another way cannot reach it either.
    const isOver = last instanceof ModelFailure ? last.isRetryable : last.text !== ""
    if (isOver) break
  }
  // What the second model has in its cache, if anything, is another conversation.
  const isOther = last instanceof ModelFailure && (await isHandedOver(services, work, last))
  return isOther ? firstAnswer(services, work, split, [asMaterial]) : last
}

async function answered(
  { asking }: Pick<SummaryServices, "asking">,
  work: Work,
  ask: Ask,
): Promise<AsideAnswer | ModelFailure> {
  const patient = (wasCut: boolean) =>
    asking.retryWhileBusy(work, { model: work.model, once: () => ask(wasCut), purpose: PURPOSE })
  try {
    const first = await patient(false)
    return first.isCut ? await patient(true) : first
  } catch (error) {
    if (!(error instanceof ModelFailure) || error.kind === "stopped") throw error
    return error
  }
}

const PURPOSE = "summary"

/** Everything but the question is cached. */
async function asContinuation(services: SummaryServices, work: Work, split: Split): Promise<Ask | undefined> {
  const found = await continuationOf(services, work)
  if (found === undefined) return undefined
  const { model } = work
  const { prompt } = found
  const maxTokens = answerLimit(model.id, takenBy(prompt.plan.budget))
  const request = requestFor(work, split, maxTokens)
  const { taken, room } = roomOf(work)
  if (taken + request.tokens > room) return undefined
  const last = split.summed.at(-1)?.seq ?? 0
  const staying = work.conversation.messagesOf(split.kept.filter(({ seq }) => seq > last)).length
  return (wasCut) =>
    services.asking.question({
      ...aboutSummary(work),
      ...{ prompt, maxTokens, rule: ruleIn(work.state, model), cacheKey: work.session.id },
      messages: withQuestion(work, found, summaryRequest({ ...shorter(request, wasCut), staying }), model),
    })
}

/** From the text, with a separate prompt. */
async function asMaterial(
  { asking }: Pick<SummaryServices, "asking">,
  work: Work,
  split: Split,
): Promise<Ask> {
  const { gathered } = work
  const { window, reserve } = gathered.budget
  const taken = roomOf(work).room * MATERIAL
  const maxTokens = answerLimit(work.model.id, { window, reserve, taken })
  const material = within(work, MATERIAL, transcriptText(split.summed))
  const request = requestFor(work, split, maxTokens)
  return (wasCut) =>
    asking.aside({
      ...aboutSummary(work),
      ...{ agent: gathered.agent, material, maxTokens },
      instruction: summaryRequest(shorter(request, wasCut)),
    })
}

function aboutSummary(work: Work) {
  const { gathered, turn, scope, signal, model, payer } = work
  return {
    ...{ purpose: PURPOSE, turn, scope, signal, model, payer, session: gathered.session },
    spent: (cost: StepCost) => {
      work.cost = addCost(work.cost, cost)
    },
  }
}

function requestFor(work: Work, { summed }: Split, maxTokens: number): SummaryRequest {
  const { room, factor } = roomOf(work)
  const { conversation } = work
  const replaced = conversation.tokens(conversation.messagesOf(summed), factor)
  return { tokens: summaryTokens(replaced, Math.min(room * SUMMARY, maxTokens * OF_ANSWER)), factor }
}

/** Half as long as the one that was cut off. */
function shorter(request: SummaryRequest, wasCut: boolean): SummaryRequest {
  return wasCut ? { ...request, tokens: request.tokens / 2, wasCut } : request
}

/** Both ends of a text within a share of the room: a larger window may have held more than this one does. */
function within(work: Work, share: number, text: string): string {
  const { room, factor } = roomOf(work)
  const ends = boundedOutput()
  ends.add(text.trim())
  return ends.text(inCountedTokens(room * share, { factor, exact: false }), o200k)
}

/** Facts that are certain, whatever the summary says. */
function factsText({ state }: Work): string {
  const files = (state.touched ?? []).slice(-20)
  return files.length === 0 ? "" : `Files touched:\n${files.map((path) => `- ${path}`).join("\n")}`
}
