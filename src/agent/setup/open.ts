// Opens an agent: assembles its parts from a workspace and keeps them until it is closed.
import { resolve } from "node:path"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import { approvedDirectories, isScheduleApproved, waitingIn } from "../../approval/approvable.ts"
import { approvedParts } from "../../approval/parts.ts"
import { given } from "../../base/defined.ts"
import { parseDuration } from "../../base/duration.ts"
import { type Compiler, createCompiler } from "../../core/compile/compiler.ts"
import { openStore } from "../../database/sqlite/agent/open-store.ts"
import { stateFiles } from "../../files/paths.ts"
import { realPath } from "../../files/real-path.ts"
import type { HookRunner } from "../../hooks/run.ts"
import { createSecrets } from "../../record/redact/secrets.ts"
import { createSimulator } from "../../render/cache/simulate.ts"
import type { SkillFolder } from "../../sources/skills/skills.ts"
import { realFolder } from "../../sources/workspace.ts"
import { o200k } from "../../tokens/o200k.ts"
import { profileModule } from "../../workspace/profile/profile-table.ts"
import { foundStateText, openState } from "../../workspace/state/state.ts"
import { createFeeding, workflowsOf } from "../feeds/create-feeding.ts"
import { openTaskBoard } from "../feeds/tasks.ts"
import { taskListOf } from "../feeds/who.ts"
import { createIds } from "../inbox/ids.ts"
import { enter, leave } from "../inbox/owner.ts"
import type { ReceiveOptions } from "../inbox/receive.ts"
import { chooseModel } from "../models/choose-model.ts"
import type { Model } from "../models/model.ts"
import { openModel } from "../models/models.ts"
import { offlineModel } from "../offline/offline.ts"
import { scheduleOf } from "../schedule/keep-schedule.ts"
import { startStoreUpkeep } from "../schedule/store-upkeep.ts"
import { approver } from "../turn/calls/approver.ts"
import type { Reply } from "../turn/live.ts"
import { NEVER_STOPPED } from "../turn/never-stopped.ts"
import { createGates } from "../turn/provider/provider-gate.ts"
import { providerOf } from "../turn/provider/retry.ts"
import type { AgentOptions, Limits, RunningAgent } from "./agent.ts"
import { ownTexts } from "./agent-files.ts"
import { running } from "./agent-handle.ts"
import { checkTools } from "./checked-tools.ts"
import { openTelling } from "./event-sinks.ts"
import type { Opened } from "./opened.ts"
import { withOwnFacts } from "./own-facts.ts"
import { ownSecrets } from "./own-secrets.ts"
import { ownTools } from "./own-tools.ts"
import { tellWaiting } from "./report-unapproved.ts"
import type { Runtime } from "./runtime.ts"
import { createToolbox } from "./toolbox.ts"
import { type Current, refreshed, watchWorkspace } from "./watch-workspace.ts"
import { handedHooks, hooksOf } from "./workspace-hooks.ts"
import { serversOf, type WorkspaceServers } from "./workspace-mcp.ts"
import { followingMemory } from "./workspace-memory.ts"

const LIMITS: Limits = { idleMs: 120_000, toolMs: 600_000, hookMs: 5_000, serverMs: 15_000, steps: 50 }

export function openAgent(options: AgentOptions): Promise<RunningAgent> {
  return openWith(options, undefined)
}

/** Shared with a further agent: the providers' gates, running servers, and their configuration. */
interface Lent {
  readonly gates: Gates
  readonly model: Model
  readonly servers: WorkspaceServers
  readonly config: Current["workspace"]["config"]["mcp"]
}

