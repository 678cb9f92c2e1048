// The inbox: messages that were received, in the order in which they are answered, until their turn is finished.
import type { Effort } from "../../core/model/inputs.ts"
import type { Mode } from "../../core/model/mode.ts"
import type { Arrival } from "./arrival.ts"
import type { ClientTool } from "./client-tools.ts"
import type { Lease } from "./lease.ts"
import type { MessageFile } from "./message-file.ts"
import type { StoredReply } from "./reply.ts"
import type { Sender, SenderLocale } from "./sender.ts"
import type { StateChange } from "./sessions.ts"
import type { StepChange } from "./transcripts.ts"

/** A message as it was received. */
export interface Incoming extends Sender {
  readonly text: string
  readonly mode?: Mode
  readonly task?: string
  readonly background?: boolean
  readonly planMode?: boolean
  /** How much the model thinks, in place of what is configured. */
  readonly effort?: Effort
  readonly locale?: SenderLocale
  /** Images and documents that came with it. */
  readonly files?: readonly MessageFile[]
  /** Tools that the sender runs. */
  readonly clientTools?: readonly ClientTool[]
  /** The client's own instructions, as the sender wrote them. */
  readonly instructions?: string
  /** A tool waits for the answer, so it is neither kept for later nor delivered. */
  readonly isPart?: boolean
  /** The schedule entry that it is a run of. Its answer is not delivered. */
  readonly entry?: string
  /** For a delegated part: the trace and span of the turn that delegated it. */
  readonly under?: { readonly trace: string; readonly span?: string; readonly via?: string }
  /** How it came without a channel: a name for the record, which decides nothing. */
  readonly via?: string
  /** The parent span of its turn in the trace. */
  readonly span?: string
}

export interface NewMessage {
  /** The sender's id for it, or its turn: the same message is stored once. */
  readonly id: string
  readonly turn: string
  readonly session: string
  readonly message: Incoming
  /** The open agent that received it. */
  readonly takenBy: string
}

export interface Waiting extends Omit<NewMessage, "id"> {
  /** Messages of a session are processed in this order. Counts from 1 in each session. */
  readonly order: number
  readonly at: number
  /** `joined`: another turn has taken it up and answers it. */
  readonly state: "waiting" | "working" | "suspended" | "done" | "failed" | "refused" | "joined"
  /** Whether the turn that was being worked on when it came may take it up. */
  readonly steers: boolean
  /** The turn that has taken it up; while it waits, its words are not in that turn's transcript yet. */
  readonly into: string | undefined
  readonly attempts: number
  readonly notBefore: number
  /** Why it was put back the last time, for the operator. */
  readonly error: string | undefined
  /** Somebody has asked for its turn to be stopped. */
  readonly isStopping: boolean
  /** Which provider asked to wait, and until when. */
  readonly asked: { readonly by: string; readonly until: number } | undefined
}

/** A run of the schedule that a message claims. */
export interface ScheduleRun {
  readonly agent: string
  readonly entry: string
  readonly due: number
}

export interface ReceiveOptions {
  /** The run of the schedule that it is. */
  readonly scheduleRun?: ScheduleRun | undefined
  /** The arrival on a channel that it is. */
  readonly arrival?: Arrival | undefined
  /**
   * The turn of its session that is being worked on may take it up (`steering.take`). Without such a turn, or if that one
   * takes no further step, it is a message like any other.
   */
  readonly steers?: boolean | undefined
}

export interface Postponement {
  readonly turn: string
  /** How long to wait, or the turn before it, which it waits as long as. */
  readonly wait: { readonly ms: number } | { readonly behind: string }
  /** The provider that asked to wait, and for how long. */
  readonly asked?: { readonly by: string; readonly forMs: number }
  readonly error: string
  readonly state?: StateChange
}

export interface Inbox {
  /**
   * Stores a message once: for a known id, returns the message stored first. With `scheduleRun`, claims that run in the
   * same transaction, so that no crash loses or repeats it; returns "taken" if it was claimed or skipped before, or its
   * entry was removed. With `arrival`, takes that arrival and moves the offset of its channel in the same transaction;
   * for a known arrival, returns the message that was stored with it, or "taken" if it was no message or was removed.
   */
  receive(message: NewMessage, options?: ReceiveOptions): Promise<Waiting | "taken">
  /** The message stored under this id. */
  received(id: string): Promise<Waiting | undefined>
  message(turn: string): Promise<Waiting | undefined>
  /** The newest message of the session that has a turn of its own. */
  last(session: string): Promise<Waiting | undefined>
  /** The oldest unfinished message of the session; undefined while that is suspended. */
  next(session: string): Promise<Waiting | undefined>
  /** Messages of all sessions that wait for a worker or are being worked on, without their files. */
  open(agent: string): Promise<readonly Waiting[]>
  /** The same without those that `owner` took and has not postponed: there may be many, and it works on them. */
  openBeside(agent: string, owner: string): Promise<readonly Waiting[]>
  /**
   * Starts work on a message. Returns false if it is done or was taken back. `takesOver`: in place of an owner that is
   * gone, so the holder delivers the answer.
   */
  begin(lease: Lease, turn: string, options?: { readonly takesOver?: boolean }): Promise<boolean>
  /** The messages of a session that are not finished, suspended ones too, oldest first. */
  unfinished(session: string): Promise<readonly Waiting[]>
  /**
   * Asks for a turn to be stopped, by whoever works on it now or next; one that is suspended continues, to end there.
   * Returns false if it is finished.
   */
  stop(turn: string): Promise<boolean>
  /** The unfinished turns of an agent that are to be stopped. */
  toStop(agent: string): Promise<readonly string[]>
  /** Takes back a message that no worker has begun; returns false otherwise. */
  takeBack(reply: StoredReply): Promise<boolean>
  /**
   * Moves a message to another session, where it is due now; the items of its turn become past here, and messages that it
   * had taken up wait again. One that was taken back in the meantime stays.
   */
  move(lease: Lease, move: { readonly turn: string; readonly to: string }, state: StateChange): Promise<void>
  /** Returns when it is due again. One that was taken back in the meantime stays so. */
  postpone(lease: Lease, wait: Postponement): Promise<number>
  /**
   * Stores the last changes of a turn, its answer and the mark that its message is done, all or none. Messages that it
   * has not taken up are answered by turns of their own, and if it was refused, all that have joined it, too.
   */
  finish(lease: Lease, change: StepChange, reply: StoredReply): Promise<void>
}
