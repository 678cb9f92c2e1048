// The services of an open agent. Each does one thing, and a function takes only those that it uses, as a `Pick`. Only
// `open.ts` has all of them: it creates them, passes them on and closes them.
import type { Compiler } from "../../core/compile/compiler.ts"
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { Incoming } from "../../database/contract/inbox.ts"
import type { Sender } from "../../database/contract/sender.ts"
import type { StoredSession } from "../../database/contract/sessions.ts"
import type { HookRunner } from "../../hooks/run.ts"
import type { SharedMemory } from "../../memory/shared-memory.ts"
import type { Secrets } from "../../record/redact/secrets.ts"
import type { Measured } from "../../render/cache/prompt-call.ts"
import type { Simulator } from "../../render/cache/simulate.ts"
import type { Sandboxes } from "../../sandbox/sandboxes.ts"
import type { SkillFolder } from "../../sources/skills/skills.ts"
import type { Approval, ApprovalRequest, ToolHost } from "../../tools/host.ts"
import type { Feeding } from "../feeds/feeding.ts"
import type { PlanStore } from "../feeds/plans.ts"
import type { Leases } from "../inbox/lease.ts"
import type { People } from "../inbox/people.ts"
import type { Model } from "../models/model.ts"
import type { EventSinks } from "../storage/event-sinks.ts"
import type { Ruling } from "../turn/calls/approval-rules.ts"
import type { OuterCall } from "../turn/calls/outer-call.ts"
import type { Conversation } from "../turn/conversation.ts"
import type { LiveEvent, Reply, WatchedEvent } from "../turn/live-event.ts"
import type { Gate } from "../turn/provider/provider-gate.ts"
import type { AgentOptions, Approve, Asker, InputSource, Limits } from "./agent.ts"
import type { Toolbox } from "./toolbox.ts"
import type { LiveWorkspace } from "./watch-workspace.ts"

export interface Services {
  /** Time, waiting, ids and chance. */
  readonly clock: Clock
  /** The folder as it is configured now. */
  readonly workspace: LiveWorkspace
  /** Who sends a message: their session, their trust, and whether both are still the same. */
  readonly people: People
  /** Conversations and the queue: everything that must survive a crash. */
  readonly store: AgentStore
  /** Which agent works on a session. */
  readonly leases: Leases
  /** The record of what happened, the log and the exported spans. */
  readonly events: Pick<EventSinks, "record" | "scope">
  /** The agent's own keys, by value. Input is redacted with it before it is stored, shown or sent. */
  readonly secrets: Secrets
  readonly memory: SharedMemory
  /** The plans of all people. */
  readonly plans: PlanStore
  /** The model, its provider's gate, and the simulated cache. */
  readonly models: Models
  /** Compiles prompts with the current profile. All sessions share it: it writes a text that they share once. */
  readonly compiler: () => Compiler
  /** Converts conversations for models and counts them. */
  readonly conversation: Conversation
  /** The tools, as definitions and as functions, with their servers. */
  readonly toolbox: Toolbox
  /** Folders of skills and prompts that hooks found. */
  readonly resources: Resources
  readonly hooks: HookRunner
  /** What the commands of each session run in. */
  readonly sandboxes: Sandboxes
  /** What the user has approved, and asking them. */
  readonly approvals: Approvals
  /** Feeds the turn's sections. */
  readonly feeding: Feeding
  /** Values from the program for the profile's own sections. */
  readonly inputs: InputSource
  /** What tools do through the agent: boards, notices, delegated parts. */
  readonly actions: AgentActions
  /** Hears every event of every turn. */
  readonly watch: (event: WatchedEvent) => void
  readonly limits: Limits
}

export interface Clock {
  now(): number
  readonly timeZone: string
  /** Rejects when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>
  /** From 0 to 1. */
  random(): number
  /** A new id; ids sort by time. */
  id(): string
}

export interface Models {
  /** The model of the next call. */
  current(): Model
  /**
   * The model that takes over when the current one cannot answer. Undefined if none is configured. Throws `IncipitError`
   * if it cannot be used.
   */
  fallback(): Promise<Model | undefined>
  /** Changes the model. Throws for an unknown one. */
  use(id: string): Promise<void>
  /** The gate of this model's provider. */
  gate(model: string): Gate
  /** Simulates a provider's cache for the offline model. */
  readonly simulated: SimulatedCache
}

export interface SimulatedCache {
  readonly simulate: Simulator
  /** What was measured for earlier calls. */
  readonly measured: Measured
  /** The sessions that it has simulated a call of. */
  readonly sessions: Set<string>
}

export interface Resources {
  skillFolders(): readonly SkillFolder[]
  promptFolders(): readonly SkillFolder[]
  /** Asks hooks again for what they contribute. */
  discover(reason: "start" | "reload"): Promise<void>
}

export interface Approvals {
  /** Asks whether a tool may do something. Throws `ToolFailure` if the signal comes first. */
  ask(question: ApprovalQuestion): Promise<Approval>
  /** Has a person fill in a form of a server; undefined where nobody can. */
  readonly fill: AgentOptions["fill"]
  /** Whether a rule allows it or there is anybody to ask. If not, the answer is no. */
  canAsk(question: Pick<ApprovalQuestion, "approve" | "request">): boolean
  /** Real paths of approved folders outside of the workspace. */
  directories(): ReadonlySet<string>
  /** For a file's real path in the current workspace: which of the user's approvals runs it. */
  partOf(): (path: string) => string | undefined
  /** Whether the schedule in incipit.yaml is approved as it is now. */
  isScheduleApproved(): boolean
}

export interface ApprovalQuestion {
  readonly request: ApprovalRequest
  readonly asker: Asker
  /** The id of the tool call that asks. */
  readonly call: string
  /** Replaces the agent's `approve` for this message; undefined otherwise. */
  readonly approve: Approve | undefined
  /** Hears which rule of the configuration is about it. */
  readonly ruled: (ruling: Ruling) => void
  /** Called around the question, if somebody is asked. */
  readonly whileAsked: <T>(ask: () => Promise<T>) => Promise<T>
  /** Hears that somebody is being asked, and the answer. */
  readonly tell: (event: LiveEvent) => void
}

export interface AgentActions {
  /** The parts of a tool's host that do not depend on the turn. `by`: who asks, in a room. */
  host(session: StoredSession, by?: string): Pick<ToolHost, "tasks" | "schedule" | "texts" | "workflow">
  notify(session: StoredSession, text: string, to: Sender): Promise<void>
  /** Runs a further agent for the same sender and returns its reply, including the cost. */
  delegate(work: Parameters<ToolHost["delegate"]>[0], as: Delegation): Promise<Reply>
}

/** How a part of the work is delegated. */
export interface Delegation {
  /** The part has the sender's rights. */
  readonly from: Sender
  readonly signal: AbortSignal
  readonly planMode: boolean
  /** Replaces the agent's `approve` for this message; undefined otherwise. */
  readonly approve: Approve | undefined
  /** The parent of its events in the trace. */
  readonly under: NonNullable<Incoming["under"]>
  /** The call that waits for it. */
  readonly outer: OuterCall
  /** Hears the part's events. */
  readonly hear: (event: LiveEvent) => void
}