/** `lent`: from the agent that delegates to this one. */
async function openWith(options: AgentOptions, lent: Lent | undefined): Promise<RunningAgent> {
  const { now = () => Date.now() } = options
  checkTools(options.tools ?? [])
  // Check these before opening anything that would have to be closed again.
  handedHooks(options.hooks)
  const root = realFolder(resolve(options.workspace), "the workspace")
  const directory =
    options.directory === undefined ? root : realFolder(resolve(options.directory), "the working directory")
  const watching = await watchWorkspace({ ...options, root, directory })
  const id = createIds(now)
  const { workspace } = watching.now()
  const { config } = workspace
  const waiting = waitingIn(workspace, options.home)
  const secrets = createSecrets(ownSecrets(config, options.env ?? process.env))
  const state = await stateOf(options, root, now)
  const files = stateFiles(state)
  const damage = createDamageTeller()
  const opened: Opened = {
    ...{ options, watching, directory, now, id, owner: enter(), secrets },
    limits: { ...LIMITS, ...options.limits },
    files,
    store:
      options.store ?? (await openStore(files.store, { now, text: secrets.redact, mended: damage.tell })),
    telling: openTelling({
      path: files.record,
      ...{ config, secrets, now, id, isSent: !waiting.some(({ kind }) => kind === "otlp") },
      ...given({ log: options.log, trouble: options.trouble }),
    }),
    model: await (lent ? partModel(options, watching.now(), lent.model) : modelOf(options, watching.now())),
  }
  const upkeep = startStoreUpkeep(opened.store, parseDuration(config.record?.retention ?? ""))
  const operator = opened.telling.scope({ agent: workspace.id, trust: "full" })
  damage.listen((error) => operator.event("diagnostic", { level: "error", error }))
  tellWaiting(opened, waiting)
  const isLent = lent !== undefined && isDeepStrictEqual(lent.config, config.mcp)
  const servers = isLent ? lent.servers : serversOf(opened, waiting)
  if (!isLent) await servers.refresh()
  const hooks = await hooksOf(opened)
  const current = { model: opened.model }
  const gates = lent?.gates ?? createGates({ now, wait: waitOf(options) })
  const runtime = runtimeOf(opened, {
    ...{ servers, hooks, current, gates },
    delegate: (...work) => {
      const [{ agent: name }] = work
      if (name === undefined) return report(agent, work)
      const given = { ...options, agent: name, state }
      const { mcp } = watching.now().workspace.config
      return withPart(given, { gates, model: current.model, servers, config: mcp }, (part) =>
        report(part, work),
      )
    },
  })
  await runtime.discover("start")
  const agent = running(runtime, {
    options,
    useModel: async (name) => {
      current.model = await modelOf({ ...options, model: name }, watching.now())
    },
    close: async () => {
      upkeep.stop()
      if (!isLent) await servers.mcp.close()
      await opened.telling.close()
      if (options.store === undefined) await opened.store.close()
      leave(opened.owner)
    },
  })
  return agent
}

/** Buffers reports: the store is opened before there is anywhere to send them. */
function createDamageTeller() {
  const early: string[] = []
  let hear: (text: string) => void = (text) => void early.push(text)
  return {
    tell: (text: string) => hear(text),
    listen(listener: (text: string) => void) {
      hear = listener
      for (const text of early.splice(0)) listener(text)
    },
  }
}

/** There is nobody to ask here, so state that came with the folder stays where it is and the user is told. */
async function stateOf(options: AgentOptions, root: string, now: () => number): Promise<string> {
  const { state, home, env, trouble = () => {} } = options
  const opened = await openState({ workspace: root, state, home, env, now, warn: trouble })
  const text = opened.isNew ? foundStateText(root) : undefined
  if (text !== undefined) trouble(text)
  return opened.folder
}

/** Opens a further agent for this part alone, with the same model, and the same servers if nothing changed. */
async function withPart(
  options: AgentOptions,
  lent: Lent,
  work: (part: RunningAgent) => Promise<Reply>,
): Promise<Reply> {
  const part = await openWith(options, lent)
  try {
    return await work(part)
  } finally {
    await part.close()
  }
}

/** Runs a delegated part in a separate session, which sees what a part may see, and returns its report. */
function report(
  part: RunningAgent,
  [{ task }, { from, signal, planMode, approve, under }]: Parameters<Runtime["delegate"]>,
): Promise<Reply> {
  const given: ReceiveOptions = {
    ...{ ...from, mode: "subagent", isNew: true, isPart: true, signal, planMode, under },
    ...(approve && { approve }),
  }
  return part.send(task, given)
}

/** What is started after opening, and what may change while it runs. */
interface Started {
  readonly servers: WorkspaceServers
  readonly hooks: HookRunner
  readonly gates: Gates
  readonly current: { readonly model: Model }
  readonly delegate: Runtime["delegate"]
}

