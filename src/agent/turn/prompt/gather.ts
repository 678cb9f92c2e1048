// Gathers what a turn's prompt is made of: the workspace's files, the sender's session, the tools and the touched
// files. Runs once at the start of a turn; its steps compile from the same objects, so an unchanged step costs nothing.
import { defined } from "../../../base/defined.ts"
import type { Agent, Session } from "../../../core/model/inputs.ts"
import type { View } from "../../../core/view/view.ts"
import type { Incoming } from "../../../database/contract/inbox.ts"
import type { SessionState } from "../../../database/contract/sessions.ts"
import { withSandbox } from "../../../sandbox/in-prompt.ts"
import { gatherMemoryInSlices } from "../../../sources/memory-files.ts"
import { promptInput } from "../../../workspace/prompt-input.ts"
import { placeOf } from "../../inbox/message/sender-locale.ts"
import type { ModelFacts } from "../../models/model.ts"
import type { GatherSources } from "../../setup/prompt-sources.ts"
import { withClientTools } from "../calls/client-call.ts"
import { senderOf } from "../work.ts"
import type { GatheredTurn } from "./gathered-turn.ts"
import { nestedContext } from "./nested.ts"

/** Makes the view of an audience. */
export type MakeView = (agent: Agent, session: Session) => View

export interface GatherOptions {
  /** The session's id, which is in the prompt. */
  readonly id: string
  readonly message: Omit<Incoming, "text">
  readonly state: SessionState
  /** How many of the touched files have their context in the head. */
  readonly inHead: number
  /** The model that gets the prompt, if it is not the agent's. */
  readonly model?: ModelFacts
}

export async function gather(
  sources: GatherSources,
  { id, message, state, inHead, model = sources.models.current() }: GatherOptions,
  view: MakeView,
): Promise<GatheredTurn> {
  const { workspace, toolbox, resources, secrets, clock } = sources
  const inputs = await sources.inputs.session?.({ session: id, from: senderOf(message) })
  const current = workspace.current()
  const memory = workspace.system().listsMemory ? await gatherMemoryInSlices(current) : undefined
  const { directory, env } = workspace
  const { as, channel, isLocal, situation, mode, task, background } = message
  const gathered = promptInput({
    folder: {
      ...{ workspace: current, profile: workspace.profile(), system: workspace.system() },
      limits: workspace.limits(),
      diagnostics: [],
    },
    tools: withClientTools(toolbox.definitions(state.activeTools), message),
    extensions: toolbox.extensions(),
    toolFormat: model.toolFormat,
    approved: sources.approvals.directories(),
    skillFolders: resources.skillFolders(),
    promptFolders: resources.promptFolders(),
    contextFor: (session) => nestedContext(sources, session, (state.touched ?? []).slice(0, inHead)),
    withoutKeys: secrets.within,
    memory,
    session: {
      ...defined({ as, channel, isLocal, situation, mode, task, inputs }),
      ...{ id, model: model.id, directory, background: background === true, env },
      ...{ timeZone: clock.timeZone, place: placeOf(message.locale) },
    },
  })
  const input = await withSandbox(gathered, sources.sandboxes)
  const { agent, session } = input
  return { ...input, seen: view(agent, session) }
}
