// Creates the services of an agent from what was opened for it. `services.ts` says what each of them does.
import { resolve } from "node:path"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { approvedDirectories, areRulesApproved, isScheduleApproved } from "../../approval/approvable.ts"
import { approvedParts } from "../../approval/parts.ts"
import { type Compiler, createCompiler } from "../../core/compile/compiler.ts"
import type { Profile } from "../../core/model/profile.ts"
import { realPath } from "../../files/real-path.ts"
import type { HookRunner } from "../../hooks/run.ts"
import { noMemory } from "../../memory/no-memory.ts"
import type { SharedMemory } from "../../memory/shared-memory.ts"
import { createMeasured } from "../../render/cache/prompt-call.ts"
import { createSimulator } from "../../render/cache/simulate.ts"
import type { Boxes } from "../../sandbox/boxes.ts"
import type { Sandboxes } from "../../sandbox/sandboxes.ts"
import { settingsNow, workspaceSandboxes } from "../../sandbox/workspace-sandboxes.ts"
import type { SkillFolder } from "../../sources/skills/skills.ts"
import type { Workspace } from "../../sources/workspace.ts"
import { o200k } from "../../tokens/o200k.ts"
import type { RunnableTool } from "../../tools/define-tool.ts"
import { profileModule } from "../../workspace/profile/profile-table.ts"
import { createFeeding, workflowsOf } from "../feeds/create-feeding.ts"
import { taskListOf } from "../feeds/feed-owner.ts"
import { plansInFolder } from "../feeds/plan-files.ts"
import { type PlanStore, plansInMemory } from "../feeds/plans.ts"
import { openTaskBoard } from "../feeds/tasks.ts"
import { createLeases } from "../inbox/lease.ts"
import { createPeople } from "../inbox/people.ts"
import type { Model } from "../models/model.ts"
import { providerOf } from "../models/provider-of.ts"
import { scheduleOf } from "../schedule/keep-schedule.ts"
import { withFactsFile } from "../storage/facts-file.ts"
import { followingMemory } from "../storage/workspace-memory.ts"
import { type Asking, createAsking } from "../turn/ask.ts"
import type { Rules } from "../turn/calls/approval-rules.ts"
import { approver } from "../turn/calls/approver.ts"
import { createConversation } from "../turn/conversation.ts"
import { NEVER_STOPPED } from "../turn/never-stopped.ts"
import type { createGates } from "../turn/provider/provider-gate.ts"
import type { AgentOptions } from "./agent.ts"
import { agentTexts } from "./agent-files.ts"
import { agentTools } from "./agent-tools.ts"
import { knownSecrets } from "./known-secrets.ts"
import type { Opened } from "./opened.ts"
import type { AgentActions, Approvals, Clock, Models, Resources, Services } from "./services.ts"
import { createToolbox } from "./toolbox.ts"
import { type LiveWorkspace, liveWorkspace } from "./watch-workspace.ts"
import type { WorkspaceServers } from "./workspace-mcp.ts"

export type Gates = ReturnType<typeof createGates>

/** What is started after opening. */
export interface Started {
  readonly servers: WorkspaceServers
  readonly hooks: HookRunner
  readonly models: Models
  readonly boxes: Boxes
  readonly delegate: AgentActions["delegate"]
}

/** All services, and what feeders share with turns. */
export interface CreatedServices extends Services {
  readonly asking: Asking
}

export function createServices(opened: Opened, started: Started): CreatedServices {
  const { options, watching, directory, limits, owner, store, secrets, events } = opened
  const { env = process.env } = options
  const { servers, hooks, models, boxes } = started
  const clock = clockOf(opened)
  const workspace = liveWorkspace(watching, {
    ...{ directory, env, events },
    changed: () => secrets.learn(knownSecrets(watching.now().workspace.config, env)),
  })
  const memory = memoryOf(opened, workspace.current)
  const asking = createAsking({ store, models, workspace, clock, events, secrets, limits })
  return {
    ...{ clock, workspace, store, events, secrets, memory, models, hooks, limits, asking },
    plans: plansOf(opened, workspace.current()),
    people: createPeople(workspace),
    leases: createLeases(owner, store.sessions),
    compiler: compilerOf(workspace.profile),
    conversation: createConversation(),
    inputs: options.inputs ?? {},
    watch: options.watch ?? (() => {}),
    toolbox: createToolbox({
      own: () => toolsOf(opened, workspace),
      served: () => ({ tools: servers.mcp.tools(), extensions: servers.mcp.extensions() }),
      refresh: servers.refresh,
    }),
    resources: createResources(hooks, workspace.current),
    sandboxes: sandboxesOf(opened, workspace, boxes),
    approvals: approvalsOf(options, workspace.current),
    feeding: createFeeding({ store, memory, workspace, models, clock, asking }),
    actions: actionsOf(opened, { store, workspace, clock }, started.delegate),
  }
}

function sandboxesOf(
  { options, events }: Pick<Opened, "options" | "events">,
  { current, directory, env }: LiveWorkspace,
  boxes: Boxes,
): Sandboxes {
  const scope = events.scope({ agent: current().id, trust: "full" })
  return workspaceSandboxes({
    ...{ workspace: current, directory, env, boxes, home: options.home },
    warn: (text) => scope.event("diagnostic", { level: "warn", data: { code: "no-sandbox", text } }),
  })
}