async function modelOf(
  { model: wanted, env = process.env, home }: AgentOptions,
  { workspace }: Current,
): Promise<Model> {
  if (typeof wanted === "object") return wanted
  const { config } = workspace
  const waiting = waitingIn(workspace, home)
  const configured = env.INCIPIT_MODEL || config.model
  const choice = chooseModel({ wanted, configured, env, config, waiting })
  if (choice.kind === "model") return openModel(choice.id, { env, config })
  const standsFor = choice.id?.replace(/^offline\/?/, "")
  return { ...offlineModel(standsFor ? { standsFor } : {}), why: choice.why }
}

type Gates = ReturnType<typeof createGates>

function waitOf({ wait = (ms, signal) => sleep(ms, undefined, { signal }) }: AgentOptions): Runtime["wait"] {
  return wait
}

/** The model in the further agent's own incipit.yaml, if it can be used; else the one of the delegating agent. */
async function partModel(options: AgentOptions, current: Current, lent: Model): Promise<Model> {
  if (current.workspace.ownModel === undefined) return lent
  const { model: _chosen, env = process.env, ...rest } = options
  const own = await modelOf({ ...rest, env: { ...env, INCIPIT_MODEL: undefined } }, current)
  return own.isOffline ? lent : own
}

function runtimeOf(opened: Opened, { servers, hooks, current, gates, delegate: give }: Started): Runtime {
  const { options, watching, directory, limits, now, id, owner, store, secrets, telling, files } = opened
  const { random = Math.random, env = process.env } = options
  const wait = waitOf(options)
  const workspace = () => watching.now().workspace
  const compilers = new Map<string, { readonly profile: Current["profile"]; readonly compiler: Compiler }>()
  const timeZone = options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const memory = withOwnFacts(followingMemory(workspace, files, secrets.redact), watching.now)
  const texts = ownTexts(watching.now)
  let found: Found = { skills: [], prompts: [] }
  const runtime: Runtime = {
    ...{ store, secrets, memory, hooks, directory, env, timeZone, now, id, wait, random },
    ...{ workspace, limits, owner, record: telling.record },
    get profile() {
      return watching.now().profile
    },
    get system() {
      return watching.now().system
    },
    toolbox: createToolbox({
      own: () => ownTools(options.tools, workspace().config, watching.now().system),
      served: () => ({ tools: servers.mcp.tools(), extensions: servers.mcp.extensions() }),
    }),
    async refresh(wanted) {
      const found = await refreshed(watching, telling, wanted)
      if (found.kind !== "same") secrets.learn(ownSecrets(workspace().config, env))
      return found
    },
    refreshServers: servers.refresh,
    model: () => current.model,
    gate: (model) => gates(providerOf(model)),
    compiler(session) {
      const { profile } = watching.now()
      const known = compilers.get(session)
      if (known?.profile === profile) return known.compiler
      if (compilers.size >= MOST_COMPILERS) compilers.clear()
      const compiler = createCompiler({ profile, counter: o200k })
      compilers.set(session, { profile, compiler })
      return compiler
    },
    simulator: createSimulator({ rule: current.model.rule }),
    approvedDirectories: () => approvedDirectories(workspace(), options.home),
    partOf: () => approvedParts(workspace(), profileModule(workspace().config)),
    isScheduleApproved: () => isScheduleApproved(workspace(), options.home),
    skillFolders: () => found.skills,
    promptFolders: () => found.prompts,
    async discover(reason) {
      found = await foundBy(hooks, workspace(), reason)
    },
    feeding: createFeeding(() => runtime),
    scope: telling.scope,
    approve: approver(options),
    host: (session, by) => ({
      tasks: openTaskBoard(store, {
        ...{ agent: session.agent, who: taskListOf(session), trust: session.trust },
        ...(by !== undefined && { by }),
      }),
      schedule: scheduleOf(runtime).book(),
      texts,
      workflow: workflowsOf(runtime, session),
    }),
    async notify(session, given, to) {
      const text = secrets.redact(given)
      const { agent, who, trust, id: from } = session
      await store.notices.add({ agent, who, trust, session: from, text })
      options.notify?.(text, to)
    },
    delegate: give,
  }
  return runtime
}

/** Folders found by hooks. */
type Found = Readonly<Record<"skills" | "prompts", readonly SkillFolder[]>>

async function foundBy(
  hooks: HookRunner,
  { id: agent, root }: Current["workspace"],
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

/** How many conversations keep a compiler; the others are just compiled anew. */
const MOST_COMPILERS = 64
