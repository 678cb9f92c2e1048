// The agent that a request is about: the main one, unless it names another.
import type { RunningAgent } from "../../agent/setup/agent.ts"
import type { ServedAgents } from "../http/surface.ts"
import { badField } from "./read-input.ts"

export function namedAgent(agents: ServedAgents, name: string | undefined): RunningAgent {
  const agent = name === undefined ? agents.main : agents.named(name)
  if (agent === undefined) throw badField("agent", `must be one of: ${agents.names.join(", ")}`)
  return agent
}
