// What a running agent has at hand: its workspace as it is now, its store, its record, its tools. One for an agent;
// made when it is opened, and handed to everything that works for it.
import type { Compiler } from "../../core/compile/compiler.ts"
import type { Profile } from "../../core/model/profile.ts"
import type { HookRunner } from "../../hooks/run.ts"
import type { Memory } from "../../memory/memory.ts"
import type { Secrets } from "../../record/redact/secrets.ts"
import type { Origin } from "../../record/write/event.ts"
import type { Recorder } from "../../record/write/record.ts"
import type { Scope } from "../../record/write/scope.ts"
import type { Simulator } from "../../render/cache/simulate.ts"
import type { SkillFolder } from "../../sources/skills/skills.ts"
import type { System } from "../../sources/systems/system.ts"
import type { Workspace } from "../../sources/workspace.ts"
import type { Approval, ApprovalRequest, ToolHost } from "../../tools/host.ts"
import type { Feeding } from "../feeds/feeding.ts"
import type { From } from "../inbox/from.ts"
import type { Model } from "../models/model.ts"
import type { Incoming, Store, StoredSession } from "../store/stored.ts"
import type { Reply } from "../turn/live.ts"
import type { Gate } from "../turn/provider/provider-gate.ts"
import type { Approve, Limits } from "./agent.ts"
import type { Toolbox } from "./toolbox.ts"
import type { Refreshed } from "./watch-workspace.ts"

/** How a part of the work is given away. */
export interface Delegating {
  /** Whoever works on the part may see and do what the sender may. */
  readonly from: From
  readonly signal: AbortSignal
  readonly planMode: boolean
  /** Who is asked about what the message wants done, if not whoever is asked about all. */
  readonly approve: Approve | undefined
  /** Where its events stand in the trace. */
  readonly under: NonNullable<Incoming["under"]>
}

export interface Runtime {
  /** This open agent, as others that work on the same store know it. */
  readonly owner: string
  readonly store: Store
  readonly record: Recorder
  /** The agent's own keys, by value: what comes in goes through it before it is kept, told or sent. */
  readonly secrets: Secrets
  readonly memory: Memory
  readonly profile: Profile
  readonly system: System
  readonly toolbox: Toolbox
  readonly hooks: HookRunner
  /** The working directory. */
  readonly directory: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timeZone: string
  readonly now: () => number
  readonly id: () => string
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** From 0 to 1. */
  readonly random: () => number
  /** Of the provider of this model. */
  gate(model: string): Gate
  /** As it is now. */
  workspace(): Workspace
  /** Reads the configuration again if its file has changed. One that cannot be read leaves the last good one. */
  refresh(options?: { readonly always?: boolean }): Promise<Refreshed>
  /** Starts MCP servers that were approved or configured since, before a turn; `again`: also those that were given up. */
  refreshServers(options?: { readonly again?: boolean }): Promise<void>
  model(): Model
  /** Remembers what it wrote for the session last. */
  compiler(session: string): Compiler
  /** Stands in for a provider's cache where no provider is asked. */
  readonly simulator: Simulator
  /** Real paths of folders outside of the workspace that the user has approved. */
  approvedDirectories(): ReadonlySet<string>
  /** What of the user's approvals runs a file, by real path, as the workspace is now. */
  partOf(): (path: string) => string | undefined
  /** Whether what incipit.yaml schedules is approved as it stands there. */
  readonly isScheduleApproved: () => boolean
  /** Where hooks have found skills. */
  skillFolders(): readonly SkillFolder[]
  /** Where hooks have found prompts that people call by name. */
  promptFolders(): readonly SkillFolder[]
  /** Asks hooks anew for what they bring. */
  discover(reason: "start" | "reload"): Promise<void>
  /** What feeds the turn's sections. */
  readonly feeding: Feeding
  scope(origin: Origin, parent?: string): Scope
  /** Throws `ToolFailure` when the signal comes first. */
  approve(
    session: string,
    request: ApprovalRequest,
    signal: AbortSignal,
    /** Who is asked about this message, if not whoever is asked about all. */
    own: Approve | undefined,
  ): Promise<Approval>
  /** Parts of what tools may use that do not depend on the turn. `by`: who asks, where several people may. */
  host(session: StoredSession, by?: string): Pick<ToolHost, "tasks" | "schedule" | "texts" | "workflow">
  notify(session: StoredSession, text: string, to: From): void
  /** Runs a further agent for the same sender and returns what became of the part, with what it cost. */
  delegate(work: Parameters<ToolHost["delegate"]>[0], as: Delegating): Promise<Reply>
  readonly limits: Limits
}