function memoryOf(
  opened: Pick<Opened, "keeping" | "files" | "secrets" | "watching" | "documents">,
  workspace: () => Workspace,
): SharedMemory {
  const { keeping, files, secrets, watching, documents } = opened
  if (!keeping.memory || files === undefined) return noMemory()
  return withFactsFile(followingMemory(workspace, files, { redact: secrets.redact, documents }), watching.now)
}

/** Plans are files that people read and edit; without a place for them, they last as long as the agent. */
function plansOf({ keeping }: Pick<Opened, "keeping">, { isFolder, folder }: Workspace): PlanStore {
  return isFolder && keeping.store !== "memory" ? plansInFolder(folder) : plansInMemory()
}

/** A program without a workspace gets the tools that it passes in, and no others. */
function toolsOf(
  { options: { tools = [] }, keeping }: Pick<Opened, "options" | "keeping">,
  { current, system }: Pick<LiveWorkspace, "current" | "system">,
): readonly RunnableTool[] {
  const { config, isFolder } = current()
  return isFolder ? agentTools(tools, config, { ...keeping, ...system() }) : tools
}

function clockOf({ options, now, id }: Pick<Opened, "options" | "now" | "id">): Clock {
  const { random = Math.random, timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone } = options
  return { now, id, random, timeZone, wait: waitOf(options) }
}

export function waitOf({
  wait = (ms, signal) => sleep(ms, undefined, { signal }),
}: Pick<AgentOptions, "wait">): Clock["wait"] {
  return wait
}

export interface ModelOptions {
  readonly gates: Gates
  /** Opens a model by its name. */
  readonly open: (id: string) => Promise<Model>
  /** The name of the second model, as configured now. */
  readonly fallback: () => string | undefined
}

export function createModels(first: Model, { gates, open, fallback }: ModelOptions): Models {
  let current = first
  let second: Model | undefined
  return {
    current: () => current,
    async fallback() {
      const id = fallback()
      if (id === undefined) return undefined
      if (second?.id !== id) second = await open(id)
      return second
    },
    async use(id) {
      current = await open(id)
    },
    gate: (model) => gates(providerOf(model)),
    simulated: {
      simulate: createSimulator({ rule: first.rule }),
      measured: createMeasured(o200k),
      sessions: new Set(),
    },
  }
}

/** A profile that was changed gets a new one. */
function compilerOf(profileNow: () => Profile): () => Compiler {
  let last: { readonly profile: Profile; readonly compiler: Compiler } | undefined
  return () => {
    const profile = profileNow()
    if (last?.profile !== profile) last = { profile, compiler: createCompiler({ profile, counter: o200k }) }
    return last.compiler
  }
}

function approvalsOf(
  options: Pick<AgentOptions, "approve" | "fill" | "home">,
  workspace: () => Workspace,
): Approvals {
  const { home } = options
  return {
    ...approver(options, () => rulesIn(workspace(), home)),
    fill: options.fill,
    directories: () => approvedDirectories(workspace(), home),
    partOf: () => approvedParts(workspace(), profileModule(workspace().config)),
    isScheduleApproved: () => isScheduleApproved(workspace(), home),
  }
}

/** A folder may deny and ask on its own; what it allows needs the user's approval. */
function rulesIn(workspace: Workspace, home: string | undefined): Rules {
  const { allow = [], ...rest } = workspace.config.approve ?? {}
  const { asks, leave } = settingsNow(workspace, home)
  const inside = { inside: !asks, leave }
  const isAllowed = allow.length > 0 && areRulesApproved(workspace, home)
  return isAllowed ? { ...rest, ...inside, allow } : { ...rest, ...inside }
}

function createResources(hooks: HookRunner, workspace: () => Workspace): Resources {
  let found: Found = { skills: [], prompts: [] }
  return {
    skillFolders: () => found.skills,
    promptFolders: () => found.prompts,
    async discover(reason) {
      found = await foundBy(hooks, workspace(), reason)
    },
  }
}

/** Folders found by hooks. */
type Found = Readonly<Record<"skills" | "prompts", readonly SkillFolder[]>>

async function foundBy(
  hooks: HookRunner,
  { id: agent, root }: Workspace,
  reason: "start" | "reload",
): Promise<Found> {
  const { skillFolders, promptFolders } = await hooks.resourcesDiscover({ agent, reason }, NEVER_STOPPED)
  return {
    skills: skillFolders.map(({ path }) => skillFolder(resolve(root, path))),
    prompts: promptFolders.map(({ path }) => ({ ...skillFolder(resolve(root, path)), isCommands: true })),
  }
}

/** Approved code named it, so it is trusted like the workspace. */
function skillFolder(path: string): SkillFolder {
  const real = realPath(path)
  return { path: real, shown: real, roots: [real], isOwn: true }
}

function actionsOf(
  { options, watching, secrets, documents }: Pick<Opened, "options" | "watching" | "secrets" | "documents">,
  services: Pick<Services, "store" | "workspace" | "clock">,
  delegate: AgentActions["delegate"],
): AgentActions {
  const { store } = services
  const texts = agentTexts(watching.now, documents)
  return {
    host: (session, by) => ({
      tasks: openTaskBoard(store, {
        ...{ agent: session.agent, who: taskListOf(session), trust: session.trust },
        ...(by !== undefined && { by }),
      }),
      schedule: scheduleOf(services).book(),
      texts,
      workflow: workflowsOf(services, session),
    }),
    async notify(session, given, to) {
      const text = secrets.redact(given)
      const { agent, who, trust, id: from } = session
      await store.notices.add({ agent, who, trust, session: from, text })
      options.notify?.(text, to)
    },
    delegate,
  }
}
