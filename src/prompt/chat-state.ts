// What a chat has to remember between two calls, as plain JSON. A request is kept as what it adds to the conversation
// until something follows it. So it can be made again, for another model too, and nothing of it is sent twice.
import { IncipitError } from "../base/error.ts"
import { isRecord } from "../base/is-record.ts"
import type { Baseline } from "../core/epoch/epoch.ts"
import { attach, detach, type Sent } from "../core/layout/tail.ts"
import { checkMessages, type Excerpt, type Message } from "../core/model/message.ts"
import type { Texts } from "./definition.ts"
import { isFormat, type Target } from "./formats.ts"
import type { TurnReport } from "./turn-report.ts"

/** Raised when this code could no longer read what an earlier release saved. */
const VERSION = 1

/** What a chat remembers between two calls. */
export interface ChatState {
  /** How many turns there were, the current one included. */
  readonly turn: number
  readonly messages: readonly Message[]
  /** What the functions of turn sections returned for the current turn. */
  readonly texts: Texts
  /** The head that the conversation was sent with. */
  readonly baseline?: Baseline
  readonly sent?: Sent
  /** Whom the newest request was for. */
  readonly target?: Target
  /** Whether the newest request waits for its answer. */
  readonly isWaiting?: boolean
  /** The requests of the current turn. */
  readonly report?: TurnReport
}

/** What a request adds to a chat. */
export interface AskedRequest {
  readonly target: Target
  readonly sent: Sent
  readonly report: TurnReport
  /** Its turn context. */
  readonly tail?: { readonly text: string; readonly operator?: readonly Excerpt[] }
  /** If it begins an epoch. */
  readonly baseline?: Baseline
}

/** A chat as plain JSON, made by `save`. It holds the conversation, so keep it where you keep conversations. */
export interface SavedChat extends ChatState {
  readonly version: number
  readonly id: string
  /** The newest request, until something follows it. */
  readonly asked?: AskedRequest
}

export const NEW_CHAT: ChatState = { turn: 0, messages: [], texts: {} }

/** The conversation with the request's turn context. */
export function messagesWith(
  { messages }: ChatState,
  { tail, baseline }: Pick<AskedRequest, "tail" | "baseline">,
): readonly Message[] {
  return attach(baseline === undefined ? messages : detach(messages), tail)
}

/** The state after a request: what it sent is part of the conversation and keeps its bytes. */
export function stateAfter(
  state: ChatState,
  asked: AskedRequest,
  messages = messagesWith(state, asked),
): ChatState {
  const { tail: _attached, ...rest } = asked
  return { ...state, ...rest, messages, isWaiting: true }
}

export interface SavedParts {
  readonly id: string
  readonly state: ChatState
  readonly asked: AskedRequest | undefined
}

/** A copy that is exactly what JSON keeps, so that a chat in memory and one from a file are the same. */
export function saveState({ id, state, asked }: SavedParts): SavedChat {
  return JSON.parse(JSON.stringify({ version: VERSION, id, ...state, asked }))
}

/** Checks as much as tells a saved chat from anything else. */
export function readState(saved: unknown): SavedParts {
  if (typeof saved === "string") throw notSaved("it is a string; call JSON.parse first")
  if (typeof saved !== "object" || saved === null || !("version" in saved))
    throw notSaved("it has no version")
  if (saved.version !== VERSION)
    throw notSaved(`it has the version ${String(saved.version)}, and this release reads version ${VERSION}`)
  const fields: Readonly<Record<string, unknown>> = { ...saved }
  const damaged = Object.entries(FIELDS).find(([name, isRight]) => !isRight(fields[name]))
  if (damaged !== undefined) throw notSaved(`its field "${damaged[0]}" is missing or damaged`)
  // Its fields were checked.
  const { version: _read, id, asked, ...state } = structuredClone(saved) as SavedChat
  return { id, state, asked }
}

/** Damage further inside would show as an error of the compiler, which doesn't say where it comes from. */
const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: (value) => typeof value === "string",
  turn: Number.isInteger,
  messages: areMessages,
  texts: isRecord,
  baseline: orAbsent(isBaseline),
  sent: orAbsent(isRecord),
  target: orAbsent(isTarget),
  report: orAbsent(isRecord),
  asked: orAbsent(
    ({ target, sent, report, baseline }) =>
      isTarget(target) && isRecord(sent) && isRecord(report) && orAbsent(isBaseline)(baseline),
  ),
}

function orAbsent(isRight: (value: Readonly<Record<string, unknown>>) => boolean) {
  return (value: unknown): boolean => value === undefined || (isRecord(value) && isRight(value))
}

function areMessages(value: unknown): boolean {
  try {
    // It checks whatever it gets.
    checkMessages(value as readonly Message[])
    return true
  } catch (error) {
    if (error instanceof IncipitError) return false
    throw error
  }
}

function isBaseline(value: Readonly<Record<string, unknown>>): boolean {
  const { audience, ratio, entries, blocks } = value
  return isRecord(audience) && isRecord(ratio) && areRecords(entries) && areRecords(blocks)
}

function areRecords(value: unknown): boolean {
  return Array.isArray(value) && value.every(isRecord)
}

function isTarget(value: unknown): boolean {
  return isRecord(value) && isFormat(value.format) && typeof value.model === "string"
}

function notSaved(problem: string): IncipitError {
  return new IncipitError("bad-saved-chat", `this isn't a chat that \`save\` made: ${problem}`)
}
