// Hooks: where the user's own code takes part in a turn. Each hook is a named function in a module. It returns the
// changes it wants and changes nothing itself, so every byte keeps an author.
import type { Trust } from "../base/trust.ts"
import type { Content } from "../core/model/content.ts"
import type { Turn } from "../core/model/inputs.ts"
import type { Message } from "../core/model/message.ts"
import type { OnChanges } from "../core/model/on-change.ts"
import type { Priority } from "../core/model/priority.ts"
import type { Cut } from "../core/model/section.ts"
import type { AgentView, SessionView } from "../core/model/section-scope.ts"

/** What a hook's section says. One text, or parts with provenance. Blank text counts as none. */
export type HookContent = string | Pick<Content, "parts" | "shorter">

/** A section as a hook writes it; omitted fields get the defaults of a hook's section. */
export interface HookSection {
  readonly id: string
  readonly content: HookContent
  /** Default: medium. */
  readonly priority?: Priority
  /** Default: the trust of the edit, else of the module, else public. */
  readonly trust?: Trust
  /** Default: lines. */
  readonly cut?: Cut
  readonly onChange?: OnChanges["turn"]
  readonly title?: string
}

/** An edit as a hook writes it. Its author is the module, set by the runner. */
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

/** A message that a hook adds to the conversation; the model sees it as the user's. */
export interface CustomMessage {
  readonly text: string
  /** Any data for people who read the transcript; not sent to the model. */
  readonly data?: unknown
}

/** A message that a hook added, with the module that wrote it and the trust required to see it. */
export interface AuthoredMessage extends CustomMessage {
  readonly by: string
  /** Default: public. */
  readonly trust?: Trust
}

/**
 * What `before_agent_start` gets. Before the first step of a turn. The result applies to this prompt only. The hook
 * sees what the audience sees.
 */
export interface BeforeAgentStart {
  readonly agent: AgentView
  readonly session: SessionView
  readonly turn: Turn
  /** The prompt as one text, as the previous modules left it, for hooks that need all of it. */
  readonly systemPrompt: string
}

/** What `before_agent_start` may return. */
export interface BeforeAgentStartResult {
  readonly edits?: readonly HookEdit[]
  readonly messages?: readonly CustomMessage[]
  /**
   * Pi's form: the whole prompt. If text was only appended, it becomes an edit; any other change starts a new epoch.
   */
  readonly systemPrompt?: string
}

/** What `context` gets. Before each call: the messages about to be sent. The result is sent but not stored. */
export interface ContextEvent {
  readonly session: SessionView
  readonly turn: Turn
  readonly step: number
  readonly messages: readonly Message[]
}

/** What `tool_call` gets: the call, before the tool runs. */
export interface ToolCallEvent {
  readonly session: SessionView
  readonly turn: Turn
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/** What `tool_call` may return. `block`: the tool does not run, and the model gets the reason. */
export interface ToolCallResult {
  readonly block?: string
  readonly input?: unknown
}

/** What `tool_result` gets: the call, and what the tool returned. */
export interface ToolResultEvent extends ToolCallEvent {
  readonly text: string
  readonly isError: boolean
}

/** What `tool_result` may return; fields that are absent stay as they were. */
export interface ToolResultResult {
  readonly text?: string
  readonly isError?: boolean
}

/** What `turn_end` gets: the answer, and how many steps it took. */
export interface TurnEndEvent {
  readonly session: SessionView
  readonly turn: Turn
  readonly text: string
  readonly steps: number
}

/** What `resources_discover` gets. */
export interface ResourcesEvent {
  readonly agent: string
  readonly reason: "start" | "reload"
}

/** What `resources_discover` may return. Folders, as absolute paths or relative to the workspace. */
export interface ResourcesResult {
  readonly skillFolders?: readonly string[]
  /** Prompts that a person calls by name in a chat, each a Markdown file. */
  readonly promptFolders?: readonly string[]
}

type Maybe<T> = T | undefined | Promise<T | undefined>
type Done = void | Promise<void>

/** The hooks of one module. Several modules run in the order in which they are listed. */
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
/** The name of a hook. */
export type HookName = (typeof HOOK_NAMES)[number]

/** What a hook may ask of the agent, also after it has returned. If the hook fails, its requests are dropped. */
export interface HookHost {
  /** Adds a message to a session's conversation, sent with its next turn. Default: the running session. */
  sendMessage(message: CustomMessage, session?: string): void
  /** Aborted when the turn is stopped or the hook takes too long. */
  readonly signal: AbortSignal
}

/** The hooks of a module as exported, with its metadata. */
export interface HookDefinition extends Hooks {
  /** The author of its edits. Default: the name of the file or package. */
  readonly name?: string
  /** The trust required to see text that it adds without provenance. Default: public. */
  readonly trust?: Trust
  /**
   * If true, a tool runs only after this module's `tool_call` has checked it: if the hook fails, the call is refused.
   * Default: false.
   */
  readonly guard?: boolean
}

/** A module's hooks and its name, which is the author of its edits. */
export interface NamedHooks {
  readonly name: string
  readonly hooks: Hooks
  /** The trust required to see text that it adds without provenance. Default: public. */
  readonly trust?: Trust
  /** If its `tool_call` fails, the tool does not run. */
  readonly guard?: boolean
}

/** Gives a module's default export its type. */
export function defineHooks(hooks: HookDefinition): HookDefinition {
  return hooks
}
