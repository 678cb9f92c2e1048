// Opens an agent: puts its parts together from a workspace and keeps them until it is closed.
import { existsSync, realpathSync } from "node:fs"
import { join, resolve } from "node:path"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import { type Compiler, createCompiler } from "../core/compiler.ts"
import { sentence } from "../core/diagnostic.ts"
import { parseDuration } from "../core/duration.ts"
import { atLeast } from "../core/trust.ts"
import { realTimer } from "../hooks/call.ts"
import { loadHooks } from "../hooks/load.ts"
import { createHookRunner, type HookRunner } from "../hooks/run.ts"
import { createSimulator } from "../render/simulate.ts"
import type { SkillFolder } from "../sources/skills.ts"
import { realFolder } from "../sources/workspace.ts"
import { o200k } from "../tokens/o200k.ts"
import { type Approval, type ApprovalRequest, ToolFailure } from "../tools/host.ts"
import type { AgentOptions, Limits, RunningAgent } from "./agent.ts"
import { type Approvable, waitingIn } from "./approvable.ts"
import { approvedDigests } from "./approvals.ts"
import { createFeeding, workflowsOf } from "./feeds/feeding.ts"
import { openTaskBoard } from "./feeds/tasks.ts"
import { createIds } from "./ids.ts"
import { type Mcp, openMcp } from "./mcp/mcp.ts"
import { chooseModel } from "./models/choose-model.ts"
import type { Model } from "./models/model.ts"
import { openModel } from "./models/models.ts"
import { NEVER_STOPPED } from "./never-stopped.ts"
import { offlineModel } from "./offline/offline.ts"
import { ownTexts } from "./own-texts.ts"
import { ownTools } from "./own-tools.ts"
import { enter, leave } from "./owner.ts"
import type { ReceiveOptions } from "./receive.ts"
import { running } from "./running.ts"
import type { Runtime } from "./runtime.ts"
import { scheduleOf } from "./schedule/keep-schedule.ts"
import { openStore } from "./store/store.ts"
import type { Store } from "./store/stored.ts"
import { startStoreUpkeep } from "./store/upkeep.ts"
import { openTelling, type Telling } from "./telling.ts"
import { createToolbox } from "./toolbox.ts"
import { type Current, type Watching, watchWorkspace } from "./watching.ts"
import { followingMemory } from "./workspace-memory.ts"

const LIMITS: Limits = { idleMs: 120_000, toolMs: 600_000, hookMs: 5_000, serverMs: 15_000, steps: 50 }

export function openAgent(options: AgentOptions): Promise<RunningAgent> {
  return openWith(options, undefined)
}

/** Servers that run already, and what the configuration says of them. */
interface Servers {
  readonly mcp: Mcp | undefined
  readonly config: Current["workspace"]["config"]["mcp"]
}

/** `lent`: by the agent that this one works for. */
async function openWith(options: AgentOptions, lent: Servers | undefined): Promise<RunningAgent> {
  const { now = () => Date.now() } = options
  const root = realFolder(resolve(options.workspace), "the workspace")
  const directory =
    options.directory === undefined ? root : realFolder(resolve(options.directory), "the working directory")
  const watching = await watchWorkspace({ ...options, root, directory })
  const id = createIds(now)
  const { config } = watching.now().workspace
  const waiting = waitingIn(config, root, options.home)
  const parts: Parts = {
    ...{ options, watching, directory, now, id, owner: enter() },
    limits: { ...LIMITS, ...options.limits },
    store: options.store ?? openStore(join(root, ".incipit", "agent.db")),
    telling: openTelling({
      ...{ root, config, now, id, isSent: !waiting.some(({ kind }) => kind === "otlp") },
      ...(options.log && { log: options.log }),
    }),
    model: await modelOf(options, watching.now()),
  }
  const upkeep = startStoreUpkeep(parts.store, {
    ...{ now, olderThanMs: parseDuration(config.record?.retention ?? "") },
  })
  tellWaiting(parts, waiting)
  const isLent = lent !== undefined && isDeepStrictEqual(lent.config, config.mcp)
  const mcp = isLent ? lent.mcp : mcpOf(parts, waiting)
  await mcp?.settled
  const hooks = await hooksOf(parts)
  const current = { model: parts.model }
  const runtime = runtimeOf(parts, {
    ...{ mcp, hooks, current },
    delegate: (...work) => {
      const [{ agent: name }] = work
      if (name === undefined) return report(agent, work)
      const given = { ...options, agent: name, model: current.model }
      return withPart(given, { mcp, config: config.mcp }, (part) => report(part, work))
    },
  })
  await runtime.discover("start")
  const agent = running(runtime, {
    options,
    watching,
    useModel: async (name) => {
      current.model = await modelOf({ ...options, model: name }, watching.now())
    },
    close: async () => {
      upkeep.stop()
      if (!isLent) await mcp?.close()
      await parts.telling.close()
      if (options.store === undefined) parts.store.close()
      leave(parts.owner)
    },
  })
  return agent
}

