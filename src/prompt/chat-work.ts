// A chat at work: how its next request is compiled. The compiler gets the same inputs whenever the same request is made,
// so a request that is made again has the same bytes, wherever the chat is resumed.
import type { Diagnostic } from "../base/diagnostic.ts"
import { IncipitError } from "../base/error.ts"
import type { Compiler, Head } from "../core/compile/compiler.ts"
import { type GivenBudget, inModelTokens } from "../core/fit/budget.ts"
import { detach } from "../core/layout/tail.ts"
import type { Session, Turn } from "../core/model/inputs.ts"
import type { Message } from "../core/model/message.ts"
import type { Block } from "../core/model/plan.ts"
import type { Prompt } from "../core/model/prompt.ts"
import { feed } from "../core/model/section-input.ts"
import type { Render, RenderOptions } from "../render/formats/renderer.ts"
import { factorFor } from "../tokens/factor.ts"
import { openCalls } from "./calls.ts"
import { type AskedRequest, type ChatState, messagesWith, stateAfter } from "./chat-state.ts"
import { checkRequest } from "./check-prompt.ts"
import { type Definition, type Texts, TURN_TEXTS } from "./definition.ts"
import type { Target } from "./formats.ts"
import type { ChatOptions } from "./prompt-inputs.ts"
import { addStep } from "./turn-report.ts"

/** What all chats of a prompt share. */
export interface ChatKit {
  readonly definition: Definition
  readonly compiler: Compiler
  readonly budget: GivenBudget | undefined
  readonly ttl: string | undefined
  /** Counted tokens of a message. */
  readonly count: (message: Message) => number
}

export interface ChatWork {
  readonly kit: ChatKit
  /** What `open` or `resume` took, with later changes. */
  given: ChatOptions
  /** Replaced when an input or the audience changes. */
  session: Session
  /** Replaced with each turn and with each change of its inputs. */
  turn: Turn
  state: ChatState
  /** The newest request, until something follows it. */
  asked: AskedRequest | undefined
  /** The newest prompt. */
  made: Made | undefined
}

/** A prompt, and what it was made from. */
interface Made {
  readonly target: Target
  readonly session: Session
  readonly turn: Turn
  readonly before: ChatState
  readonly head: Head
  readonly prompt: Prompt
  /** Absent until it was rendered. */
  readonly after?: { readonly asked: AskedRequest; readonly state: ChatState }
}

/** Turn sections get their texts ready-made, so none of them reads the clock. */
export function turnOf(number: number, texts: Texts): Turn {
  return { id: `turn-${number}`, now: 0, timeZone: "UTC", inputs: feed(TURN_TEXTS, texts) }
}

/** The state with the newest request as a part of the conversation. */
export function stateNow({ state, asked, made }: ChatWork): ChatState {
  if (asked === undefined) return state
  return made?.after?.asked === asked ? made.after.state : stateAfter(state, asked)
}

/** The next request in a provider's form. Made again, it is the same request. */
export function request<R, O extends RenderOptions>(
  work: ChatWork,
  target: Target,
  render: Render<R, O>,
  options: Omit<O, "model"> | undefined,
): R {
  checkRequest(target, options)
  checkReady(work.state)
  const made = sameAgain(work, target) ?? make(work, target)
  const { prompt, head, before } = made
  const added = {
    target,
    sent: prompt.sent,
    ...(prompt.tail && { tail: tailOf(prompt.tail) }),
    ...(head.baseline !== before.baseline && { baseline: head.baseline }),
  }
  const messages = made.after?.state.messages ?? messagesWith(before, added)
  // The caller was allowed to pass everything that `O` has apart from the model.
  const rendered = render(prompt, messages, { ...options, model: target.model } as O)
  const step = {
    target,
    turn: before.turn,
    plan: prompt.plan,
    epoch: head.baseline,
    diagnostics: [...gapsIn(messages), ...rendered.diagnostics],
  }
  const asked = made.after?.asked ?? { ...added, report: addStep(before.report, step, work.kit.definition) }
  work.made = { ...made, after: made.after ?? { asked, state: stateAfter(before, asked, messages) } }
  work.asked = asked
  return rendered.request
}

/** Both may be meant: a request that failed for good, or an answer that the model should continue. */
function gapsIn(messages: readonly Message[]): readonly Diagnostic[] {
  const [before, last] = [messages.at(-2), messages.at(-1)]
  if (last?.role === "assistant") return [{ code: "nothing-said" }]
  const isAnswer = last?.parts.some(({ kind }) => kind === "tool-result")
  return before?.role === "user" && !isAnswer ? [{ code: "answer-not-added" }] : []
}

function tailOf({ text, operator }: Block): NonNullable<AskedRequest["tail"]> {
  return operator === undefined ? { text } : { text, operator }
}

/** The newest prompt, if nothing has happened since. */
function sameAgain({ made, state, session, turn }: ChatWork, target: Target): Made | undefined {
  const isOld = made?.before !== state || made.session !== session || made.turn !== turn
  return isOld || !isSame(made.target, target) ? undefined : made
}

function make(work: ChatWork, target: Target): Made {
  const { kit, state, session, turn } = work
  const head = headFor(work, target)
  const messages = head.baseline === state.baseline ? state.messages : detach(state.messages)
  const counted = messages.reduce((sum, message) => sum + kit.count(message), 0)
  const prompt = head.step(turn, {
    conversationTokens: inModelTokens(counted, head.baseline.ratio),
    ...(state.sent && { sent: state.sent }),
  })
  return { target, session, turn, before: state, head, prompt }
}

/** The head of the newest prompt, unless something has changed that it depends on. */
export function headFor({ made, kit, state, session }: ChatWork, target: Target): Head {
  if (made?.session === session && isSame(made.target, target)) return made.head
  const { agent, diagnostics } = kit.definition
  const isOtherFormat = state.target !== undefined && state.target.format !== target.format
  return kit.compiler.head(
    agent,
    { ...session, model: target.model },
    {
      budget: budgetFor(target.model, kit.budget),
      diagnostics,
      ...(kit.ttl !== undefined && { ttl: kit.ttl }),
      ...(state.baseline && { baseline: state.baseline }),
      ...(isOtherFormat && { rebase: "the format changed" }),
    },
  )
}

function isSame(a: Target, b: Target): boolean {
  return a.format === b.format && a.model === b.model
}

/** Limits are in the model's tokens, so its factor belongs to them. */
function budgetFor(model: string, budget: GivenBudget = {}): GivenBudget {
  return { ratio: factorFor(model), ...(typeof budget === "number" ? { total: budget } : budget) }
}

function checkReady({ turn, messages }: ChatState): void {
  if (turn === 0) throw wrongOrder("there is nothing to answer yet; call say first")
  checkAnswered(messages)
}

/** Providers refuse a conversation that goes on while a call has no result. */
export function checkAnswered(messages: readonly Message[]): void {
  const open = openCalls(messages).map(({ id, name }) => `${name} ("${id}")`)
  if (open.length > 0)
    throw wrongOrder(`these calls have no results yet: ${open.join(", ")}; call answer first`)
}

export function wrongOrder(problem: string): IncipitError {
  return new IncipitError("chat-order", problem)
}
