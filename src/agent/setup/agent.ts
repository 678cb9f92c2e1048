// The agent's public types. A message comes in; on every step the prompt is compiled, sent, recorded and priced; tools
// run; an answer goes out.
import type { Effort, Skill, Tool } from "../../core/model/inputs.ts"
import type { Mode } from "../../core/model/mode.ts"
import type { Profile } from "../../core/model/profile.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import type { GivenInputs } from "../../core/model/section-input.ts"
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { Arrival } from "../../database/contract/arrival.ts"
import type { ClientResult, ClientTool } from "../../database/contract/client-tools.ts"
import type { StoredReply } from "../../database/contract/reply.ts"
import type { Sender, SenderLocale } from "../../database/contract/sender.ts"
import type { HookDefinition } from "../../hooks/hooks.ts"
import type { SharedMemory } from "../../memory/shared-memory.ts"
import type { LogOptions } from "../../record/ask/log.ts"
import type { Recorder } from "../../record/write/record.ts"
import type { DuringTurn } from "../../sources/config/config-schema.ts"
import type { RunnableTool } from "../../tools/define-tool.ts"
import type { Approval, ApprovalRequest, TaskBoard } from "../../tools/host.ts"
import type { ServerAnswer, ServerForm } from "../../tools/server-question.ts"
import type { Forked, ForkOptions } from "../branch/forked.ts"
import type { Conversations } from "../branch/held-conversations.ts"
import type { Plans } from "../feeds/plans.ts"
import type { Profiler } from "../feeds/profiler.ts"
import type { Workflows } from "../feeds/workflow.ts"
import type { QueuedMessage } from "../inbox/message/queued-message.ts"
import type { ReplyStream } from "../inbox/stream.ts"
import type { Model } from "../models/model.ts"
import type { Firing } from "../schedule/due-runs.ts"
import type { SpendingUse } from "../spending/use.ts"
import type { SessionInfo, SessionPage, SessionTranscript } from "../storage/session-info.ts"
import type { LiveEvent, Reply, SentReply, WatchedEvent } from "../turn/live-event.ts"
import type { Inspected } from "../turn/prompt/inspected.ts"

/** What `openAgent` takes: the folder, the model, your own tools and hooks, limits and callbacks. */
export interface AgentOptions {
  /**
   * The folder that describes the agent. Optional with a profile object: then no file is read, the only tools are
   * `tools`, and nothing is kept unless `state` names a directory.
   */
  readonly workspace?: string
  /** A further agent, in `agents/<id>`. */
  readonly agent?: string
  /** `provider/model`; defaults to the configured one, else the offline model. */
  readonly model?: string | Model
  /** A profile, its name, or the path of a module that exports one; defaults to the configured one. */
  readonly profile?: string | Profile
  /** With a prompt of `definePrompt`, the options are `PromptAgentOptions`. */
  readonly prompt?: undefined
  /** The working directory; defaults to the workspace. */
  readonly directory?: string
  readonly home?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly timeZone?: string
  readonly now?: () => number
  /** Values for the inputs of the profile's own sections. */
  readonly inputs?: InputSource
  /** In addition to the built-in ones. */
  readonly tools?: readonly RunnableTool[]
  /** Run after the configured ones. One without a name is called `program`. */
  readonly hooks?: readonly HookDefinition[]
  /** Called before commands, edits and tools that ask; without it, all are refused. "Always" is for the session. */
  readonly approve?: Approve
  /** Has a person fill in an MCP server's form. What they type goes there only. Without it, forms are declined. */
  readonly fill?: (form: ServerForm, asker: Asker) => Promise<ServerAnswer>
  /** Receives notices in addition to the store. `to`: whose message caused it; the owner if no one is named. */
  readonly notify?: (text: string, to: Sender) => void
  /** Receives problems that concern no single session: a hook or a server that waits for approval or does not work. */
  readonly trouble?: (text: string) => void
  /** Receives answers that no caller waits for: to queued messages, and to turns that a crash interrupted. */
  readonly deliver?: Deliver
  /** Hears every event of every turn, those of delegated parts included, and may pass each on to those who may see it. */
  readonly watch?: (event: WatchedEvent) => void
  /** Log lines for a terminal or a file. */
  readonly log?: Omit<LogOptions, "redact">
  /** Replaces the timer, for tests. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
  /** From 0 to 1: spreads waits. A test may fix it. */
  readonly random?: () => number
  /**
   * The directory for conversations, the record and the memory index. Defaults to `INCIPIT_STATE_DIR`, then to the
   * folder's own directory below `$XDG_STATE_HOME/incipit`. Never the workspace, unless it is named here.
   */
  readonly state?: string
  /**
   * The URL of a PostgreSQL database for conversations, the queue, the record and memory, in place of files; needs the package
   * `pg`. With a workspace, it defaults to `INCIPIT_DATABASE_URL`, then to `database` in incipit.yaml, once approved.
   */
  readonly database?: string
  /** Conversations and the queue. `memory`: gone when the agent is closed. Defaults to `database`, or a file in `state`. */
  readonly store?: AgentStore | "memory"
  /** False: no record is written, and its tools are not offered. */
  readonly record?: boolean
  /** False: memory is neither read nor written, and its tools are not offered. */
  readonly memory?: boolean
  readonly limits?: Partial<Limits>
}

