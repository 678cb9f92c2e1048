// A chat whose conversation belongs to a host, such as an SDK for agents. It is a chat of `definePrompt` in all other
// respects: before each call the host shows its conversation, and gets the head, the turn context with its place, and the
// cache breakpoints.
import { canonicalJson } from "../../base/digest.ts"
import { IncipitError } from "../../base/error.ts"
import { isRecord } from "../../base/is-record.ts"
import { checkKeys } from "../../core/compile/check-options.ts"
import type { Head } from "../../core/compile/compiler.ts"
import { guardPart } from "../../core/layout/guard-part.ts"
import type { Tool } from "../../core/model/inputs.ts"
import { answersNoCall, type Message, wordsIn } from "../../core/model/message.ts"
import type { Plan } from "../../core/model/plan.ts"
import { type Prompt, prefixOf } from "../../core/model/prompt.ts"
import { kitOf, workFrom } from "../../prompt/chat-kit.ts"
import { update } from "../../prompt/chat-moves.ts"
import { type ChatState, NEW_CHAT, readState, type SavedChat, saveState } from "../../prompt/chat-state.ts"
import { type ChatWork, headFor, request, stateNow, turnOf } from "../../prompt/chat-work.ts"
import type { DefinedPrompt } from "../../prompt/define-prompt.ts"
import { writeTexts } from "../../prompt/definition.ts"
import type { Target } from "../../prompt/formats.ts"
import type { ChatAudience, ChatOptions } from "../../prompt/prompt-inputs.ts"
import { emptyReport, type TurnReport } from "../../prompt/turn-report.ts"
import { joinHead, type KeyedOptions } from "../../render/formats/renderer.ts"
import { cacheKeyFor } from "./cache-key.ts"
import type { HostedCall } from "./hosted-call.ts"
import { renderFor, type SentRequest, withoutTail } from "./sent-items.ts"
import { takeUp } from "./take-up.ts"

/** What the host is about to send when turn sections are asked for their texts. */
export interface TurnQuestion {
  /** A `turn` begins with a person's words, a `step` with results of tools. */
  readonly kind: "turn" | "step"
  /** Which turn of the chat, from 1 on. */
  readonly turn: number
  /** What the person said; empty in a step. */
  readonly words: string
}

/** What a chat in a host takes beside the inputs of its sections. */
export type HostOptions<Turn extends object> = CommonOptions & TurnOption<Turn>

/** Optional if there is nothing that must be passed. */
export type HostArguments<Turn extends object> = object extends Turn
  ? [options?: HostOptions<Turn>]
  : [options: HostOptions<Turn>]

interface CommonOptions {
  /** A chat that `save` stored, to continue it. */
  readonly saved?: SavedChat | undefined
  /** Gets each call when it has been answered: `recordCalls` of `incipit/capture` keeps them. */
  readonly onCall?: ((call: HostedCall) => void) | undefined
  /** How long the conversation is cached; at most as long as the head. */
  readonly ttl?: string | undefined
}

type TurnOption<Turn extends object> = object extends Turn
  ? { readonly turn?: TurnSource<Turn> | undefined }
  : { readonly turn: TurnSource<Turn> }

/** Returns the inputs of the turn sections. Called once for each turn and each step of it. */
type TurnSource<Turn extends object> = (question: TurnQuestion) => Turn | Promise<Turn>

/** A chat in a host. */
export interface HostedChat<Session extends object> {
  readonly id: string
  /** The newest prompt, for `report`, `explain` and `diff`. */
  readonly prompt: Prompt | undefined
  /** The newest plan: an entry for everything that could be in the prompt, with its outcome. */
  readonly plan: Plan | undefined
  /** Changes inputs of the session or its audience. A changed text is sent as the section's `onChange` says. */
  update(changes: Partial<Session> & ChatAudience): void
  /** What the current turn has sent and left out so far. */
  report(): TurnReport
  /** The chat as plain JSON, for the option `saved`. It holds the conversation. */
  save(): SavedChat
}

