// The agent: all parts as one. A message comes in, the prompt is compiled on every step, sent, recorded and priced,
// tools run, an answer goes out.

import type { Mode } from "../../core/model/mode.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import type { Skill, Tool } from "../../core/model/scope.ts"
import type { HookDefinition } from "../../hooks/hooks.ts"
import type { Memory } from "../../memory/memory.ts"
import type { LogOptions } from "../../record/ask/log.ts"
import type { Recorder } from "../../record/write/record.ts"
import type { RunnableTool } from "../../tools/answer.ts"
import type { Approval, ApprovalRequest, TaskBoard } from "../../tools/host.ts"
import type { Plans } from "../feeds/plans.ts"
import type { Profiler } from "../feeds/profiler.ts"
import type { Workflows } from "../feeds/workflow.ts"
import type { From } from "../inbox/from.ts"
import type { Model } from "../models/model.ts"
import type { Firing } from "../schedule/due-runs.ts"
import type { Store, StoredReply } from "../store/stored.ts"
import type { LiveEvent, Reply, SentReply } from "../turn/live.ts"

export interface AgentOptions {
  /** The folder that describes the agent. */
  readonly workspace: string
  /** A further agent, in `agents/<id>`. */
  readonly agent?: string
  /** `provider/model`; else as configured; else the offline model. */
  readonly model?: string | Model
  /** By name, or the path of a module; else as configured. */
  readonly profile?: string
  /** The working directory; the workspace if absent. */
  readonly directory?: string
  readonly home?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly timeZone?: string
  readonly now?: () => number
  /** Besides the built-in ones. */
  readonly tools?: readonly RunnableTool[]
  /** After those of the configuration. One without a name is called `program`. */
  readonly hooks?: readonly HookDefinition[]
  /**
   * Asked before commands and edits; everything is refused without it. When the signal is aborted nobody waits for the
   * answer any more, and the question should go. "Always" is said for the session.
   */
  readonly approve?: Approve
  /** Where a notice goes besides the store. `to`: whose message it came of; nobody named is the owner. */
  readonly notify?: (text: string, to: From) => void
  /** Takes what is wrong whoever talks: a hook or a server that waits for approval, or does not work. */
  readonly trouble?: (text: string) => void
  /** Takes answers that nobody waits for: to queued messages, to turns that a crash cut short. */
  readonly deliver?: Deliver
  /** Lines about what happens, for a terminal or a file. */
  readonly log?: Omit<LogOptions, "redact">
  /** Waits; a test may make time pass otherwise. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
  /** From 0 to 1: spreads waits. A test may make it certain. */
  readonly random?: () => number
  /**
   * The directory for conversations, record and index of memory. Else `INCIPIT_STATE_DIR`, else the folder's own
   * directory below `$XDG_STATE_HOME/incipit`. Never the workspace, unless it is named here.
   */
  readonly state?: string
  /** In place of the one in the state directory. */
  readonly store?: Store
  readonly limits?: Partial<Limits>
}

/** Says whether a tool may do what it is about to do. */
export type Approve = (request: ApprovalRequest, signal: AbortSignal, session: string) => Promise<Approval>

/**
 * Gives an answer to whoever it is for: `to` is who sent the message, and the reply is fit for them. Must do no harm if
 * called twice for one turn.
 */
export type Deliver = (reply: StoredReply, to: From) => void | Promise<void>

export interface Limits {
  /** How long a model may give no sign of life. */
  readonly idleMs: number
  readonly toolMs: number
  readonly hookMs: number
  /** How long a server of tools may take to start. */
  readonly serverMs: number
  /** Steps of one turn. */
  readonly steps: number
}

export interface SendOptions extends From {
  /** A session by id; the sender's current one if absent. */
  readonly session?: string
  /** Begins a new session, whatever the sender's current one is. */
  readonly isNew?: boolean
  /** Of the sender's own: the same message is taken only once. */
  readonly id?: string
  readonly mode?: Mode
  readonly task?: string
  readonly background?: boolean
  readonly planMode?: boolean
  /** Stops the turn. */
  readonly signal?: AbortSignal
  /** For the one who sent it: fit to be passed on to them, whatever their trust. */
  readonly tell?: (event: LiveEvent) => void
  /** For those who run the agent: everything that happens, whoever it is for. Never to be passed on. */
  readonly observe?: (event: LiveEvent) => void
  /** Hands the answer over; it counts as sent when this is done. */
  readonly deliver?: Deliver
  /**
   * Asked in place of the agent's own `approve`, for this message alone. Messages that waited before it and are
   * answered by the same process are not its business.
   */
  readonly approve?: Approve
}