/** With a further agent, which is there for this alone: the same model, and the same servers if nothing changed. */
async function withPart(
  options: AgentOptions,
  servers: Servers,
  work: (part: RunningAgent) => Promise<string>,
): Promise<string> {
  const part = await openWith(options, servers)
  try {
    return await work(part)
  } finally {
    await part.close()
  }
}

/** A part of the work: a session of its own, which sees what a part may see and reports back. */
async function report(
  part: RunningAgent,
  [{ task }, from, signal]: Parameters<Runtime["delegate"]>,
): Promise<string> {
  const given: ReceiveOptions = { ...from, mode: "subagent", isNew: true, isPart: true, signal }
  const { state, text } = await part.send(task, given)
  if (state !== "answered" && state !== "silent") throw new ToolFailure(text)
  return text === "" ? "It had nothing to report." : text
}

interface Fixtures {
  readonly mcp: Mcp | undefined
  readonly hooks: HookRunner
  readonly current: { readonly model: Model }
  readonly delegate: Runtime["delegate"]
}

interface Parts {
  readonly options: AgentOptions
  readonly watching: Watching
  readonly directory: string
  readonly limits: Limits
  readonly now: () => number
  readonly id: () => string
  readonly owner: string
  readonly store: Store
  readonly telling: Telling
  readonly model: Model
}

async function modelOf(
  { model: wanted, env = process.env, home }: AgentOptions,
  { workspace }: Current,
): Promise<Model> {
  if (typeof wanted === "object") return wanted
  const { config, root } = workspace
  const waiting = waitingIn(config, root, home)
  const configured = env.INCIPIT_MODEL || config.model
  const choice = chooseModel({ wanted, configured, env, config, waiting })
  if (choice.kind === "model") return openModel(choice.id, { env, config })
  const standsFor = choice.id?.replace(/^offline\/?/, "")
  return { ...offlineModel(standsFor ? { standsFor } : {}), why: choice.why }
}

/** A model that waits is told of where it is chosen. */
function tellWaiting({ telling, watching }: Parts, waiting: readonly Approvable[]): void {
  const scope = telling.scope({ agent: watching.now().workspace.id, trust: "full" })
  for (const { kind, name, place } of waiting) {
    const once = "once you approve it: incipit hooks approve"
    if (kind === "mcp")
      scope.event("finding", { data: { code: "mcp-waits", text: `MCP server ${name} starts ${once}` } })
    if (kind === "otlp")
      scope.event("finding", { data: { code: "otlp-waits", text: `spans go to ${place} ${once}` } })
  }
}

function mcpOf(
  { options, watching, limits, telling }: Parts,
  waiting: readonly Approvable[],
): Mcp | undefined {
  const { config, root, id: agent } = watching.now().workspace
  if (config.mcp === undefined) return undefined
  const scope = telling.scope({ agent, trust: "full" })
  const held = new Set(waiting.flatMap(({ kind, name }) => (kind === "mcp" ? [name] : [])))
  const servers = Object.fromEntries(Object.entries(config.mcp).filter(([name]) => !held.has(name)))
  return openMcp(servers, {
    root,
    env: options.env ?? process.env,
    limitMs: limits.serverMs,
    taken: ownTools(options.tools).map(({ name }) => name),
    trouble: ({ level, server, text }) =>
      scope.event("finding", { level, error: `MCP server ${server}: ${text}`, data: { server } }),
    changed: (server) => scope.event("config_reloaded", { data: { server } }),
  })
}

