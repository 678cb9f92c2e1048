// Opens an agent: assembles its parts from a workspace or a profile and keeps them until it is closed.
import { isDeepStrictEqual } from "node:util"
import { waitingIn } from "../../approval/approvable.ts"
import type { PeopleLimit } from "../../approval/approved-people.ts"
import { parseDuration } from "../../base/duration.ts"
import { type Boxes, createBoxes } from "../../sandbox/boxes.ts"
import { leave } from "../inbox/owner.ts"
import type { ReceiveOptions } from "../inbox/receive.ts"
import { startStoreUpkeep } from "../schedule/store-upkeep.ts"
import type { Reply } from "../turn/live-event.ts"
import { createGates } from "../turn/provider/provider-gate.ts"
import type { AgentOptions, RunningAgent } from "./agent.ts"
import { agentHandle } from "./agent-handle.ts"
import { checkOptions } from "./checked-options.ts"
import { checkTools } from "./checked-tools.ts"
import { createModels, createServices, type Gates, waitOf } from "./create-services.ts"
import { type LentParts, modelOf, openParts } from "./open-parts.ts"
import type { Opened } from "./opened.ts"
import { type DescribedOptions, fromPrompt, type PromptAgentOptions } from "./prompt-agent.ts"
import { reportUnapproved } from "./report-unapproved.ts"
import type { AgentActions } from "./services.ts"
import type { Current } from "./watch-workspace.ts"
import { hooksOf, programHooks } from "./workspace-hooks.ts"
import { serversOf, type WorkspaceServers } from "./workspace-mcp.ts"

/**
 * Opens the agent of a workspace, a prompt or a profile. Everything it needs to continue after a crash is in its state
 * directory.
 */
export async function openAgent<Session extends object, Turn extends object>(
  options: AgentOptions | PromptAgentOptions<Session, Turn> = {},
): Promise<RunningAgent> {
  checkOptions(options)
  return openWith(options.prompt === undefined ? options : fromPrompt(options), undefined)
}

/** The same for the agent of a workspace that is served to others. */
export function openServedAgent(
  options: AgentOptions,
  people: PeopleLimit | undefined,
): Promise<RunningAgent> {
  checkOptions(options)
  return openWith(people === undefined ? options : { ...options, people }, undefined)
}

/** Shared with a further agent: the providers' gates, open sandboxes, running servers, and their configuration. */
interface Lent extends LentParts {
  readonly gates: Gates
  readonly servers: WorkspaceServers
  readonly boxes: Boxes
  readonly config: Current["workspace"]["config"]["mcp"]
}

/** `lent`: from the agent that delegates to this one. */
async function openWith(options: DescribedOptions, lent: Lent | undefined): Promise<RunningAgent> {
  // Check these before opening anything that would have to be closed again.
  checkTools(options.tools ?? [])
  programHooks(options.hooks)
  const opened = await openParts(options, lent)
  const { watching, events, store, now } = opened
  const { workspace } = watching.now()
  const { config } = workspace
  const waiting = waitingIn(workspace, options.home)
  const upkeep = startStoreUpkeep(store, parseDuration(config.record?.retention ?? ""))
  reportUnapproved(opened, waiting)
  const boxes = lent?.boxes ?? createBoxes()
  const isLent = lent !== undefined && isDeepStrictEqual(lent.config, config.mcp)
  const servers = isLent ? lent.servers : serversOf({ ...opened, boxes }, waiting)
  if (!isLent) await servers.refresh()
  const hooks = await hooksOf(opened)
  const gates = lent?.gates ?? createGates({ now, wait: waitOf(options) })
  const models = createModels(opened.model, {
    gates,
    open: (model) => modelOf({ ...options, model }, watching.now()),
    fallback: () => watching.now().workspace.config.fallback_model,
  })
  const services = createServices(opened, {
    ...{ servers, hooks, models, boxes },
    delegate: (...work) => {
      const [{ agent: name }] = work
      if (name === undefined) return report(agent, work)
      const { mcp } = watching.now().workspace.config
      // A store of its own would not have the memory of this one, or would open as many connections again.
      const isOnServer = store.ownClock !== undefined
      const lentStore = opened.keeping.store === "memory" || isOnServer ? store : undefined
      const given = { gates, model: models.current(), servers, boxes, config: mcp, store: lentStore }
      return withPart(partOptions(opened, name), given, (part) => report(part, work))
    },
  })
  await services.resources.discover("start")
  const agent = agentHandle(services, {
    options,
    close: async () => {
      upkeep.stop()
      if (!isLent) await servers.mcp.close()
      if (lent === undefined) await boxes.close()
      await events.close()
      await opened.documents?.close()
      if (typeof opened.keeping.store === "string" && lent?.store === undefined) await store.close()
      leave(opened.owner)
    },
  })
  return agent
}

/** A further agent keeps what this one keeps, in the same place. */
function partOptions({ options, state }: Opened, agent: string): DescribedOptions {
  return { ...options, agent, ...(state !== undefined && { state }) }
}

/** Opens a further agent for this part alone, with the same model, and the same servers if nothing changed. */
async function withPart(
  options: DescribedOptions,
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
  [{ task }, { from, signal, planMode, approve, under, outer, hear }]: Parameters<AgentActions["delegate"]>,
): Promise<Reply> {
  const given: ReceiveOptions = {
    ...{ ...from, mode: "subagent", isNew: true, isPart: true, signal, planMode, under },
    outerCall: outer,
    observe: hear,
    ...(approve && { approve }),
  }
  return part.send(task, given)
}
