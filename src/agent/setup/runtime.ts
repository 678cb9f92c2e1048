// What a running agent works with: its current workspace, its store, its record, its tools. Each agent has one, created
// when it is opened and passed to all its parts.
import type { Compiler } from "../../core/compile/compiler.ts"
import type { Profile } from "../../core/model/profile.ts"
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { From } from "../../database/contract/from.ts"
import type { Incoming } from "../../database/contract/inbox.ts"
import type { StoredSession } from "../../database/contract/sessions.ts"
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
import type { Model } from "../models/model.ts"
import type { Reply } from "../turn/live.ts"
import type { Gate } from "../turn/provider/provider-gate.ts"
import type { Approve, Limits } from "./agent.ts"
import type { Toolbox } from "./toolbox.ts"
import type { Refreshed } from "./watch-workspace.ts"

/** How a part of the work is delegated. */
export interface Delegating {
  /** The part has the sender's rights. */
  readonly from: From
  readonly signal: AbortSignal
  readonly planMode: boolean
  /** Replaces the agent's `approve` for this message; undefined otherwise. */
  readonly approve: Approve | undefined
  /** The parent of its events in the trace. */
  readonly under: NonNullable<Incoming["under"]>
}

export interface Runtime {
  /** This open agent, as other agents on the same store know it. */
  readonly owner: string
  readonly store: AgentStore
  readonly record: Recorder
  /** The agent's own keys, by value. Input is redacted with it before it is stored, shown or sent. */
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
  /** The gate of this model's provider. */
  gate(model: string): Gate
  /** The current workspace. */
  workspace(): Workspace
  /** Reads the configuration again if its file has changed. If it cannot be read, the last good one stays. */
  refresh(options?: { readonly always?: boolean }): Promise<Refreshed>
  /**
   * Before a turn: starts MCP servers that were approved or configured since; `again`: also those that were given up.
   */
  refreshServers(options?: { readonly again?: boolean }): Promise<void>
  model(): Model
  /** Caches what it last compiled for the session. */
  compiler(session: string): Compiler
  /** Simulates a provider's cache for the offline model. */
  readonly simulator: Simulator
  /** Real paths of approved folders outside of the workspace. */
  approvedDirectories(): ReadonlySet<string>
  /** For a file's real path in the current workspace: which of the user's approvals runs it. */
  partOf(): (path: string) => string | undefined
  /** Whether the schedule in incipit.yaml is approved as it is now. */
  readonly isScheduleApproved: () => boolean
  /** Skill folders found by hooks. */
  skillFolders(): readonly SkillFolder[]
  /** Prompt folders found by hooks. */
  promptFolders(): readonly SkillFolder[]
  /** Asks hooks again for what they contribute. */
  discover(reason: "start" | "reload"): Promise<void>
  /** Feeds the turn's sections. */
  readonly feeding: Feeding
  scope(origin: Origin, parent?: string): Scope
  /** Throws `ToolFailure` if the signal comes first. */
  approve(
    session: string,
    request: ApprovalRequest,
    signal: AbortSignal,
    /** Replaces the agent's `approve` for this message; undefined otherwise. */
    own: Approve | undefined,
  ): Promise<Approval>
  /** The parts of a tool's host that do not depend on the turn. `by`: who asks, in a room. */
  host(session: StoredSession, by?: string): Pick<ToolHost, "tasks" | "schedule" | "texts" | "workflow">
  notify(session: StoredSession, text: string, to: From): Promise<void>
  /** Runs a further agent for the same sender and returns its reply, including the cost. */
  delegate(work: Parameters<ToolHost["delegate"]>[0], as: Delegating): Promise<Reply>
  readonly limits: Limits
}
