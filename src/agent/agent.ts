// The agent: all parts as one. A message comes in, the prompt is compiled on every step, sent, recorded and priced,
// tools run, an answer goes out.
import type { Prompt } from "../core/prompt.ts"
import type { Mode, Tool } from "../core/scope.ts"
import type { NamedHooks } from "../hooks/hooks.ts"
import type { Memory } from "../memory/memory.ts"
import type { LogOptions } from "../record/log.ts"
import type { Recorder } from "../record/record.ts"
import type { RunnableTool } from "../tools/answer.ts"
import type { Approval, ApprovalRequest } from "../tools/host.ts"
import type { LiveEvent, Reply } from "./live.ts"
import type { Model } from "./model.ts"
import type { Notice, Store, StoredReply } from "./stored.ts"
import type { Item } from "./transcript.ts"

export interface AgentOptions {
  /** The folder that describes the agent. */
  readonly workspace: string
  /** A further agent, in `agents/<id>`. */
  readonly agent?: string
  /** `provider/model`; else as configured; else the offline model. */
  readonly model?: string | Model
  /** The working directory; the workspace if absent. */
  readonly directory?: string
  readonly home?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly timeZone?: string
  readonly now?: () => number
  /** Besides the built-in ones. */
  readonly tools?: readonly RunnableTool[]
  /** Besides those of the configuration. */
  readonly hooks?: readonly NamedHooks[]
  /** Asked before commands and edits; everything is refused without it. */
  readonly approve?: (request: ApprovalRequest) => Promise<Approval>
  /** Where a notice for the user goes besides the record. */
  readonly notify?: (text: string) => void
  /** Takes answers that nobody waits for: to queued messages, to turns that a crash cut short. */
  readonly deliver?: Deliver
  /** A profile by name, or the path of a module; else as configured. */
  readonly profile?: string
  /** Lines about what happens, for a terminal or a file. */
  readonly log?: Omit<LogOptions, "redact">
  /** Waits; a test may make time pass otherwise. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
  /** In place of the one in the workspace. */
  readonly store?: Store
  readonly limits?: Partial<Limits>
}

/** Gives an answer to whoever it is for. Must do no harm if it is called twice for one turn. */
export type Deliver = (reply: StoredReply) => void | Promise<void>

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

/** Who sends a message, and from where. The owner in a direct conversation if nothing is said. */
export interface From {
  readonly as?: string
  readonly channel?: string
  readonly situation?: string
}

export interface SendOptions extends From {
  /** A session by id, or a new one; the sender's current one if absent. */
  readonly session?: string
  /** Of the sender's own: the same message is taken only once. */
  readonly id?: string
  readonly mode?: Mode
  readonly task?: string
  readonly background?: boolean
  readonly planMode?: boolean
  /** Stops the turn. */
  readonly signal?: AbortSignal
  readonly tell?: (event: LiveEvent) => void
  /** Hands the answer over; it counts as sent when this is done. */
  readonly deliver?: Deliver
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

export interface RunningAgent {
  readonly name: string
  readonly model: Model
  readonly record: Recorder
  readonly memory: Memory | undefined
  send(message: string, options?: SendOptions): Promise<Reply>
  /** Works off what waits: messages that could not be answered, and turns that a crash cut short. */
  resume(tell?: (event: LiveEvent) => void): Promise<readonly Reply[]>
  /** Which tools the model has from the next turn on. Begins an epoch; the answer says what that rewrites. */
  setActiveTools(session: string, names: readonly string[]): { readonly rewrites: number }
  /** Puts a message into a conversation, told with its next turn. */
  sendMessage(
    session: string,
    message: { readonly by: string; readonly text: string; readonly data?: unknown },
  ): void
  /** Puts a command that the person ran into a conversation; the model is told of it or not. */
  noteCommand(session: string, command: Omit<Extract<Item, { kind: "shell" }>, "kind">): void
  /** Makes a summary of the conversation stand for it, from the next turn on. */
  compact(session: string): void
  setPlanMode(session: string, isOn: boolean): void
  tools(): readonly Tool[]
  /** Notices that were not seen yet; they are seen then. */
  notices(from?: From): readonly Notice[]
  sessions(from?: From): readonly SessionInfo[]
  /** The prompt as the next message would get it. */
  preview(message: string, options?: SendOptions): Promise<Prompt>
  /** Reads the workspace again; the next turn begins a new epoch. */
  reload(): Promise<void>
  close(): Promise<void>
}