/**
 * Values for inputs that a profile defines with `sessionInput` and `turnInput`; make them with `feed`. Called for every
 * turn and every preview, so it must have no effects. If it throws, `send` rejects with the error and nothing is sent
 * to the model; the message is retried from the queue.
 */
export interface InputSource {
  readonly session?: (who: InputQuestion) => GivenInputs<"session"> | Promise<GivenInputs<"session">>
  readonly turn?: (
    who: InputQuestion & { readonly message: string },
  ) => GivenInputs<"turn"> | Promise<GivenInputs<"turn">>
}

/** Whom the values of an `InputSource` are for. */
export interface InputQuestion {
  /** The session's id; `new` in the preview of one that has not begun. */
  readonly session: string
  readonly from: Sender
}

/** Decides whether a tool may do what it is about to do. */
export type Approve = (request: ApprovalRequest, asker: Asker) => Promise<Approval>

/** Who asks for an approval, and for how long the answer is needed. */
export interface Asker {
  /** Aborted when the answer is no longer needed: the question should disappear. */
  readonly signal: AbortSignal
  readonly session: string
  /** The sender of the message that led to it. Empty for the owner in a direct conversation. */
  readonly from: Sender
  /** The id of this question, as in the event `approval-requested`. */
  readonly id: string
}

/**
 * Delivers an answer: `to` is who sent the message, and the reply contains only what they may see. May be called twice
 * for one turn, which must do no harm. False, or a promise of it, leaves the answer in the store for another receiver.
 */
export type Deliver = (reply: StoredReply, to: Sender) => unknown

/** How long a model, a tool, a hook or a server may take, and how many steps a turn may have. */
export interface Limits {
  /** How long a model may stay silent. */
  readonly idleMs: number
  readonly toolMs: number
  readonly hookMs: number
  /** How long an MCP server may take to start. */
  readonly serverMs: number
  /** Steps of one turn. */
  readonly steps: number
  /** How long a turn waits for the results of tools that its sender runs. */
  readonly clientMs: number
}

/** Who sends a message, to which session, and how the turn is watched and stopped. */
export interface SendOptions extends Sender {
  /** A session id; defaults to the sender's current session. */
  readonly session?: string
  /** Begins a new session. */
  readonly isNew?: boolean
  /** An id chosen by the sender: the same message is received only once. */
  readonly id?: string
  /** What a channel delivered: stored in one transaction with the message, which is received once by it. */
  readonly arrival?: Arrival
  /** Called once the message is in the store, also if it was there before. From then on it will be answered. */
  readonly stored?: () => void
  readonly mode?: Mode
  readonly task?: string
  readonly background?: boolean
  readonly planMode?: boolean
  /** How much the model thinks before it answers, in place of what is configured. Another level misses the cache. */
  readonly effort?: Effort
  /**
   * If a turn of the session is running: `steer` has it take the message up at its next step, and the reply is that of
   * the turn; `queue` answers it afterwards. Defaults to `inbox.during_turn` of incipit.yaml.
   */
  readonly duringTurn?: DuringTurn
  /** How the message came if not from a channel: what the record calls it, and nothing else. Default: `terminal`. */
  readonly via?: "http"
  /** Where the sender is, as their device says: the prompt's clock and facts follow it. */
  readonly locale?: SenderLocale
  /**
   * Images, PDFs and text files that the model gets with the message: at most 20, with 8 MB together. With files, the
   * text may be empty.
   */
  readonly files?: readonly SentFile[]
  /**
   * Tools that you run: the model is offered them with this message, in place of the agent's own tools of the same name.
   * If it calls one, the reply has the state `waiting` and the calls; `resolve` takes their results.
   */
  readonly clientTools?: readonly ClientTool[]
  /** The client's own instructions, a section of the prompt that the sender wrote. */
  readonly instructions?: string
  /** Stops the turn. */
  readonly signal?: AbortSignal
  /** For the sender: may be passed on to them, whatever their trust. */
  readonly tell?: (event: LiveEvent) => void
  /** For the operator: all events, whoever they concern. Must not be passed on. */
  readonly observe?: (event: LiveEvent) => void
  /** Delivers the answer, which counts as sent once this resolves. */
  readonly deliver?: Deliver
  /**
   * Replaces the agent's `approve` for this message alone. It is not called for earlier messages that the same process
   * answers first.
   */
  readonly approve?: Approve
}