async function hooksOf(parts: Parts): Promise<HookRunner> {
  const { options, watching, limits, telling, store, now } = parts
  const { workspace } = watching.now()
  const scope = telling.scope({ agent: workspace.id, trust: "full" })
  const names = workspace.config.hooks ?? []
  const approved = names.length === 0 ? new Set() : approvedDigests(options.home, "hook")
  const found = await loadHooks(names, {
    root: workspace.root,
    approved: (digest) => approved.has(digest),
  })
  for (const finding of found.diagnostics)
    scope.event("finding", { data: { code: finding.code, text: sentence(finding) } })
  for (const { name } of found.waiting)
    scope.event("finding", {
      data: { code: "hook-waits", text: `${name} runs once you approve it: incipit hooks approve` },
    })
  return createHookRunner({
    hooks: [...found.hooks, ...(options.hooks ?? [])],
    limitMs: limits.hookMs,
    timer: realTimer,
    host: {
      sendMessage({ trust = "public", ...message }, id) {
        const session = id === undefined ? undefined : store.session(id)
        // Who may not see the text is not told of it, whoever says it.
        if (session === undefined || !atLeast(session.trust, trust)) return
        store.addItem(session.id, { kind: "custom", ...message }, now())
      },
    },
    trouble: ({ name, hook, error }) => scope.event("hook_error", { error, data: { module: name, hook } }),
  })
}

function runtimeOf(parts: Parts, { mcp, hooks, current, delegate: give }: Fixtures): Runtime {
  const { options, watching, directory, limits, now, id, owner, store, telling } = parts
  const { wait = (ms, signal) => sleep(ms, undefined, { signal }), env = process.env } = options
  const workspace = () => watching.now().workspace
  const compilers = new Map<string, { readonly profile: Current["profile"]; readonly compiler: Compiler }>()
  const timeZone = options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const memory = followingMemory(workspace)
  const texts = ownTexts(workspace)
  let found: readonly SkillFolder[] = []
  const runtime: Runtime = {
    ...{ store, memory, hooks, directory, env, timeZone, now, id, wait, workspace, limits },
    owner,
    record: telling.record,
    get profile() {
      return watching.now().profile
    },
    get system() {
      return watching.now().system
    },
    toolbox: createToolbox({
      own: ownTools(options.tools),
      served: () => ({ tools: mcp?.tools() ?? [], extensions: mcp?.extensions() ?? [] }),
    }),
    model: () => current.model,
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
    skillFolders: () => found,
    async discover(reason) {
      const folders = await hooks.resourcesDiscover({ agent: workspace().id, reason }, NEVER_STOPPED)
      found = folders.map(({ path }) => skillFolder(resolve(workspace().root, path)))
    },
    feeding: createFeeding(),
    scope: telling.scope,
    approve: approver(options),
    host: (session) => ({
      tasks: openTaskBoard(store.database, { agent: session.agent, who: session.who, now }),
      schedule: scheduleOf(runtime).book(),
      texts,
      workflow: workflowsOf(runtime, { agent: session.agent, who: session.who, trust: session.trust, now }),
    }),
    notify(session, text) {
      store.addNotice({ agent: session.agent, who: session.who, session: session.id, at: now(), text })
      options.notify?.(text)
    },
    delegate: give,
  }
  return runtime
}

/** Approved code named it, so it is as good as the workspace's own. */
function skillFolder(path: string): SkillFolder {
  const real = existsSync(path) ? realpathSync(path) : path
  return { path: real, shown: real, roots: [real], isOwn: true }
}

/** Conversations that are remembered at once; what is forgotten is only compiled again. */
const MOST_COMPILERS = 64

/** Kinds that can be agreed to once for all. What decides over the agent itself is none of them. */
const LASTING: readonly ApprovalRequest["kind"][] = ["shell", "edit"]

/** Without somebody to ask, nothing is allowed. "Always" holds for the kind of thing, in the session. */
function approver({ approve }: AgentOptions): Runtime["approve"] {
  const always = new Set<string>()
  return async (session, request, signal): Promise<Approval> => {
    const kind = `${session} ${request.kind}`
    if (always.has(kind)) return "yes"
    const said = approve === undefined ? "no" : await beforeStop(() => approve(request, signal), signal)
    if (said !== "always") return said
    if (LASTING.includes(request.kind)) always.add(kind)
    return "yes"
  }
}

/** A yes that comes after the call was stopped allows nothing. */
async function beforeStop(ask: () => Promise<Approval>, signal: AbortSignal): Promise<Approval> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new ToolFailure("It was stopped before it was agreed to."))
  if (signal.aborted) stop()
  signal.addEventListener("abort", stop, { once: true })
  try {
    return await Promise.race([stopped, signal.aborted ? stopped : ask()])
  } finally {
    signal.removeEventListener("abort", stop)
  }
}
