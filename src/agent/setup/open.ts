// Opens an agent: assembles its parts from a workspace and keeps them until it is closed.
import { resolve } from "node:path"
import process from "node:process"
import { isDeepStrictEqual } from "node:util"
import { waitingIn } from "../../approval/approvable.ts"
import { defined } from "../../base/defined.ts"
import { parseDuration } from "../../base/duration.ts"
import { openStore } from "../../database/sqlite/agent/open-store.ts"
import { stateFiles } from "../../files/paths.ts"
import { createSecrets } from "../../record/redact/secrets.ts"
import { realFolder } from "../../sources/workspace.ts"
import { foundStateText, openState } from "../../workspace/state/state.ts"
import { createIds } from "../inbox/ids.ts"
import { enter, leave } from "../inbox/owner.ts"
import type { ReceiveOptions } from "../inbox/receive.ts"
import { chooseModel } from "../models/choose-model.ts"
import type { Model } from "../models/model.ts"
import { openModel } from "../models/models.ts"
import { offlineModel } from "../offline/offline.ts"
import { startStoreUpkeep } from "../schedule/store-upkeep.ts"
import type { Reply } from "../turn/live-event.ts"
import { createGates } from "../turn/provider/provider-gate.ts"
import type { AgentOptions, Limits, RunningAgent } from "./agent.ts"
import { agentHandle } from "./agent-handle.ts"
import { checkTools } from "./checked-tools.ts"
import { createModels, createServices, type Gates, waitOf } from "./create-services.ts"
import { openEventSinks } from "./event-sinks.ts"
import { knownSecrets } from "./known-secrets.ts"
import type { Opened } from "./opened.ts"
import { reportUnapproved } from "./report-unapproved.ts"
import type { AgentActions } from "./services.ts"
import { type Current, watchWorkspace } from "./watch-workspace.ts"
import { hooksOf, programHooks } from "./workspace-hooks.ts"
import { serversOf, type WorkspaceServers } from "./workspace-mcp.ts"

const LIMITS: Limits = { idleMs: 120_000, toolMs: 600_000, hookMs: 5_000, serverMs: 15_000, steps: 50 }

/** Opens the agent of a workspace. Everything it needs to continue after a crash is in its state directory. */
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
  programHooks(options.hooks)
  const root = realFolder(resolve(options.workspace), "the workspace")
  const directory =
    options.directory === undefined ? root : realFolder(resolve(options.directory), "the working directory")
  const watching = await watchWorkspace({ ...options, root, directory })
  const id = createIds(now)
  const { workspace } = watching.now()
  const { config } = workspace
  const waiting = waitingIn(workspace, options.home)
  const secrets = createSecrets(knownSecrets(config, options.env ?? process.env))
  const state = await stateOf(options, root, now)
  const files = stateFiles(state)
  const damage = createDamageTeller()
  const opened: Opened = {
    ...{ options, watching, directory, now, id, owner: enter(), secrets },
    limits: { ...LIMITS, ...options.limits },
    files,
    store:
      options.store ?? (await openStore(files.store, { now, text: secrets.redact, onRepaired: damage.tell })),
    events: openEventSinks({
      path: files.record,
      ...{ config, secrets, now, id, isSent: !waiting.some(({ kind }) => kind === "otlp") },
      ...defined({ log: options.log, trouble: options.trouble }),
    }),
    model: await (lent ? partModel(options, watching.now(), lent.model) : modelOf(options, watching.now())),
  }
  const upkeep = startStoreUpkeep(opened.store, parseDuration(config.record?.retention ?? ""))
  const operator = opened.events.scope({ agent: workspace.id, trust: "full" })
  damage.listen((error) => operator.event("diagnostic", { level: "error", error }))
  reportUnapproved(opened, waiting)
  const isLent = lent !== undefined && isDeepStrictEqual(lent.config, config.mcp)
  const servers = isLent ? lent.servers : serversOf(opened, waiting)
  if (!isLent) await servers.refresh()
  const hooks = await hooksOf(opened)
  const gates = lent?.gates ?? createGates({ now, wait: waitOf(options) })
  const models = createModels(opened.model, {
    gates,
    open: (model) => modelOf({ ...options, model }, watching.now()),
  })
  const services = createServices(opened, {
    ...{ servers, hooks, models },
    delegate: (...work) => {
      const [{ agent: name }] = work
      if (name === undefined) return report(agent, work)
      const given = { ...options, agent: name, state }
      const { mcp } = watching.now().workspace.config
      return withPart(given, { gates, model: models.current(), servers, config: mcp }, (part) =>
        report(part, work),
      )
    },
  })
  await services.resources.discover("start")
  const agent = agentHandle(services, {
    options,
    close: async () => {
      upkeep.stop()
      if (!isLent) await servers.mcp.close()
      await opened.events.close()
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
  [{ task }, { from, signal, planMode, approve, under, outer }]: Parameters<AgentActions["delegate"]>,
): Promise<Reply> {
  const given: ReceiveOptions = {
    ...{ ...from, mode: "subagent", isNew: true, isPart: true, signal, planMode, under },
    outerCall: outer,
    ...(approve && { approve }),
  }
  return part.send(task, given)
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

/** The model in the further agent's own incipit.yaml, if it can be used; else the one of the delegating agent. */
async function partModel(options: AgentOptions, current: Current, lent: Model): Promise<Model> {
  if (current.workspace.ownModel === undefined) return lent
  const { model: _chosen, env = process.env, ...rest } = options
  const own = await modelOf({ ...rest, env: { ...env, INCIPIT_MODEL: undefined } }, current)
  return own.isOffline ? lent : own
}
