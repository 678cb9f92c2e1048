// What a running agent offers to the tools that act: files, approval, tasks, notices, the schedule, its own texts and
// further agents. The agent keeps what stands behind these interfaces.

/**
 * Thrown by a tool for what went wrong in the world or was refused: its message is told to the model. The detail, in the
 * words of what failed, is told only where whoever listens has full trust.
 */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure"
  readonly detail: string | undefined

  constructor(message: string, { detail }: { readonly detail?: string } = {}) {
    super(message)
    this.detail = detail
  }
}

/** Something that needs a yes before it is done. */
export type ApprovalRequest =
  | { readonly kind: "shell"; readonly command: string; readonly directory: string }
  /**
   * `instructions`: of a file that says what the agent is told or may do, or what git runs. `before` is undefined where
   * there is no such file yet.
   */
  | {
      readonly kind: "edit" | "instructions"
      readonly path: string
      readonly before: string | undefined
      readonly after: string
      /** What of the user's approvals it is a part of, such as `the MCP server tides`. */
      readonly partOf?: string
    }
  | {
      readonly kind: "schedule"
      readonly change: "add" | "remove"
      readonly cron: string
      readonly run: string
    }
  /** A tool of an MCP server that may change something: `input` is JSON, as it is sent. */
  | {
      readonly kind: "mcp"
      readonly server: string
      readonly tool: string
      readonly input: string
      /** It may change or delete what is there; otherwise it only adds, as far as the server says. */
      readonly isDestructive: boolean
    }

/**
 * `always`: the same kind of thing for the rest of the session, of MCP the same tool; for instructions and the schedule
 * it is a yes, once.
 */
export type Approval = "yes" | "always" | "no"

/** Where tools may read and write, for the one who asks. Paths are checked by what they really are. */
export interface FileAccess {
  /** Relative paths start here. */
  readonly directory: string
  /** The folder that describes the agent: a path that is not below the working directory is looked for here. */
  readonly workspace: string
  /** What `~` in a path stands for; nothing, if it stands for nothing. */
  readonly home?: string
  /** All folders that may be used, as real paths, the working directory and the workspace among them. */
  readonly roots: readonly string[]
  /** Whether the one who asks may see the file; `path` is a real path. Nothing outside of the roots. */
  mayRead(path: string): boolean
  mayWrite(path: string): boolean
  /** Whether a file says what the agent is told or may do. */
  isOwn(path: string): boolean
  /** What of the user's approvals runs the file, such as `the hook ./hooks/tides.ts`. */
  partOf(path: string): string | undefined
  /** Says that a file was read or written, so that what belongs to its folder can be told. */
  touched(path: string): void
}

export const TASK_STATUSES = ["open", "working", "done", "dropped"] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

export interface TaskStep {
  readonly title: string
  readonly done: boolean
}

export interface TaskRecord {
  readonly id: string
  readonly title: string
  readonly description?: string
  readonly status: TaskStatus
  readonly steps: readonly TaskStep[]
  /** Who had it written as it is, with their trust; only where several people may. */
  readonly by?: string
}

/** What `task_write` may say of a task; without an id it is a new one. */
export interface TaskChange {
  readonly id?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly status?: TaskStatus | undefined
  readonly steps?: readonly TaskStep[] | undefined
}

/** The tasks of the one who asks. */
export interface TaskBoard {
  list(): readonly TaskRecord[]
  /** Throws `ToolFailure` for a task that is not there. */
  write(change: TaskChange): TaskRecord
}

/** A step of the workflow that somebody is in. */
export interface WorkflowPlace {
  /** Of the workflow. */
  readonly title: string
  /** From 1. */
  readonly current: number
  readonly of: number
  readonly step: string
  readonly notes: readonly string[]
  /** The step was the last one and is done: nothing is under way any more. */
  readonly isFinished: boolean
}

/** The workflow of the one who asks; nothing if none is under way. */
export interface WorkflowBoard {
  current(): WorkflowPlace | undefined
  advance(): WorkflowPlace | undefined
}

export interface ScheduleEntry {
  readonly id: string
  readonly cron: string
  /** A file of the workspace, or the message itself. */
  readonly run: string
  /** Milliseconds since 1970; nothing if it never comes. */
  readonly next: number | undefined
}

export interface ScheduleBook {
  list(): readonly ScheduleEntry[]
  /** Throws `ToolFailure` for a line that is no schedule. */
  add(cron: string, run: string): ScheduleEntry
  remove(id: string): boolean
}

/** What the agent's own texts say, changed by the agent itself. */
export interface OwnTexts {
  /** The file with the agent's instructions: its path as people write it, and its text now. */
  instructions(): { readonly path: string; readonly text: string | undefined }
  writeInstructions(text: string): void
  responsibilities(): readonly string[]
  /** What the file with the responsibilities would say without one; nothing if there is none with that title. */
  withoutResponsibility(
    title: string,
  ): { readonly path: string; readonly before: string; readonly after: string } | undefined
  /** Writes that file. */
  writeResponsibilities(text: string): void
}

export interface ToolHost {
  readonly files: FileAccess
  /** The agent's variables; what looks like a secret does not reach a command. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted when the turn is stopped. */
  readonly signal: AbortSignal
  approve(request: ApprovalRequest): Promise<Approval>
  /**
   * Takes the agent's own keys out of a text. For tools that cut or search what they show: half a key is not known as one
   * afterwards, and what a search finds tells what a key is.
   */
  redact?(text: string): string
  /** The whole text of a result of this conversation that was too long to be told, by the name that the model was given. */
  kept?(name: string): string | undefined
  readonly tasks: TaskBoard
  readonly workflow: WorkflowBoard
  readonly schedule: ScheduleBook
  readonly texts: OwnTexts
  /** Reaches the user outside of the conversation. */
  notify(text: string): void
  /** Gives a part of the work to a further agent and returns its report. */
  delegate(work: { readonly task: string; readonly agent?: string | undefined }): Promise<string>
}
