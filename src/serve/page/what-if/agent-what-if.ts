// What If for running agents: the prompt that a message would get in a new conversation.
import { defined } from "../../../base/defined.ts"
import { ANY_MESSAGE } from "../../api/compile/workspace-prompt.ts"
import { namedAgent } from "../../api/named-agent.ts"
import type { SurfaceCall } from "../../http/surface.ts"
import { type InspectPrompt, STRANGER, whatIfRoutes } from "./what-if-routes.ts"

const inspectAgent: InspectPrompt<SurfaceCall> = (
  { agent, user, situation, message = ANY_MESSAGE, mode },
  call,
) => {
  const { caller, agents } = call
  const who = user === null ? { channel: STRANGER } : { as: user ?? caller.user }
  const from = defined({ ...who, mode, situation: situation ?? caller.situation })
  return namedAgent(agents, agent).inspect(message, { ...from, isNew: true })
}

export const WHAT_IF_ROUTES = whatIfRoutes(inspectAgent, { mayApply: true })