export interface SessionInfo {
  readonly id: string
  readonly who: string
  readonly situation: string
  readonly createdAt: number
  readonly usedAt: number
  readonly turns: number
  /** The first words of the first message. */
  readonly title: string
}

export interface ShellOptions extends From {
  readonly session?: string
  /** Begins a new session with it. */
  readonly isNew?: boolean
  /** Whether the model is told of it, with the next message. */
  readonly isTold: boolean
  readonly signal?: AbortSignal
}

/** What a command of the user's own came to. */
export interface ShellResult {
  /** The conversation that it stands in. */
  readonly session: string
  /** What it wrote, both streams in the order in which they came; cut if it is long. */
  readonly text: string
  /** Null if it was stopped. */
  readonly exitCode: number | null
  readonly durationMs: number
}

export interface Notice {
  readonly at: number
  readonly text: string
  /** It had not been asked for before. */
  readonly isNew: boolean
}

export interface Kept {
  readonly plans: Plans
  readonly tasks: TaskBoard
  readonly workflows: Workflows
  /** How they write, as far as it was learned. */
  readonly communication: Profiler
}

export interface ScheduleOptions {
  /** Entries of incipit.yaml run only if they are approved: nobody has asked for just them. */
  readonly onlyApproved?: boolean
  /** Stops the turn of a run that is being done; the schedule itself goes on. */
  readonly signal?: AbortSignal
  /** Everything that happens in its turns, for those who run the agent. */
  readonly observe?: (event: LiveEvent) => void
  /** Asked in place of the agent's own `approve`, for the runs of this schedule alone. */
  readonly approve?: Approve
  /** After a run, with what became of it. */
  readonly fired?: (firing: Firing, reply: Reply) => void
  readonly trouble?: (error: string, firing?: Firing) => void
}

export interface KeptSchedule {
  /** Resolves when the run that is being done has ended. */
  stop(): Promise<void>
}

export interface RunningAgent {
  readonly name: string
  /** The one that the next turn uses. */
  readonly model: Model
  readonly record: Recorder
  readonly memory: Memory
  /** The reply is for the program that asks; what goes to the sender is given to `tell` and `deliver`. */
  send(message: string, options?: SendOptions): Promise<SentReply>
  /** Works off what waits: messages that could not be answered, and turns that a crash cut short. */
  resume(observe?: (event: LiveEvent) => void, signal?: AbortSignal): Promise<readonly Reply[]>
  /** Which tools the model has from the next turn on. Begins an epoch; the answer says what that rewrites. */
  setActiveTools(session: string, names: readonly string[]): { readonly rewrites: number }
  /** Puts a message into a conversation, told with its next turn. */
  sendMessage(
    session: string,
    message: { readonly by: string; readonly text: string; readonly data?: unknown },
  ): void
  setPlanMode(session: string, isOn: boolean): void
  /** Runs what is scheduled, until it is stopped. */
  keepSchedule(options?: ScheduleOptions): KeptSchedule
  /** What is kept for a sender besides conversations and memory. */
  kept(from?: From): Kept
  /** Those that are registered, whoever may use them. */
  tools(): readonly Tool[]
  /** Ids of the people that the configuration names. */
  users(): readonly string[]
  /** Those of a sender, or of all; the one that was used last comes first. */
  sessions(from?: From): readonly SessionInfo[]
  /** The prompt as the next message would get it. */
  preview(message: string, options?: SendOptions): Promise<Prompt>
  /** Reads the workspace again; the next turn begins a new epoch. */
  reload(): Promise<void>
  /** From the next turn on. Throws for a model that nobody knows. */
  useModel(id: string): Promise<void>
  /** Makes the conversation shorter now; what was done is told. */
  compact(session: string, observe?: (event: LiveEvent) => void): Promise<void>
  /** Runs a command that the user typed; it needs no approval. */
  shell(command: string, options: ShellOptions): Promise<ShellResult>
  /** Those that this sender's session may use. */
  skills(from?: From): Promise<readonly Skill[]>
  /** Reusable prompts that hooks have found and this sender may call by name. */
  prompts(from?: From): readonly Skill[]
  /** The message that calling one comes to, with the words after its name filled in; undefined if there is none. */
  promptText(name: string, words: string, from?: From): string | undefined
  /** What the agent wanted the sender to know, the newest last; from then on they count as seen. */
  notices(from?: From): readonly Notice[]
  /** What is being worked off, and nobody waits for, is put back: whoever is opened next goes on with it. */
  close(): Promise<void>
}
