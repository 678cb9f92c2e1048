// Gathers what a turn's prompt is made of: the workspace's files, the sender's session, the tools and the touched
// files. Runs once at the start of a turn; its steps compile from the same objects, so an unchanged step costs nothing.
import { given } from "../../base/defined.ts"
import type { Trust } from "../../base/trust.ts"
import type { Session } from "../../core/model/inputs.ts"
import { view } from "../../core/view/view.ts"
import type { Incoming } from "../../database/contract/inbox.ts"
import type { SessionKey, SessionState } from "../../database/contract/sessions.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import { resolveAudience, type Sender } from "../../sources/config/policy.ts"
import { gatherMemory } from "../../sources/memory-files.ts"
import type { Workspace } from "../../sources/workspace.ts"
import { promptInput } from "../../workspace/prompt-input.ts"
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
export async function gather(
  runtime: PromptSources,
  { id, message, state }: GatherOptions,
  inHead: number,
): Promise<GatheredTurn> {
  const { system, profile, directory, timeZone, env, toolbox, secrets } = runtime
  const model = runtime.model()
  const { as, channel, situation, mode, task, background } = message
  const input = await promptInput({
    folder: { workspace: runtime.workspace(), profile, system, diagnostics: [] },
    memory: async (workspace) => gatherMemory(workspace),
    tools: toolbox.definitions(state.activeTools),
    extensions: toolbox.extensions(),
    toolFormat: model.toolFormat,
    approved: runtime.approvedDirectories(),
    skillFolders: runtime.skillFolders(),
    promptFolders: runtime.promptFolders(),
    contextFor: (session) => nestedContext(runtime, session, (state.touched ?? []).slice(0, inHead)),
    withoutKeys: secrets.within,
    session: {
      ...given({ as, channel, situation, mode, task }),
      ...{ id, model: model.id, directory, background: background === true, timeZone, env },
    },
  })
  return { ...input, seen: view(input.agent, input.session, profile.toolOrder) }
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