/** One call that the host is about to make. */
export interface HostCall {
  readonly target: Target
  /** The host's conversation without its system text: one message for each of its messages, one part for each part. */
  readonly messages: readonly Message[]
  /** The tools that the host sends. They are counted and otherwise left alone. */
  readonly tools: readonly Tool[]
  readonly takesLate?: boolean
  readonly options?: Omit<KeyedOptions, "model">
}

export interface PreparedCall extends SentRequest {
  readonly prompt: Prompt
  readonly turnId: string
  readonly turn: number
  /** Of the turn, from 1 on. */
  readonly step: number
}

export interface HostedWork<Session extends object> {
  readonly chat: HostedChat<Session>
  prepare(call: HostCall): Promise<PreparedCall>
  /** What the head of the next call says, for hosts that want it before they show the conversation. */
  headText(call: Pick<HostCall, "target" | "tools">): string
  /** Whether the text is turn context of this chat: some hosts keep what was sent, and bring it back. */
  isTail(text: string): boolean
  /** The head that the next call of the target would have, for hosts that take it before there is a call. */
  head(target: Target): Head
  /** The conversation without turn context, for hosts that don't show theirs. */
  conversation(): readonly Message[]
  /** The key under which a provider keeps the prefix. The same for all chats whose head has the same text. */
  cacheKey(): string
  readonly onCall: ((call: HostedCall) => void) | undefined
}

/** How far back a conversation may be taken up again without sending everything once more. */
const REMEMBERED = 20

const OPTIONS = ["turn", "saved", "onCall", "ttl"]

export function openHosted<Session extends object, Turn extends object>(
  prompt: DefinedPrompt<Session, Turn>,
  given: ChatOptions & Session,
  options: HostOptions<Turn> | undefined,
): HostedWork<Session> {
  const definition = definitionOf(prompt)
  const {
    saved,
    turn: source,
    onCall,
    ttl,
  }: CommonOptions & { turn?: TurnSource<object> | undefined } = options ?? {}
  checkKeys("openChat", Object.keys(options ?? {}), OPTIONS)
  const before = saved === undefined ? { state: NEW_CHAT, asked: undefined } : readState(saved)
  const host: Host = {
    work: workFrom(kitOf(definition), given, before),
    states: [],
    tools: "",
    turnId: crypto.randomUUID(),
    source,
    ttl,
  }
  host.states = [stateNow(host.work)]
  return {
    chat: chatOf(host),
    prepare: (call) => prepare(host, call),
    headText({ target, tools }) {
      useTools(host, tools)
      return joinHead({ head: headFor(host.work, target).blocks }).text
    },
    isTail: (text) => tailsIn(host).has(text),
    head: (target) => headFor(host.work, target),
    conversation: () => withoutTail(stateNow(host.work).messages),
    cacheKey: () => cacheKeyFor(prefixOf({ head: headOf(host).blocks, tools: [] })),
    onCall,
  }
}

function tailsIn({ states }: Host): ReadonlySet<string> {
  const parts = states.at(-1)?.messages.flatMap((message) => message.parts) ?? []
  return new Set(parts.flatMap((part) => (part.kind === "text" && part.tail ? [part.text] : [])))
}

/** As it would be without a model. */
function headOf({ work: { kit, session } }: Host): Head {
  return kit.compiler.head(kit.definition.agent, session)
}

/** The chat with what its host needs. */
export function withHost<Session extends object, Part extends object>(
  chat: HostedChat<Session>,
  part: Part,
): HostedChat<Session> & NoInfer<Part> {
  // Getters stay getters.
  return Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(chat),
    ...Object.getOwnPropertyDescriptors(part),
  })
}

interface Host {
  work: ChatWork
  /** After each of the last calls. */
  states: readonly ChatState[]
  /** The newest tools, as JSON. */
  tools: string
  /** Of the newest turn. */
  turnId: string
  readonly source: TurnSource<object> | undefined
  readonly ttl: string | undefined
}

