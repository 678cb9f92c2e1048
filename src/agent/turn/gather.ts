// Gathers what a turn's prompt is made of: the workspace's files, the sender's session, the tools and the touched
// files. Runs once at the start of a turn; its steps compile from the same objects, so an unchanged step costs nothing.
import { given } from "../../base/defined.ts"
import type { Trust } from "../../base/trust.ts"
import type { Mode } from "../../core/model/mode.ts"
import type { Session, Tool } from "../../core/model/scope.ts"
import { view } from "../../core/view/view.ts"
import type { Incoming } from "../../database/contract/inbox.ts"
import type { SessionKey, SessionState } from "../../database/contract/sessions.ts"
import { budgetOf } from "../../sources/config/budget.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import { resolveAudience, type Sender } from "../../sources/config/policy.ts"
import { noFiles } from "../../sources/context/no-files.ts"
import { gatherSkills } from "../../sources/skills/skills.ts"
import { gatherAgent } from "../../sources/systems/gather-agent.ts"
import { gatherSession } from "../../sources/systems/gather-session.ts"
import type { Workspace } from "../../sources/workspace.ts"
import { workspaceGate } from "../../sources/workspace-gate.ts"
import { trustIn } from "../inbox/speaker.ts"
import type { PromptSources } from "../setup/prompt-sources.ts"
import type { GatheredTurn } from "./gathered-turn.ts"
import { nestedContext } from "./nested.ts"

export interface GatherOptions {
  /** The session's id, which is in the prompt. */
  readonly id: string
  readonly message: Omit<Incoming, "text">
  readonly state: SessionState
}

/** `inHead`: how many of the touched files have their context in the head. */
export function gather(
  runtime: PromptSources,
  { id, message, state }: GatherOptions,
  inHead: number,
): GatheredTurn {
  const { system, profile, directory, timeZone, env } = runtime
  const workspace = runtime.workspace()
  const model = runtime.model()
  const tools = runtime.toolbox.definitions(state.activeTools)
  const { secrets } = runtime
  const agent = gatherAgent(workspace, {
    system,
    tools: toolsFor(message.mode, tools),
    extensions: runtime.toolbox.extensions(),
    toolFormat: model.toolFormat,
    approved: runtime.approvedDirectories(),
  })
  const { as, channel, situation, mode, task, background } = message
  const session = gatherSession(workspace, {
    ...given({ as, channel, situation, mode, task }),
    id,
    model: model.id,
    system,
    directory,
    background: background === true,
    timeZone,
    env,
    known: agent.value.files,
    approved: runtime.approvedDirectories(),
  })
  const nested = nestedContext(runtime, session.value, (state.touched ?? []).slice(0, inHead))
  const gate = workspaceGate(workspace)
  const found = gatherSkills(runtime.skillFolders(), workspace.cache.skills, gate)
  // Reusable prompts are not part of this prompt, but their diagnostics are reported here.
  const prompts = gatherSkills(runtime.promptFolders(), workspace.cache.skills, gate)
  const skills = [...(agent.value.skills ?? []), ...found.skills]
  const files = [...session.value.files, ...nested]
  // A file may contain one of the agent's own keys, which neither the model nor other readers need.
  const whole = secrets.within(nested.length === 0 ? session.value : { ...session.value, files })
  const own = secrets.within(found.skills.length === 0 ? agent.value : { ...agent.value, skills })
  return {
    agent: own,
    session: whole,
    seen: view(own, whole, profile.toolOrder),
    budget: budgetOf(workspace.config, profile, { model: model.id }),
    ttl: workspace.config.cache?.ttl ?? "5m",
    diagnostics: [
      ...agent.diagnostics,
      ...session.diagnostics,
      ...found.diagnostics,
      ...prompts.diagnostics,
      ...noFiles(workspace, { agent: own, session: whole, system }),
    ],
  }
}

/** A delegated part cannot delegate further. */
export function toolsFor(mode: Mode | undefined, tools: readonly Tool[]): readonly Tool[] {
  return mode === "subagent" ? tools.filter(({ name }) => name !== "delegate") : tools
}

/** One session per key: nothing said in one is used in another. */
export function keyOf(
  { id: agent, config }: Workspace,
  sender: Sender & Pick<Incoming, "entry">,
): SessionKey {
  const { person, room, isOwner, audience } = resolveAudience(config, sender, "incipit.yaml")
  const { situation, trust, mode } = audience
  const nobody = isOwner ? "owner" : `unknown:${sender.channel ?? ""}`
  // The prefixes keep ids from colliding with the other words.
  const one = person === undefined ? nobody : `person:${person}`
  // Where others listen, use the room, even an unknown one: what is kept for one person must not be shown.
  const who = room === undefined && ALONE.includes(situation) ? one : `room:${room ?? `${situation}:${one}`}`
  return { agent, who, situation, trust, mode, ...given({ entry: sender.entry }) }
}

/** Situations without other people. */
const ALONE: readonly string[] = ["dm", "system"]

/** In a room, the sender's own trust applies to actions on their behalf; elsewhere it is the session's. */
export function askerTrust(
  config: Config,
  message: Pick<Incoming, "as" | "channel" | "sender">,
  session: Session,
): Trust {
  if (session.room === undefined) return session.audience.trust
  return trustIn(config, message, session.audience.trust)
}
