// What a running agent offers to acting tools: files, approval, tasks, notices, the schedule, its own texts and other
// agents. The agent implements these interfaces.

import type { TaskChange, TaskRecord } from "../database/contract/tasks.ts"
import type { CommandPlace } from "./command-place.ts"
import type { ServerAnswer, ServerQuestion } from "./server-question.ts"

/**
 * Thrown by a tool for a failure of the world or a refusal: its message goes to the model. The detail, in the words of
 * what failed, is included only for an audience with full trust.
 */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure"
  readonly detail: string | undefined

  constructor(message: string, { detail }: { readonly detail?: string } = {}) {
    super(message)
    this.detail = detail
  }
}

/** Something that needs approval before it is done. `rule`: the rule of incipit.yaml because of which it is asked. */
export type ApprovalRequest = { readonly rule?: string } & (
  | ShellRequest
  /**
   * `instructions`: for a file that determines the agent's prompt or permissions, or what git runs. `before` is
   * undefined if the file does not exist yet.
   */
  | {
      readonly kind: "edit" | "instructions"
      readonly path: string
      readonly before: string | undefined
      readonly after: string
      /** Which of the user's approvals it is a part of, such as `the MCP server tides`. */
      readonly partOf?: string
    }
  | {
      readonly kind: "schedule"
      readonly change: "add" | "remove"
      readonly cron: string
      readonly run: string
    }
  /** A tool of an MCP server that may change something: `input` is the JSON to send. */
  | {
      readonly kind: "mcp"
      readonly server: string
      readonly tool: string
      readonly input: string
      /** It may change or delete existing data; otherwise it only adds, according to the server. */
      readonly isDestructive: boolean
    }
  /** An MCP server wants a yes or no, or that the person opens a page; `text` is in its own words. */
  | { readonly kind: "question"; readonly server: string; readonly text: string; readonly page?: string }
  /** A custom tool that was defined with `approve`: `input` is the data that the model sent. */
  | { readonly kind: "tool"; readonly name: string; readonly input: unknown }
)

/** A command. Without either of the last two, there is no sandbox for it. */
export interface ShellRequest {
  readonly kind: "shell"
  readonly command: string
  readonly directory: string
  /** It runs in the sandbox. */
  readonly isInside?: boolean
  /** It is to run on the host although there is a sandbox, for this reason. */
  readonly leaves?: string
}

/**
 * The answer to an approval request. `always`: the same kind of action for the rest of the session; for MCP and custom
 * tools, the same tool. For instructions, the schedule and questions of servers, it counts as a single yes.
 */
export type Approval = "yes" | "always" | "no"

/** Where tools may read and write, for the caller. Paths are checked by their real path. */
export interface FileAccess {
  /** Relative paths start here. */
  readonly directory: string
  /** The folder that describes the agent: paths that are not found below the working directory are looked up here. */
  readonly workspace: string
  /** What `~` in a path means; undefined if it has no meaning. */
  readonly home?: string
  /** All allowed folders, as real paths, including the working directory and the workspace. */
  readonly roots: readonly string[]
  /** Whether the caller may see the file; `path` is a real path. False outside the roots. */
  mayRead(path: string): boolean
  mayWrite(path: string): boolean
  /** Why the caller may not write it although they may change it, as the end of a sentence; undefined for no reason. */
  fixed?(path: string): string | undefined
  /** Whether a file determines the agent's prompt or permissions. */
  isProtected(path: string): boolean
  /** Which of the user's approvals runs the file, such as `the hook ./hooks/tides.ts`. */
  partOf(path: string): string | undefined
  /** Reports that a file was read or written, so that its folder's context can be sent. */
  touched(path: string): void
}

/** The caller's tasks. */
export interface TaskBoard {
  list(): Promise<readonly TaskRecord[]>
  /** Throws `ToolFailure` if the task does not exist. */
  write(change: TaskChange): Promise<TaskRecord>
}

/** A step of an active workflow. */
export interface WorkflowPlace {
  /** The workflow's title. */
  readonly title: string
  /** From 1. */
  readonly current: number
  readonly of: number
  readonly step: string
  readonly notes: readonly string[]
  /** The last step is done: no workflow is active any more. */
  readonly isFinished: boolean
}

/** The caller's workflow; undefined if none is active. */
export interface WorkflowBoard {
  current(): Promise<WorkflowPlace | undefined>
  advance(): Promise<WorkflowPlace | undefined>
}

export interface ScheduleEntry {
  readonly id: string
  readonly cron: string
  /** A file of the workspace, or the message itself. */
  readonly run: string
  /** Milliseconds since 1970; undefined if it is never due. */
  readonly next: number | undefined
}

export interface ScheduleBook {
  list(): Promise<readonly ScheduleEntry[]>
  /** Throws `ToolFailure` for a line that is not a schedule. */
  add(cron: string, run: string): Promise<ScheduleEntry>
  remove(id: string): Promise<boolean>
}

/** The agent's own texts, which the agent itself may change. */
export interface AgentTexts {
  /** The file with the agent's instructions: its path as shown to people, and its current text. */
  instructions(): { readonly path: string; readonly text: string | undefined }
  /** Throws `ToolFailure` if the file is no longer what `instructions` returned, as far as can be told. */
  writeInstructions(text: string): void | Promise<void>
  responsibilities(): readonly string[]
  /** The text of the responsibilities file without one. Returns undefined if none has that title. */
  withoutResponsibility(
    title: string,
  ): { readonly path: string; readonly before: string; readonly after: string } | undefined
  /** Writes that file. */
  writeResponsibilities(text: string): void
}

export interface ToolHost {
  readonly files: FileAccess
  /** The agent's environment variables; commands do not get those that look like secrets. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted when the turn is stopped. */
  readonly signal: AbortSignal
  /** Where commands run now. Default: on the host. */
  place?(): Promise<CommandPlace>
  approve(request: ApprovalRequest): Promise<Approval>
  /** Asks the person something for a server. Declined where nobody can answer, which the person is told. */
  ask?(question: ServerQuestion): Promise<ServerAnswer>
  /** Shows what the tool is at, in a few words. */
  progress?(text: string): void
  /**
   * Removes the agent's own keys from a text. For tools that cut or search what they show: half a key would not be
   * recognized afterwards, and search results could reveal a key.
   */
  redact?(text: string): string
  /** The full text of a result in this conversation that was too long to send, by the name that the model got. */
  kept?(name: string): Promise<string | undefined>
  readonly tasks: TaskBoard
  readonly workflow: WorkflowBoard
  readonly schedule: ScheduleBook
  readonly texts: AgentTexts
  /** Reaches the user outside the conversation. */
  notify(text: string): Promise<void>
  /** Gives a part of the work to another agent and returns its report. */
  delegate(work: { readonly task: string; readonly agent?: string | undefined }): Promise<string>
}