function definitionOf(prompt: unknown): DefinedPrompt<object, object>["definition"] {
  if (!isRecord(prompt) || !isRecord(prompt.definition))
    throw new IncipitError(
      "bad-input",
      "openChat takes what definePrompt returns, and then who the chat is with",
    )
  // `definePrompt` makes no other.
  return (prompt as unknown as DefinedPrompt<object, object>).definition
}

function chatOf<Session extends object>(host: Host): HostedChat<Session> {
  const { id } = host.work.session
  return {
    id,
    get prompt() {
      return host.work.made?.prompt
    },
    get plan() {
      return host.work.made?.prompt.plan
    },
    update(changes) {
      update(host.work, changes)
    },
    report: () =>
      stateNow(host.work).report ?? emptyReport(host.work.state.turn, host.work.session.audience.trust),
    save: () => saveState({ id, state: host.work.state, asked: host.work.asked }),
  }
}

async function prepare(host: Host, call: HostCall): Promise<PreparedCall> {
  const messages = call.messages.map(guarded)
  const question = questionOf(takeUp(host.states, messages))
  const inputs = question && ((await host.source?.(question)) ?? {})
  // Something may have happened in the meantime, so the conversation is looked at again.
  goOn(host, messages, inputs)
  useTools(host, call.tools)
  const { work } = host
  const { ttl } = host
  const render = renderFor({ messages: call.messages, takesLate: call.takesLate ?? false })
  const sent = request(work, call.target, render, { ...call.options, ...(ttl !== undefined && { ttl }) })
  return prepared(host, sent)
}

function prepared(host: Host, sent: SentRequest): PreparedCall {
  const { work } = host
  const state = stateNow(work)
  if (state !== host.states.at(-1)) host.states = [...host.states, state].slice(-REMEMBERED)
  const { made } = work
  if (made === undefined) throw new Error("a request was made without a prompt")
  return {
    ...sent,
    prompt: made.prompt,
    turnId: host.turnId,
    turn: state.turn,
    step: state.report?.steps.length ?? 1,
  }
}

/** Text of people and tools must not pass for the compiler's own. */
function guarded(message: Message): Message {
  return message.role === "user"
    ? { ...message, parts: message.parts.map((part) => guardPart(part)) }
    : message
}

/** Undefined if the same call is made again, or the model goes on with its own words. */
function questionOf({ state, added }: ReturnType<typeof takeUp>): TurnQuestion | undefined {
  const last = added.at(-1)
  if (state.turn > 0 && (last === undefined || last.role !== "user")) return undefined
  const isTurn = state.turn === 0 || last === undefined || answersNoCall(last)
  if (!isTurn) return { kind: "step", turn: state.turn, words: "" }
  return { kind: "turn", turn: state.turn + 1, words: last === undefined ? "" : wordsIn(last.parts) }
}

/** Moves the chat to where the host is. */
function goOn(host: Host, messages: readonly Message[], inputs: object | undefined): void {
  const { work } = host
  const taken = takeUp(host.states, messages)
  const { state, added } = taken
  const isSame = added.length === 0 && state === host.states.at(-1)
  // Made again, it is the same request.
  if (isSame && work.asked !== undefined) return
  const question = questionOf(taken)
  const next = { ...state, messages: [...state.messages, ...added] }
  const texts = question && writeTexts(work.kit.definition, "turn", inputs ?? {})
  const isTurn = question?.kind === "turn"
  const { report: _ofTheTurnBefore, ...rest } = next
  work.state = isTurn
    ? { ...rest, turn: question.turn, texts: texts ?? {} }
    : { ...next, texts: texts ?? next.texts }
  work.asked = undefined
  if (isTurn) host.turnId = crypto.randomUUID()
  work.turn = turnOf(work.state.turn, work.state.texts)
}

/** They are a part of the cached prefix, and take from the window. */
function useTools(host: Host, tools: readonly Tool[]): void {
  const json = canonicalJson(tools)
  if (json === host.tools) return
  const { kit } = host.work
  const { agent } = kit.definition
  host.tools = json
  host.work = {
    ...host.work,
    kit: { ...kit, definition: { ...kit.definition, agent: { ...agent, tools } } },
    made: undefined,
  }
}