/** A file that is sent with a message. */
export interface SentFile {
  /** `image/png`, `image/jpeg`, `image/gif`, `image/webp`, `application/pdf`, or a type of text. */
  readonly mediaType: string
  /** Bytes, or base64. */
  readonly data: Uint8Array | string
  readonly name?: string
}

/** Who reports the results of tools, and how the rest of the turn is watched and stopped. */
export type ResolveOptions = Pick<
  SendOptions,
  keyof Sender | "signal" | "tell" | "observe" | "deliver" | "approve"
>

/** Options for a shell command that a person runs beside the conversation. */
export interface ShellOptions extends Sender {
  readonly session?: string
  /** Begins a new session with it. */
  readonly isNew?: boolean
  /** Whether the model sees it, with the next message. */
  readonly isSent: boolean
  readonly signal?: AbortSignal
}

/** The result of a command that the user ran. */
export interface ShellResult {
  /** The conversation that it was added to. */
  readonly session: string
  /** Its output, both streams in the order of arrival; cut if it is long. */
  readonly text: string
  /** Null if it was stopped. */
  readonly exitCode: number | null
  readonly durationMs: number
}

/** A notice that the agent left for a person. */
export interface Notice {
  readonly at: number
  readonly text: string
  /** It had not been seen before. */
  readonly isNew: boolean
}

/** What the agent keeps about one person: plans, tasks, workflows and how they write. */
export interface Kept {
  readonly plans: Plans
  readonly tasks: TaskBoard
  readonly workflows: Workflows
  /** What was learned about how they write. */
  readonly communication: Profiler
}

/** Options for keeping the schedule. */
export interface ScheduleOptions {
  /** Runs entries of incipit.yaml only if they are approved, for callers that did not ask for them. */
  readonly onlyApproved?: boolean
  /** Stops the turn of the current run; the schedule itself continues. */
  readonly signal?: AbortSignal
  /** All events of its turns, for the operator. */
  readonly observe?: (event: LiveEvent) => void
  /** Replaces the agent's `approve` for the runs of this schedule alone. */
  readonly approve?: Approve
  /** Called after a run, with its reply. */
  readonly fired?: (firing: Firing, reply: Reply) => void
  readonly trouble?: (error: string, firing?: Firing) => void
}

/** A schedule that is being kept; stop it before the program ends. */
export interface KeptSchedule {
  /** Resolves when the current run has ended. */
  stop(): Promise<void>
}

/** How a queued message is tried again. */
export interface RetryOptions
  extends Pick<SendOptions, "signal" | "tell" | "observe" | "deliver" | "approve"> {
  /** Whose message it must be; anybody's if absent. */
  readonly from?: Sender
}

/** The messages that wait to be tried again. For the operator, unless a sender is named. */
export interface QueuedMessages {
  list(from?: Sender): Promise<readonly QueuedMessage[]>
  /** Tries one again now, after those before it in its session. */
  retry(turn: string, options?: RetryOptions): Promise<SentReply>
  /** Takes one out; it ends with the state `stopped`. */
  drop(turn: string, from?: Sender): Promise<void>
}

