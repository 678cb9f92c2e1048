// Hooks: where code of the user's own takes part in a turn. Each is a function by name in a module; a hook returns
// what it wants changed and changes nothing itself, so every byte keeps an author.
import type { Trust } from "../base/trust.ts"
import type { Content } from "../core/model/content.ts"
import type { Freshness } from "../core/model/freshness.ts"
import type { Message } from "../core/model/message.ts"
import type { Need } from "../core/model/priority.ts"
import type { Turn } from "../core/model/scope.ts"
import type { Cut } from "../core/model/section.ts"
import type { AgentView, SessionView } from "../core/model/section-scope.ts"

/** One text, or parts that say where they come from. Blank text is nothing to say. */
export type HookContent = string | Pick<Content, "parts" | "shorter">

/** A section as a hook writes it; what is left out has the default of a hook's section. */
export interface HookSection {
  readonly id: string
  readonly content: HookContent
  /** Default: medium. */
  readonly need?: Need
  /** Default: that of the edit, else of the module, else public. */
  readonly trust?: Trust
  /** Default: lines. */
  readonly cut?: Cut
  readonly freshness?: Freshness
  readonly title?: string
}

/** An edit as a hook writes it: the author is the module, and is set by who runs it. */
export type HookEdit = { readonly trust?: Trust } & (
  | { readonly kind: "add"; readonly section: HookSection; readonly after?: string }
  | { readonly kind: "replace"; readonly id: string; readonly content: HookContent }
  | {
      readonly kind: "wrap"
      readonly id: string
      readonly before?: HookContent
      readonly after?: HookContent
    }
  | { readonly kind: "remove"; readonly id: string }
)

/** A message that a hook puts into the conversation; the model reads it as the user's. */
export interface CustomMessage {
  readonly text: string
  /** Anything for people who look at the transcript; the model does not see it. */
  readonly data?: unknown
}

/** The same with the module that wrote it, and what it needs to be seen. */
export interface AuthoredMessage extends CustomMessage {
  readonly by: string
  /** Public if absent. */
  readonly trust?: Trust
}

/** Before the first step of a turn. What it returns holds for this prompt only. It sees what the audience sees. */
export interface BeforeAgentStart {
  readonly agent: AgentView
  readonly session: SessionView
  readonly turn: Turn
  /** The prompt in one text, as the modules before left it, for hooks that want to see all of it. */
  readonly systemPrompt: string
}

export interface BeforeAgentStartResult {
  readonly edits?: readonly HookEdit[]
  readonly messages?: readonly CustomMessage[]
  /** Pi's form: the whole prompt. What was only added to the end becomes an edit; anything else a new epoch. */
  readonly systemPrompt?: string
}

/** Before each call: the messages as they would be sent. What it returns is sent, and nothing of it is kept. */
export interface ContextEvent {
  readonly session: SessionView
  readonly turn: Turn
  readonly step: number
  readonly messages: readonly Message[]
}

export interface ToolCallEvent {
  readonly session: SessionView
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
  readonly session: SessionView
  readonly turn: Turn
  readonly text: string
  readonly steps: number
}

export interface ResourcesEvent {
  readonly agent: string
  readonly reason: "start" | "reload"
}

/** Folders, as absolute paths or from the workspace on. */
export interface ResourcesResult {
  readonly skillFolders?: readonly string[]
  /** With prompts that a person calls by name in a chat, each a Markdown file. */
  readonly promptFolders?: readonly string[]
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

/** What a hook may ask of the agent, also after it has returned. Of a hook that fails, nothing is taken. */
export interface HookHost {
  /** Puts a message into a session's conversation, told with its next turn; without one, into the running session. */
  sendMessage(message: CustomMessage, session?: string): void
  /** Aborted when the turn is stopped, or when the hook has taken too long. */
  readonly signal: AbortSignal
}

/** The hooks of a module as it may export them, with what it says about itself. */
export interface HookDefinition extends Hooks {
  /** The author of its edits. Default: the name of the file or package. */
  readonly name?: string
  /** What text that it adds without provenance needs. Default: public. */
  readonly trust?: Trust
  /** No tool runs that the module's `tool_call` did not look at: where it fails, the call is refused. Default: false. */
  readonly guard?: boolean
}

/** A module of hooks with its name, which is the author of its edits. */
export interface NamedHooks {
  readonly name: string
  readonly hooks: Hooks
  /** What text that it adds without provenance needs. Default: public. */
  readonly trust?: Trust
  /** Where its `tool_call` fails, the tool is not run. */
  readonly guard?: boolean
}

/** Says to the type checker what a module's default export is. */
export function defineHooks(hooks: HookDefinition): HookDefinition {
  return hooks
}
