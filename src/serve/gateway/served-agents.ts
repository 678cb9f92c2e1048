// The agents of a workspace in one process: the main one, and each folder below agents/.
import type { RunningAgent } from "../../agent/setup/agent.ts"
import { MAIN_AGENT } from "../../files/paths.ts"
import type { ServedAgents } from "../http/surface.ts"
import { furtherAgents } from "./further-agents.ts"

export interface OpenedAgents extends ServedAgents {
  readonly all: readonly RunningAgent[]
  /** Puts back running work. */
  close(): Promise<void>
}

/** Opens all of them, or none. `open` gets the id of a further agent, or undefined for the main one. */
export async function openServedAgents(
  workspace: string,
  open: (id: string | undefined) => Promise<RunningAgent>,
): Promise<OpenedAgents> {
  const agents = new Map<string, RunningAgent>()
  const close = async () => {
    for (const agent of [...agents.values()].toReversed()) await agent.close()
  }
  try {
    const main = await open(undefined)
    agents.set(MAIN_AGENT, main)
    for (const id of furtherAgents(workspace)) agents.set(id, await open(id))
    return {
      main,
      all: [...agents.values()],
      names: [...agents.keys()],
      named: (name) => agents.get(name),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