/** An open agent: send it messages, look at its prompts, close it at the end. */
export interface RunningAgent {
  readonly name: string
  /** The name as far as this sender may know it. */
  nameFor(from: Sender): Promise<string>
  /** The model of the next turn. */
  readonly model: Model
  readonly record: Recorder
  readonly memory: SharedMemory
  /** The reply is for the calling program; what the sender may see goes to `tell` and `deliver`. */
  send(message: string, options?: SendOptions): Promise<SentReply>
  /**
   * The same as `send`, as an async iterable of the events that the sender may see. It starts at once, whether or not
   * the events are read; `signal` stops it.
   */
  stream(message: string, options?: SendOptions): ReplyStream
  /**
   * Continues a turn that waits for tools which its sender runs, in any process. `from` must be the sender. While results
   * are missing, the reply has the state `waiting` and the calls that are left. Repeating it does no harm.
   */
  resolve(turn: string, results: readonly ClientResult[], from?: ResolveOptions): Promise<SentReply>
  readonly queue: QueuedMessages
  /** Processes the queue: messages that could not be answered, and turns that a crash interrupted. */
  resume(observe?: (event: LiveEvent) => void, signal?: AbortSignal): Promise<readonly Reply[]>
  /**
   * Sets the model's tools from the next turn on. Begins an epoch; `rewrites` is the number of cached tokens that this
   * rewrites.
   */
  setActiveTools(session: string, names: readonly string[]): Promise<{ readonly rewrites: number }>
  /** Adds a message to a conversation; the model sees it with the next turn. */
  sendMessage(
    session: string,
    message: { readonly by: string; readonly text: string; readonly data?: unknown },
  ): Promise<void>
  setPlanMode(session: string, isOn: boolean): Promise<void>
  /** Runs the schedule until it is stopped. */
  keepSchedule(options?: ScheduleOptions): KeptSchedule
  /** What is kept for a sender, apart from conversations and memory. */
  kept(from?: Sender): Kept
  /** All registered tools, whoever may use them. */
  tools(): readonly Tool[]
  /** How much of the limits under `spending:` a sender has used today. For the operator: some are of all people. */
  spending(from?: Sender): Promise<readonly SpendingUse[]>
  /** The ids of configured people. */
  users(): readonly string[]
  /** The sessions of a sender, or all of them, most recently used first: all at once, or a page. */
  sessions(from?: Sender, page?: SessionPage): Promise<readonly SessionInfo[]>
  /**
   * Begins a session that shares the conversation before the message of a turn, and continues there. The prompt says in
   * one line what was left behind. Its head keeps its bytes, so the provider's cache is used.
   */
  fork(session: string, options?: ForkOptions): Promise<Forked>
  /** Forks before the newest message. The session stays as it is; the next message goes to the new one. */
  undo(session: string, from?: Sender): Promise<Forked>
  /**
   * A session with what was said in it. Returns undefined if there is none that the sender may read; without a sender,
   * any session is found.
   */
  session(id: string, from?: Sender): Promise<SessionTranscript | undefined>
  /** The same without what was said in it, however long it is. */
  sessionFacts(id: string, from?: Sender): Promise<Omit<SessionTranscript, "items"> | undefined>
  /**
   * Stops what the session is working on, in whichever process, and what waits behind it. What was done until then is
   * kept. Returns how many messages that ends; they end with the state `stopped`.
   */
  stop(session: string, from?: Sender): Promise<number>
  /** For clients that send the whole conversation with every request. */
  readonly conversations: Conversations
  /** The prompt that the next message would get. */
  preview(message: string, options?: SendOptions): Promise<Prompt>
  /** The same, with everything that it is made from. For the operator: nothing is hidden. */
  inspect(message: string, options?: SendOptions): Promise<Inspected>
  /**
   * Reads the configuration again if it has changed, as every turn does. Call it before you show somebody sessions or
   * events: what they may see follows from it. If it cannot be read, the last good one stays.
   */
  refresh(): Promise<void>
  /** Reads the workspace again; the next turn begins a new epoch. */
  reload(): Promise<void>
  /** Changes the model from the next turn on. Throws for an unknown model. */
  useModel(id: string): Promise<void>
  /** Compacts the conversation now; events report the result. */
  compact(session: string, observe?: (event: LiveEvent) => void): Promise<void>
  /** Runs a command that the user typed; it needs no approval. */
  shell(command: string, options: ShellOptions): Promise<ShellResult>
  /** The skills that this sender's session may use. */
  skills(from?: Sender): Promise<readonly Skill[]>
  /** Reusable prompts found by hooks that this sender may call by name. */
  prompts(from?: Sender): readonly Skill[]
  /**
   * The message that a reusable prompt becomes, with the words after its name filled in; undefined if there is none.
   */
  promptText(name: string, words: string, from?: Sender): string | undefined
  /** The agent's notices for the sender, the newest last; marks them as seen. */
  notices(from?: Sender): Promise<readonly Notice[]>
  /**
   * Ends running turns and puts their messages back; the next agent that is opened resumes them. Resolves when they have
   * ended: callers that wait for one get a reply with the state "queued".
   */
  close(): Promise<void>
}
