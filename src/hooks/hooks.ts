// Hooks: where code of the user's own takes part in a turn. Each is a function by name in a module; a hook returns
// what it wants changed and changes nothing itself, so every byte keeps an author.
import type { Edit } from "../core/edit.ts"
import type { Message } from "../core/message.ts"
import type { Agent, Session, Turn } from "../core/scope.ts"
import type { Trust } from "../core/trust.ts"

/** An edit as a hook writes it: the author is the hook, and is set by who runs it. */
export type HookEdit = Edit extends infer E ? (E extends Edit ? Omit<E, "by"> : never) : never

/** A message that a hook puts into the conversation; the model reads it as the user's. */
export interface CustomMessage {
  readonly text: string
  /** Anything for people who look at the transcript; the model does not see it. */
  readonly data?: unknown
}

/** Before the first step of a turn. What it returns holds for this prompt only. */
export interface BeforeAgentStart {
  readonly agent: Agent
  readonly session: Session
  readonly turn: Turn
  /** The prompt as it stands, in one text, for hooks that want to see all of it. */
  readonly systemPrompt: string
}

export interface BeforeAgentStartResult {
  readonly edits?: readonly HookEdit[]
  readonly messages?: readonly CustomMessage[]
  /** Pi's form: the whole prompt. What was only added to the end becomes an edit; anything else a new epoch. */
  readonly systemPrompt?: string
}

/** Before each call: the messages as they would be sent. */
export interface ContextEvent {
  readonly session: Session
  readonly turn: Turn
  readonly step: number
  readonly messages: readonly Message[]
}

export interface ToolCallEvent {
  readonly session: Session
  readonly turn: Turn
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/** `block`: the tool is not run, and the model is told why. */
export interface ToolCallResult {
  readonly block?: string
  readonly input?: unknown
}

export interface ToolResultEvent extends ToolCallEvent {
  readonly text: string
  readonly isError: boolean
}

export interface ToolResultResult {
  readonly text?: string
  readonly isError?: boolean
}

export interface TurnEndEvent {
  readonly session: Session
  readonly turn: Turn
  readonly text: string
  readonly steps: number
}

export interface ResourcesEvent {
  readonly agent: string
  readonly reason: "start" | "reload"
}

/** Folders with skills, as absolute paths or from the workspace on. */
export interface ResourcesResult {
  readonly skillFolders?: readonly string[]
}

type Maybe<T> = T | undefined | Promise<T | undefined>
type Done = void | Promise<void>

/** The hooks of one module. Several modules run in the order in which they are named. */
export interface Hooks {
  readonly before_agent_start?: (event: BeforeAgentStart, host: HookHost) => Maybe<BeforeAgentStartResult>
  readonly context?: (event: ContextEvent, host: HookHost) => Maybe<{ readonly messages: readonly Message[] }>
  readonly resources_discover?: (event: ResourcesEvent, host: HookHost) => Maybe<ResourcesResult>
  readonly tool_call?: (event: ToolCallEvent, host: HookHost) => Maybe<ToolCallResult>
  readonly tool_result?: (event: ToolResultEvent, host: HookHost) => Maybe<ToolResultResult>
  readonly turn_end?: (event: TurnEndEvent, host: HookHost) => Done
}

export const HOOK_NAMES = [
  "before_agent_start",
  "context",
  "resources_discover",
  "tool_call",
  "tool_result",
  "turn_end",
] as const satisfies readonly (keyof Hooks)[]
export type HookName = (typeof HOOK_NAMES)[number]

/** What a hook may ask of the agent, at any time. */
export interface HookHost {
  /** Puts a message into a session's conversation, told with its next turn; without one, into the running session. */
  sendMessage(message: CustomMessage, session?: string): void
  /** Aborted when the turn is stopped, or when the hook has taken too long. */
  readonly signal: AbortSignal
}

/** A module of hooks with its name, which is the author of its edits. */
export interface NamedHooks {
  readonly name: string
  readonly hooks: Hooks
  /** What text that it adds without provenance needs. Default: public. */
  readonly trust?: Trust
}
